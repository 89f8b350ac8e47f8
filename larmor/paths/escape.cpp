#include "larmor/paths/escape.hpp"

#include <cmath>
#include <numbers>

namespace larmor::paths {

double Escape::prefactor(double kappa, double thermal_energy) const {
  constexpr double turn = 2 * std::numbers::pi;
  return saddles * kappa / turn *
         std::exp(log_entropy + half_extra_modes * std::log(turn * thermal_energy));
}

double Escape::log_rate(double kappa, double thermal_energy) const {
  return std::log(prefactor(kappa, thermal_energy)) - barrier / thermal_energy;
}

double Escape::rate(double kappa, double thermal_energy) const {
  return std::exp(log_rate(kappa, thermal_energy));
}

}  // namespace larmor::paths
