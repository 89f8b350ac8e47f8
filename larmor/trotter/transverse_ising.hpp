#pragma once
// An Ising model in a transverse field, at a temperature T = 1 / beta with k_B = 1:
//
//   H = - sum_b J_b sz_i sz_j - sum_i h_i sz_i - sum_i Gamma_i sx_i
//
// with Pauli matrices, each bond once. J > 0 is ferromagnetic.

#include <span>
#include <vector>

#include "larmor/lattice/graph.hpp"

namespace larmor::trotter {

struct Bond {
  std::int32_t i, j;
};

/// The bonds that all instances of a simulation share.
struct SystemGraph {
  Index sites = 0;
  std::vector<Bond> bonds;
};

/// One system at one temperature: a disorder sample, or a rung of a ladder.
struct Instance {
  double beta = 1;
  std::vector<double> J;      ///< [bonds]
  std::vector<double> Gamma;  ///< 0 or more [sites]
  std::vector<double> h;      ///< [sites]
};

/// @throws InputError if sizes differ, a number is not finite, or a Gamma is negative
void validate(const SystemGraph& graph, const Instance& instance);

/// @throws InputError for more replicas than random keys can tell apart
void require_own_random_numbers(Index replicas);

/// Do the couplings of some closed loop of bonds have a negative product? Loops through a field in
/// both directions count too.
bool is_frustrated(const SystemGraph& graph, const Instance& instance);

}  // namespace larmor::trotter
