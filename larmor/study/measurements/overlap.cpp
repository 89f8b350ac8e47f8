#include "larmor/study/measurements/overlap.hpp"

#include <cmath>
#include <limits>

#include "larmor/core/device/parallel.hpp"

namespace larmor::study {

using overlaps::CopyUnits;
using overlaps::OverlapAverages;
using overlaps::UnitEstimate;
using tempering::LadderLayout;

FieldTable<OverlapTable> OverlapTable::fields() {
  FieldTable<OverlapTable> table;
  return table.required("what", &OverlapTable::what, Dimension::none, "what is measured")
      .one_of({Overlap::name})
      .selects_keys()
      .optional("bins", &OverlapTable::bins, Dimension::none,
                "largest number of bins of the distribution of overlaps")
      .at_least(2)
      .at_most(10001);
}

Overlap::Overlap(const Table& table, const MeasureContext& context)
    : LadderMeasurement(name, complete(table, context.read), std::nullopt), table_(table) {}

StageBytes Overlap::bytes_for(const Sizing& sizing, Index axes, double configuration_bytes) const {
  // There are at most as many pairs as replicas, unless a sample has several. Memory holds sums of
  // a sample and of a block, bins, and their copies from all ranks.
  constexpr Index copies_of_sums = 2;
  const auto numbers =
      static_cast<double>(2 * (overlaps::first_wave + axes) + table_.bins) * copies_of_sums;
  StageBytes bytes;
  bytes.host = static_cast<double>(sizing.replicas) * (8 * numbers + configuration_bytes);
  return bytes;
}

void Overlap::prepare(const Simulation& simulation) {
  const Index of_sample = simulation.system.replicas_differ()
                              ? simulation.study.replicas_of_sample()
                              : simulation.study.replicas;
  prepare_ladder(simulation, {1, of_sample, simulation.study.replicas / of_sample});
}

void Overlap::prepare_ladder(const Simulation& simulation, const LadderLayout& layout) {
  if (layout.copies < 2)
    throw InputError(
        "overlap needs two copies of a sample at one temperature, but there is only one copy",
        table_.where.of("what"),
        layout.samples > 1 ? "give more replicas, or fewer samples"
                           : "give twice the replicas. If the disorder differs by replica, set "
                             "`samples` to the number of disorder samples that the replicas share");
  const Ranks& ranks = simulation.ranks;
  if (!ranks.all(has_whole_samples(ranks, layout)))
    throw InputError(
        "ranks = " + std::to_string(ranks.size()) +
            " share the copies of a sample, but overlap needs all copies of a sample on one rank",
        table_.where.of("what"), whole_samples_remedy);
  threads_ = simulation.system.device.host_threads();
  LadderLayout own = layout;
  own.samples = ranks.share().count / layout.replicas_of_sample();
  units_ = CopyUnits::of(own, layout.samples);
  copies_ = copies_of(simulation);
  scale_ = copies_->scale();
  bins_ = copies_->bins(table_.bins);
  const Index numbers = overlaps::first_wave + std::ssize(scale_.lengths);
  all_ = block_ = OverlapAverages(units_.count(), own.rungs, numbers);
  in_bins_ = OverlapAverages(units_.count(), own.rungs, bins_->count());
  block_end_ = 1;
  last_step_ = point_ = 0;
  kT_.clear();
}

void Overlap::sample(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
                     ResultsGroup& results) {
  const auto replicas = static_cast<std::size_t>(units_.layout.replicas());
  begin(simulation, now, queue, results)({std::vector<double>(replicas), {}, {}});
}

std::function<void(const RungSnapshot&)> Overlap::begin(const Simulation& simulation,
                                                        const Instant& now, MeasurementQueue& queue,
                                                        ResultsGroup& results) {
  if (now.step > block_end_) begin_block(simulation, now, queue, results);
  last_step_ = now.step;
  return [this, copies = std::shared_ptr(copies_->snapshot())](const RungSnapshot& rungs) {
    add(*copies, rungs);
  };
}

void Overlap::begin_block(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
                          ResultsGroup& results) {
  queue.drain();
  if (block_.measurements() > 0) write_block(simulation.ranks, results);
  while (block_end_ < now.step) block_end_ *= 2;
}

void Overlap::add(const CopiesSnapshot& copies, const RungSnapshot& now) {
  const LadderLayout& layout = units_.layout;
  const std::vector<Index> replicas = overlaps::replicas_by_rung(layout, now.rungs);
  const auto numbers = static_cast<std::size_t>(all_.numbers_of_unit() / layout.rungs);
  kT_ = now.kT;
  parallel_for(threads_, units_.count(), [&](Index unit) {
    const std::vector<std::array<Index, 2>> pairs = units_.pairs(unit);
    const double weight = 1 / static_cast<double>(pairs.size());
    std::vector<double> sums(numbers);
    for (Index rung = 0; rung < layout.rungs; ++rung)
      for (const auto& [a, b] : pairs) {
        const auto at = [&](Index ladder) {
          return replicas[static_cast<std::size_t>(layout.replica_at(rung, ladder))];
        };
        const ComparedPair pair{rung, {a, b}, {at(a), at(b)}};
        copies.sum(pair, sums.data());
        const auto energy = [&](Index replica) {
          return now.energy[static_cast<std::size_t>(replica)];
        };
        if (!now.energy.empty())
          sums[overlaps::energy] = (energy(pair.replicas[0]) + energy(pair.replicas[1])) / 2;
        for (std::size_t n = 0; n < numbers; ++n) {
          all_.sums_of(unit, rung)[n] += weight * sums[n];
          block_.sums_of(unit, rung)[n] += weight * sums[n];
        }
        in_bins_.sums_of(unit, rung)[bins_->bin(sums[overlaps::overlap])] += weight;
      }
  });
  all_.count_measurement();
  block_.count_measurement();
  in_bins_.count_measurement();
}

RankShare Overlap::units(const Ranks& ranks) const {
  const Index own = units_.count();
  if (!units_.are_samples) return {0, own, own};
  const Index of_sample = units_.layout.rungs * units_.layout.copies;
  return {ranks.share().first / of_sample, own, ranks.share().all / of_sample};
}

std::vector<UnitEstimate> Overlap::at_rung(const std::vector<double>& gathered, Index samples,
                                           Index rung) const {
  const Index numbers = all_.numbers_of_unit() / units_.layout.rungs;
  std::vector<double> means;
  for (Index first = rung * numbers; first < std::ssize(gathered); first += all_.numbers_of_unit())
    for (Index n = 0; n < numbers; ++n)
      means.push_back(gathered[static_cast<std::size_t>(first + n)] / static_cast<double>(samples));
  overlaps::GlassParameters scale = scale_;
  scale.has_energy = !kT_.empty();
  if (!scale.has_energy) scale.variance.reset();
  return overlaps::overlap_estimates(scale, means,
                                     kT_.empty() ? 0 : kT_[static_cast<std::size_t>(rung)]);
}

std::vector<std::vector<UnitEstimate>> Overlap::at_rungs(const std::vector<double>& gathered,
                                                         Index samples) const {
  std::vector<std::vector<UnitEstimate>> of_rungs(static_cast<std::size_t>(units_.layout.rungs));
  parallel_for(threads_, units_.layout.rungs, [&](Index rung) {
    of_rungs[static_cast<std::size_t>(rung)] = at_rung(gathered, samples, rung);
  });
  return of_rungs;
}

void Overlap::write_block(const Ranks& ranks, ResultsGroup& results) {
  const std::vector<double> sums =
      ranks.gathered(block_.sums(), units(ranks), all_.numbers_of_unit());
  if (ranks.is_root()) {
    const std::string group = std::string(name) + "/blocks/";
    results.append(group + "last_sweep", {static_cast<double>(std::min(block_end_, last_step_))},
                   {}, "");
    results.append(group + "point", {static_cast<double>(point_)}, {}, "");
    const std::vector<std::vector<UnitEstimate>> of_rungs = at_rungs(sums, block_.measurements());
    for (std::size_t n = 0; n < of_rungs.front().size(); ++n) {
      std::vector<double> value, error;
      for (const std::vector<UnitEstimate>& of_rung : of_rungs) {
        value.push_back(of_rung[n].value);
        error.push_back(of_rung[n].error);
      }
      const std::string& quantity = of_rungs.front()[n].name;
      results.append(group + quantity + "/value", std::move(value), {units_.layout.rungs}, "");
      results.append(group + quantity + "/error", std::move(error), {units_.layout.rungs}, "");
    }
  }
  block_.clear();
}

void Overlap::write_averages(const Ranks& ranks, ResultsGroup& results) {
  const std::vector<double> sums =
      ranks.gathered(all_.sums(), units(ranks), all_.numbers_of_unit());
  if (ranks.is_root())
    for (const std::vector<UnitEstimate>& of_rung : at_rungs(sums, all_.measurements()))
      for (const UnitEstimate& estimate : of_rung) {
        const std::string group = std::string(name) + "/" + estimate.name + "/";
        results.append(group + "value", {estimate.value}, {}, "");
        results.append(group + "error", {estimate.error}, {}, "");
      }
  all_.clear();
}

void Overlap::write_distribution(const Ranks& ranks, ResultsGroup& results) {
  const std::vector<double> sums =
      ranks.gathered(in_bins_.sums(), units(ranks), in_bins_.numbers_of_unit());
  const auto samples = static_cast<double>(in_bins_.measurements());
  in_bins_.clear();
  if (!ranks.is_root()) return;
  const std::string group = std::string(name) + "/distribution/";
  const std::vector<double>& edges = bins_->edges();
  if (point_ == 0) results.write(group + "edges", edges, {std::ssize(edges)}, "");
  const Index bins = bins_->count(), of_unit = in_bins_.numbers_of_unit();
  const auto count = static_cast<double>(std::ssize(sums) / of_unit);
  const Index rungs = units_.layout.rungs;
  std::vector<std::vector<double>> values(static_cast<std::size_t>(rungs)), errors = values;
  parallel_for(threads_, rungs, [&](Index rung) {
    std::vector<double>& value = values[static_cast<std::size_t>(rung)];
    std::vector<double>& error = errors[static_cast<std::size_t>(rung)];
    for (Index bin = 0; bin < bins; ++bin) {
      const double width =
          edges[static_cast<std::size_t>(bin) + 1] - edges[static_cast<std::size_t>(bin)];
      double mean = 0, squares = 0;
      for (Index at = rung * bins + bin; at < std::ssize(sums); at += of_unit)
        mean += sums[static_cast<std::size_t>(at)] / (samples * width * count);
      for (Index at = rung * bins + bin; at < std::ssize(sums); at += of_unit) {
        const double off = sums[static_cast<std::size_t>(at)] / (samples * width) - mean;
        squares += off * off;
      }
      value.push_back(mean);
      error.push_back(count > 1 ? std::sqrt(squares / (count * (count - 1)))
                                : std::numeric_limits<double>::quiet_NaN());
    }
  });
  for (std::size_t rung = 0; rung < values.size(); ++rung) {
    results.append(group + "value", std::move(values[rung]), {bins}, "");
    results.append(group + "error", std::move(errors[rung]), {bins}, "");
  }
}

void Overlap::write(const Simulation& simulation, const std::optional<MeasuredPoint>&,
                    ResultsGroup& results) {
  write_block(simulation.ranks, results);
  write_averages(simulation.ranks, results);
  write_distribution(simulation.ranks, results);
  block_end_ = 1;
  ++point_;
}

void Overlap::save(StageMemory& memory, const Ranks& ranks) const {
  const auto keep = [&](const std::string& key, const OverlapAverages& averages) {
    memory.numbers[key] = ranks.gathered(averages.sums(), units(ranks), averages.numbers_of_unit());
    memory.integers[key + "_samples"] = {averages.measurements()};
  };
  keep("all", all_);
  keep("block", block_);
  keep("bins", in_bins_);
  memory.numbers["kT"] = kT_;
  memory.integers["position"] = {block_end_, last_step_, point_};
}

void Overlap::load(const StageMemory& memory, const Ranks& ranks) {
  const auto take = [&](const std::string& key, OverlapAverages& averages) {
    averages.restore(ranks.own_of(memory.number(key), units(ranks), averages.numbers_of_unit()),
                     memory.integer(key + "_samples").at(0));
  };
  take("all", all_);
  take("block", block_);
  take("bins", in_bins_);
  kT_ = memory.number("kT");
  const std::vector<Index>& position = memory.integer("position");
  block_end_ = position.at(0);
  last_step_ = position.at(1);
  point_ = position.at(2);
}

}  // namespace larmor::study
