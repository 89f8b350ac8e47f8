#include "larmor/study/sampling/thermal_averages.hpp"

#include <cmath>
#include <span>

#include "larmor/study/measurements/disorder_average.hpp"
#include "larmor/study/measurements/rungs.hpp"

namespace larmor::study {
namespace {

using Means = std::span<const double>;

double squared(double x) { return x * x; }

}  // namespace

void ThermalSeries::add(const std::vector<double>& energies, const std::vector<double>& of_order) {
  energy.insert(energy.end(), energies.begin(), energies.end());
  const std::size_t components = order.size();
  for (std::size_t i = 0; i < of_order.size(); ++i) order[i % components].push_back(of_order[i]);
}

void ThermalSeries::clear() {
  energy.clear();
  for (std::vector<double>& component : order) component.clear();
}

std::string component_name(const OrderParameter& order, std::size_t component) {
  if (order.components == 1) return order.name + "_signed";
  if (order.components > 3) return order.name + "_" + std::to_string(component + 1);
  return order.name + "_" + "xyz"[component];
}

ThermalSeries at_rung(ThermalSeries series, Index rung, Index rungs) {
  if (rungs == 1) return series;
  ThermalSeries own;
  own.replicas = replicas_at_rung(series.replicas, rung, rungs);
  own.energy = at_rung(series.energy, series.replicas, 1, rung, rungs);
  for (const std::vector<double>& component : series.order)
    own.order.push_back(at_rung(component, series.replicas, 1, rung, rungs));
  return own;
}

Averaging averaging_in_time(Index replicas, Index of_sample) {
  // Fluctuations are those in time: not of the disorder, which differs from replica to replica.
  if (of_sample > 0)
    return {[=](Means x) { return disorder_mean(x, replicas, of_sample); },
            [=](const std::vector<Means>& columns, const DerivedQuantity& quantity) {
              return disorder_mean_of(columns, replicas, of_sample, quantity);
            },
            [=](const std::vector<Means>& columns, const DerivedQuantity& quantity) {
              return of_disorder_means(columns, replicas, of_sample, quantity);
            }};
  const auto of_means = [replicas](const std::vector<Means>& columns,
                                   const DerivedQuantity& quantity) {
    return jackknife(columns, replicas, quantity);
  };
  return {[replicas](Means x) { return estimate_replicas(x, replicas); }, of_means, of_means};
}

std::vector<NamedEstimate> thermal_fluctuations(const ThermalMoments& moments, Index replicas,
                                                const OrderParameter& order,
                                                const EnergyName& energy,
                                                const ThermalUnits& units) {
  return thermal_fluctuations(moments, order, energy, units,
                              averaging_in_time(replicas, units.of_sample));
}

std::vector<NamedEstimate> thermal_fluctuations(const ThermalMoments& moments,
                                                const OrderParameter& order,
                                                const EnergyName& energy, const ThermalUnits& units,
                                                const Averaging& rules) {
  const auto N = static_cast<double>(units.sites);
  const double kT = units.thermal_energy;
  const DerivedQuantity specific_heat = [&](Means x) {
    return N * (x[1] - x[0] * x[0]) / (kT * kT);
  };
  const DerivedQuantity susceptibility = [&](Means x) {
    return order.susceptibility_factor * N * (x[1] - x[0] * x[0]) / kT;
  };
  const DerivedQuantity binder = [](Means x) { return 1 - x[1] / (3 * x[0] * x[0]); };
  return {{energy.fluctuation, energy.fluctuation_unit,
           rules.fluctuation({moments.e, moments.e2}, specific_heat)},
          {"susceptibility", order.susceptibility_unit,
           rules.fluctuation({moments.m, moments.m2}, susceptibility)},
          {"binder_cumulant", "", rules.of_means({moments.m2, moments.m4}, binder)}};
}

std::vector<NamedEstimate> thermal_averages(const ThermalSeries& series,
                                            const OrderParameter& order, const EnergyName& energy,
                                            const ThermalUnits& units) {
  return thermal_averages(series, order, energy, units,
                          averaging_in_time(series.replicas, units.of_sample));
}

std::vector<NamedEstimate> thermal_averages(const ThermalSeries& series,
                                            const OrderParameter& order, const EnergyName& energy,
                                            const ThermalUnits& units, const Averaging& rules) {
  ThermalMoments moments;
  for (std::size_t i = 0; i < series.energy.size(); ++i) {
    double sum = squared(series.order[0][i]);
    for (std::size_t c = 1; c < series.order.size(); ++c) sum += squared(series.order[c][i]);
    moments.m2.push_back(sum);
    moments.m.push_back(std::sqrt(sum));
    moments.m4.push_back(squared(sum));
  }
  // Fluctuations do not change with the zero of energy; a near one saves digits.
  const double zero = series.energy.front();
  for (const double of_sample : series.energy) {
    moments.e.push_back(of_sample - zero);
    moments.e2.push_back(squared(moments.e.back()));
  }
  std::vector<NamedEstimate> averages;
  const auto mean = [&](const std::string& name, const std::string& unit,
                        const std::vector<double>& x) {
    averages.push_back({name, unit, rules.mean(x)});
  };
  mean(energy.name, units.energy, series.energy);
  mean(order.name, order.unit, moments.m);
  for (std::size_t c = 0; c < series.order.size(); ++c)
    mean(component_name(order, c), order.unit, series.order[c]);
  for (NamedEstimate& average : thermal_fluctuations(moments, order, energy, units, rules))
    averages.push_back(std::move(average));
  return averages;
}

}  // namespace larmor::study
