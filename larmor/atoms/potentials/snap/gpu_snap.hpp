#pragma once
// SNAP on a GPU, by the method of the CPU, in three kernels. In the first, a warp sums U of an
// atom, with a neighbour per lane. In the second, a block of threads computes Y of a tile of atoms,
// one coupling group after the other (coupling_plan.hpp). In the third, a warp computes the energy
// of an atom and the gradients of its neighbours.

#include <memory>
#include <span>
#include <vector>

#include "larmor/atoms/forces/gpu_potential.hpp"
#include "larmor/atoms/potentials/snap/snap_potential.hpp"
#include "larmor/core/device/device.hpp"

namespace larmor::atoms::snap {

class GpuSnap : public GpuPotential {
 public:
  /// @param element_of_type element of each type, by its number in the potential
  /// @param device a GPU with its precision: double, single, or mixed (products of matrix elements
  /// in float, the rest in double)
  /// @param most_bytes limit of the work memory: atoms are processed in blocks, which change no bit
  /// @throws InputError for 2J above 14
  GpuSnap(const SnapPotential& potential, std::span<const std::int32_t> element_of_type,
          const Device& device, double most_bytes = usual_most_bytes);
  static constexpr double usual_most_bytes = 1 << 30;
  ~GpuSnap() override;

  /// Bytes of work memory for `atoms` atoms, without the limit.
  static double work_bytes(const SnapPotential& potential, Index atoms);

  double cutoff() const override { return cutoff_; }
  int components() const;

  void evaluate(const GpuRowsView& rows, const std::int32_t* type, double* energy,
                Vec3<double>* gradient, bool adds, CUstream_st* stream) override;

  /// Replaces the coefficients of all elements. Waits for the GPU.
  /// @param potential with the parameters and elements of the potential of the constructor
  void set_coefficients(const SnapPotential& potential);

  /// Components of the bispectrum. @param result (atom, component), on the GPU
  void bispectrum(const GpuRowsView& rows, const std::int32_t* type, double* result,
                  CUstream_st* stream);

 private:
  class Kernels;
  template <class Real, class Product>
  class KernelsIn;

  double cutoff_;
  std::unique_ptr<Kernels> kernels_;
};

}  // namespace larmor::atoms::snap
