#include "larmor/spinwaves/spectrum.hpp"

#include <cmath>
#include <limits>

namespace larmor::spinwaves {
namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

/// Relative accuracy of a matrix of doubles.
constexpr double rounding_share = 1e-12;
/// A residual torque shifts a mode from zero frequency to about this multiple of the torque's
/// frequency.
constexpr double torques_counted = 4;

/// sum_i (sqrt(s_i) (x_i, y_i)) xi_i
std::array<std::complex<double>, 3> motion(const QuadraticHamiltonian& hamiltonian,
                                           const std::complex<double>* xi) {
  std::array<std::complex<double>, 3> F{};
  for (Index i = 0; i < hamiltonian.spins(); ++i) {
    const LocalAxes& a = hamiltonian.axes(i);
    const std::complex<double> u = xi[2 * i], v = xi[2 * i + 1];
    F[0] += a.x.x * u + a.y.x * v;
    F[1] += a.x.y * u + a.y.y * v;
    F[2] += a.x.z * u + a.y.z * v;
  }
  return F;
}

NormalModes modes_at(const QuadraticHamiltonian& hamiltonian, const Vec3<double>& q,
                     bool with_vectors) {
  return normal_modes(hamiltonian.matrix(q), hamiltonian.spins(), hamiltonian.bound(),
                      rounding_of(hamiltonian), with_vectors);
}

}  // namespace

double rounding_of(const QuadraticHamiltonian& hamiltonian) {
  return rounding_share * hamiltonian.bound() + torques_counted * hamiltonian.torque_frequency();
}

double Occupation::mean_square(double W) const {
  if (W == 0) return not_known;
  if (!quantum) return k_B_T / std::abs(W);
  const double bosons = k_B_T > 0 ? 1 / std::expm1(hbar * std::abs(W) / k_B_T) : 0;
  return hbar * (W > 0 ? bosons + 1 : bosons);
}

double Line::intensity() const {
  return std::norm(amplitude[0]) + std::norm(amplitude[1]) + std::norm(amplitude[2]);
}

WaveVectorSpectrum spectrum_at(const QuadraticHamiltonian& hamiltonian, const Vec3<double>& q,
                               const Occupation& occupation) {
  const NormalModes modes = modes_at(hamiltonian, q, true);
  const auto n = static_cast<std::size_t>(hamiltonian.spins());
  WaveVectorSpectrum spectrum;
  spectrum.minimum = modes.minimum;
  for (std::size_t m = 0; m < 2 * n; ++m) {
    Line line;
    line.frequency = modes.frequency[m];
    line.growth = modes.growth[m];
    line.amplitude = motion(hamiltonian, modes.vector.data() + m * 2 * n);
    const double p = modes.minimum ? occupation.mean_square(line.frequency) : not_known;
    const double factor = std::sqrt(p / static_cast<double>(n));
    for (std::complex<double>& f : line.amplitude) f *= factor;
    (m < n ? spectrum.lines : spectrum.mirror).push_back(line);
  }
  return spectrum;
}

std::vector<double> frequencies_at(const QuadraticHamiltonian& hamiltonian, const Vec3<double>& q) {
  const NormalModes modes = modes_at(hamiltonian, q, false);
  std::vector<double> frequency;
  for (std::size_t m = 0; m < static_cast<std::size_t>(hamiltonian.spins()); ++m)
    frequency.push_back(modes.growth[m] == 0 ? modes.frequency[m] : not_known);
  return frequency;
}

}  // namespace larmor::spinwaves
