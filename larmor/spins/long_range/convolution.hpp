#pragma once
// Fields of a pair interaction of any range on a lattice, h_i = w_i sum_j T_ij w_j e_j, by fast
// Fourier transforms (Yuan, Bertram, IEEE Trans. Magn. 28 (1992) 2031). The convolution is
// cyclic along periodic directions, and zero-padded to twice the size along open directions.

#include <memory>
#include <mutex>
#include <vector>

#include "larmor/core/device/array.hpp"
#include "larmor/core/simd/views.hpp"
#include "larmor/spins/long_range/convolution_gpu.hpp"
#include "larmor/spins/long_range/coupling.hpp"

namespace larmor::spins {

class Convolution {
 public:
  /// @param canonical site of each storage position
  /// @throws MachineError if memory is insufficient
  Convolution(const lattice::Geometry& geometry, const LongRangeCoupling& coupling,
              const std::vector<std::int32_t>& canonical, int threads);
  ~Convolution();
  Convolution(const Convolution&) = delete;
  Convolution& operator=(const Convolution&) = delete;

  /// Computes the field of every site of a block of replicas, in the layout of the spins. Bits do
  /// not depend on the number of threads. On a CPU, several blocks may run in parallel, and
  /// transforms are always in double. On a GPU, transforms have the precision of the spins, and
  /// tables are copied to the device at the first use.
  /// @throws MachineError on a GPU without cuFFT or with too little memory
  void store_field(const Device& device, const SpinLayout& layout, const Reals& spins, Index block,
                   const Reals& field) const;
  /// Computes the fields of blocks [first_block, last_block). First receives the spins that other
  /// ranks have written.
  void store_fields(const Device& device, const SpinLayout& layout, const Reals& spins,
                    Index first_block, Index last_block, const Reals& field) const;
  /// Runs only the transforms of store_field for all blocks, `times` times. Benches compare their
  /// time.
  void transform_only(const Device& device, const SpinLayout& layout, Index times) const;

  /// Upper bound of |h_i| over all configurations.
  double largest_field() const { return largest_field_; }
  /// Bytes of the tables.
  double bytes() const;
  /// Bytes of tables and working memory for `replicas` replicas.
  static double bytes(const lattice::Geometry& geometry, Index replicas, int threads);
  /// Approximate bytes on a GPU.
  static double gpu_bytes(const lattice::Geometry& geometry, Index replicas, Precision precision);

 private:
  /// The sites of a basis atom, cell by cell: x + L_x (y + L_y z).
  struct Sublattice {
    std::vector<std::int32_t> position;  ///< storage position
    std::vector<double> weight;          ///< one number if all are equal
  };
  struct Grid;
  struct Workspace;
  class WorkspaceLease;

  void fill_tensors(const lattice::Geometry& geometry, const LongRangeCoupling& coupling,
                    int threads);
  void store_tensor(Index c, Index a, Index b, const Workspace& work);
  Index basis() const { return static_cast<Index>(sublattices_.size()); }
  template <class Visit>
  void for_each_place(const Sublattice& atoms, Index first, Index last, const Visit& visit) const;
  template <class Visit>
  void for_each_moment(const Device& device, const SpinLayout& layout, Index block,
                       const Visit& visit) const;
  void forward(Index field, Workspace& work) const;
  void backward(Index field, Workspace& work) const;
  void clear(Index field, Workspace& work) const;
  template <class Real>
  void store_field_in(const Device& device, const SpinLayout& layout, const Real* spins,
                      Index block, Real* field) const;
  template <class Real>
  void gather_field(Index field, const SpinLayout& layout, const Real* spins,
                    Workspace& work) const;
  template <class Real>
  void scatter_field(Index field, const SpinLayout& layout, const Workspace& work, Real* h) const;
  template <class Real>
  void gather(const Device& device, const SpinLayout& layout, const Real* spins, Index block,
              Workspace& work) const;
  void multiply(const Device& device, Workspace& work) const;
  template <class Real>
  void scatter(const Device& device, const SpinLayout& layout, Index block, const Workspace& work,
               Real* field) const;
  GpuConvolution& on_gpu(const Device& device) const;

  std::unique_ptr<Grid> grid_;
  std::array<Index, 3> cells_;
  std::vector<Sublattice> sublattices_;
  std::vector<double>
      tensors_;  ///< transformed, divided by the grid points; order of convolution_product.hpp
  double largest_field_ = 0;
  mutable std::vector<std::unique_ptr<Workspace>> free_;
  mutable std::unique_ptr<GpuConvolution> gpu_;
  mutable std::mutex guard_;  ///< for `free_` and `gpu_`
};

}  // namespace larmor::spins
