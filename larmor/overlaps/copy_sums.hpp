#pragma once
// Overlaps of two copies a and b of a system of N sites,
//
//     q_mn = (1/N) sum_i S_im^a S_in^b,
//
// with spins S of length 1 and D components: one for Ising spins, three for vectors. A Potts state
// is a corner of a simplex in D = q - 1 dimensions, S.S' = (q delta - 1) / (q - 1). Sums of a pair
// of copies, as SumOfCopies names them:
//
//     overlap      q = sum_m q_mm = (1/N) sum_i S_i^a.S_i^b      overlap_size   |q|
//     square       q^2 = sum_mn q_mn^2                           fourth         (q^2)^2
//     link_overlap (1/N_b) sum_<ij> (S_i^a.S_j^a) (S_i^b.S_j^b), over the N_b bonds
//     bond_square  (1/N_b) sum_<ij> (S_i.S_j)^2, mean of both copies
//     energy       per spin, mean of both copies; the caller computes it from H
//     first_wave.. |q(k)|^2 = sum_mn |(1/N) sum_i S_im^a S_in^b exp(i k.r_i)|^2,
//                  for the longest wave along each axis
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

/// Planes of sites perpendicular to an axis, and the longest wave along the axis.
struct WaveAxis {
  double length = 0;                 ///< length of the system along the axis, in cells
  std::vector<std::int32_t> plane;   ///< plane of each site [sites]
  std::vector<double> cosine, sine;  ///< cosine and sine of k.r of each plane
  std::vector<double> sites;         ///< number of sites in each plane

  Index planes() const { return std::ssize(cosine); }
};

/// Groups sites into planes. @param length of the system along the axis, in cells
/// @param position positions of sites along the axis, in cells; equal positions form a plane
WaveAxis wave_axis(double length, const std::vector<double>& position);

struct CopyGraph {
  Index sites = 0;  ///< sites of a configuration
  Index spins = 0;  ///< N; the other sites are vacancies
  std::vector<std::array<std::int32_t, 2>> bonds;
  std::vector<WaveAxis> axes;

  Index numbers() const { return first_wave + std::ssize(axes); }
};

/// Sums over Ising or Potts spins. @param q number of states of a site
/// @param a, b states of the two copies [sites]
/// @param sums receives the numbers of SumOfCopies, except the energy [graph.numbers()]
void sum_states(const CopyGraph& graph, int q, const std::uint8_t* a, const std::uint8_t* b,
                double* sums);

/// Numbers of Ising spins that are opposite in two copies, and of bonds whose product of spins is
/// opposite in two copies.
struct OppositeCounts {
  Index spins, bonds;
  const std::int32_t* of_plane;  ///< opposite spins by plane, one axis after the other
};

/// Sums over Ising spins from the counts of opposite ones. @param sums as for sum_states
void sum_opposites(const CopyGraph& graph, const OppositeCounts& opposite, double* sums);

/// Sums over vectors. @param a, b vectors of the two copies (site, 3), 0 for vacancies
void sum_vectors(const CopyGraph& graph, const double* a, const double* b, double* sums);

}  // namespace larmor::overlaps
