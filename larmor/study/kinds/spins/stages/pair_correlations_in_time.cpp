#include "larmor/study/kinds/spins/stages/pair_correlations_in_time.hpp"

#include "larmor/study/kinds/spins/stages/complex_parts.hpp"
#include "larmor/study/kinds/spins/stages/pair_bins.hpp"

namespace larmor::study {

using correlations::real_space::BinsInTime;
using correlations::real_space::PairsInTimeResult;
using correlations::real_space::PairsInTimeSettings;

namespace {

std::vector<double> real_parts_of(const std::vector<std::complex<double>>& numbers) {
  std::vector<double> parts;
  parts.reserve(numbers.size());
  for (const std::complex<double>& z : numbers) parts.push_back(z.real());
  return parts;
}

}  // namespace

PairsInTimeChoice::PairsInTimeChoice(const MeasurementTable& table, const ReadContext& context)
    : table_(table), displacement_(table.displacement, context), groups_(table.groups, context) {
  const bool asks = !table.distance.empty() || displacement_.asked() || groups_.asks_for_groups();
  if (table.what != what) {
    if (asks)
      throw InputError(
          "distance, displacement and groups belong to pair-correlations, not to " + table.what,
          table.where.of({"distance", "displacement", "groups"}),
          "remove them, or measure what = \"pair-correlations\"");
    return;
  }
  if (!asks)
    throw InputError("pair-correlations lacks its bins", table.where,
                     "give distance = { width = 1.0, bins = 20 }, displacement = true or groups = "
                     "\"species\"");
  if (table.distance.size() > 1)
    throw InputError("pair-correlations has several tables of distance", table.distance[1].where,
                     "give one");
  const MeasurementTable defaults;
  if (table.method != defaults.method)
    throw InputError("method belongs to structure-factor, not to pair-correlations",
                     table.where.of("method"), "remove it: all pairs of sites are summed over");
  if (table.origins != defaults.origins)
    throw InputError("pair-correlations have the first sample as their only origin",
                     table.where.of("origins"), "remove origins");
  if (table.replicas != defaults.replicas)
    throw InputError("pair-correlations always take all replicas; replicas is a key of trajectory",
                     table.where.of("replicas"), "remove it");
}

PairsInTimeSettings PairsInTimeChoice::settings(const lattice::Geometry& geometry, double step,
                                                Index steps) const {
  PairsInTimeSettings settings;
  choose_bins(geometry, table_.distance, displacement_, groups_, settings);
  settings.interval = step * static_cast<double>(table_.every);
  settings.samples = steps / table_.every + 1;
  settings.window = correlations::window_by_name(table_.window);
  settings.window_width = table_.window_width.value_or(correlations::gaussian_width);
  settings.connected = table_.connected;
  settings.error_blocks = table_.error_blocks.value_or(MeasurementTable::usual_error_blocks);
  settings.precision = correlations::real_space::pair_precision_by_name(table_.precision);
  return settings;
}

void PairsInTimeChoice::require_bins(const Device& device,
                                     const PairsInTimeSettings& settings) const {
  require_pair_bins(device,
                    {settings.groups, settings.displacement ? settings.displacement->bins() : 0,
                     settings.precision, table_.where.of("groups"), table_.displacement.where()});
}

void PairsInTimeChoice::write(ResultsGroup& results, const std::string& name,
                              const PairsInTimeResult& values, const PairsInTimeSettings& settings,
                              const SpinSimulation& simulation) const {
  const bool material = simulation.study.context.units == UnitSystem::material;
  const std::string group = name + "/", time = material ? "ps" : "";
  const auto T = static_cast<Index>(values.time.size());
  const auto F = static_cast<Index>(values.frequency.size());
  results.write(group + "time", values.time, {T}, time);
  results.write(group + "frequency", values.frequency, {F}, material ? "rad/ps" : "");
  /// @param is_real pairs of each bin are there both ways round
  const auto write = [&](const std::string& kind, const BinsInTime& bins,
                         const std::vector<Index>& shape, bool is_real) {
    const auto along = [&](Index first, bool complex = false) {
      std::vector<Index> all{first};
      all.insert(all.end(), shape.begin(), shape.end());
      if (complex) all.push_back(2);
      return all;
    };
    const std::string of_kind = group + kind + "/";
    results.write(of_kind + "pairs", bins.pairs, shape, "");
    results.write(of_kind + "correlation/value", bins.mean, along(T), "");
    results.write(of_kind + "spectrum/value",
                  is_real ? real_parts_of(bins.spectrum) : complex_parts(bins.spectrum),
                  along(F, !is_real), time);
    if (bins.error.empty()) return;
    results.write(of_kind + "correlation/error", bins.error, along(T), "");
    results.write(of_kind + "spectrum/error", bins.spectrum_error, along(F), time);
  };
  if (settings.bins > 0) {
    write_distances(results, group + "by-distance/", settings.width, settings.bins,
                    material ? "Å" : "");
    write("by-distance", values.distance, {settings.bins}, true);
  }
  if (settings.displacement) {
    const auto& by = *settings.displacement;
    write_displacements(results, group + "by-displacement/", by);
    write("by-displacement", values.displacement,
          {by.atoms, by.atoms, by.count[0], by.count[1], by.count[2]}, false);
  }
  if (const Index G = settings.groups; G > 0) {
    results.write_strings(group + "between-groups/names", groups_.of(simulation.geometry).names);
    write("between-groups", values.groups, {G, G}, false);
  }
  results.set_attribute(name, "window", table_.window);
  if (table_.window == "gaussian")
    results.set_attribute(name, "window_width", settings.window_width);
  results.set_attribute(name, "connected", Index{settings.connected ? 1 : 0});
  results.set_attribute(name, "replicas", simulation.study.replicas);
  results.set_attribute(name, "error_blocks", values.error_blocks);
  results.set_attribute(
      name, "normalisation",
      std::string("C(r,r',t) = ") + (settings.connected ? "1/(M-1)" : "1/M") +
          " sum over replicas of e_r(0).e_r'(t), mean over pairs; S(r,r',w) = int dt exp(iwt) "
          "C(r,r',t), C(r,r',-t) = C(r',r,t)");
}

}  // namespace larmor::study
