#include "larmor/correlations/pairs/gpu/plain_kernel.cuh"
#include "larmor/correlations/pairs/gpu/sums_of_pairs.cuh"

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

const GpuSumsMaker& maker(const Device& device, const PairSettings& settings) {
  static const MakerOf<PlainArithmetic> plain;
  if (settings.plain || !has_tensor_core_sums(device)) return plain;
  return *tensor_core_sums();
}

template <class Numbers>
double bytes_of(Index sites, Index numbers, Index wave_vectors, bool symmetric) {
  const Index rows = padded(sites), panels = rows / panel_rows, units = fused_pieces(sites);
  const Index chunks = (symmetric ? 1 : 2) * whole(numbers, Numbers::numbers) +
                       whole(wave_vectors, Numbers::wave_vectors);
  const Index of_pass = std::min<Index>(most_wave_vectors, wave_vectors);
  return static_cast<double>(chunks * rows * row_bytes + 16 * units * summing_warps * of_pass +
                             16 * wave_vectors * (panels + 1));
}

}  // namespace

std::unique_ptr<FusedSums> make_fourier_sums(const Device& device, const PairSettings& settings,
                                             std::span<const Vec3<double>> q,
                                             std::span<const Vec3<double>> position,
                                             const RowShare& share) {
  return maker(device, settings).fourier(device, settings, q, position, share);
}

std::unique_ptr<FusedSums> make_group_sums(const Device& device, const PairSettings& settings,
                                           std::span<const std::int32_t> group, Index groups,
                                           double largest, const RowShare& share) {
  return maker(device, settings).groups(device, settings, group, groups, largest, share);
}

std::unique_ptr<FusedSums> make_distance_sums(const Device& device, const PairSettings& settings,
                                              std::span<const Vec3<double>> position,
                                              const DistanceBins& bins, double largest,
                                              const RowShare& share) {
  return maker(device, settings).distance(device, settings, position, bins, largest, share);
}

std::unique_ptr<FusedSums> make_displacement_sums(const Device& device,
                                                  const PairSettings& settings,
                                                  std::span<const lattice::SiteIndex> site,
                                                  const DisplacementBins& bins, double largest,
                                                  const RowShare& share) {
  return maker(device, settings).displacement(device, settings, site, bins, largest, share);
}

std::unique_ptr<FusedSums> make_value_sums(const Device& device, const PairSettings& settings,
                                           const CorrelationBins& bins, const RowShare& share) {
  return maker(device, settings).values(device, settings, bins, share);
}

Index fused_pieces(Index sites) {
  const Index rows = padded(sites);
  return rows / panel_rows * whole(rows, segment_of(rows));
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
