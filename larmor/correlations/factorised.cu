// The factorised sum on a GPU. A block of threads takes eight wave vectors (or the only one), one
// block of replicas and a part of the sites; parts are summed afterwards, in an order that the
// sizes alone decide.

#include <numbers>

#include "larmor/core/array.hpp"
#include "larmor/core/for_each.hpp"
#include "larmor/core/math.hpp"
#include "larmor/correlations/gpu_transforms.hpp"
#include "larmor/correlations/site_parts.hpp"

namespace larmor::correlations {
namespace {

/// Wave vectors that share the reading of the spins.
constexpr int full_group = 8;
constexpr int sum_threads = 256;
constexpr int warp = 32;
constexpr int warps = sum_threads / warp;
/// Real and imaginary part of three components.
constexpr int parts_of_amplitude = 6;
constexpr int width = parts_of_amplitude * lane_count;

struct SumRequest {
  SpinLayout layout;
  Index wave_vectors;
  Index parts, sites_of_part;
  int slices;              ///< of a part, each summed by itself
  const Index* own_parts;  ///< those that this process sums; null: all
  Index own_count;
  const double* q;         ///< over 2 pi, (wave vector, 3)
  const double* position;  ///< of the spins in storage order, (3, spins)
  const double2* phases;   ///< of the only wave vector where it is streamed: cosine, -sine, (spins)
  double* out;             ///< (q, replica, 3, re im)
  /// (block of replicas, bundle or all of them), how many sums have been left: who comes last adds
  /// them up, and leaves 0. Null: another kernel does.
  unsigned* arrived;
  double* of_bundles;  ///< (block of replicas, bundle, 6, 8)

  __device__ Index own_part(Index n) const { return own_parts == nullptr ? n : own_parts[n]; }
  LARMOR_HD Index groups(int group) const { return (wave_vectors + group - 1) / group; }
};

/// exp(-i q.r), or 0 where there is no such site or wave vector.
struct Phase {
  double cosine = 0, sine = 0;

  __device__ Phase(const SumRequest& r, Index q, Index site, Index end) {
    if (site >= end || q >= r.wave_vectors) return;
    const double* k = r.q + 3 * q;
    const Index n = r.layout.spins();
    const double turns =
        k[0] * r.position[site] + k[1] * r.position[n + site] + k[2] * r.position[2 * n + site];
    sine_cosine_turns(turns, sine, cosine);
  }
};

template <int group>
struct Amplitudes {
  double re[group][3], im[group][3];

  __device__ void add(int g, double cosine, double sine, const Vec3<double>& e) {
    re[g][0] += cosine * e.x;
    re[g][1] += cosine * e.y;
    re[g][2] += cosine * e.z;
    im[g][0] -= sine * e.x;
    im[g][1] -= sine * e.y;
    im[g][2] -= sine * e.z;
  }
  __device__ double number(int g, int k) const { return k < 3 ? re[g][k] : im[g][k - 3]; }
};

/// Sums over the threads of one lane. out: (group, 6, 8)
template <int group>
__device__ void store_sums(const Amplitudes<group>& sums,
                           double (*shared)[group * parts_of_amplitude][8], Index first_q,
                           const SumRequest& r, Index block, Index part, double* partial) {
  const int lane_of_warp = static_cast<int>(threadIdx.x) % warp;
#pragma unroll
  for (int g = 0; g < group; ++g)
#pragma unroll
    for (int k = 0; k < parts_of_amplitude; ++k) {
      double x = sums.number(g, k);
      x += __shfl_xor_sync(0xffffffffu, x, 16);
      x += __shfl_xor_sync(0xffffffffu, x, 8);
      if (lane_of_warp < lane_count)
        shared[threadIdx.x / warp][g * parts_of_amplitude + k][lane_of_warp] = x;
    }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < group * width; i += sum_threads) {
    const Index q = first_q + i / width;
    if (q >= r.wave_vectors) continue;
    double x = 0;
    for (int w = 0; w < warps; ++w) x += shared[w][i / lane_count][i % lane_count];
    partial[((block * r.wave_vectors + q) * r.parts + part) * width + i % width] = x;
  }
}

/// One replica: threads take sites, and make their phases themselves.
template <class Numbers, int group>
__device__ void add_sites(const SumRequest& r, const VectorView& spins, Index first_q, Index begin,
                          Index end, Amplitudes<group>& sums) {
  for (Index site = begin + threadIdx.x; site < end; site += sum_threads) {
    const auto e = converted<double>(spins.load(SingleIn<Numbers>{site, 0}));
#pragma unroll
    for (int g = 0; g < group; ++g) {
      const Phase phase(r, first_q + g, site, end);
      sums.add(g, phase.cosine, phase.sine, e);
    }
  }
}

/// Eight wave vectors: of a tile of sites each thread makes one phase, all threads read them.
template <class Numbers>
__device__ void add_replicas(const SumRequest& r, const VectorView& spins, Index first_q,
                             Index begin, Index end, Index block, Amplitudes<full_group>& sums) {
  constexpr int tile = sum_threads / full_group;
  __shared__ double cosine[tile][full_group], sine[tile][full_group];
  const int slot = static_cast<int>(threadIdx.x) / full_group;
  const int lane = static_cast<int>(threadIdx.x) % full_group;
  static_assert(full_group == lane_count, "a thread's phase and its lane have one number");
  for (Index first = begin; first < end; first += tile) {
    const Phase phase(r, first_q + lane, first + slot, end);
    __syncthreads();
    cosine[slot][lane] = phase.cosine;
    sine[slot][lane] = phase.sine;
    __syncthreads();
    if (first + slot >= end) continue;
    const auto e =
        converted<double>(spins.load(SingleIn<Numbers>{first + slot, block * lane_count + lane}));
#pragma unroll
    for (int g = 0; g < full_group; ++g) sums.add(g, cosine[slot][g], sine[slot][g], e);
  }
}

/// partial: (block, q, part, 6, 8); the lanes of a single replica are sites modulo 8.
template <class Numbers, int group>
__global__ void __launch_bounds__(sum_threads)
    partial_sum_kernel(SumRequest r, VectorView spins, double* partial) {
  __shared__ double shared[warps][group * parts_of_amplitude][lane_count];
  const Index part = r.own_part(blockIdx.x % r.own_count), rest = blockIdx.x / r.own_count;
  const Index first_q = rest % r.groups(group) * group, block = rest / r.groups(group);
  const Index begin = part * r.sites_of_part;
  const Index spins_there = r.layout.spins();
  const Index end = begin + r.sites_of_part < spins_there ? begin + r.sites_of_part : spins_there;
  Amplitudes<group> sums = {};
  if constexpr (group == 1) {
    add_sites<Numbers>(r, spins, first_q, begin, end, sums);
  } else if (r.layout.one_replica()) {
    add_sites<Numbers>(r, spins, first_q, begin, end, sums);
  } else {
    add_replicas<Numbers>(r, spins, first_q, begin, end, block, sums);
  }
  store_sums(sums, shared, first_q, r, block, part, partial);
}

/// Partial sums are added up by eights, four of those at a time, and those by eights once more,
/// however many threads do it: an order that the number of partial sums alone decides.
constexpr int few = 8, fews_of_bundle = 4, bundle = few * fews_of_bundle;
constexpr int most_bundles = few * few;

LARMOR_HD Index bundles_of(Index partial_sums) { return (partial_sums + bundle - 1) / bundle; }

/// The sum of `count` numbers a stride of `width` apart, eight at most; all loads are on their way
/// at once.
/// @param load of one of them
template <class Load>
__device__ double sum_of_few(const double* first, Index count, const Load& load) {
  double x[few];
#pragma unroll
  for (int n = 0; n < few; ++n) x[n] = n < count ? load(first + n * width) : 0.0;
  double sum = 0;
#pragma unroll
  for (int n = 0; n < few; ++n) sum += x[n];
  return sum;
}

/// Others may have written it a moment ago.
struct FromGlobal {
  __device__ double operator()(const double* x) const { return __ldcg(x); }
};
struct FromShared {
  __device__ double operator()(const double* x) const { return *x; }
};

/// Adds up fews of one number. of_few: (few, width)
template <int fews>
__device__ double sum_of_fews(const double (*of_few)[width], int number) {
  double sum = 0;
#pragma unroll
  for (int n = 0; n < fews; ++n) sum += of_few[n][number];
  return sum;
}

/// Writes a total; threads of the same block have the other numbers. total: shared, (width)
__device__ void store_total(const SumRequest& r, Index q, Index block, int number, double sum,
                            bool has_number, double* total) {
  if (has_number) total[number] = sum;
  __syncthreads();
  const int lane = number % lane_count, k = number / lane_count;
  const Index replica = block * lane_count + lane;
  if (!has_number || replica >= r.layout.replicas) return;
  if (r.layout.one_replica())
    for (int l = 1; l < lane_count; ++l) sum += total[number + l];
  r.out[((q * r.layout.replicas + replica) * 3 + k % 3) * 2 + k / 3] = sum;
}

constexpr int total_rows = 16, total_threads = total_rows * width;

__global__ void total_kernel(SumRequest r, const double* partial) {
  __shared__ double of_few[total_rows][width], of_bundle[most_bundles][width], total[width];
  const int number = static_cast<int>(threadIdx.x) % width;
  const int row = static_cast<int>(threadIdx.x) / width;
  const Index q = blockIdx.x % r.wave_vectors, block = blockIdx.x / r.wave_vectors;
  const Index entries = r.parts * r.slices;
  const double* of_sums = partial + (block * r.wave_vectors + q) * entries * width + number;
  for (Index first = 0; first < entries; first += total_rows * few) {
    const Index own = first + row * few;
    of_few[row][number] = sum_of_few(of_sums + own * width, entries - own, FromGlobal());
    __syncthreads();
    if (row < total_rows / fews_of_bundle)
      of_bundle[first / bundle + row][number] =
          sum_of_fews<fews_of_bundle>(of_few + row * fews_of_bundle, number);
    __syncthreads();
  }
  const Index bundles = bundles_of(entries);
  if (row < few)
    of_few[row][number] =
        sum_of_few(&of_bundle[row * few][number], bundles - row * few, FromShared());
  __syncthreads();
  const double sum = row == 0 ? sum_of_fews<few>(of_few, number) : 0.0;
  store_total(r, q, block, number, sum, row == 0, total);
}

/// One wave vector of many replicas: the time is that of reading the spins, so threads take them as
/// they lie in memory, 16 bytes each, of one component and some lanes. Whole blocks of threads take
/// whole sites; what a thread reads of all sites is of the same component and lanes.
template <class Real>
struct StreamShape {
  static constexpr int lanes = 16 / static_cast<int>(sizeof(Real));  ///< of a thread
  static constexpr int threads_of_component = lane_count / lanes;
  static constexpr int threads_of_site = 3 * threads_of_component;
  static constexpr int threads = 192;
  static constexpr int sites = threads / threads_of_site;  ///< that are read at once
};

template <class Real>
struct alignas(16) SomeLanes {
  Real of[StreamShape<Real>::lanes];
};

/// Of a part, so that there are blocks of threads enough for a GPU.
constexpr int stream_slices = 8;
static_assert(most_parts * stream_slices <= most_bundles * bundle);
/// Sites that a block of threads reads at a time, no more than a slice has.
constexpr int stream_tile = static_cast<int>(slab_grain) / stream_slices;

bool is_streamed(Index wave_vectors, const SpinLayout& layout) {
  return wave_vectors == 1 && !layout.one_replica();
}
int slices_of(Index wave_vectors, const SpinLayout& layout) {
  return is_streamed(wave_vectors, layout) ? stream_slices : 1;
}

/// Does this block of threads leave its numbers last of `count`? It sees those of the others then.
__device__ bool leaves_last(unsigned* counter, Index count) {
  __shared__ bool is_last;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();  // of what the others have written too, who have met at the barrier
    const auto others = static_cast<unsigned>(count - 1);
    is_last = atomicInc(counter, others) == others;
  }
  __syncthreads();
  const bool last = is_last;
  if (last) __threadfence();
  return last;
}

/// Whose partial sum completes a bundle adds it up, and whose bundle completes the total that.
template <int threads>
__device__ void add_up_if_last(const SumRequest& r, const double* partial, Index block,
                               Index entry) {
  constexpr int rows = threads / width;
  static_assert(threads % width == 0 && rows == fews_of_bundle);
  __shared__ double of_few[few][width], total[width];
  const Index entries = r.parts * r.slices, bundles = bundles_of(entries);
  const Index own_bundle = entry / bundle, first = own_bundle * bundle;
  unsigned* arrived = r.arrived + block * (bundles + 1);
  if (!leaves_last(arrived + 1 + own_bundle, min(entries - first, Index{bundle}))) return;
  const int number = static_cast<int>(threadIdx.x) % width;
  const int row = static_cast<int>(threadIdx.x) / width;
  const Index own = first + row * few;
  of_few[row][number] =
      sum_of_few(partial + (block * entries + own) * width + number, entries - own, FromGlobal());
  __syncthreads();
  double* of_bundle = r.of_bundles + block * bundles * width + number;
  if (row == 0) of_bundle[own_bundle * width] = sum_of_fews<fews_of_bundle>(of_few, number);
  if (!leaves_last(arrived, bundles)) return;
#pragma unroll
  for (int turn = 0; turn < few; turn += rows)
    of_few[turn + row][number] = sum_of_few(of_bundle + (turn + row) * few * width,
                                            bundles - (turn + row) * few, FromGlobal());
  __syncthreads();
  const double sum = row == 0 ? sum_of_fews<few>(of_few, number) : 0.0;
  store_total(r, 0, block, number, sum, row == 0, total);
}

/// They stay the same as long as q does. @param phases (spins)
__global__ void phase_kernel(SumRequest r, double2* phases) {
  const Index site = static_cast<Index>(blockIdx.x) * sum_threads + threadIdx.x;
  if (site >= r.layout.spins()) return;
  const Phase own(r, 0, site, r.layout.spins());
  phases[site] = {own.cosine, -own.sine};
}

/// partial: (block, part, slice, 6, 8), of the only wave vector
template <class Numbers>
__global__ void __launch_bounds__(StreamShape<typename Numbers::Real>::threads, 4)
    stream_sum_kernel(SumRequest r, const typename Numbers::Real* spins, double* partial) {
  using Real = typename Numbers::Real;
  using Shape = StreamShape<Real>;
  constexpr int rounds = stream_tile / Shape::sites;
  __shared__ double2 phase[stream_tile];  // cosine, -sine
  const Index slice = blockIdx.x % r.slices, rest = blockIdx.x / r.slices;
  const Index part = r.own_part(rest % r.own_count), block = rest / r.own_count;
  const Index sites_of_slice = r.sites_of_part / r.slices;
  const Index begin = part * r.sites_of_part + slice * sites_of_slice;
  const Index end = min(begin + sites_of_slice, r.layout.spins());
  const int thread = static_cast<int>(threadIdx.x);
  const int slot = thread / Shape::threads_of_site, of_site = thread % Shape::threads_of_site;
  const auto* from = reinterpret_cast<const SomeLanes<Real>*>(spins + 3 * lane_count * block *
                                                                          r.layout.padded_sites()) +
                     of_site;
  // Lanes that only fill up a block are not read.
  const int lane = of_site % Shape::threads_of_component * Shape::lanes;
  const bool reads = block * lane_count + lane < r.layout.replicas;
  double re[Shape::lanes] = {}, im[Shape::lanes] = {};
  for (Index first = begin; first < end; first += stream_tile) {
    const int count = static_cast<int>(min(static_cast<Index>(stream_tile), end - first));
    // All that a tile needs is on its way at once.
    const double2 own_phase = thread < count ? r.phases[first + thread] : double2{0, 0};
    SomeLanes<Real> e[rounds];
#pragma unroll
    for (int n = 0; n < rounds; ++n) {
      const int site = slot + n * Shape::sites;
      e[n] =
          reads && site < count ? from[(first + site) * Shape::threads_of_site] : SomeLanes<Real>{};
    }
    __syncthreads();
    if (thread < stream_tile) phase[thread] = own_phase;
    __syncthreads();
#pragma unroll
    for (int n = 0; n < rounds; ++n) {
      const double2 p = phase[slot + n * Shape::sites];
#pragma unroll
      for (int l = 0; l < Shape::lanes; ++l) {
        re[l] += p.x * e[n].of[l];
        im[l] += p.y * e[n].of[l];
      }
    }
  }
  // Sums of the sites read at once, in their order.
  constexpr int half = 3 * lane_count;
  __shared__ double of_slot[Shape::sites][2 * half];
#pragma unroll
  for (int n = 0; n < Shape::lanes; ++n) {
    of_slot[slot][of_site * Shape::lanes + n] = re[n];
    of_slot[slot][half + of_site * Shape::lanes + n] = im[n];
  }
  __syncthreads();
  const Index entry = part * r.slices + slice;
  for (int i = thread; i < width; i += Shape::threads) {
    double sum = 0;
#pragma unroll
    for (int n = 0; n < Shape::sites; ++n) sum += of_slot[n][i];
    partial[(block * r.parts * r.slices + entry) * width + i] = sum;
  }
  if (r.arrived != nullptr) add_up_if_last<Shape::threads>(r, partial, block, entry);
}

class GpuSum : public GpuTransform {
 public:
  GpuSum(const lattice::Geometry& geometry, const QList& q, const spins::SpinState& state)
      : request_{} {
    request_.layout = state.layout();
    request_.wave_vectors = q.size();
    const Device& device = state.device();
    const Index sites = state.layout().spins();
    request_.sites_of_part = sites_of_part(sites);
    request_.parts = parts_of(sites);
    request_.slices = slices_of(q.size(), state.layout());
    std::vector<double> turns, position(static_cast<std::size_t>(3 * sites));
    for (const Vec3<double>& k : q.cartesian)
      for (const double x : {k.x, k.y, k.z}) turns.push_back(x / (2 * std::numbers::pi));
    for (Index storage = 0; storage < sites; ++storage) {
      const Vec3<double> r =
          geometry.position(state.canonical()[static_cast<std::size_t>(storage)]);
      const double component[] = {r.x, r.y, r.z};
      for (Index a = 0; a < 3; ++a)
        position[static_cast<std::size_t>(a * sites + storage)] = component[a];
    }
    request_.own_count = request_.parts;
    if (const Slab* slab = state.layout().slab) {
      own_parts_ = Array<Index>(device, own_parts(slab, sites));
      request_.own_parts = own_parts_.data();
      request_.own_count = own_parts_.size();
    }
    q_ = Array<double>(device, turns);
    position_ = Array<double>(device, position);
    const Index sums = q.size() * state.layout().blocks();
    const Index entries = request_.parts * request_.slices;
    partial_ = Array<double>(device, sums * entries * width);
    if (is_streamed(q.size(), state.layout()) && state.layout().slab == nullptr) {
      const Index blocks = state.layout().blocks(), bundles = bundles_of(entries);
      arrived_ = Array<unsigned>(
          device, std::vector<unsigned>(static_cast<std::size_t>(blocks * (bundles + 1))));
      of_bundles_ = Array<double>(device, blocks * bundles * width);
      request_.arrived = arrived_.data();
      request_.of_bundles = of_bundles_.data();
    } else {
      amplitudes_ = Array<double>(device, numbers());
      request_.out = amplitudes_.data();
    }
    request_.q = q_.data();
    request_.position = position_.data();
    if (!is_streamed(q.size(), state.layout())) return;
    phases_ = Array<double2>(device, sites);
    request_.phases = phases_.data();
    const Index blocks_of_threads = (sites + sum_threads - 1) / sum_threads;
    phase_kernel<<<static_cast<unsigned>(blocks_of_threads), sum_threads, 0,
                   cuda::stream(device.ordinal)>>>(request_, phases_.data());
    larmor::detail::check_cuda(cudaGetLastError());
  }

  Pending transform(const spins::SpinState& state) override {
    state.complete_parts(request_.sites_of_part);
    const Device& device = state.device();
    const cuda::LaunchRegion region(device.ordinal, "amplitudes, factorised");
    if (request_.arrived != nullptr)
      return {device, numbers(), [&](double* out) {
                request_.out = out;
                sum_parts(state);
              }};
    add_parts_up(state);
    return {device, amplitudes_.data(), amplitudes_.size()};
  }

 private:
  /// Of the amplitudes.
  Index numbers() const {
    return request_.wave_vectors * request_.layout.replicas * parts_of_amplitude;
  }

  void sum_parts(const spins::SpinState& state) {
    const cudaStream_t stream = cuda::stream(state.device().ordinal);
    larmor::detail::with_cuda_numbers(state.device(), [&](auto numbers) {
      if (is_streamed(request_.wave_vectors, request_.layout)) {
        stream_parts<decltype(numbers)>(state, stream);
      } else if (request_.wave_vectors == 1) {
        group_parts<decltype(numbers), 1>(state, stream);
      } else {
        group_parts<decltype(numbers), full_group>(state, stream);
      }
    });
    larmor::detail::check_cuda(cudaGetLastError());
  }

  /// Where the parts are those of several ranks, or the wave vectors many.
  void add_parts_up(const spins::SpinState& state) {
    const cudaStream_t stream = cuda::stream(state.device().ordinal);
    const Slab* slab = request_.layout.slab;
    if (slab != nullptr)
      larmor::detail::check_cuda(cudaMemsetAsync(
          partial_.data(), 0, static_cast<std::size_t>(partial_.size()) * sizeof(double), stream));
    sum_parts(state);
    if (slab != nullptr) slab->add_up_on_device(slab->context, partial_.data(), partial_.size());
    const Index sums = request_.wave_vectors * request_.layout.blocks();
    total_kernel<<<static_cast<unsigned>(sums), total_threads, 0, stream>>>(request_,
                                                                            partial_.data());
    larmor::detail::check_cuda(cudaGetLastError());
  }

  template <class Numbers, int group>
  void group_parts(const spins::SpinState& state, cudaStream_t stream) {
    const Index tasks = request_.own_count * request_.groups(group) * request_.layout.blocks();
    if (tasks == 0) return;
    partial_sum_kernel<Numbers, group><<<static_cast<unsigned>(tasks), sum_threads, 0, stream>>>(
        request_, VectorView(state.reals(), request_.layout), partial_.data());
  }

  template <class Numbers>
  void stream_parts(const spins::SpinState& state, cudaStream_t stream) {
    using Real = typename Numbers::Real;
    const Index tasks = request_.own_count * request_.slices * request_.layout.blocks();
    if (tasks == 0) return;
    stream_sum_kernel<Numbers>
        <<<static_cast<unsigned>(tasks), StreamShape<Real>::threads, 0, stream>>>(
            request_, state.reals().template as<Real>(), partial_.data());
  }

  SumRequest request_;
  Array<Index> own_parts_;
  Array<double> q_, position_, partial_, of_bundles_, amplitudes_;
  Array<double2> phases_;
  Array<unsigned> arrived_;
};

}  // namespace

std::unique_ptr<GpuTransform> make_gpu_sum(const lattice::Geometry& geometry, const QList& q,
                                           const spins::SpinState& state) {
  return std::make_unique<GpuSum>(geometry, q, state);
}

double gpu_sum_bytes(const lattice::Geometry& geometry, const QList& q, Index replicas) {
  const SpinLayout layout{geometry.sites(), replicas};
  const Index parts = parts_of(geometry.sites()) * slices_of(q.size(), layout);
  const Index sums = q.size() * parts_of_amplitude;
  const Index of_site = is_streamed(q.size(), layout) ? 5 : 3;  // a position, and a phase
  return 8 * static_cast<double>(
                 sums * (layout.blocks() * (parts + bundles_of(parts)) * lane_count + replicas) +
                 of_site * geometry.sites());
}

}  // namespace larmor::correlations
