#include "larmor/study/models/discrete/measurements/order_moments.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "larmor/study/measurements/averages.hpp"
#include "larmor/study/models/discrete/system/discrete_system.hpp"

namespace larmor::study {
namespace {

constexpr std::size_t moments = 2;

std::vector<std::size_t> periodic_axes(const DiscreteSites& sites) {
  std::vector<std::size_t> axes;
  for (std::size_t axis = 0; axis < sites.grid.lengths.size(); ++axis)
    if (sites.grid.periodic[axis] && sites.grid.lengths[axis] > 1) axes.push_back(axis);
  return axes;
}

}  // namespace

StageBytes OrderMoments::forecast(const Sizing& sizing) const {
  const DiscreteTables& tables = discrete_tables(sizing.study);
  double planes = 0;
  for (const Index length : sites_of(tables).grid.lengths) planes += static_cast<double>(length);
  StageBytes bytes = SeriesMeasurement::forecast(sizing);
  bytes.device += (static_cast<double>(sizing.system.sites) +
                   16 * (planes + 1) * static_cast<double>(tables.states())) *
                  static_cast<double>(sizing.replicas);
  return bytes;
}

Index OrderMoments::numbers(const Sizing& sizing) const {
  return moments + std::ssize(sites_of(discrete_tables(sizing.study)).grid.lengths);
}

std::vector<Observable> OrderMoments::observables(const Simulation&) const {
  std::vector<Observable> numbers{{"magnetisation_squared", "", 1, {}},
                                  {"magnetisation_fourth", "", 1, {}}};
  for (const std::size_t axis : axes_)
    numbers.push_back({std::string("structure_factor_") + axis_names[axis], "", 1, {}});
  return numbers;
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
  SeriesMeasurement::prepare(simulation);
}

std::vector<Pending> OrderMoments::begin(const Simulation& simulation) {
  std::vector<Pending> parts;
  parts.push_back(sums_->planes(discrete_system(simulation).site_states()));
  return parts;
}

std::vector<std::vector<double>> OrderMoments::finish(
    const Simulation&, std::vector<std::vector<double>> numbers) const {
  const std::vector<double>& counts = numbers[0];
  std::vector<std::vector<double>> values(moments + axes_.size());
  const ising::SummedAxes& axes = sums_->axes();
  const auto q = static_cast<std::size_t>(axes.states);
  const auto N = static_cast<double>(axes.sites);
  const std::size_t of_replica = static_cast<std::size_t>(axes.planes) * q;
  // For two states, S is equal to S of spins s = +-1: if n_0 and n_1 of n sites are in each state,
  // (n_0 - n_1)^2 is 2 ((n_0 - n/2)^2 + (n_1 - n/2)^2).
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
    values[0].push_back(m2);
    values[1].push_back(m2 * m2);
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
      values[moments + n].push_back(weight * sum / N);
    }
  }
  return values;
}

void OrderMoments::write_derived(const Simulation&, const MeasuredSeries& series,
                                 ResultsGroup& results) const {
  const ising::SummedAxes& axes = sums_->axes();
  const auto N = static_cast<double>(axes.sites);
  for (std::size_t n = 0; n < axes_.size(); ++n) {
    const double twice_sine =
        2 * std::sin(std::numbers::pi / static_cast<double>(axes.length[axes_[n]]));
    const std::vector<std::span<const double>> columns{series.values[0],
                                                       series.values[moments + n]};
    const auto estimated = [&](const DerivedQuantity& quantity) {
      return series.of_sample > 0
                 ? of_disorder_means(columns, series.replicas, series.of_sample, quantity)
                 : jackknife(columns, series.replicas, quantity);
    };
    // S(0) / S(k) - 1, and its root.
    const Estimate square =
        estimated([&](std::span<const double> x) { return N * x[0] / x[1] - 1; });
    Estimate length = estimated([&](std::span<const double> x) {
      return std::sqrt(std::max(0.0, N * x[0] / x[1] - 1)) / twice_sine;
    });
    constexpr double sigmas_resolved = 3;
    if (!(square.value > sigmas_resolved * square.error)) {
      // The noise of S(0) and S(k) is as large as their difference: the error is an upper bound of
      // the length.
      const double least = std::max(0.0, square.value);
      length.value = std::sqrt(least) / twice_sine;
      length.error = (std::sqrt(least + square.error) - std::sqrt(least)) / twice_sine;
      length.reliable = false;
    }
    append_estimate(results, std::string("correlation_length_") + axis_names[axes_[n]], length, "");
  }
}

void CorrelationLength::validate(const Sizing& sizing) const {
  if (!periodic_axes(sites_of(discrete_tables(sizing.study))).empty()) return;
  throw InputError("correlation-length needs a grid with one site in each cell and a periodic axis",
                   where_, "leave correlation-length out; magnetisation-moments needs no grid");
}

std::vector<std::size_t> CorrelationLength::modulated(const Simulation& simulation) const {
  return periodic_axes(discrete_system(simulation).sites);
}

}  // namespace larmor::study
