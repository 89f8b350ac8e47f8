#include "larmor/study/models/spins/stages/minimising_stage.hpp"

#include <algorithm>

#include "larmor/core/maths/vectors.hpp"
#include "larmor/study/measurements/averages.hpp"

namespace larmor::study {
namespace {

spins::MinimiserSettings without_tolerance(const MinimiserKeys& keys) {
  spins::MinimiserSettings settings;
  settings.method = keys.method == "cg"       ? spins::Method::conjugate_gradient
                    : keys.method == "damped" ? spins::Method::damped
                                              : spins::Method::lbfgs;
  settings.max_rotation = keys.max_rotation;
  return settings;
}

}  // namespace

double tolerance_in(Precision precision, const std::optional<double>& given, double share,
                    double largest, const SourcePosition& where) {
  const double finest = spins::finest_tolerance(precision) * largest;
  if (given && *given < finest)
    throw InputError(
        "tolerance = " + number_text(*given) + " is finer than mixed precision can resolve torques",
        where, "give at least " + number_text(finest) + ", or use precision = \"double\"");
  return given.value_or(std::max(share * largest, finest));
}

spins::MinimiserSettings minimiser_settings(const MinimiserKeys& keys, double share,
                                            const spins::Model& model, double field,
                                            Precision precision, const SourcePosition& where) {
  spins::MinimiserSettings settings = without_tolerance(keys);
  const double largest = model.largest_derivative() + field * model.moments().largest();
  settings.tolerance = tolerance_in(precision, keys.tolerance, share, largest, where);
  return settings;
}

StageBytes relaxing_bytes(const MinimiserKeys& keys, const Sizing& sizing) {
  const SpinLayout layout{sizing.system.sites, sizing.replicas};
  const spins::MinimiserSettings settings = without_tolerance(keys);
  StageBytes bytes;
  bytes.device = spins::minimiser_bytes(settings, layout, sizing.device.precision);
  bytes.host = spins::minimiser_host_bytes(settings, layout);
  return bytes;
}

void begin_relaxing(SpinSimulation& simulation, double perturbation, spins::Minimiser& minimiser) {
  if (perturbation > 0)
    spins::perturb(simulation.state, simulation.model.canonical(), simulation.study.seed,
                   perturbation, 0, simulation.state.layout().replicas,
                   spins::RandomTurns::half_together);
  minimiser.start(simulation.state);
  require_finite_energies(simulation, minimiser.energies());
}

void append_vector_means(ResultsGroup& results, const std::string& name,
                         const std::vector<double>& vectors, const std::string& unit) {
  append_estimate(results, name, estimate_independent(lengths(vectors)), unit);
  for (std::size_t c = 0; c < 3; ++c)
    append_estimate(results, name + "_" + "xyz"[c], estimate_independent(component_of(vectors, c)),
                    unit);
}

}  // namespace larmor::study
