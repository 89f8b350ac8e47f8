#include "larmor/spins/htst/stationary_state.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/error.hpp"
#include "larmor/core/input/units.hpp"
#include "larmor/spins/htst/deflated_factorisation.hpp"

namespace larmor::spins {
namespace {

/// Newton's method ends at the finest torque. A state with at most the fine torque is stationary.
/// Both are in units of the mean diagonal of the Hessian.
constexpr double finest_torque = 1e-13, fine_torque = 1e-10;
/// Below this torque, zero modes are carried over from one step to the next.
constexpr double small_torque = 1e-6;
constexpr Index most_steps = 30;
/// Largest rotation of a spin in one step.
constexpr double largest_turn = 0.2;
/// Eigenvalues below this value are rounding errors, in units of the mean diagonal.
constexpr double rounding = 1e-9;
/// Number of modes to compute beyond those near zero.
constexpr Index further_modes = 2;
constexpr Index most_special_modes = 24;

class Search {
 public:
  Search(const Model& model, const lattice::Geometry& geometry, SiteVectors spins,
         const StationarySettings& settings, const std::string& what)
      : model_(model),
        geometry_(geometry),
        settings_(settings),
        what_(what),
        spins_(std::move(spins)),
        expansion_(expand_energy(model, spins_)),
        factorisation_(expansion_.hessian, Symmetry::symmetric),
        scale_(mean_diagonal(expansion_.hessian)) {}

  StationaryState find();

 private:
  void look_at_modes();
  void choose_zero_modes(const SymmetryDirections& symmetries);
  double torque_across_zero_modes() const;
  void step();
  void carry_zero_modes(const std::vector<SiteVectors>& carried);

  const Model& model_;
  const lattice::Geometry& geometry_;
  StationarySettings settings_;
  std::string what_;
  SiteVectors spins_;
  EnergyExpansion expansion_;
  SparseFactorisation factorisation_;
  double scale_;
  std::vector<Mode> modes_, zero_modes_;
  SymmetryDirections::Valley valley_;
};

/// Computes the lowest modes and finds the zero modes among them.
void Search::look_at_modes() {
  const SparseMatrix& H = expansion_.hessian;
  const double small = settings_.zero_threshold * scale_;
  factorisation_.factorise(shifted(H, -small));
  const Index below_or_soft = factorisation_.negative_eigenvalues();
  if (below_or_soft > most_special_modes)
    throw UnphysicalError(what_ + " has " + std::to_string(below_or_soft) +
                          " modes that are unstable or cost almost no energy: harmonic theory does "
                          "not apply to this state");
  factorisation_.factorise(shifted(H, small));
  const Index below = factorisation_.negative_eigenvalues();
  modes_ = lowest_modes(H, factorisation_, -small, below_or_soft - below, further_modes);
  zero_modes_.clear();
  valley_ = {};
  const SymmetryDirections symmetries(model_, geometry_, spins_, expansion_);
  if (settings_.zero_modes) choose_zero_modes(symmetries);
  valley_ = symmetries.valley(zero_modes_);
}

void Search::choose_zero_modes(const SymmetryDirections& symmetries) {
  constexpr double mostly = 0.5;
  for (const Mode& mode : modes_) {
    const double size = std::abs(mode.value) / scale_;
    if (size < settings_.zero_threshold && symmetries.share(mode.vector) > mostly)
      zero_modes_.push_back(mode);
  }
}

double Search::torque_across_zero_modes() const {
  std::vector<double> gradient = expansion_.gradient;
  project_out(zero_modes_, gradient);
  double largest = 0;
  for (std::size_t i = 0; i < gradient.size(); i += 2)
    largest = std::max(largest, std::hypot(gradient[i], gradient[i + 1]));
  return largest / scale_;
}

/// Makes one step of Newton's method orthogonal to the zero modes.
void Search::step() {
  const DeflatedFactorisation inverse(factorisation_, expansion_.hessian, zero_modes_);
  std::vector<double> turn = inverse.solve(expansion_.gradient);
  double largest = 0;
  for (std::size_t i = 0; i < turn.size(); i += 2)
    largest = std::max(largest, std::hypot(turn[i], turn[i + 1]));
  const double share = -std::min(1.0, largest_turn / largest);
  SiteVectors turned(spins_.size());
  spins::turn(spins_, expansion_.space.vectors(turn), share, turned, 1);
  std::vector<SiteVectors> carried;
  for (const Mode& mode : zero_modes_) carried.push_back(expansion_.space.vectors(mode.vector));
  spins_ = std::move(turned);
  expansion_ = expand_energy(model_, spins_);
  carry_zero_modes(carried);
}

/// Transports the zero modes to the new spins. In a short step, zero modes rotate little.
void Search::carry_zero_modes(const std::vector<SiteVectors>& carried) {
  zero_modes_.clear();
  for (const SiteVectors& vectors : carried) {
    std::vector<double> v = expansion_.space.components(vectors);
    project_out(zero_modes_, v);
    const double length = std::sqrt(scalar_product(v, v));
    for (double& x : v) x /= length;
    const double value = scalar_product(v, product(expansion_.hessian, v));
    zero_modes_.push_back({value, std::move(v)});
  }
}

StationaryState Search::find() {
  look_at_modes();
  double torque = torque_across_zero_modes();
  Index steps = 0;
  while (torque > finest_torque && steps < most_steps) {
    step();
    ++steps;
    if (torque > small_torque) look_at_modes();
    const double now = torque_across_zero_modes();
    // If a small torque no longer falls, it is at the level of rounding errors.
    if (torque < fine_torque && now > torque / 2) {
      torque = std::min(torque, now);
      break;
    }
    torque = now;
  }
  if (!(torque <= fine_torque))
    throw UnphysicalError(what_ + " is too far from a stationary state: torques of " +
                          number_text(torque * scale_) + " remain after " + std::to_string(steps) +
                          " steps of Newton's method");
  if (steps > 0) look_at_modes();
  Index negative = 0, unexplained = 0;
  for (const Mode& mode : modes_) {
    const bool is_zero = std::any_of(zero_modes_.begin(), zero_modes_.end(),
                                     [&](const Mode& z) { return z.vector == mode.vector; });
    if (is_zero) continue;
    if (std::abs(mode.value) < rounding * scale_) ++unexplained;
    if (mode.value < 0) ++negative;
  }
  const Index explained = valley_.translations + valley_.rotations;
  const auto zero = static_cast<Index>(zero_modes_.size());
  if (unexplained > 0 || explained != zero)
    throw UnphysicalError(
        what_ + " has " + std::to_string(zero + unexplained) +
        " mode(s) that cost no energy, and translations and rotations explain only " +
        std::to_string(std::min(explained, zero)) +
        ": the volume of the remaining modes is unknown");
  const DeflatedFactorisation all(factorisation_, expansion_.hessian, zero_modes_);
  return {std::move(spins_),      std::move(expansion_),
          torque * scale_,        steps,
          std::move(modes_),      negative,
          std::move(zero_modes_), valley_,
          all.log_determinant()};
}

}  // namespace

StationaryState find_stationary_state(const Model& model, const lattice::Geometry& geometry,
                                      SiteVectors spins, const StationarySettings& settings,
                                      const std::string& what) {
  return Search(model, geometry, std::move(spins), settings, what).find();
}

}  // namespace larmor::spins
