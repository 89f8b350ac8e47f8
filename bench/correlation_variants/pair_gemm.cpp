#include "bench/correlation_variants/pair_gemm.hpp"

#if defined(LARMOR_HAS_CUDA)

#include <limits>

#include "bench/timing.hpp"

namespace larmor::bench {

PairGemm::PairGemm(const Device& device, Index sites, Index numbers, const double* rows,
                   const double* columns, double* product)
    : device_(device),
      cublas_(device),
      sites_(sites),
      numbers_(numbers),
      rows_(rows),
      columns_(columns),
      product_(product),
      seconds_(std::numeric_limits<double>::infinity()) {
  for (const Arrangement& arrangement :
       {Arrangement{false, false}, {false, true}, {true, false}, {true, true}}) {
    const double seconds = seconds_of(arrangement);
    if (seconds >= seconds_) continue;
    seconds_ = seconds;
    arrangement_ = arrangement;
  }
  if (arrangement_.of_rows) arranged_rows_ = Array<double>(device, sites * numbers);
  if (arrangement_.of_columns) {
    arranged_columns_ = Array<double>(device, sites * numbers);
    cublas_.transpose(numbers, sites, columns, arranged_columns_.data());
  }
}

void PairGemm::arrange_rows() {
  if (arrangement_.of_rows) cublas_.transpose(numbers_, sites_, rows_, arranged_rows_.data());
}

void PairGemm::multiply(double scale) const {
  multiply(arrangement_, arrangement_.of_rows ? arranged_rows_.data() : rows_,
           arrangement_.of_columns ? arranged_columns_.data() : columns_, scale);
}

/// Measures a layout. The values of the numbers do not affect the time, so every layout reads the
/// unconverted matrix.
double PairGemm::seconds_of(const Arrangement& arrangement) const {
  const auto product = [&] {
    multiply(arrangement, rows_, columns_, 1);
    synchronise(device_);
  };
  return best_seconds_in_turn({product})[0];
}

void PairGemm::multiply(const Arrangement& arrangement, const double* rows, const double* columns,
                        double scale) const {
  using cuda::CublasOperation;
  // cuBLAS is column-major. It sees C as (r', r) and a matrix (site, k) as (k, site).
  cublas_.multiply(arrangement.of_columns ? CublasOperation::plain : CublasOperation::transposed,
                   arrangement.of_rows ? CublasOperation::transposed : CublasOperation::plain,
                   sites_, sites_, numbers_, scale, columns,
                   arrangement.of_columns ? sites_ : numbers_, rows,
                   arrangement.of_rows ? sites_ : numbers_, product_, sites_);
}

}  // namespace larmor::bench

#endif
