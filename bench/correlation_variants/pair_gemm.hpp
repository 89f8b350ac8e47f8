#pragma once
// C = A B^T by cuBLAS, with every element stored; A and B as in fused_sums.hpp.

#include "larmor/core/device/array.hpp"
#include "larmor/core/gpu/cuda_libraries.hpp"

namespace larmor::bench {

/// Chooses the fastest memory layout of A and B for cuBLAS: either k or sites are adjacent.
class PairGemm {
 public:
  /// @param rows, columns on the device, (site, k), with numbers like those of later products
  /// @param product on the device, (r, r'); overwritten
  /// @throws MachineError if cuBLAS is missing or memory is too small
  PairGemm(const Device& device, Index sites, Index numbers, const double* rows,
           const double* columns, double* product);

  /// Converts A to its layout.
  void arrange_rows();
  /// product = scale A B^T. Asynchronous.
  void multiply(double scale) const;
  /// The best measured time of one product.
  double seconds() const { return seconds_; }

 private:
  /// Flags of the memory layout: true if sites are adjacent, false if k is.
  struct Arrangement {
    bool of_rows = false, of_columns = false;
  };
  double seconds_of(const Arrangement& arrangement) const;
  void multiply(const Arrangement& arrangement, const double* rows, const double* columns,
                double scale) const;

  Device device_;
  cuda::Cublas cublas_;
  Index sites_, numbers_;
  const double *rows_, *columns_;
  double* product_;
  Arrangement arrangement_;
  double seconds_ = 0;
  Array<double> arranged_rows_, arranged_columns_;
};

}  // namespace larmor::bench
