#include "larmor/study/kinds/discrete/order_moments.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "larmor/study/kinds/discrete/discrete_system.hpp"
#include "larmor/study/measurements/disorder_average.hpp"

namespace larmor::study {
namespace {

constexpr std::size_t moments = 2;
constexpr std::array axis_names{"x", "y", "z", "w"};

std::vector<std::size_t> periodic_axes(const DiscreteSites& sites) {
  std::vector<std::size_t> axes;
  for (std::size_t axis = 0; axis < sites.grid.lengths.size(); ++axis)
    if (sites.grid.periodic[axis] && sites.grid.lengths[axis] > 1) axes.push_back(axis);
  return axes;
}

}  // namespace

OrderMoments::OrderMoments(const char* what, const MeasureContext& context)
    : Measurement(what, Value(what), std::nullopt),
      samples_(context.steps / context.every + 1),
      sweeps_(context.steps),
      every_(context.every) {}

StageBytes OrderMoments::forecast(const Sizing& sizing) const {
  const DiscreteTables& tables = discrete_tables(sizing.study);
  const auto R = static_cast<double>(sizing.replicas);
  double planes = 0;
  for (const Index length : sites_of(tables).grid.lengths) planes += static_cast<double>(length);
  StageBytes bytes;
  bytes.device = (static_cast<double>(sizing.system.sites) +
                  16 * (planes + 1) * static_cast<double>(tables.states())) *
                 R;
  bytes.host = 8 * 6 * 3 * static_cast<double>(samples_) * R;
  return bytes;
}

void OrderMoments::prepare(const Simulation& simulation) {
  const DiscreteSystem& system = discrete_system(simulation);
  const auto states = static_cast<int>(system.tables.states());
  const ising::RegularGrid& grid = system.sites.grid;
  axes_ = modulated(simulation);
  sums_ = axes_.empty()
              ? std::make_unique<ising::GridSums>(ising::GridSums::of_all_sites(
                    system.device, system.sites.count, states, system.replicas.count))
              : std::make_unique<ising::GridSums>(system.device, grid.lengths, grid.periodic,
                                                  std::vector<Index>(grid.lengths.size(), 1),
                                                  states, system.replicas.count);
  series_.assign(moments + axes_.size(), {});
}

void OrderMoments::sample(const Simulation& simulation, const Instant&, MeasurementQueue& queue,
                          ResultsGroup&) {
  std::vector<Pending> parts;
  parts.push_back(sums_->planes(discrete_system(simulation).site_states()));
  queue.push(std::move(parts),
             [this](const std::vector<std::vector<double>>& numbers) { look(numbers[0]); });
}

void OrderMoments::look(const std::vector<double>& counts) {
  const ising::SummedAxes& axes = sums_->axes();
  const auto q = static_cast<std::size_t>(axes.states);
  const auto N = static_cast<double>(axes.sites);
  const std::size_t of_replica = static_cast<std::size_t>(axes.planes) * q;
  // Of two states it is that of s = +-1 too: (n_0 - n_1)^2 is 2 ((n_0 - n/2)^2 + (n_1 - n/2)^2).
  const double weight = axes.states / (axes.states - 1.0);
  for (std::size_t r = 0; r * of_replica < counts.size(); ++r) {
    const double* const own = counts.data() + r * of_replica;
    double square = 0;
    for (std::size_t k = 0; k < q; ++k) {
      double sites = 0;
      for (Index x = 0; x < axes.length[0]; ++x) sites += own[axes.plane_number(0, x, int(k))];
      square += std::pow(sites / N - 1 / static_cast<double>(q), 2);
    }
    const double m2 = weight * square;
    series_[0].push_back(m2);
    series_[1].push_back(m2 * m2);
    for (std::size_t n = 0; n < axes_.size(); ++n) {
      const auto axis = static_cast<int>(axes_[n]);
      const double wave = 2 * std::numbers::pi / static_cast<double>(axes.length[axis]);
      double sum = 0;
      for (std::size_t k = 0; k < q; ++k) {
        double real = 0, imaginary = 0;
        for (Index x = 0; x < axes.length[axis]; ++x) {
          const double sites = own[axes.plane_number(axis, x, int(k))];
          real += sites * std::cos(wave * static_cast<double>(x));
          imaginary += sites * std::sin(wave * static_cast<double>(x));
        }
        sum += real * real + imaginary * imaginary;
      }
      series_[moments + n].push_back(weight * sum / N);
    }
  }
}

void OrderMoments::write(const Simulation& simulation, const std::optional<MeasuredPoint>& point,
                         ResultsGroup& results) {
  const Ranks& ranks = simulation.ranks;
  std::vector<std::vector<double>> all;
  for (std::vector<double>& column : series_)
    all.push_back(ranks.gathered(std::move(column), ranks.replicas()));
  series_.assign(moments + axes_.size(), {});
  if (!ranks.is_root()) return;
  const Index replicas = ranks.gathered_replicas();
  const bool differ = simulation.system.replicas_differ();
  const auto mean = [&](const std::string& of, const std::vector<double>& x) {
    append_estimate(results, of,
                    differ ? disorder_mean(x, replicas) : estimate_replicas(x, replicas), "");
  };
  mean("magnetisation_squared", all[0]);
  mean("magnetisation_fourth", all[1]);
  const ising::SummedAxes& axes = sums_->axes();
  const auto N = static_cast<double>(axes.sites);
  std::vector<double> step;
  for (Index sample = 1; sample <= std::ssize(all[0]) / replicas; ++sample)
    step.push_back(static_cast<double>(std::min(sample * every_, sweeps_)));
  for (std::size_t n = 0; n < axes_.size(); ++n) {
    const std::vector<double>& modulated = all[moments + n];
    const std::string axis = axis_names[axes_[n]];
    mean("structure_factor_" + axis, modulated);
    const std::string series = "series/structure_factor_" + axis;
    results.append(series + "/value", modulated, {replicas}, "");
    results.append(series + "/step", step, {}, "");
    results.append(series + "/point",
                   std::vector<double>(step.size(), static_cast<double>(point ? point->number : 0)),
                   {}, "");
    const double twice_sine =
        2 * std::sin(std::numbers::pi / static_cast<double>(axes.length[axes_[n]]));
    const DerivedQuantity length = [&](std::span<const double> x) {
      return std::sqrt(std::max(0.0, N * x[0] / x[1] - 1)) / twice_sine;
    };
    append_estimate(results, "correlation_length_" + axis,
                    differ ? of_disorder_means({all[0], modulated}, replicas, length)
                           : jackknife({all[0], modulated}, replicas, length),
                    "");
  }
}

void OrderMoments::save(StageMemory& memory, const Ranks& ranks) const {
  for (std::size_t n = 0; n < series_.size(); ++n)
    memory.numbers["series_" + std::to_string(n)] = ranks.gathered(series_[n], ranks.replicas());
}

void OrderMoments::load(const StageMemory& memory, const Ranks& ranks) {
  for (std::size_t n = 0; n < series_.size(); ++n)
    series_[n] = ranks.own_of(memory.number("series_" + std::to_string(n)), ranks.replicas());
}

void CorrelationLength::validate(const Sizing& sizing) const {
  if (!periodic_axes(sites_of(discrete_tables(sizing.study))).empty()) return;
  throw InputError("correlation-length needs a grid of one site in a cell that is periodic", where_,
                   "leave it out; magnetisation-moments needs none");
}

std::vector<std::size_t> CorrelationLength::modulated(const Simulation& simulation) const {
  return periodic_axes(discrete_system(simulation).sites);
}

}  // namespace larmor::study
