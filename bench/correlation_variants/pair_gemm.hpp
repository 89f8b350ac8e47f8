#pragma once
// C = A B^T by cuBLAS, every element of it stored; A and B as in fused_sums.hpp.

#include "larmor/core/device/array.hpp"
#include "larmor/core/gpu/cublas_library.hpp"

namespace larmor::bench {

/// Chooses the way of laying out A and B that cuBLAS multiplies fastest: k or sites next to one
/// another.
class PairGemm {
 public:
  /// @param rows, columns on the device, (site, k), with such numbers as will be multiplied
  /// @param product on the device, (r, r'); it is overwritten
  /// @throws MachineError when cuBLAS is missing or memory is short
  PairGemm(const Device& device, Index sites, Index numbers, const double* rows,
           const double* columns, double* product);

  /// Brings A into its layout.
  void arrange_rows();
  /// product = scale A B^T. Launches only.
  void multiply(double scale) const;
  /// The best time that was measured for one product.
  double seconds() const { return seconds_; }

 private:
  /// Are sites next to one another, instead of k?
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
