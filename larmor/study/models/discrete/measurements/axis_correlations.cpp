#include "larmor/study/models/discrete/measurements/axis_correlations.hpp"

#include <algorithm>
#include <array>

#include "larmor/study/models/discrete/system/discrete_system.hpp"

namespace larmor::study {
namespace {

/// The largest distance, unless the entry gives another.
constexpr Index usual_distance = 64;

}  // namespace

FieldTable<AxisCorrelationsTable> AxisCorrelationsTable::fields() {
  FieldTable<AxisCorrelationsTable> table;
  return table.required("what", &AxisCorrelationsTable::what, Dimension::none, "what is measured")
      .one_of({AxisCorrelations::name})
      .selects_keys()
      .optional("distance", &AxisCorrelationsTable::distance, Dimension::none,
                "largest distance, in sites. The default is half of the axis, but at most 64")
      .at_least(1)
      .at_most(10000);
}

AxisCorrelations::AxisCorrelations(const Table& table, const MeasureContext& context)
    : Measurement(name, complete(table, context.read), std::nullopt),
      table_(table),
      samples_(context.steps / context.every + 1) {}

std::vector<Index> AxisCorrelations::distances(const DiscreteSites& sites) const {
  std::vector<Index> counted;
  for (const Index length : sites.grid.lengths)
    counted.push_back(
        std::min(length - 1, table_.distance.value_or(std::min(length / 2, usual_distance))) + 1);
  return counted;
}

void AxisCorrelations::validate(const Sizing& sizing) const {
  if (sites_of(discrete_tables(sizing.study)).is_grid()) return;
  throw InputError("axis-correlations needs a grid, a lattice of one site in a cell",
                   table_.where.of("what"), "leave axis-correlations out");
}

StageBytes AxisCorrelations::forecast(const Sizing& sizing) const {
  Index numbers = 0;
  for (const Index counted : distances(sites_of(discrete_tables(sizing.study)))) numbers += counted;
  StageBytes bytes;
  bytes.device = static_cast<double>(sizing.system.sites + 16 * numbers) *
                 static_cast<double>(sizing.replicas);
  bytes.host = BinnedNumbers::bytes(numbers, sizing.replicas, samples_);
  return bytes;
}

void AxisCorrelations::prepare(const Simulation& simulation) {
  const DiscreteSystem& system = discrete_system(simulation);
  sums_ = std::make_unique<ising::GridSums>(
      system.device, system.sites.grid.lengths, system.sites.grid.periodic, distances(system.sites),
      static_cast<int>(system.tables.states()), system.replicas.count);
  pairs_ = sums_->pairs();
  averages_.begin(std::ssize(pairs_), system.replicas.count);
}

void AxisCorrelations::sample(const Simulation& simulation, const Instant&, MeasurementQueue& queue,
                              ResultsGroup&) {
  std::vector<Pending> parts;
  parts.push_back(sums_->equal_pairs(discrete_system(simulation).site_states()));
  queue.push(std::move(parts), [this](std::vector<std::vector<double>> numbers) {
    const double q = sums_->axes().states;
    for (std::size_t n = 0; n < numbers[0].size(); ++n)
      numbers[0][n] = (q * numbers[0][n] / pairs_[n % pairs_.size()] - 1) / (q - 1);
    averages_.add(numbers[0]);
  });
}

void AxisCorrelations::write(const Simulation& simulation,
                             const std::optional<MeasuredPoint>& point, ResultsGroup& results) {
  const std::vector<Estimate> averages =
      averages_.averages(simulation.ranks, replicas_of_sample(simulation));
  averages_.begin(std::ssize(pairs_), simulation.ranks.share().count);
  if (!simulation.ranks.is_root()) return;
  results.append(std::string(name) + "/temperature", {point->temperature}, {}, "");
  const ising::SummedAxes& axes = sums_->axes();
  for (int axis = 0; axis < axes.axes; ++axis) {
    std::vector<double> value, error, reliable, distance;
    for (Index d = 0; d < axes.distances[axis]; ++d) {
      const Estimate& average = averages[static_cast<std::size_t>(axes.first_distance[axis] + d)];
      value.push_back(average.value);
      error.push_back(average.error);
      reliable.push_back(average.reliable ? 1 : 0);
      distance.push_back(static_cast<double>(d));
    }
    const std::string group =
        std::string(name) + "/" + axis_names[static_cast<std::size_t>(axis)] + "/";
    const std::vector<Index> row{axes.distances[axis]};
    results.append(group + "value", std::move(value), row, "");
    results.append(group + "error", std::move(error), row, "");
    results.append(group + "reliable", std::move(reliable), row, "");
    if (point->number == 0) results.write(group + "distance", std::move(distance), row, "");
  }
}

}  // namespace larmor::study
