#include "larmor/study/models/spins/stages/lifetime.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace larmor::study {
namespace {

const std::string group = "lifetime";

/// A note reports a barrier of fewer k_B T. At six k_B T, the rate of a magnetic grain has an error
/// of a fifth.
constexpr double fewest_thermal_energies = 5;

std::string rate_unit(UnitSystem units) {
  const std::string time = inner_unit(Dimension::time, units);
  return time.empty() ? "" : "1/" + time;
}

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
  const std::string time = inner_unit(Dimension::time, context_.units);
  const std::string per_time = rate_unit(context_.units);
  const double transition_state = spins::transition_state_factor(states.saddle, inertia);
  const double kappa = table_.damping
                           ? spins::langer_factor(states.saddle, inertia, *table_.damping)
                           : transition_state;
  if (kappa == 0)
    throw UnphysicalError(
        "the saddle has an axis of symmetry, and without damping spins turn about this axis and do "
        "not cross the saddle; give a damping");
  const auto points = static_cast<Index>(temperature_.size());
  double smallest_barrier = std::numeric_limits<double>::infinity();
  const auto saddles = static_cast<double>(table_.equivalent_saddles);
  results.write(group + "/temperature", temperature_, {points},
                inner_unit(Dimension::temperature, context_.units));
  for (const auto& [from, name] :
       {std::pair{&states.first, "forward"}, {&states.last, "backward"}}) {
    const spins::Escape escape(*from, states.saddle, saddles);
    smallest_barrier = std::min(smallest_barrier, escape.barrier);
    std::vector<double> prefactor, log_rate, rate, lifetime, reliable;
    for (const double T : temperature_) {
      const double k_B_T = context_.constants.k_B * T;
      prefactor.push_back(escape.prefactor(kappa, k_B_T));
      log_rate.push_back(escape.log_rate(kappa, k_B_T));
      rate.push_back(escape.rate(kappa, k_B_T));
      lifetime.push_back(std::exp(-log_rate.back()));
      reliable.push_back(escape.barrier >= fewest_thermal_energies * k_B_T ? 1 : 0);
    }
    const std::string path = group + "/" + name;
    results.write(path + "/prefactor", prefactor, {points}, per_time);
    results.write(path + "/log_rate", log_rate, {points}, "");
    results.write(path + "/rate", rate, {points}, per_time);
    results.write(path + "/lifetime", lifetime, {points}, time);
    results.write(path + "/reliable", reliable, {points}, "");
    for (const char* curve : {"/prefactor", "/log_rate", "/rate", "/lifetime", "/reliable"})
      results.attach_scale(path + curve, 0, group + "/temperature");
    results.set_attribute(path, "barrier", escape.barrier);
    results.set_attribute(path, "log_determinant_ratio",
                          from->log_determinant - states.saddle.log_determinant);
    results.set_attribute(path, "temperature_exponent", escape.half_extra_modes);
  }
  results.set_attribute(group, "dynamical_factor", kappa);
  results.set_attribute(group, "transition_state_factor", transition_state);
  results.set_attribute(group, "rate_unit", per_time);
  results.set_attribute(group, "time_unit", time);
  results.set_attribute(group, "equivalent_saddles", table_.equivalent_saddles);
  if (table_.damping) results.set_attribute(group, "damping", *table_.damping);
  const double hottest =
      context_.constants.k_B * *std::max_element(temperature_.begin(), temperature_.end());
  if (smallest_barrier >= fewest_thermal_energies * hottest) return {};
  return fmt::format(
      "lifetime: the smaller barrier is {:.2g} k_B T at the highest temperature; rates hold if "
      "barriers are much larger than k_B T",
      smallest_barrier / hottest);
}

std::vector<StageNumber> Lifetime::numbers(const io::ResultsReader& results,
                                           const std::string& path) {
  const std::string stored = path + "/" + group;
  if (!results.exists(stored + "/temperature")) return {};
  const auto temperature = results.read<double>(stored + "/temperature");
  const std::string unit = results.attributes(stored).at("time_unit").text();
  std::vector<StageNumber> lifetimes;
  for (const std::string direction : {"forward", "backward"}) {
    const auto found = results.read<double>(stored + "/" + direction + "/lifetime");
    for (std::size_t n = 0; n < temperature.size(); ++n) {
      const std::string suffix =
          temperature.size() == 1 ? "" : "_at_" + number_text(temperature[n]);
      lifetimes.push_back({"lifetime_" + direction + suffix, unit, found[n],
                           std::numeric_limits<double>::quiet_NaN()});
    }
  }
  return lifetimes;
}

}  // namespace larmor::study
