#include "larmor/study/sampling/thermal_averages.hpp"

#include <cmath>
#include <span>

#include "larmor/study/measurements/averages.hpp"

namespace larmor::study {
namespace {

using Means = std::span<const double>;

double squared(double x) { return x * x; }

NamedEstimate specific_heat(const Averaging::Columns& energy, const EnergyName& name,
                            const ThermalUnits& units, const Averaging& rules) {
  const auto N = static_cast<double>(units.sites);
  const double kT = units.thermal_energy;
  return {name.fluctuation, name.fluctuation_unit,
          rules.fluctuation(energy, [=](Means x) { return N * (x[1] - x[0] * x[0]) / (kT * kT); })};
}

NamedEstimate susceptibility(const Averaging::Columns& order, const OrderParameter& name,
                             const ThermalUnits& units, const Averaging& rules) {
  const auto N = static_cast<double>(units.sites);
  const double kT = units.thermal_energy, factor = name.susceptibility_factor;
  return {"susceptibility", name.susceptibility_unit, rules.fluctuation(order, [=](Means x) {
            return factor * N * (x[1] - x[0] * x[0]) / kT;
          })};
}

NamedEstimate binder_cumulant(const Averaging::Columns& order, const Averaging& rules) {
  return {"binder_cumulant", "",
          rules.of_means(order, [](Means x) { return 1 - x[1] / (3 * x[0] * x[0]); })};
}

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
  // Fluctuations are those in time, and not those of the disorder, which differs between replicas.
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
  return {specific_heat({moments.e, moments.e2}, energy, units, rules),
          susceptibility({moments.m, moments.m2}, order, units, rules),
          binder_cumulant({moments.m2, moments.m4}, rules)};
}

std::vector<NamedEstimate> thermal_averages(ThermalSeries series, const OrderParameter& order,
                                            const EnergyName& energy, const ThermalUnits& units) {
  const Averaging rules = averaging_in_time(series.replicas, units.of_sample);
  return thermal_averages(std::move(series), order, energy, units, rules);
}

std::vector<NamedEstimate> thermal_averages(ThermalSeries series, const OrderParameter& order,
                                            const EnergyName& energy, const ThermalUnits& units,
                                            const Averaging& rules) {
  // Series may be long, so each series is freed after its last use.
  ThermalMoments moments;
  const NamedEstimate e{energy.name, units.energy, rules.mean(series.energy)};
  // Fluctuations do not change with the zero of energy. A zero near the energies saves digits.
  const double zero = series.energy.front();
  moments.e = std::move(series.energy);
  moments.e2.reserve(moments.e.size());
  for (double& of_sample : moments.e) {
    of_sample -= zero;
    moments.e2.push_back(squared(of_sample));
  }
  const NamedEstimate heat = specific_heat({moments.e, moments.e2}, energy, units, rules);
  moments.e = {};
  moments.e2 = {};
  moments.m2.reserve(series.order[0].size());
  for (std::size_t i = 0; i < series.order[0].size(); ++i) {
    double sum = squared(series.order[0][i]);
    for (std::size_t c = 1; c < series.order.size(); ++c) sum += squared(series.order[c][i]);
    moments.m2.push_back(sum);
  }
  std::vector<NamedEstimate> components;
  for (std::size_t c = 0; c < series.order.size(); ++c) {
    components.push_back({component_name(order, c), order.unit, rules.mean(series.order[c])});
    series.order[c] = {};
  }
  moments.m.reserve(moments.m2.size());
  for (const double m2 : moments.m2) moments.m.push_back(std::sqrt(m2));
  const NamedEstimate m{order.name, order.unit, rules.mean(moments.m)};
  const NamedEstimate chi = susceptibility({moments.m, moments.m2}, order, units, rules);
  moments.m = {};
  moments.m4.reserve(moments.m2.size());
  for (const double m2 : moments.m2) moments.m4.push_back(squared(m2));
  std::vector<NamedEstimate> averages{e, m};
  averages.insert(averages.end(), components.begin(), components.end());
  averages.insert(averages.end(), {heat, chi, binder_cumulant({moments.m2, moments.m4}, rules)});
  return averages;
}

}  // namespace larmor::study
