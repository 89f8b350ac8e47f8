#pragma once
// The two ways to the amplitudes.

#include "larmor/correlations/amplitudes.hpp"
#include "larmor/correlations/half_spectrum.hpp"
#include "larmor/correlations/site_parts.hpp"

namespace larmor::correlations {

/// Sums phase times spin over the sites; any positions, any wave vectors. Parts of the sites are
/// summed by themselves and then added up one after the other, whoever has summed them.
class FactorisedTransform : public AmplitudeTransform {
 public:
  FactorisedTransform(const lattice::Geometry& geometry, const QList& q);
  static double bytes(const lattice::Geometry& geometry, const QList& q, Index replicas);
  void transform(const StridedVectors& spins, int threads, std::complex<double>* out) override;
  Index sites_of_part() const override;

 private:
  /// Wave vectors that are summed before their parts are added up.
  struct WaveVectors {
    Index first, last;
    Index count() const { return last - first; }
  };
  void phases(const StridedVectors& spins, std::size_t q, Index first, Index count, double* cosine,
              double* sine) const;
  void fill_phases(const StridedVectors& spins, int threads);
  void sum_part(const StridedVectors& spins, Index block, Index part, const WaveVectors& of,
                double* sums) const;
  void add_up(const StridedVectors& spins, Index block, Index q, const double* partial,
              std::complex<double>* out) const;

  std::vector<Vec3<double>> q_, position_;
  Index sites_of_part_, parts_;
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
