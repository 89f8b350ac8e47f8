#include "larmor/correlations/pairs/gpu/all_sums.cuh"
#include "larmor/correlations/pairs/gpu/fused_sums.hpp"
#include "larmor/correlations/pairs/gpu/plain_kernel.cuh"

namespace larmor::correlations::real_space {
namespace {

struct PlainArithmetic {
  template <class Make>
  static std::unique_ptr<FusedSums> in_precision(PairPrecision precision, const Make& make) {
    if (precision != PairPrecision::full)
      throw MachineError(std::string("correlations of pairs in ") + name_of(precision) +
                         " need tensor cores of compute capability 9.0");
    return make(PlainNumbers{});
  }
};

template <class Numbers>
double bytes_of(Index sites, Index numbers, Index wave_vectors, bool symmetric) {
  const Index rows = padded(sites), row_blocks = rows / rows_of_tile, units = fused_units(sites);
  const Index operand_blocks = (symmetric ? 1 : 2) * whole(numbers, Numbers::per_row) +
                               whole(wave_vectors, Numbers::wave_vectors);
  const Index of_launch = std::min<Index>(most_wave_vectors, wave_vectors);
  return static_cast<double>(operand_blocks * rows * row_bytes +
                             16 * units * summing_warps * of_launch +
                             16 * wave_vectors * (row_blocks + 1));
}

}  // namespace

std::unique_ptr<FusedSums> make_fused_sums(const Device& device, const PairSettings& settings,
                                           const PairReduction& reduction, const RowShare& share) {
  check(settings);
  check(reduction, settings.sites);
  const bool is_plain = settings.plain || !has_tensor_core_sums(device);
  const MakeFusedSums make = is_plain ? all_sums_by<PlainArithmetic> : tensor_core_sums();
  return make(device, settings, reduction, share);
}

Index fused_units(Index sites) {
  const Index rows = padded(sites);
  return rows / rows_of_tile * whole(rows, segment_of(rows));
}

double fourier_sums_bytes(Index sites, Index numbers, Index wave_vectors, PairPrecision precision,
                          bool symmetric) {
  switch (precision) {
    case PairPrecision::full:
      return bytes_of<DoubleNumbers>(sites, numbers, wave_vectors, symmetric);
    case PairPrecision::tf32x3:
      return bytes_of<Tf32Numbers>(sites, numbers, wave_vectors, symmetric);
    case PairPrecision::half_split:
      return bytes_of<HalfNumbers>(sites, numbers, wave_vectors, symmetric);
  }
  throw InternalError("unknown precision of a pair sum");
}

bool has_tensor_core_sums(const Device& device) {
  if (tensor_core_sums() == nullptr) return false;
  int major = 0, minor = 0;
  larmor::cuda::check(
      cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device.ordinal),
      "asking for the GPU's kind");
  larmor::cuda::check(
      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device.ordinal),
      "asking for the GPU's kind");
  return major == 9 && minor == 0;
}

}  // namespace larmor::correlations::real_space
