#include "larmor/study/models/spins/stages/lifetime.hpp"

#include "larmor/study/stages/escape_rates.hpp"

namespace larmor::study {
namespace {

const std::string group = "lifetime";

/// The spins in storage order, [3, sites].
spins::SiteVectors stored(const spins::Model& model, const std::vector<Vec3<double>>& spins) {
  spins::SiteVectors all(3 * spins.size());
  for (std::size_t i = 0; i < spins.size(); ++i) {
    const Vec3<double>& e = spins[static_cast<std::size_t>(model.canonical()[i])];
    all[i] = e.x;
    all[spins.size() + i] = e.y;
    all[2 * spins.size() + i] = e.z;
  }
  return all;
}

}  // namespace

Lifetime::Lifetime(const LifetimeTable& table, const ReadContext& context)
    : table_(table),
      temperature_(read_temperatures(table.temperature, context,
                                     "thermal rates need a positive temperature of the heat bath")),
      context_(context) {}

void Lifetime::require_fits(const spins::Model& model) const {
  if (model.long_range() != nullptr)
    throw InputError(
        "lifetime needs a sparse matrix of second derivatives of the energy, but dipoles by FFT "
        "couple every spin with every other",
        table_.where, "give dipolar a cutoff, or method = \"bonds\", or leave lifetime out");
}

std::string Lifetime::write(const SpinSimulation& simulation, const Path& path,
                            ResultsGroup& results) const {
  const SpinSystem host(simulation.tables, Device::cpu(1), simulation.geometry);
  const spins::StationarySettings settings{table_.zero_modes == "auto", table_.zero_threshold};
  try {
    const auto find = [&](const std::vector<Vec3<double>>& spins, const char* what) {
      return spins::find_stationary_state(host.model, host.geometry, stored(host.model, spins),
                                          settings, what);
    };
    const States states{find(path.first, "the first state"), find(path.saddle, "the saddle"),
                        find(path.last, "the last state")};
    write_states(states, results);
    if (std::string why = remark(states); !why.empty()) return "lifetime: " + why;
    // In material units a moment of m mu_B in a field -dH/de of one eV precesses at g_e / (hbar m)
    // per ps. In reduced units g_e and hbar are 1, and so is mu_B.
    const double ratio = context_.constants.gamma() / context_.constants.mu_B;
    return write_rates(states, spins::spin_inertia(host.model, ratio), results);
  } catch (const UnphysicalError& error) {
    return "lifetime: there are no rates: " + std::string(error.what());
  } catch (const spins::TooLargeToFactorise& error) {
    return "lifetime: there are no rates: " + std::string(error.what());
  }
}

std::string Lifetime::remark(const States& states) const {
  const auto modes = [](Index count) { return std::to_string(count) + " unstable mode(s)"; };
  const std::string no_rates = "there are no rates: ";
  if (states.saddle.negative != 1)
    return no_rates + "the highest image has " + modes(states.saddle.negative) +
           ", but a saddle has one";
  for (const auto& [state, what] : {std::pair{&states.first, "first"}, {&states.last, "last"}})
    if (state->negative > 0)
      return no_rates + "the " + what + " state is not a minimum: it has " + modes(state->negative);
  return {};
}

void Lifetime::write_states(const States& states, ResultsGroup& results) const {
  const std::string energy = inner_unit(Dimension::energy, context_.units);
  for (const auto& [state, name] :
       {std::pair{&states.first, "first"}, {&states.saddle, "saddle"}, {&states.last, "last"}}) {
    const std::string path = group + "/" + name;
    std::vector<double> eigenvalues;
    for (const spins::Mode& mode : state->modes) eigenvalues.push_back(mode.value);
    const auto count = static_cast<Index>(eigenvalues.size());
    results.write(path + "/eigenvalues", eigenvalues, {count}, energy);
    results.set_attribute(path, "energy", state->expansion.energy);
    results.set_attribute(path, "largest_torque", state->torque);
    results.set_attribute(path, "steps", state->steps);
    results.set_attribute(path, "unstable_modes", state->negative);
    results.set_attribute(path, "translations", state->valley.translations);
    results.set_attribute(path, "rotations", state->valley.rotations);
    results.set_attribute(path, "log_volume", state->valley.log_volume);
    results.set_attribute(path, "log_determinant", state->log_determinant);
  }
}

std::string Lifetime::write_rates(const States& states, const std::vector<double>& inertia,
                                  ResultsGroup& results) const {
  const double transition_state = spins::transition_state_factor(states.saddle, inertia);
  const double kappa = table_.damping
                           ? spins::langer_factor(states.saddle, inertia, *table_.damping)
                           : transition_state;
  if (kappa == 0)
    throw UnphysicalError(
        "the saddle has an axis of symmetry, and without damping spins turn about this axis and do "
        "not cross the saddle; give a damping");
  const auto saddles = static_cast<double>(table_.equivalent_saddles);
  const spins::Escape forward(states.first, states.saddle, saddles),
      backward(states.last, states.saddle, saddles);
  std::string note = write_escapes({forward, backward, kappa}, temperature_, context_, results);
  for (const auto& [from, name] : {std::pair{&states.first, "forward"}, {&states.last, "backward"}})
    results.set_attribute(group + "/" + name, "log_determinant_ratio",
                          from->log_determinant - states.saddle.log_determinant);
  results.set_attribute(group, "transition_state_factor", transition_state);
  results.set_attribute(group, "equivalent_saddles", table_.equivalent_saddles);
  if (table_.damping) results.set_attribute(group, "damping", *table_.damping);
  return note;
}

}  // namespace larmor::study
