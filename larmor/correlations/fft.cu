// The transform of each basis atom's sublattice on a GPU, then the wanted wave vectors looked up.

#include <algorithm>

#include "larmor/core/grid_fields.cuh"
#include "larmor/correlations/gpu_transforms.hpp"
#include "larmor/correlations/half_spectrum.hpp"

namespace larmor::correlations {
namespace {

/// Blocks of replicas are transformed together up to this size.
constexpr double bytes_at_once = 512.0 * 1048576;

struct WantedPoints {
  const HalfSpectrum::Entry* entry;  ///< [wave vectors]
  const double* phase;               ///< (q, basis, re im)
  Index wave_vectors, atom;          ///< the atom of the fields
};

/// One amplitude of one replica a thread. out: (q, replica, 3, re im)
__global__ void look_up_kernel(cuda::GridFields f, WantedPoints wanted, const double* fields,
                               double* out) {
  const Index thread = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  const Index width = 3 * f.replicas(), q = thread / width, field = thread % width;
  const Index replica = f.first_block * f.lanes() + field / 3;
  if (q >= wanted.wave_vectors || replica >= f.layout.replicas) return;
  const HalfSpectrum::Entry entry = wanted.entry[q];
  const double* A = fields + field * f.grid.field_stride() + 2 * entry.index;
  const double re = A[0], im = entry.conjugated ? -A[1] : A[1];
  const double* phase = wanted.phase + 2 * (q * f.basis + wanted.atom);
  double* sum = out + ((q * f.layout.replicas + replica) * 3 + field % 3) * 2;
  const double before[2] = {wanted.atom == 0 ? 0 : sum[0], wanted.atom == 0 ? 0 : sum[1]};
  sum[0] = before[0] + phase[0] * re - phase[1] * im;
  sum[1] = before[1] + phase[0] * im + phase[1] * re;
}

Index blocks_at_once(const cuda::FftGrid& grid, const SpinLayout& layout) {
  const Index lanes = layout.one_replica() ? 1 : lane_count;
  const double bytes = 8.0 * static_cast<double>(3 * lanes * grid.field_stride());
  return std::clamp(static_cast<Index>(bytes_at_once / bytes), Index{1}, layout.blocks());
}

class GpuFftTransform : public GpuTransform {
 public:
  GpuFftTransform(const lattice::Geometry& geometry, const QList& q, const spins::SpinState& state)
      : grid_{geometry.size},
        basis_(static_cast<Index>(geometry.crystal.basis.size())),
        wave_vectors_(q.size()),
        blocks_(blocks_at_once(grid_, state.layout())),
        fft_(state.device(), grid_, batch(state.layout(), 0).fields()) {
    const Device& device = state.device();
    const HalfSpectrum spectrum(geometry, q);
    std::vector<double> phase;
    for (const std::complex<double>& z : spectrum.basis_phase)
      phase.insert(phase.end(), {z.real(), z.imag()});
    std::vector<std::int32_t> position(static_cast<std::size_t>(geometry.sites()));
    for (Index storage = 0; storage < geometry.sites(); ++storage)
      position[static_cast<std::size_t>(state.canonical()[static_cast<std::size_t>(storage)])] =
          static_cast<std::int32_t>(storage);
    entry_ = Array<HalfSpectrum::Entry>(device, spectrum.entry);
    phase_ = Array<double>(device, phase);
    position_ = Array<std::int32_t>(device, position);
    fields_ = Array<double>(device, batch(state.layout(), 0).fields() * grid_.field_stride());
    amplitudes_ = Array<double>(device, 6 * q.size() * state.layout().replicas);
  }

  Pending transform(const spins::SpinState& state) override {
    state.complete();
    const Device& device = state.device();
    const SpinLayout& layout = state.layout();
    for (Index first = 0; first < layout.blocks(); first += blocks_) {
      // The last batch is as large as the others: it begins earlier.
      cuda::GridFields fields = batch(layout, std::min(first, layout.blocks() - blocks_));
      for (Index atom = 0; atom < basis_; ++atom) {
        fields.first_atom = atom;
        cuda::gather(device, fields, state.reals(), fields_.data());
        fft_.forward(fields_.data());
        look_up(device, fields);
      }
    }
    return {device, amplitudes_.data(), amplitudes_.size()};
  }

 private:
  cuda::GridFields batch(const SpinLayout& layout, Index first_block) const {
    const auto& size = grid_.size;
    return {grid_,
            {size[0], size[1], size[2]},
            layout,
            first_block,
            blocks_,
            basis_,
            0,
            1,
            position_.data(),
            nullptr};
  }

  void look_up(const Device& device, const cuda::GridFields& fields) {
    const WantedPoints wanted{entry_.data(), phase_.data(), wave_vectors_, fields.first_atom};
    const Index threads = wave_vectors_ * fields.fields();
    const cuda::LaunchRegion region(device.ordinal, "amplitudes looked up");
    look_up_kernel<<<larmor::detail::blocks_for(threads), larmor::detail::block_threads, 0,
                     cuda::stream(device.ordinal)>>>(fields, wanted, fields_.data(),
                                                     amplitudes_.data());
    larmor::detail::check_cuda(cudaGetLastError());
  }

  cuda::FftGrid grid_;
  Index basis_, wave_vectors_, blocks_;
  Array<HalfSpectrum::Entry> entry_;
  Array<double> phase_;
  Array<std::int32_t> position_;
  Array<double> fields_, amplitudes_;
  cuda::GpuFft<double> fft_;
};

}  // namespace

std::unique_ptr<GpuTransform> make_gpu_fft(const lattice::Geometry& geometry, const QList& q,
                                           const spins::SpinState& state) {
  return std::make_unique<GpuFftTransform>(geometry, q, state);
}

double gpu_fft_bytes(const lattice::Geometry& geometry, const QList& q, Index replicas) {
  const SpinLayout layout{geometry.sites(), replicas};
  const cuda::FftGrid grid{geometry.size};
  const Index lanes = layout.one_replica() ? 1 : lane_count;
  const auto fields = static_cast<double>(3 * lanes * blocks_at_once(grid, layout));
  // Fields, cuFFT's own copy of them, positions, amplitudes.
  return 8 * (2 * fields * static_cast<double>(grid.field_stride()) +
              6 * static_cast<double>(q.size() * replicas)) +
         4 * static_cast<double>(geometry.sites());
}

}  // namespace larmor::correlations
