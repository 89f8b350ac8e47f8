#include "larmor/study/kinds/spins/stages/structure_factor_results.hpp"

#include <cmath>
#include <cstdio>

#include "larmor/correlations/spectra/structure_factor.hpp"
#include "larmor/study/kinds/spins/stages/complex_parts.hpp"
#include "larmor/study/kinds/spins/stages/wave_vector_results.hpp"

namespace larmor::study {

void write_structure_factor(ResultsGroup& results, const std::string& name,
                            const correlations::StructureFactorResult& values,
                            const correlations::StructureFactorSettings& settings,
                            const MeasurementTable& table, const SpinSimulation& simulation) {
  const bool material = simulation.study.context.units == UnitSystem::material;
  const Index Q = settings.q.size(), T = settings.samples;
  const auto F = static_cast<Index>(values.frequency.size());
  const std::string group = name + "/";
  const std::string time = material ? "ps" : "";
  write_wave_vectors(results, group, settings.q, material ? "1/Å" : "");
  results.write(group + "frequency", values.frequency, {F}, material ? "rad/ps" : "");
  results.write(group + "time", values.time, {T}, time);
  results.write(group + "intensity", values.intensity, {Q, F}, time);
  results.write(group + "error", values.error, {Q, F}, time);
  if (!values.components.empty())
    results.write(group + "components", values.components, {Q, F, 3}, time);
  results.write(group + "intermediate", complex_parts(values.intermediate), {Q, T, 2}, "");
  results.write(group + "intermediate_error", values.intermediate_error, {Q, T}, "");
  results.write(group + "static", values.static_value, {Q}, "");
  results.write(group + "static_error", values.static_error, {Q}, "");
  results.attach_scale(group + "intensity", 0, group + "q_index");
  results.attach_scale(group + "intensity", 1, group + "frequency");

  const auto method =
      correlations::chosen_method(simulation.geometry, settings.q, settings.method,
                                  simulation.state.device().backend, simulation.study.replicas);
  results.set_attribute(name, "NX_class", "NXdata");
  results.set_attribute(name, "signal", "intensity");
  results.set_attribute(name, "axes",
                        io::DataArray(std::vector<std::string>{"q_index", "frequency"}));
  results.set_attribute(name, "window", table.window);
  if (table.window == "gaussian")
    results.set_attribute(name, "window_width", settings.window_width);
  results.set_attribute(name, "origins",
                        correlations::origins_text(settings, simulation.study.replicas));
  results.set_attribute(name, "method", correlations::name_of(method));
  const bool real_space = method == correlations::Method::real_space;
  results.set_attribute(name, "static_samples", real_space ? Index{1} : T);
  if (real_space)
    results.set_attribute(
        name, "precision",
        std::string(simulation.state.device().backend == Backend::cuda ? table.precision
                                                                       : "double"));
  results.set_attribute(name, "connected", Index{settings.connected ? 1 : 0});
  if (values.precision_error)
    results.set_attribute(name, "precision_error", *values.precision_error);
  results.set_attribute(name, "detailed_balance", Index{table.detailed_balance ? 1 : 0});
  results.set_attribute(
      name, "normalisation",
      std::string("S(q,t) = ") + (settings.connected ? "1/(N (M-1))" : "1/(N M)") +
          " sum over replicas and components; S(q,w) = " +
          (table.detailed_balance ? "beta hbar w / (1 - exp(-beta hbar w)) " : "") +
          "int dt exp(iwt) S(q,t)");
}

std::string precision_note(const std::string& name, double error, Index replicas) {
  char words[160];
  std::snprintf(words, sizeof(words),
                "products in real space are off by %.1g of S(q) at most, statistics of %lld "
                "replica(s) by some %.1g",
                error, static_cast<long long>(replicas),
                std::sqrt(2 / static_cast<double>(replicas)));
  return name + ": " + words;
}

}  // namespace larmor::study
