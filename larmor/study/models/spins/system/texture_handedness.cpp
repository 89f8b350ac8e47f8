#include "larmor/study/models/spins/system/texture_handedness.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "larmor/core/device/parallel.hpp"
#include "larmor/spins/hamiltonian/bond_matrix.hpp"

namespace larmor::study {
namespace {

/// BITS: number of sites, or of pairs, in one partial sum.
constexpr Index block_length = 4096;

/// The Dzyaloshinskii-Moriya vector D of the antisymmetric part of a coupling matrix.
Vec3<double> chiral_vector(const Mat3<double>& A) {
  return spins::dmi_vector(0.5 * (A + -1.0 * A.transposed()));
}

bool is_zero(const Vec3<double>& D) { return D == Vec3<double>{0, 0, 0}; }

struct ChiralBond {
  lattice::StencilBond bond;
  Vec3<double> D;
};

struct ChiralPair {
  lattice::PairBond bond;
  Vec3<double> D;
};

void add_bond(const Vec3<double>& D, const Vec3<double>& from, const Vec3<double>& to,
              const Vec3<double>& axis, TurnEnergy& sum) {
  const Vec3<double> v = cross(from, to);
  sum.P += dot(D, v) - dot(D, axis) * dot(axis, v);
  sum.Q += dot(D, cross(axis, v));
  sum.largest += length(D) * length(v);
}

/// Calls add(i, sum) for every i below `count`.
template <class Add>
TurnEnergy sum_over(Index count, int threads, const Add& add) {
  const Index blocks = (count + block_length - 1) / block_length;
  std::vector<TurnEnergy> partial_sums(static_cast<std::size_t>(blocks));
  parallel_for(threads, blocks, [&](Index block) {
    for (Index i = block * block_length; i < std::min(count, (block + 1) * block_length); ++i)
      add(i, partial_sums[static_cast<std::size_t>(block)]);
  });
  TurnEnergy sum;
  for (const TurnEnergy& partial : partial_sums) {
    sum.P += partial.P;
    sum.Q += partial.Q;
    sum.largest += partial.largest;
  }
  return sum;
}

}  // namespace

bool TurnEnergy::depends_on_angle() const { return std::hypot(P, Q) > 1e-6 * largest; }

double TurnEnergy::best_angle() const { return depends_on_angle() ? std::atan2(Q, P) : 0; }

double TurnEnergy::best_of_two() const {
  return depends_on_angle() && P < 0 ? std::numbers::pi : 0;
}

TurnEnergy energy_of_turns(const Texture& texture, const Vec3<double>& axis,
                           const std::vector<spins::LoweredTerm>& terms,
                           const lattice::Geometry& geometry, int threads) {
  std::vector<std::vector<ChiralBond>> bonds_from(geometry.crystal.basis.size());
  std::vector<ChiralPair> pairs;
  for (const spins::LoweredTerm& term : terms) {
    for (const spins::StencilCoupling& c : term.stencil)
      if (const Vec3<double> D = chiral_vector(c.bilinear); !is_zero(D))
        bonds_from[static_cast<std::size_t>(c.bond.from)].push_back({c.bond, D});
    for (const spins::PairCoupling& c : term.pairs)
      if (const Vec3<double> D = chiral_vector(c.bilinear); !is_zero(D))
        pairs.push_back({c.bond, D});
  }
  const bool has_stencil =
      std::any_of(bonds_from.begin(), bonds_from.end(), [](const auto& b) { return !b.empty(); });
  TurnEnergy sum =
      sum_over(has_stencil ? geometry.sites() : 0, threads, [&](Index i, auto& partial) {
        const auto& bonds = bonds_from[static_cast<std::size_t>(geometry.basis_index(i))];
        if (bonds.empty() || !geometry.occupied(i)) return;
        const Vec3<double> r = geometry.position(i), e = texture(r);
        for (const ChiralBond& c : bonds) {
          const Index j = lattice::neighbour(geometry, i, c.bond);
          if (j >= 0 && geometry.occupied(j))
            add_bond(c.D, e, texture(r + c.bond.r), axis, partial);
        }
      });
  const TurnEnergy of_pairs =
      sum_over(static_cast<Index>(pairs.size()), threads, [&](Index n, auto& partial) {
        const ChiralPair& c = pairs[static_cast<std::size_t>(n)];
        if (!geometry.occupied(c.bond.i) || !geometry.occupied(c.bond.j)) return;
        const Vec3<double> r = geometry.position(c.bond.i);
        add_bond(c.D, texture(r), texture(r + c.bond.r), axis, partial);
      });
  return {sum.P + of_pairs.P, sum.Q + of_pairs.Q, sum.largest + of_pairs.largest};
}

}  // namespace larmor::study
