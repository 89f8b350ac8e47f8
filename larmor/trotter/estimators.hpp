#pragma once
// Averages of a transverse-field Ising model from its spins at M slices. With the numbers n_i of
// kinks of site i, and dtau = beta / M:
//
//   x_i = [ (M - n_i) tanh(dtau Gamma_i) + n_i coth(dtau Gamma_i) ] / M,      <sx_i> = <x_i>
//   E   = - (1/M) sum_k ( sum_b J_b s_ik s_jk + sum_i h_i s_ik ) - sum_i Gamma_i x_i
//   C   = beta^2 ( <E^2> - <E>^2 + <D> ),   D = - dE/dbeta at fixed spins and M
//
// <E> = -d ln Z_M / d beta and C = beta^2 d^2 ln Z_M / d beta^2 hold exactly at finite M. With
// m_k = (1/N) sum_i s_ik and its mean mbar over slices:
//
//   G(k)       = N <m_0 m_k>,    G_local(k) = (1/N) sum_i <s_i0 s_ik>
//   chi_zz     = (beta/M) sum_k G(k) = beta N <mbar^2>
//
// Units: energies as J and Gamma; C per system, in k_B.

#include <span>

#include "larmor/trotter/trotter_state.hpp"

namespace larmor::trotter {

/// Whole numbers of one replica, summed over slices or sites.
struct SliceSums {
  std::vector<std::int32_t> bond;   ///< sum_k s_ik s_jk [bonds]
  std::vector<std::int32_t> kinks;  ///< pairs of slices that differ [sites]
  std::vector<std::int32_t> site;   ///< sum_k s_ik [sites]
  std::vector<std::int32_t> slice;  ///< sum_i s_ik [M]
};

struct EnergyTerms {
  double energy;      ///< E
  double derivative;  ///< D
};

struct SliceMoments {
  double m, m2, m4;               ///< moments in one slice, averaged over slices
  double mean_abs, mean2, mean4;  ///< |mbar|, mbar^2, mbar^4
};

/// One replica's spins.
class ReplicaSpins {
 public:
  ReplicaSpins(const HostWords& words, Index group, int field)
      : words_(words), group_(group), field_(field) {}
  ReplicaSpins(const TrotterModel& model, const HostWords& words, Index replica)
      : ReplicaSpins(words, model.place(replica).group, model.place(replica).field) {}

  std::int32_t slices() const { return words_.time.slices(); }
  Index sites() const { return words_.sites; }

  SliceSums sums(const SystemGraph& graph) const;
  /// sum_i s_ik [M].
  std::vector<std::int32_t> slice_sums() const;
  /// (1/M) sum_k s_ik s_jk.
  double pair(Index i, Index j) const;
  /// sum over sites and slices of s_i,k s_i,k+shift, for shift = 0 to M / 2.
  std::vector<std::int64_t> local_products() const;
  /// sum_i s_ik s_ik' of two copies, for each slice [M].
  std::vector<std::int32_t> overlaps(const ReplicaSpins& other) const;

 private:
  /// The field of word w of a site.
  std::uint32_t bits(Index site, int w) const {
    return (words_.line(group_, site)[Index{w} * words_.lanes] >> (field_ * words_.time.bits)) &
           low_bits(words_.time.bits);
  }
  /// Word w of the spins `shift` slices later.
  std::uint32_t later_bits(Index site, int w, std::int32_t shift) const;
  /// Adds up words of all sites, slice by slice. @param word (site, w) @return sums of spins [M]
  template <class Word>
  std::vector<std::int32_t> sums_of_words(const Word& word) const;

  HostWords words_;
  Index group_;
  int field_;
};

EnergyTerms energy_terms(const Instance& instance, const SliceSums& sums);
/// x_i of a site. @param a dtau Gamma_i @param kinks n_i / M, or its average; x_i is linear in it
double transverse_spin(double a, double kinks);
/// x_i of each site.
std::vector<double> transverse_spins(const Instance& instance, const SliceSums& sums);
/// Moments from sums over sites. @param slice sum_i s_ik, or sum_i s_ik s_ik' of two copies: then
/// the moments are those of their overlap
SliceMoments slice_moments(std::span<const std::int32_t> slice, Index sites);
inline SliceMoments magnetic_moments(const SliceSums& sums) {
  return slice_moments(sums.slice, std::ssize(sums.site));
}
/// G(k) for k = 0 to M / 2. @param slice sum_i s_ik [M]
std::vector<double> magnetic_correlation(std::span<const std::int32_t> slice, Index sites);
/// C from means over samples. @param energy2 <E^2>
inline double specific_heat(double beta, double energy, double energy2, double derivative) {
  return beta * beta * (energy2 - energy * energy + derivative);
}
inline double binder_cumulant(double m2, double m4) { return 1 - m4 / (3 * m2 * m2); }

}  // namespace larmor::trotter
