// FFT of the sublattice of each basis atom on a GPU. Planes are transformed first, then the columns
// that hold requested wave vectors. GPUs that share the lattice share the planes.

#include <algorithm>
#include <numeric>
#include <optional>

#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/gpu/early_launch.cuh"
#include "larmor/core/gpu/gpu_fft.hpp"
#include "larmor/core/simd/for_each.hpp"
#include "larmor/correlations/fourier/gpu_transforms.hpp"
#include "larmor/correlations/fourier/planes.hpp"

namespace larmor::correlations {
namespace {

/// Blocks of replicas are transformed together up to this size of their columns.
constexpr double bytes_at_once = 512.0 * 1048576;
/// Number of cells that are transformed together, each counted once for every field. So many cells
/// keep the whole GPU busy and fit in its caches.
constexpr Index cells_at_once = Index{1} << 21;

/// Size of one batch of transforms. It depends only on the lattice, the wave vectors and the
/// replicas of this process. Therefore, processes that share a lattice have equal plans.
struct Batches {
  Index lanes, blocks, planes;  ///< lanes of a block; blocks and planes per batch

  Batches(const PlanesOfCells& lattice, Index columns, const SpinLayout& layout)
      : lanes(layout.one_replica() ? 1 : lane_count) {
    const double bytes_of_block = 16.0 * static_cast<double>(3 * lanes * lattice.count() * columns);
    blocks =
        std::clamp(static_cast<Index>(bytes_at_once / bytes_of_block), Index{1}, layout.blocks());
    const Index cells = fields() * lattice.cells_of_plane() * lattice.count();
    const Index batches = std::clamp(cells / cells_at_once, Index{1}, lattice.count());
    planes = (lattice.count() + batches - 1) / batches;
  }
  /// Fields of a plane: (replica of the batch, component).
  Index fields() const { return 3 * lanes * blocks; }
};

cuda::FftGrid grid_of_plane(const PlanesOfCells& planes) {
  return {{planes.size[planes.fast], planes.size[planes.slow], 1}};
}

/// Number of columns that are kept. If most columns are requested, all are kept, and planes are
/// transformed in place.
Index kept_columns(const PlanesOfCells& planes, Index wanted) {
  return 3 * wanted > 2 * planes.half_cells() ? planes.half_cells() : wanted;
}

/// Count of numbers in one batch of planes, and in the columns of all planes.
Index numbers_of_planes(const PlanesOfCells& planes, const Batches& at_once) {
  return at_once.planes * at_once.fields() * grid_of_plane(planes).field_stride();
}
Index numbers_of_columns(const PlanesOfCells& planes, const Batches& at_once, Index columns) {
  return 2 * planes.count() * at_once.fields() * columns;
}

/// The batch as kernels read it.
struct PlaneFields {
  cuda::FftGrid plane;       ///< numbers of cells of a plane along `fast` and along `slow`
  Index fast, slow, across;  ///< stride in cells of the lattice along each axis
  SpinLayout layout;
  Index lanes, blocks, first_block;
  Index basis, atom;
  const std::int32_t* position;   ///< storage position of each canonical site
  const std::int32_t* own_plane;  ///< numbers of this process's planes
  Index first_plane, planes;      ///< range in `own_plane`
  const Index* place;             ///< place of each column in the half spectrum of a plane
  Index columns;

  __device__ Index fields() const { return 3 * lanes * blocks; }
};

/// Each thread copies the vector of one cell of a plane in one replica. Adjacent threads read the
/// replicas of a block. fields: (plane, replica, 3, grid)
template <class Numbers>
__global__ void gather_kernel(PlaneFields f, Index threads, VectorView vectors, double* fields) {
  cuda::wait_for_predecessor();
  const Index thread = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (thread >= threads) return;
  const auto points = static_cast<unsigned>(f.plane.points());
  const auto row_length = static_cast<unsigned>(f.plane.size[0]);
  const Index in_block = thread / f.lanes, lane = thread % f.lanes;
  const Index rest = in_block / points, block = rest % f.blocks, plane = rest / f.blocks;
  const auto n = static_cast<unsigned>(in_block - rest * points);
  const unsigned row = n / row_length, in_row = n - row * row_length;
  const Index cell = f.own_plane[f.first_plane + plane] * f.across + row * f.slow + in_row * f.fast;
  const Index replica = block * f.lanes + lane;
  const ScalarSlot<Numbers> pack{f.position[f.atom + f.basis * cell],
                                 f.first_block * f.lanes + replica};
  const Vec3<double> e = converted<double>(vectors.load(pack));
  double* out = fields + (plane * f.fields() + 3 * replica) * f.plane.field_stride() +
                row * f.plane.row_stride() + in_row;
  out[0] = e.x;
  out[f.plane.field_stride()] = e.y;
  out[2 * f.plane.field_stride()] = e.z;
}

/// Each thread copies one number of a column. columns: (plane, replica, 3, column, re im)
__global__ void copy_columns_kernel(PlaneFields f, Index threads, const double* fields,
                                    double* columns) {
  cuda::wait_for_predecessor();
  const Index thread = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (thread >= threads) return;
  const Index column = thread % f.columns, field = thread / f.columns;
  const Index plane = field / f.fields(), of_plane = field - plane * f.fields();
  const double* from = fields + field * f.plane.field_stride() + 2 * f.place[column];
  double* to =
      columns +
      ((f.own_plane[f.first_plane + plane] * f.fields() + of_plane) * f.columns + column) * 2;
  to[0] = from[0];
  to[1] = from[1];
}

/// Position of a wave vector in the columns.
struct WantedPoint {
  Index column, k;
  bool conjugated;
};

/// Each thread computes the amplitude of one wave vector in one replica. before and out: (q,
/// replica, 3, re im)
/// @param before sum over the previous basis atoms
/// @param phase exp(-i q.r_b), (q, basis, re im)
__global__ void look_up_kernel(PlaneFields f, Index wave_vectors, const WantedPoint* wanted,
                               const double* phase, const double* columns, const double* before,
                               double* out) {
  cuda::wait_for_predecessor();
  const Index thread = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  const Index q = thread / f.fields(), field = thread % f.fields();
  const Index replica = f.first_block * f.lanes + field / 3;
  if (q >= wave_vectors || replica >= f.layout.replicas) return;
  const WantedPoint point = wanted[q];
  const double* A = columns + ((point.k * f.fields() + field) * f.columns + point.column) * 2;
  const double re = A[0], im = point.conjugated ? -A[1] : A[1];
  const double* z = phase + 2 * (q * f.basis + f.atom);
  const Index place = ((q * f.layout.replicas + replica) * 3 + field % 3) * 2;
  const double sum[2] = {f.atom == 0 ? 0 : before[place], f.atom == 0 ? 0 : before[place + 1]};
  // The addition of 0 replaces -0 by +0, because a sum over processes does so too.
  out[place] = sum[0] + z[0] * re - z[1] * im + 0.0;
  out[place + 1] = sum[1] + z[0] * im + z[1] * re + 0.0;
}

class GpuFftTransform : public GpuTransform {
 public:
  /// @param spectrum halved along `planes.fast` @param columns columns of `spectrum`
  GpuFftTransform(const lattice::Geometry& geometry, const PlanesOfCells& planes,
                  const HalfSpectrum& spectrum, const std::vector<SpectrumColumn>& columns,
                  const spins::SpinState& state)
      : device_(state.device()),
        planes_(planes),
        basis_(static_cast<Index>(geometry.crystal.basis.size())),
        wave_vectors_(std::ssize(spectrum.entry)),
        columns_(kept_columns(planes, std::ssize(columns))),
        at_once_(planes, columns_, state.layout()),
        planes_fft_(device_, grid_of_plane(planes), at_once_.planes * at_once_.fields(),
                    cuda::FftDirections::forward),
        column_numbers_(device_, numbers_of_columns(planes, at_once_, columns_)),
        amplitudes_(device_, 6 * wave_vectors_ * state.layout().replicas) {
    const bool keeps_all = columns_ == planes.half_cells();
    std::vector<Index> place;
    std::vector<WantedPoint> wanted(spectrum.entry.size());
    for (const SpectrumColumn& column : columns) {
      const Index kept_at = keeps_all ? column.place : std::ssize(place);
      for (const SpectrumColumn::Wanted& w : column.wanted)
        wanted[static_cast<std::size_t>(w.q)] = {kept_at, w.k, w.conjugated};
      place.push_back(column.place);
    }
    if (keeps_all) {
      place.resize(static_cast<std::size_t>(columns_));
      std::iota(place.begin(), place.end(), Index{0});
    }
    std::vector<double> phase;
    for (const std::complex<double>& z : spectrum.basis_phase)
      phase.insert(phase.end(), {z.real(), z.imag()});
    std::vector<std::int32_t> position(static_cast<std::size_t>(geometry.sites()));
    for (Index storage = 0; storage < geometry.sites(); ++storage)
      position[static_cast<std::size_t>(state.canonical()[static_cast<std::size_t>(storage)])] =
          static_cast<std::int32_t>(storage);
    const std::vector<Index> own = planes.own(state.layout().domain, geometry.spins());
    own_planes_ = std::ssize(own);
    in_place_ =
        keeps_all && own_planes_ >= at_once_.planes && own.back() - own.front() == own_planes_ - 1;
    first_own_ = own.empty() ? 0 : own.front();
    if (!in_place_) fields_ = Array<double>(device_, numbers_of_planes(planes, at_once_));
    place_ = Array<Index>(device_, place);
    wanted_ = Array<WantedPoint>(device_, wanted);
    phase_ = Array<double>(device_, phase);
    position_ = Array<std::int32_t>(device_, position);
    if (planes.count() > 1)
      columns_fft_.emplace(device_, planes.count(), at_once_.fields() * columns_);
    if (own_planes_ > 0)
      own_plane_ = Array<std::int32_t>(device_, std::vector<std::int32_t>(own.begin(), own.end()));
  }

  Pending transform(const spins::SpinState& state) override {
    if (amplitudes_.size() <= Pending::few)
      return {device_, amplitudes_.size(), [&](double* out) { transform_to(state, out); }};
    transform_to(state, amplitudes_.data());
    return {device_, amplitudes_.data(), amplitudes_.size()};
  }

 private:
  /// @param out memory that the GPU can write
  void transform_to(const spins::SpinState& state, double* out) {
    const SpinLayout& layout = state.layout();
    const Domain* domain = layout.domain;
    // If a process has whole planes, it has all spins that it transforms. Otherwise it needs the
    // spins of the whole lattice.
    if (domain != nullptr && planes_.are_whole(domain))
      state.complete_parts(1);
    else
      state.complete();
    for (Index first = 0; first < layout.blocks(); first += at_once_.blocks) {
      // All batches have equal size, so the last batch overlaps the previous one.
      PlaneFields f = batch(layout, std::min(first, layout.blocks() - at_once_.blocks));
      for (f.atom = 0; f.atom < f.basis; ++f.atom) {
        transform_planes(state, f);
        if (domain != nullptr)
          domain->add_up_on_device(domain->context, column_numbers_.data(), column_numbers_.size());
        if (columns_fft_) columns_fft_->forward(column_numbers_.data());
        look_up(f, f.atom + 1 == f.basis ? out : amplitudes_.data());
      }
    }
  }

  PlaneFields batch(const SpinLayout& layout, Index first_block) const {
    const std::array<Index, 3> stride = planes_.strides();
    return {grid_of_plane(planes_),
            stride[planes_.fast],
            stride[planes_.slow],
            stride[planes_.across],
            layout,
            at_once_.lanes,
            at_once_.blocks,
            first_block,
            basis_,
            0,
            position_.data(),
            own_plane_.data(),
            0,
            0,
            place_.data(),
            columns_};
  }

  /// Writes the columns of this process's planes, and zeros for the planes of other processes.
  void transform_planes(const spins::SpinState& state, PlaneFields f) {
    if (own_planes_ < planes_.count())
      larmor::detail::check_cuda(
          cudaMemsetAsync(column_numbers_.data(), 0,
                          static_cast<std::size_t>(column_numbers_.size()) * sizeof(double),
                          cuda::stream(device_.ordinal)));
    for (Index first = 0; first < own_planes_; first += at_once_.planes) {
      if (in_place_) {
        // The last batch overlaps the previous one and recomputes some planes.
        f.planes = at_once_.planes;
        f.first_plane = std::min(first, own_planes_ - f.planes);
        double* planes = column_numbers_.data() +
                         2 * (first_own_ + f.first_plane) * at_once_.fields() * columns_;
        gather(state, f, planes);
        planes_fft_.forward(planes);
        continue;
      }
      f.first_plane = first;
      f.planes = std::min(at_once_.planes, own_planes_ - first);
      gather(state, f, fields_.data());
      planes_fft_.forward(fields_.data());
      const cuda::LaunchRegion region(device_.ordinal, "columns of planes");
      const Index threads = f.planes * at_once_.fields() * columns_;
      launch(copy_columns_kernel, threads, f, threads, fields_.data(), column_numbers_.data());
    }
  }

  void gather(const spins::SpinState& state, const PlaneFields& f, double* fields) {
    const cuda::LaunchRegion region(device_.ordinal, "vectors to planes");
    const Index threads = f.planes * f.plane.points() * f.lanes * f.blocks;
    larmor::detail::with_cuda_numbers(device_, [&](auto numbers) {
      launch(gather_kernel<decltype(numbers)>, threads, f, threads,
             VectorView(state.reals(), f.layout), fields);
    });
  }

  void look_up(const PlaneFields& f, double* out) {
    const cuda::LaunchRegion region(device_.ordinal, "amplitudes looked up");
    const Index threads = wave_vectors_ * at_once_.fields();
    launch(look_up_kernel, threads, f, wave_vectors_, wanted_.data(), phase_.data(),
           column_numbers_.data(), amplitudes_.data(), out);
  }

  template <class... Parameters, class... Arguments>
  void launch(void (*kernel)(Parameters...), Index threads, const Arguments&... arguments) {
    cuda::launch_early(device_.ordinal, kernel, larmor::detail::blocks_for(threads),
                       larmor::detail::block_threads, 0, arguments...);
  }

  Device device_;
  PlanesOfCells planes_;
  Index basis_, wave_vectors_, columns_, own_planes_ = 0, first_own_ = 0;
  bool in_place_ = false;  ///< are planes transformed inside `column_numbers_`?
  Batches at_once_;
  cuda::GpuFft<double> planes_fft_;
  std::optional<cuda::GpuColumnFft> columns_fft_;  ///< null: there is one plane
  Array<double> fields_;                           ///< (plane, replica, 3, grid), unless in place
  Array<double> column_numbers_;                   ///< (plane, replica, 3, column, re im)
  Array<double> amplitudes_;                       ///< (q, replica, 3, re im)
  Array<Index> place_;                             ///< place of each column in the half spectrum of
                                                   ///< a plane
  Array<WantedPoint> wanted_;                      ///< [q]
  Array<double> phase_;
  Array<std::int32_t> position_, own_plane_;
};

}  // namespace

std::unique_ptr<GpuTransform> make_gpu_fft(const lattice::Geometry& geometry, const QList& q,
                                           const spins::SpinState& state) {
  const PlanesOfCells planes(geometry.size);
  const HalfSpectrum spectrum(geometry, q, planes.fast);
  return std::make_unique<GpuFftTransform>(geometry, planes, spectrum, columns_of(planes, spectrum),
                                           state);
}

double gpu_fft_bytes(const lattice::Geometry& geometry, const QList& q, Index replicas) {
  const PlanesOfCells planes(geometry.size);
  const SpinLayout layout{geometry.sites(), replicas};
  const Index columns = kept_columns(planes, std::min(q.size(), planes.half_cells()));
  const Batches at_once(planes, columns, layout);
  // The sum has planes and columns, then amplitudes and positions. Planes and columns count twice,
  // because cuFFT has copies of them.
  return 8 * (2 * static_cast<double>(numbers_of_planes(planes, at_once) +
                                      numbers_of_columns(planes, at_once, columns)) +
              6 * static_cast<double>(q.size() * replicas)) +
         4 * static_cast<double>(geometry.sites());
}

}  // namespace larmor::correlations
