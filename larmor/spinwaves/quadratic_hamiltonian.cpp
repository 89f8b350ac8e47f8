#include "larmor/spinwaves/quadratic_hamiltonian.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/error.hpp"
#include "larmor/core/input/units.hpp"
#include "larmor/correlations/fourier/site_phase.hpp"
#include "larmor/lattice/bonds.hpp"

namespace larmor::spinwaves {
namespace {

Mat3<double> outer(const Vec3<double>& a, const Vec3<double>& b) {
  return {{a.x * b, a.y * b, a.z * b}};
}

/// Two axes that form a right-handed frame with e.
LocalAxes frame_of(const Vec3<double>& e) {
  const double x = std::abs(e.x), y = std::abs(e.y), z = std::abs(e.z);
  const Vec3<double> aside = z <= x && z <= y   ? Vec3<double>{0, 0, 1}
                             : y <= x && y <= z ? Vec3<double>{0, 1, 0}
                                                : Vec3<double>{1, 0, 0};
  const Vec3<double> across = aside - dot(aside, e) * e;
  const Vec3<double> u = (1 / length(across)) * across;
  return {u, cross(e, u)};
}

/// Throws if the bound is outside the range in which squares of frequencies neither overflow nor
/// underflow.
void require_computable(const std::vector<double>& row_sum, double bound) {
  constexpr double least = 1e-120, most = 1e120;
  const bool in_range =
      std::all_of(row_sum.begin(), row_sum.end(), [](double sum) { return std::abs(sum) < most; });
  if (in_range && (bound == 0 || bound > least)) return;
  throw UnphysicalError("spin-waves: the upper bound of the frequencies is " + number_text(bound) +
                        ", but it must lie between " + number_text(least) + " and " +
                        number_text(most) + "; change couplings, fields or moments");
}

}  // namespace

struct QuadraticHamiltonian::SiteData {
  std::vector<Vec3<double>> e, h;    ///< [n]; h = -dH/de
  std::vector<Mat3<double>> second;  ///< d^2 H / de_i^2 [n]
};

QuadraticHamiltonian::QuadraticHamiltonian(const Hamiltonian& hamiltonian, const MagneticCell& cell,
                                           std::span<const Vec3<double>> e,
                                           double gyromagnetic_ratio)
    : needs_commensurate_(hamiltonian.has_long_range()) {
  const auto n = static_cast<std::size_t>(cell.spins());
  SiteData gathered{{}, std::vector<Vec3<double>>(n, {0, 0, 0}), std::vector<Mat3<double>>(n)};
  for (Index spin = 0; spin < cell.spins(); ++spin) {
    const Index site = cell.site(spin);
    const Vec3<double>& at = e[static_cast<std::size_t>(site)];
    gathered.e.push_back((1 / length(at)) * at);
    const LocalAxes frame = frame_of(gathered.e.back());
    const double root = std::sqrt(gyromagnetic_ratio / hamiltonian.moment(site));
    axes_.push_back({root * frame.x, root * frame.y});

    Vec3<double>& h = gathered.h[static_cast<std::size_t>(spin)];
    Mat3<double>& second = gathered.second[static_cast<std::size_t>(spin)];
    h += hamiltonian.field(site);
    for (const spins::OnsiteCoupling& k : hamiltonian.onsite(site)) {
      const double p = dot(k.axis, gathered.e.back());
      h += k.polynomial().slope(p) * k.axis;
      second = second + -k.polynomial().curvature(p) * outer(k.axis, k.axis);
    }
  }
  add_stencils(hamiltonian, cell, gathered);
  add_pairs(hamiltonian, cell, gathered);
  add_long_range(hamiltonian, cell, gathered);
  finish(gathered, cell);
}

void QuadraticHamiltonian::add_stencils(const Hamiltonian& hamiltonian, const MagneticCell& cell,
                                        SiteData& data) {
  const lattice::Geometry& geometry = hamiltonian.geometry;
  for (Index i = 0; i < cell.spins(); ++i)
    for (const spins::LoweredTerm& term : hamiltonian.terms)
      for (const spins::StencilCoupling& c : term.stencil) {
        if (c.bond.from != geometry.basis_index(cell.site(i))) continue;
        const Index site = lattice::neighbour(geometry, cell.site(i), c.bond);
        if (site < 0 || !geometry.occupied(site)) continue;
        add_bond(i, cell.spin_of(site), c.bond.r, c.bilinear, c.biquadratic, data);
      }
}

void QuadraticHamiltonian::add_pairs(const Hamiltonian& hamiltonian, const MagneticCell& cell,
                                     SiteData& data) {
  for (const spins::LoweredTerm& term : hamiltonian.terms)
    for (const spins::PairCoupling& c : term.pairs) {
      const Index i = cell.spin_of(c.bond.i), j = cell.spin_of(c.bond.j);
      if (i < 0 || j < 0) continue;
      const double more = term.exchange_of_replica
                              ? term.exchange_of_replica(c.bond.i, c.bond.j, hamiltonian.replica)
                              : 0;
      add_bond(i, j, c.bond.r, c.bilinear + spins::isotropic(more), c.biquadratic, data);
    }
}

/// Adds H = - 1/2 sum_ij w_i w_j e_i^T T_ij e_j over all sites of the lattice.
void QuadraticHamiltonian::add_long_range(const Hamiltonian& hamiltonian, const MagneticCell& cell,
                                          SiteData& data) {
  const lattice::Geometry& geometry = hamiltonian.geometry;
  const auto& basis = geometry.crystal.basis;
  for (const spins::LoweredTerm& term : hamiltonian.terms) {
    if (!term.long_range) continue;
    for (Index i = 0; i < cell.spins(); ++i) {
      const lattice::SiteIndex a = geometry.decode(cell.site(i));
      const double w = term.long_range->weight(cell.site(i));
      const auto at = static_cast<std::size_t>(i);
      for (Index site = 0; site < geometry.sites(); ++site) {
        if (!geometry.occupied(site)) continue;
        const lattice::SiteIndex b = geometry.decode(site);
        const std::array<Index, 3> offset{b.cell[0] - a.cell[0], b.cell[1] - a.cell[1],
                                          b.cell[2] - a.cell[2]};
        const Mat3<double> A =
            (w * term.long_range->weight(site)) * term.long_range->tensor(a.basis, b.basis, offset);
        const Index j = cell.spin_of(site);
        data.h[at] += A * data.e[static_cast<std::size_t>(j)];
        if (site == cell.site(i)) {
          data.second[at] = data.second[at] + -1.0 * A;
          continue;
        }
        const Vec3<double> cells{static_cast<double>(offset[0]), static_cast<double>(offset[1]),
                                 static_cast<double>(offset[2])};
        const Vec3<double> r =
            geometry.crystal.cartesian(cells + basis[static_cast<std::size_t>(b.basis)].fractional -
                                       basis[static_cast<std::size_t>(a.basis)].fractional);
        // The sum over i and j visits each pair twice, so each visit adds one half.
        add_coupling(i, j, r, -0.5 * A);
      }
    }
  }
}

/// Adds a bond with the energy - e_i^T A e_j - b (e_i.e_j)^2.
void QuadraticHamiltonian::add_bond(Index i, Index j, const Vec3<double>& r, const Mat3<double>& A,
                                    double b, SiteData& data) {
  const auto at = static_cast<std::size_t>(i), other = static_cast<std::size_t>(j);
  const Vec3<double> e = data.e[at], f = data.e[other];
  const double product = dot(e, f);
  data.h[at] += A * f + (2 * b * product) * f;
  data.h[other] += A.transposed() * e + (2 * b * product) * e;
  data.second[at] = data.second[at] + (-2 * b) * outer(f, f);
  data.second[other] = data.second[other] + (-2 * b) * outer(e, e);
  add_coupling(i, j, r, -1.0 * A + (-2 * b) * (outer(f, e) + spins::isotropic(product)));
}

/// @param second d^2 H / de_i de_j
void QuadraticHamiltonian::add_coupling(Index i, Index j, const Vec3<double>& r,
                                        const Mat3<double>& second) {
  const LocalAxes& a = axes(i);
  const LocalAxes& b = axes(j);
  const Vec3<double> x = second * b.x, y = second * b.y;
  couplings_.push_back({i, j, r, {dot(a.x, x), dot(a.x, y), dot(a.y, x), dot(a.y, y)}});
}

void QuadraticHamiltonian::finish(const SiteData& gathered, const MagneticCell& cell) {
  const auto n = static_cast<std::size_t>(spins());
  std::vector<double> row_sum(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3<double>& e = gathered.e[i];
    const LocalAxes& a = axes_[i];
    const double along = dot(gathered.h[i], e);
    const double s = dot(a.x, a.x);
    const Vec3<double> x = gathered.second[i] * a.x, y = gathered.second[i] * a.y;
    onsite_.push_back({dot(a.x, x) + s * along, dot(a.x, y), dot(a.y, y) + s * along});
    row_sum[i] =
        std::max(std::abs(onsite_[i][0]), std::abs(onsite_[i][2])) + std::abs(onsite_[i][1]);
    const double torque = length(cross(e, gathered.h[i]));
    if (torque > largest_torque_) {
      largest_torque_ = torque;
      site_of_largest_torque_ = cell.site(static_cast<Index>(i));
    }
    torque_frequency_ = std::max(torque_frequency_, s * torque);
  }
  for (const Coupling& c : couplings_) {
    double norm = 0;
    for (const double K : c.K) norm += K * K;
    row_sum[static_cast<std::size_t>(c.i)] += std::sqrt(norm);
    row_sum[static_cast<std::size_t>(c.j)] += std::sqrt(norm);
  }
  bound_ = *std::max_element(row_sum.begin(), row_sum.end());
  require_computable(row_sum, bound_);
}

std::vector<std::complex<double>> QuadraticHamiltonian::matrix(const Vec3<double>& k) const {
  const auto rows = static_cast<std::size_t>(2 * spins());
  std::vector<std::complex<double>> D(rows * rows);
  for (std::size_t i = 0; i < onsite_.size(); ++i) {
    std::complex<double>* at = D.data() + 2 * i * rows + 2 * i;
    at[0] += onsite_[i][0];
    at[1] += onsite_[i][1];
    at[rows] += onsite_[i][1];
    at[rows + 1] += onsite_[i][2];
  }
  for (const Coupling& c : couplings_) {
    // In a wave, the deviation of spin j is exp(i k.r_j) times the deviation in the magnetic cell.
    const correlations::SitePhase of_bond = correlations::site_phase(k, c.r);
    const std::complex<double> phase{of_bond.re, -of_bond.im};
    const auto i = static_cast<std::size_t>(2 * c.i), j = static_cast<std::size_t>(2 * c.j);
    for (std::size_t a = 0; a < 2; ++a)
      for (std::size_t b = 0; b < 2; ++b) {
        const std::complex<double> value = phase * c.K[2 * a + b];
        D[(i + a) * rows + j + b] += value;
        D[(j + b) * rows + i + a] += std::conj(value);
      }
  }
  return D;
}

}  // namespace larmor::spinwaves
