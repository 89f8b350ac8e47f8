#pragma once
// The two methods that compute amplitudes on a CPU.

#include "larmor/correlations/fourier/amplitudes.hpp"
#include "larmor/correlations/fourier/planes.hpp"
#include "larmor/correlations/fourier/site_blocks.hpp"

namespace larmor::correlations {

/// Sums phase times spin over the sites, for any positions and wave vectors. Blocks of sites are
/// summed separately, and their sums are then added in a fixed order.
class FactorisedTransform : public AmplitudeTransform {
 public:
  FactorisedTransform(const lattice::Geometry& geometry, const QList& q);
  static double bytes(const lattice::Geometry& geometry, const QList& q, Index replicas);
  void transform(const StridedVectors& spins, int threads, std::complex<double>* out) override;
  Index sites_of_block(const Domain* domain) const override;

 private:
  /// A range of wave vectors. All their blocks of sites are summed before the blocks are added.
  struct WaveVectors {
    Index first, last;
    Index count() const { return last - first; }
  };
  void phases(const StridedVectors& spins, std::size_t q, Index first, Index count, double* re,
              double* im) const;
  void fill_phases(const StridedVectors& spins, int threads);
  void sum_site_block(const StridedVectors& spins, Index block, Index site_block,
                      const WaveVectors& waves, double* sums) const;
  void add_up(const StridedVectors& spins, Index block, Index q, const double* partial,
              std::complex<double>* out) const;

  std::vector<Vec3<double>> q_, position_;
  Index sites_of_block_, site_blocks_;
  bool keep_phases_ = true;
  std::vector<double> phase_re_, phase_im_;  ///< (q, storage position)
};

/// FFT of the sublattice of each basis atom. Planes are transformed first, then the columns that
/// hold requested wave vectors. Processes that share the sites share the planes. Each process
/// transforms all columns, because columns are few, or faster to transform than to send.
class FftTransform : public AmplitudeTransform {
 public:
  /// @throws InputError unless every q is a wave vector of the lattice
  FftTransform(const lattice::Geometry& geometry, const QList& q);
  static double bytes(const lattice::Geometry& geometry, const QList& q, Index replicas,
                      int threads);
  ~FftTransform() override;
  void transform(const StridedVectors& spins, int threads, std::complex<double>* out) override;
  Index sites_of_block(const Domain* domain) const override;

 private:
  class Plans;
  struct Workspace;
  /// A range of blocks of replicas. All their planes are transformed before their columns.
  struct Blocks {
    Index first, count;
  };

  void prepare(const StridedVectors& spins);
  void transform_planes(const StridedVectors& spins, const Blocks& batch, int threads);
  void transform_columns(const StridedVectors& spins, const Blocks& batch, int threads,
                         std::complex<double>* out);
  void gather(const StridedVectors& spins, Index block, Index atom, Index plane,
              double* plane_of_fields) const;
  void add(const StridedVectors& spins, Index block, Index atom,
           const SpectrumColumn::Wanted& wanted, const double* column,
           std::complex<double>* out) const;
  /// Numbers of the planes at one column: (plane, field). @param block within `Blocks`
  std::complex<double>* column_numbers(Index block, Index atom, Index column);

  PlanesOfCells planes_;
  Index spins_, basis_;
  std::vector<std::complex<double>> basis_phase_;  ///< exp(-i q.r_b), (q, basis)
  std::vector<SpectrumColumn> columns_;
  // These members fit the layout of the spins in the first call.
  std::vector<std::int32_t> storage_;  ///< position of each canonical site
  std::unique_ptr<Plans> plans_;
  std::vector<std::complex<double>> spectrum_;  ///< (block, atom, column, plane, field)
};

}  // namespace larmor::correlations
