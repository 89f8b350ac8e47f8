#pragma once
// The two ways to the amplitudes.

#include "larmor/correlations/amplitudes.hpp"
#include "larmor/correlations/factorised_shares.hpp"
#include "larmor/correlations/half_spectrum.hpp"

namespace larmor::correlations {

/// Sums phase times spin over the sites; any positions, any wave vectors.
class FactorisedTransform : public AmplitudeTransform {
 public:
  FactorisedTransform(const lattice::Geometry& geometry, const QList& q);
  static double bytes(const lattice::Geometry& geometry, const QList& q, Index replicas);
  void transform(const StridedVectors& spins, int threads, std::complex<double>* out) override;

 private:
  void phases(const StridedVectors& spins, std::size_t q, Index first, Index count, double* cosine,
              double* sine) const;
  void fill_phases(const StridedVectors& spins, int threads);
  /// @param sums of all shares, added to
  void sum_share(const StridedVectors& spins, const FactorisedShares& shares, Index share,
                 double* sums) const;

  std::vector<Vec3<double>> q_, position_;
  bool keep_phases_ = true;
  std::vector<double> cosine_, sine_;  ///< (q, storage position)
};

/// Real-to-complex FFT of each basis atom's sublattice, then the wanted wave vectors looked up.
class FftTransform : public AmplitudeTransform {
 public:
  /// @throws InputError unless every q is a wave vector of the lattice
  FftTransform(const lattice::Geometry& geometry, const QList& q);
  static double bytes(const lattice::Geometry& geometry, Index replicas, int threads);
  ~FftTransform() override;
  void transform(const StridedVectors& spins, int threads, std::complex<double>* out) override;

 private:
  struct Plan;
  struct Workspace;

  void transform_block(const StridedVectors& spins, Index block, Workspace& workspace,
                       std::complex<double>* out) const;

  std::array<Index, 3> size_;
  Index basis_;
  HalfSpectrum spectrum_;
  std::unique_ptr<Plan> plan_;  ///< for the number of fields met first
};

}  // namespace larmor::correlations
