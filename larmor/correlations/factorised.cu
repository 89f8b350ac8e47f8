// The factorised sum on a GPU. A block of threads takes eight wave vectors (or the only one), one
// block of replicas and a part of the sites; parts are summed afterwards, in an order that the
// sizes alone decide.

#include <numbers>

#include "larmor/core/array.hpp"
#include "larmor/core/for_each.hpp"
#include "larmor/core/math.hpp"
#include "larmor/correlations/gpu_transforms.hpp"
#include "larmor/correlations/site_parts.hpp"
#include "larmor/correlations/storage_positions.hpp"

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
  const Index* own_parts;  ///< those that this process sums; null: all
  Index own_count;
  const double* q;         ///< over 2 pi, (wave vector, 3)
  const double* position;  ///< of the spins in storage order, (3, spins)
  double* out;             ///< (q, replica, 3, re im)

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
__device__ double sum_of_few(const double* first, Index count) {
  double x[few];
#pragma unroll
  for (int n = 0; n < few; ++n) x[n] = n < count ? first[n * width] : 0.0;
  double sum = 0;
#pragma unroll
  for (int n = 0; n < few; ++n) sum += x[n];
  return sum;
}

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
  const double* of_sums = partial + (block * r.wave_vectors + q) * r.parts * width + number;
  for (Index first = 0; first < r.parts; first += total_rows * few) {
    const Index own = first + row * few;
    of_few[row][number] = sum_of_few(of_sums + own * width, r.parts - own);
    __syncthreads();
    if (row < total_rows / fews_of_bundle)
      of_bundle[first / bundle + row][number] =
          sum_of_fews<fews_of_bundle>(of_few + row * fews_of_bundle, number);
    __syncthreads();
  }
  const Index bundles = bundles_of(r.parts);
  if (row < few)
    of_few[row][number] = sum_of_few(&of_bundle[row * few][number], bundles - row * few);
  __syncthreads();
  const double sum = row == 0 ? sum_of_fews<few>(of_few, number) : 0.0;
  store_total(r, q, block, number, sum, row == 0, total);
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
    std::vector<double> turns;
    for (const Vec3<double>& k : q.cartesian)
      for (const double x : {k.x, k.y, k.z}) turns.push_back(x / (2 * std::numbers::pi));
    request_.own_count = request_.parts;
    if (const Slab* slab = state.layout().slab) {
      own_parts_ = Array<Index>(device, own_parts(slab, sites));
      request_.own_parts = own_parts_.data();
      request_.own_count = own_parts_.size();
    }
    q_ = Array<double>(device, turns);
    position_ = Array<double>(device, storage_positions(geometry, state));
    const Index sums = q.size() * state.layout().blocks();
    partial_ = Array<double>(device, sums * request_.parts * width);
    amplitudes_ = Array<double>(device, numbers());
    request_.out = amplitudes_.data();
    request_.q = q_.data();
    request_.position = position_.data();
  }

  Pending transform(const spins::SpinState& state) override {
    state.complete_parts(request_.sites_of_part);
    const Device& device = state.device();
    const cuda::LaunchRegion region(device.ordinal, "amplitudes, factorised");
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
      if (request_.wave_vectors == 1) {
        group_parts<decltype(numbers), 1>(state, stream);
      } else {
        group_parts<decltype(numbers), full_group>(state, stream);
      }
    });
    larmor::detail::check_cuda(cudaGetLastError());
  }

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

  SumRequest request_;
  Array<Index> own_parts_;
  Array<double> q_, position_, partial_, amplitudes_;
};

/// One wave vector of many replicas has kernels of its own.
bool is_one_of_many(Index wave_vectors, Index replicas) {
  return wave_vectors == 1 && replicas > 1;
}

}  // namespace

std::unique_ptr<GpuTransform> make_gpu_sum(const lattice::Geometry& geometry, const QList& q,
                                           const spins::SpinState& state) {
  if (is_one_of_many(q.size(), state.layout().replicas))
    return make_gpu_sum_of_one(geometry, q.cartesian.front(), state);
  return std::make_unique<GpuSum>(geometry, q, state);
}

double gpu_sum_bytes(const lattice::Geometry& geometry, const QList& q, Index replicas) {
  if (is_one_of_many(q.size(), replicas)) return gpu_sum_of_one_bytes(geometry, replicas);
  const SpinLayout layout{geometry.sites(), replicas};
  const Index sums = q.size() * parts_of_amplitude;
  return 8 * static_cast<double>(
                 sums * (layout.blocks() * parts_of(geometry.sites()) * lane_count + replicas) +
                 3 * geometry.sites());
}

}  // namespace larmor::correlations
