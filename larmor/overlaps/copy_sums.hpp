#pragma once
// Overlaps of two copies a and b of a system of N sites,
//
//     q_mn = (1/N) sum_i S_im^a S_in^b,
//
// with spins S of length 1 that have D components: one of Ising spins, three of vectors. A state of
// a Potts spin is a corner of a simplex in D = q - 1 dimensions, S.S' = (q delta - 1) / (q - 1).
// Sums of a pair of copies, as SumOfCopies names them:
//
//     overlap      q = sum_m q_mm = (1/N) sum_i S_i^a.S_i^b      overlap_size   |q|
//     square       q^2 = sum_mn q_mn^2                           fourth         (q^2)^2
//     link_overlap (1/N_b) sum_<ij> (S_i^a.S_j^a) (S_i^b.S_j^b), over the N_b bonds
//     bond_square  (1/N_b) sum_<ij> (S_i.S_j)^2, mean of both copies
//     energy       per spin, mean of both copies; whoever has the Hamiltonian sums it
//     first_wave.. |q(k)|^2 = sum_mn |(1/N) sum_i S_im^a S_in^b exp(i k.r_i)|^2, of the longest
//     wave
//                  along each axis
//
// Sources: S. F. Edwards and P. W. Anderson, J. Phys. F 5, 965 (1975); for vectors L. W. Lee and
// A. P. Young, arXiv:cond-mat/0302371 (2003); for Potts spins L. W. Lee,
// H. G. Katzgraber and A. P. Young, arXiv:cond-mat/0605010 (2006).

#include <array>
#include <cstdint>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::overlaps {

enum SumOfCopies : Index {
  overlap,
  overlap_size,
  square,
  fourth,
  link_overlap,
  bond_square,
  energy,
  first_wave
};

/// Sites in planes across an axis that the longest wave runs along.
struct WaveAxis {
  double length = 0;                 ///< of the system along it, in cells
  std::vector<std::int32_t> plane;   ///< [sites]
  std::vector<double> cosine, sine;  ///< of k.r of a plane
  std::vector<double> sites;         ///< how many there are in a plane

  Index planes() const { return std::ssize(cosine); }
};

/// @param position of each site along the axis, in cells; sites of one position are of one plane
WaveAxis wave_axis(double length, const std::vector<double>& position);

struct CopyGraph {
  Index sites = 0;  ///< of a configuration
  Index spins = 0;  ///< N; the other sites are vacancies
  std::vector<std::array<std::int32_t, 2>> bonds;
  std::vector<WaveAxis> axes;

  Index numbers() const { return first_wave + std::ssize(axes); }
};

/// Of Ising or Potts spins. @param q states of a site @param a states of a copy by site
/// @param sums as SumOfCopies [graph.numbers()], but for the energy
void sum_states(const CopyGraph& graph, int q, const std::uint8_t* a, const std::uint8_t* b,
                double* sums);

/// Ising spins, and products of two that share a bond, that are opposite in two copies.
struct OppositeCounts {
  Index spins, bonds;
  const std::int32_t* of_plane;  ///< spins of the planes of all axes, one axis after the other
};

/// Of Ising spins whose opposites were counted. @param sums as of sum_states
void sum_opposites(const CopyGraph& graph, const OppositeCounts& opposite, double* sums);

/// Of vectors. @param a (site, 3), 0 where there is no spin
void sum_vectors(const CopyGraph& graph, const double* a, const double* b, double* sums);

}  // namespace larmor::overlaps
