#pragma once
// The potential energy of particles as a formula, its gradient, and its minima. An object serves
// one thread at a time.
//
// Without formulas for it, the gradient is by central differences of fourth order,
//   V'(x) = [8 (V(x+s) - V(x-s)) - (V(x+2s) - V(x-2s))] / (12 s) + O(s^4),
// with s = eps^(1/5) L for the typical length L. Truncation and rounding errors are then alike, of
// the order of eps^(4/5) = 3e-13, relative to V / L.

#include <optional>

#include "larmor/particles/formula.hpp"

namespace larmor::particles {

struct PotentialKeys {
  std::vector<std::string> coordinates;
  std::map<std::string, double> parameters;
  std::string potential;
  std::vector<std::string> gradient;  ///< dV/d(coordinate) of each coordinate; empty: differences
  double length = 1;                  ///< L
};

struct Minimum {
  std::vector<double> place;
  double energy;
};

class Potential {
 public:
  /// @throws InputError for a formula that is wrong
  explicit Potential(const PotentialKeys& keys);

  std::size_t coordinates() const { return coordinates_; }
  double length() const { return length_; }
  double energy(std::span<const double> place) { return energy_(place); }
  /// @throws UnphysicalError if it is not finite
  void gradient(std::span<const double> place, std::span<double> gradient);
  /// The largest difference between formulas and differences of the gradient, relative to the
  /// gradient and to V / L; 0 without formulas. @param coordinate receives its number
  double error_of_gradient(std::span<const double> place, std::size_t& coordinate);

  /// The minimum at the end of the steepest descent from a place.
  /// @throws UnphysicalError if there is none, or if it is not isolated
  Minimum minimum_near(std::span<const double> place);

 private:
  void differences(std::span<const double> place, std::span<double> gradient);

  std::size_t coordinates_;
  double length_;
  Formula energy_;
  std::vector<Formula> gradient_;
  std::vector<double> shifted_;
};

/// "(0.5, 1)"
std::string text_of(std::span<const double> place);

}  // namespace larmor::particles
