#include "larmor/spins/hamiltonian/energy_scales.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "larmor/core/device/parallel.hpp"

namespace larmor::spins {
namespace {

/// Upper bound, for each site, of the contribution to |dH/de| that differs by replica.
std::vector<double> bounds_of_replicas(const std::vector<LoweredTerm>& terms, Index sites,
                                       Index replicas, int threads) {
  std::vector<double> bound(static_cast<std::size_t>(sites));
  for (const LoweredTerm& term : terms) {
    if (term.exchange_of_replica) {
      std::vector<double> of_pair(term.pairs.size());
      parallel_for(threads, static_cast<Index>(of_pair.size()), [&](Index p) {
        const lattice::PairBond& bond = term.pairs[static_cast<std::size_t>(p)].bond;
        double& most = of_pair[static_cast<std::size_t>(p)];
        for (Index r = 0; r < replicas; ++r)
          most = std::max(most, std::abs(term.exchange_of_replica(bond.i, bond.j, r)));
      });
      for (std::size_t p = 0; p < of_pair.size(); ++p) {
        bound[static_cast<std::size_t>(term.pairs[p].bond.i)] += of_pair[p];
        bound[static_cast<std::size_t>(term.pairs[p].bond.j)] += of_pair[p];
      }
    }
    if (term.field_of_replica)
      parallel_for(threads, sites, [&](Index site) {
        double most = 0;
        for (Index r = 0; r < replicas; ++r)
          most = std::max(most, length(term.field_of_replica(site, r)));
        bound[static_cast<std::size_t>(site)] += most;
      });
  }
  return bound;
}

/// Upper bound of |dH/de| at a site: the sum of the bounds of the forms.
double field_bound(const BondTable& table, Index row, const std::vector<LoweredTerm>& terms,
                   Index site) {
  double bound = 0;
  Mat3<double> bilinear{};
  double biquadratic = 0;
  int current = 0;
  const auto add_bond = [&] {
    // J times the identity has a Frobenius norm of sqrt(3) J, but a spectral norm of only J.
    const bool scalar = bilinear == isotropic(bilinear.row[0].x);
    bound += (scalar ? std::abs(bilinear.row[0].x) : frobenius_norm(bilinear)) +
             2 * std::abs(biquadratic);
  };
  table.for_each_value(row, [&](int bond, const TermValue& v) {
    if (bond != current) {
      add_bond();
      bilinear = {};
      biquadratic = 0;
      current = bond;
    }
    bilinear = bilinear + v.bilinear;
    biquadratic += v.biquadratic;
  });
  add_bond();
  Vec3<double> h{0, 0, 0};
  for (const LoweredTerm& term : terms) {
    if (term.field) h += term.field(site);
    if (!term.onsite) continue;
    for (const OnsiteCoupling& k : term.onsite(site))
      bound += OnsitePolynomial<double>{std::abs(k.a2), std::abs(k.a4), std::abs(k.a6)}.slope(1);
  }
  return bound + length(h);
}

}  // namespace

FieldBounds field_bounds(const lattice::Geometry& geometry, const BondTable& table,
                         const std::vector<LoweredTerm>& terms, const SiteMoments& moments,
                         bool first_cell, Index replicas, int threads) {
  const std::vector<double> more =
      replicas > 0 ? bounds_of_replicas(terms, geometry.sites(), replicas, threads)
                   : std::vector<double>{};
  FieldBounds largest;
  std::mutex guard;
  parallel_blocks(threads, first_cell ? table.sites() : geometry.sites(), 1,
                  [&](Index first, Index last) {
                    FieldBounds of_block;
                    for (Index site = first; site < last; ++site) {
                      if (!geometry.occupied(site)) continue;
                      const auto i = static_cast<std::size_t>(site);
                      const double derivative =
                          field_bound(table, table.row(site % table.sites()), terms, site) +
                          (more.empty() ? 0 : more[i]);
                      of_block.derivative = std::max(of_block.derivative, derivative);
                      of_block.field = std::max(of_block.field, derivative / moments[i]);
                    }
                    const std::lock_guard lock(guard);
                    largest.derivative = std::max(largest.derivative, of_block.derivative);
                    largest.field = std::max(largest.field, of_block.field);
                  });
  return largest;
}

double ferromagnetic_energy(const BondTable& table, const lattice::Geometry& geometry) {
  std::vector<double> of_row(static_cast<std::size_t>(table.rows()));
  for (Index row = 0; row < table.rows(); ++row)
    table.for_each_value(row, [&](int, const TermValue& v) {
      of_row[static_cast<std::size_t>(row)] -= 0.5 * (v.bilinear.row[2].z + v.biquadratic);
    });
  double energy = 0;
  Index spins = 0;
  for (Index site = 0; site < table.sites(); ++site) {
    if (geometry.occupied(site)) {
      ++spins;
      energy += of_row[static_cast<std::size_t>(table.row(site))];
      continue;
    }
    // The neighbours of this vacancy have counted halves of their bonds to it. Remove these halves.
    table.for_each_value(table.row(site), [&](int bond, const TermValue& v) {
      if (geometry.occupied(table.neighbour(site, bond)))
        energy += 0.5 * (v.bilinear.row[2].z + v.biquadratic);
    });
  }
  return energy / static_cast<double>(spins);
}

}  // namespace larmor::spins
