// Ladders of samples on a GPU. A block has the spins of a word in shared memory. The blocks of a
// group run at once and synchronise after the sweeps before each proposal. Then every sample of a
// word finds its next rung, and the digits of its probabilities are recomputed.
//
// This file is compiled without fused multiplication, so that decisions agree with those of a CPU.

#include <cuda_runtime.h>

#include <algorithm>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/core/error.hpp"
#include "larmor/core/gpu/warp.hpp"
#include "larmor/ising/multispin/samples/ladder_kernels.hpp"
#include "larmor/ising/multispin/samples/transposed.cuh"
#include "larmor/ising/multispin/samples/update_kernel.hpp"

namespace larmor::ising {
namespace {

using Word = std::uint32_t;

constexpr int threads_of_word = 128;
constexpr int warps_of_word = threads_of_word / warp_size;
constexpr int blocks_of_processor = 5;
/// Places for undecided halves of a warp. A full warp of halves is decided at once, and each thread
/// may add two halves.
constexpr int most_undecided = 3 * warp_size;
constexpr Index sweeps_of_launch = 1024;

struct alignas(8) Pair {
  Word half[halves];
};

struct Launch {
  GridLadderRun run;
  int positions_of_colour;
  Index groups, slots;  ///< `slots`: number of groups that run at once
  unsigned* arrivals;   ///< number of words of each group that have arrived [groups]
};

/// Neighbourhood of a site, as in RegularPlace.
template <int axes>
struct Place {
  uint4 packed;

  /// Position of a neighbour among the positions of the other colour.
  __device__ int neighbour(int n) const {
    const Word two = n < 4 ? (n < 2 ? packed.x : packed.y) : (n < 6 ? packed.z : packed.w);
    return static_cast<int>(n % 2 == 0 ? two & 0x7fffu : two >> 16);
  }
  /// 1 if the site is the second one of its pair along the first axis, otherwise 0.
  __device__ Word odd() const { return packed.x >> 15 & 1u; }
};

/// Finds the unsatisfied bonds of a site, in both halves: a plane for each bond.
template <int axes, int colour>
__device__ void unsatisfied(const Launch& launch, const Place<axes>& place, int position, Pair own,
                            const Pair* spins, const Pair* signs, Word (&plane)[halves][2 * axes]) {
  const int count = launch.positions_of_colour;
  const Pair* const others = spins + (1 - colour) * count;
  LARMOR_UNROLL
  for (int n = 0; n < 2 * axes; ++n) {
    const Pair other = others[place.neighbour(n)];
    const Pair sign =
        colour == 0 ? signs[n * count + position] : signs[(n ^ 1) * count + place.neighbour(n)];
    LARMOR_UNROLL
    for (int h = 0; h < halves; ++h) plane[h][n] = own.half[h] ^ other.half[h] ^ sign.half[h];
  }
}

/// Planes of the digits of probabilities, for each half and each number of unsatisfied bonds.
struct Digits {
  uint4 digit[halves][digits];
  uint4 sure[halves];
  bool any_sure;
};

/// The plane of a class, chosen by the two lowest bits of the number of unsatisfied bonds.
template <int axes>
__device__ Word chosen(const uint4& of_class, Word ones, Word twos) {
  const Word low = (ones & of_class.y) | (~ones & of_class.x);
  if constexpr (axes <= 2) return low;
  if constexpr (axes == 3) return (twos & of_class.z) | (~twos & low);
  const Word high = (ones & of_class.w) | (~ones & of_class.z);
  return (twos & high) | (~twos & low);
}

/// A half of a word with samples that the first planes have not decided.
struct alignas(16) UndecidedHalf {
  Word place;  ///< 2 site + half
  Word ones, twos, open;
};

struct BlockMemory {
  Digits table;
  UndecidedHalf undecided[warps_of_word][most_undecided];
  int unsatisfied[samples_of_word], rung[samples_of_word];
};

/// Decides the samples that are still open. @return the samples that flip
template <int axes>
__device__ Word finish(const uint4* digit_of, const SamplePlanes& random, Word site, Word ones,
                       Word twos, Word open) {
  Word flips = 0;
  for (int b = blocks_for_all; b < digits / planes_of_block && open != 0; ++b) {
    Word drawn[planes_of_block];
    random.draw(site, static_cast<Word>(b), drawn);
    LARMOR_UNROLL
    for (int n = 0; n < planes_of_block; ++n) {
      const Word digit = chosen<axes>(digit_of[b * planes_of_block + n], ones, twos);
      flips |= open & digit & ~drawn[n];
      open &= ~(digit ^ drawn[n]);
    }
  }
  return flips;
}

/// Counts the unsatisfied bonds that a thread finds, in binary, for each bit. When the counters are
/// full, the counts of all lanes of a warp are added up, sample by sample.
template <int axes>
class EndCounter {
 public:
  static constexpr int bits = 6;
  /// Number of sites after which the counters are full.
  static constexpr int most_sites = ((1 << bits) - 1) / (2 * axes);

  /// @param sum a number in binary
  template <int count>
  __device__ void add(int h, const Word (&sum)[count]) {
    Word carry = 0;
    LARMOR_UNROLL
    for (int b = 0; b < bits; ++b) {
      const Word more = b < count ? sum[b] : 0;
      const Word next = majority(number_[h][b], more, carry);
      number_[h][b] = xor3(number_[h][b], more, carry);
      carry = next;
    }
  }
  /// Adds the counts to `of_samples`, and resets them. All threads of a warp must call it.
  __device__ void add_to(int* of_samples) {
    const auto lane = static_cast<int>(threadIdx.x) % warp_size;
    LARMOR_UNROLL
    for (int h = 0; h < halves; ++h) {
      int total = 0;
      LARMOR_UNROLL
      for (int b = 0; b < bits; ++b) {
        total += __popc(transposed(number_[h][b])) << b;
        number_[h][b] = 0;
      }
      atomicAdd(of_samples + h * warp_size + lane, total);
    }
  }

 private:
  Word number_[halves][bits] = {};
};

/// Number of unsatisfied bonds after flips, in binary. If a sample flips, it is 2 axes - sum,
/// otherwise sum. @param rest the samples with sum >= axes
template <int axes>
__device__ void count_after(const Word (&sum)[4], Word flips, Word rest, Word (&after)[4]) {
  after[0] = sum[0];
  after[3] = 0;
  if constexpr (axes == 3) {
    after[1] = (flips & ~(sum[0] ^ sum[1])) | (~flips & sum[1]);
    after[2] = (flips & ~rest) | (~flips & sum[2]);
    return;
  }
  after[1] = sum[1] ^ (flips & sum[0]);
  const Word any = sum[0] | sum[1];
  if constexpr (axes == 2) {
    after[2] = (flips & ~(any | sum[2])) | (~flips & sum[2]);
  } else {
    after[2] = sum[2] ^ (flips & any);
    after[3] = (flips & ~(any | sum[2] | sum[3])) | (~flips & sum[3]);
  }
}

/// Decides the last halves that a warp has collected, one per thread. @return number of halves that
/// remain
/// @tparam counts are unsatisfied bonds counted? If so, the flips decided here correct the counts
template <int axes, bool counts>
__device__ int finish_undecided(const SamplePlanes (&random)[halves], Pair* own_spins,
                                BlockMemory& memory, int count) {
  const auto lane = static_cast<int>(threadIdx.x) % warp_size;
  const int left = max(count - warp_size, 0);
  __syncwarp();
  if (left + lane < count) {
    const UndecidedHalf undecided = memory.undecided[threadIdx.x / warp_size][left + lane];
    const Word site = undecided.place / halves, h = undecided.place % halves;
    // Another lane stored this half, and the warp has synchronised after that. No lane reads the
    // half again before the block synchronises.
    const Word flips = finish<axes>(memory.table.digit[h], h == 0 ? random[0] : random[1], site,
                                    undecided.ones, undecided.twos, undecided.open);
    reinterpret_cast<Word*>(own_spins + site / 2)[h] ^= flips;
    // Few samples flip here, so a loop over them is fast enough.
    for (Word left_over = counts ? flips : 0; left_over != 0; left_over &= left_over - 1) {
      const int bit = __ffs(static_cast<int>(left_over)) - 1;
      const Word unsatisfied = (undecided.ones >> bit & 1u) + 2 * (undecided.twos >> bit & 1u);
      atomicAdd(&memory.unsatisfied[h * warp_size + bit],
                2 * axes - 2 * static_cast<int>(unsatisfied));
    }
  }
  __syncwarp();
  return left;
}

/// @tparam counts are the unsatisfied bonds after the update counted?
template <int axes, int colour, bool counts>
__device__ void update_colour(const Launch& launch, const SamplePlanes (&random)[halves],
                              Pair* spins, const Pair* signs, BlockMemory& memory) {
  const int count = launch.positions_of_colour;
  const Word coupling = launch.run.view.coupling;
  const auto lane = static_cast<int>(threadIdx.x) % warp_size;
  Pair* const own_spins = spins + colour * count;
  UndecidedHalf* const undecided = memory.undecided[threadIdx.x / warp_size];
  int undecided_count = 0, counted = 0;
  EndCounter<axes> counter;
  // All threads of a warp continue until no thread has a position.
  const auto* const places = reinterpret_cast<const uint4*>(launch.run.places) + colour * count;
  Place<axes> next{places[min(static_cast<int>(threadIdx.x), count - 1)]};
  for (int first = static_cast<int>(threadIdx.x) - lane; first < count; first += threads_of_word) {
    const bool is_there = first + lane < count;
    const int position = is_there ? first + lane : count - 1;
    // The next place is loaded while the thread works on the current one.
    const Place<axes> place = next;
    next.packed = places[min(first + lane + threads_of_word, count - 1)];
    // Threads without a position must not read the last position, since another thread may store it
    // meanwhile.
    const Pair before = is_there ? own_spins[position] : Pair{};
    Pair own = before;
    LARMOR_UNROLL
    for (int h = 0; h < halves; ++h) own.half[h] ^= coupling;
    Word plane[halves][2 * axes];
    unsatisfied<axes, colour>(launch, place, position, own, spins, signs, plane);
    const auto site = 2 * static_cast<Word>(position) + place.odd();
    Pair after;
    LARMOR_UNROLL
    for (int h = 0; h < halves; ++h) {
      Word sum[4];
      add_planes<axes>(plane[h], sum);
      // A site flips for certain if at most half of its bonds are satisfied.
      Word rest = sum[2] | sum[3];
      if (axes == 2) rest = sum[1] | sum[2];
      if (axes == 3) rest |= sum[0] & sum[1];
      Word drawn[planes_for_all];
      random[h].draw_for_all(site, drawn);
      Word less = 0, open = ~rest;
      LARMOR_UNROLL
      for (int k = planes_for_all - 1; k >= 0; --k) {
        const Word digit = chosen<axes>(memory.table.digit[h][k], sum[0], sum[1]);
        less = less_from(digit, drawn[k], less);
        open &= ~(digit ^ drawn[k]);
      }
      if (memory.table.any_sure) {
        const Word sure = chosen<axes>(memory.table.sure[h], sum[0], sum[1]);
        less |= sure;
        open &= ~sure;
      }
      const Word flips = rest | less;
      after.half[h] = before.half[h] ^ flips;
      if constexpr (counts) {
        Word ends[4];
        count_after<axes>(sum, flips, rest, ends);
        if (is_there) counter.add(h, ends);
      }
      const bool is_undecided = open != 0 && is_there;
      const Word undecided_lanes = __ballot_sync(~0u, is_undecided);
      if (is_undecided)
        undecided[undecided_count + __popc(undecided_lanes & ((1u << lane) - 1))] = {
            halves * site + static_cast<Word>(h), sum[0], sum[1], open};
      undecided_count += __popc(undecided_lanes);
    }
    if (is_there) own_spins[position] = after;
    while (undecided_count >= warp_size)
      undecided_count = finish_undecided<axes, counts>(random, own_spins, memory, undecided_count);
    if constexpr (counts) {
      if (++counted < counter.most_sites) continue;
      counter.add_to(memory.unsatisfied);
      counted = 0;
    }
  }
  while (undecided_count > 0)
    undecided_count = finish_undecided<axes, counts>(random, own_spins, memory, undecided_count);
  if constexpr (counts)
    if (counted > 0) counter.add_to(memory.unsatisfied);
}

/// Fills the table for the samples of a word. The rung of a sample selects its thresholds. @param
/// thresholds (rung, unsatisfied bonds)
template <int axes>
__device__ void fill(const std::uint64_t* thresholds, BlockMemory& memory) {
  Digits& table = memory.table;
  const auto lane = static_cast<int>(threadIdx.x) % warp_size;
  if (threadIdx.x == 0) table.any_sure = false;
  __syncthreads();
  for (int n = static_cast<int>(threadIdx.x) / warp_size; n < axes * halves; n += warps_of_word) {
    const int c = n % axes, h = n / axes;
    const std::uint64_t t = thresholds[memory.rung[h * warp_size + lane] * axes + c];
    const Word sure = __ballot_sync(~0u, (t >> digits) != 0);
    // A digit of 32 samples is a plane. The first digit is the highest bit of a threshold.
    reinterpret_cast<Word*>(&table.digit[h][digits - 1 - lane])[c] =
        transposed(static_cast<Word>(t));
    if (lane > 0) continue;
    reinterpret_cast<Word*>(&table.sure[h])[c] = sure;
    if (sure != 0) table.any_sure = true;
  }
  __syncthreads();
}

/// Waits until all words of a group have arrived. @param awaited number of arrivals since the
/// launch began for which to wait
__device__ void wait_for_group(unsigned* arrivals, unsigned awaited) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrivals, 1u);
    unsigned here = 0;
    do asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(here) : "l"(arrivals) : "memory");
    while (here < awaited);
    __threadfence();
  }
  __syncthreads();
}

template <int axes>
__global__ void __launch_bounds__(threads_of_word, blocks_of_processor)
    run_ladders(const __grid_constant__ Launch launch) {
  extern __shared__ __align__(16) unsigned char dynamic[];
  __shared__ BlockMemory memory;
  const GridLadderRun& run = launch.run;
  const SamplesView& view = run.view;
  Pair* const spins = reinterpret_cast<Pair*>(dynamic);
  const auto positions = static_cast<int>(view.positions);
  auto* const thresholds = reinterpret_cast<std::uint64_t*>(spins + positions);
  for (int n = static_cast<int>(threadIdx.x); n < run.exchange.rungs * axes; n += threads_of_word)
    thresholds[n] = view.thresholds[n / axes * (2 * view.width + 1) +
                                    sum_of_class(2 * axes, 2 * axes, n % axes)];
  const auto sample = static_cast<int>(threadIdx.x);
  const bool has_sample = sample < samples_of_word;
  const Index rungs = run.exchange.rungs, of_group = Index(blockIdx.x) % rungs;
  for (Index group = Index(blockIdx.x) / rungs; group < launch.groups; group += launch.slots) {
    const Index word = group * rungs + of_group;
    Pair* const stored = reinterpret_cast<Pair*>(view.spins_of(word * halves));
    const Pair* const signs =
        reinterpret_cast<const Pair*>(view.signs + view.sign_tables[word].first);
    for (int n = static_cast<int>(threadIdx.x); n < positions; n += threads_of_word)
      spins[n] = stored[n];
    const Index here = word * samples_of_word + sample;
    LadderPlace place{};
    if (has_sample) {
      place = {run.exchange.rung[here], run.exchange.label[here]};
      memory.rung[sample] = place.rung;
    }
    __syncthreads();
    fill<axes>(thresholds, memory);
    RandomKey key = run.key;
    std::uint64_t proposal = run.proposals;
    unsigned awaited = 0;
    int until_exchange = run.exchange_every;
    for (int sweep = 0; sweep < run.sweeps; ++sweep, ++key.step) {
      const auto replica = static_cast<std::uint64_t>(halves * word);
      const SamplePlanes random[halves] = {SamplePlanes(key, replica, 0, 0),
                                           SamplePlanes(key, replica + 1, 0, 0)};
      update_colour<axes, 0, false>(launch, random, spins, signs, memory);
      if (has_sample) memory.unsatisfied[sample] = 0;
      __syncthreads();
      if (--until_exchange != 0) {
        update_colour<axes, 1, false>(launch, random, spins, signs, memory);
        __syncthreads();
        continue;
      }
      until_exchange = run.exchange_every;
      update_colour<axes, 1, true>(launch, random, spins, signs, memory);
      __syncthreads();
      if (has_sample)
        record_ends(run.exchange, proposal, word, sample, place.rung,
                    // The bonds that are unsatisfied for positive J are satisfied for negative J.
                    view.coupling == 0 ? memory.unsatisfied[sample]
                                       : axes * positions - memory.unsatisfied[sample]);
      wait_for_group(launch.arrivals + group, awaited += static_cast<unsigned>(rungs));
      if (has_sample) {
        place = exchanged(run.exchange, proposal, word, sample, place);
        memory.rung[sample] = place.rung;
      }
      ++proposal;
      __syncthreads();
      fill<axes>(thresholds, memory);
    }
    if (has_sample) {
      run.exchange.rung[here] = place.rung;
      run.exchange.label[here] = place.label;
    }
    for (int n = static_cast<int>(threadIdx.x); n < positions; n += threads_of_word)
      stored[n] = spins[n];
    __syncthreads();
  }
}

using Kernel = void (*)(Launch);

Kernel kernel_of(int axes) {
  if (axes == 2) return run_ladders<2>;
  if (axes == 3) return run_ladders<3>;
  return run_ladders<4>;
}

/// Number of blocks that run at once; 0 if the spins do not fit into shared memory.
Index blocks_side_by_side(const Device& device, Kernel kernel, std::size_t bytes) {
  int most_bytes = 0, processors = 0, of_processor = 0;
  cuda::check(
      cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device.ordinal),
      "asking for the memory of a block");
  cudaFuncAttributes attributes;
  cuda::check(cudaFuncGetAttributes(&attributes, kernel), "asking for a kernel");
  if (bytes + attributes.sharedSizeBytes > static_cast<std::size_t>(most_bytes)) return 0;
  cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(bytes)),
              "setting the memory of a block");
  cuda::check(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_processor, kernel, threads_of_word, bytes),
      "asking how many blocks run side by side");
  cuda::check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device.ordinal),
              "asking for the multiprocessors");
  return Index{of_processor} * processors;
}

/// Shared memory for the spins of a word and the thresholds of all rungs.
std::size_t bytes_of_word(Index sites, int axes, Index rungs) {
  return static_cast<std::size_t>(sites) * sizeof(Pair) +
         static_cast<std::size_t>(axes * rungs) * sizeof(std::uint64_t);
}

__global__ void record_words(const __grid_constant__ LadderExchangeView exchange,
                             std::uint64_t proposal, Index words, const SampleSums* sums) {
  const Index n = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n < words * samples_of_word)
    record_ends(exchange, proposal, n / samples_of_word, static_cast<int>(n % samples_of_word),
                exchange.rung[n], static_cast<std::int32_t>(sums[n].twice_unsatisfied));
}

__global__ void exchange_words(const __grid_constant__ LadderExchangeView exchange,
                               std::uint64_t proposal, Index words) {
  const Index n = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n < words * samples_of_word)
    exchange_stored(exchange, proposal, n / samples_of_word, static_cast<int>(n % samples_of_word));
}

__global__ void write_words(const __grid_constant__ SamplesView view, int rungs,
                            const std::int32_t* word_at, std::uint32_t* spins) {
  SamplesView to = view;
  to.spins = spins;
  const Index position = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (position >= view.positions) return;
  for (Index half = blockIdx.y; half < view.words * halves; half += gridDim.y)
    to.spins_of(half)[position * view.stride()] = spins_at_rung(
        view, rungs, word_at, half / halves, static_cast<int>(half % halves), position);
}

/// Counts opposite spins by layer. Each lane counts for one sample.
__global__ void count_layers(const __grid_constant__ SamplesView view, const WordPair* pairs,
                             Index count, int axes, int layers, const std::int32_t* layer,
                             std::int32_t* counts) {
  const auto lane = static_cast<int>(threadIdx.x) % warp_size;
  const Index warps = blockDim.x / warp_size * gridDim.x;
  const Index warp = (Index(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  const Index positions = view.positions;
  for (Index n = blockIdx.y; n < count * halves; n += gridDim.y) {
    const Index pair = n / halves, half = n % halves;
    const Word* const one = view.spins_of(pairs[pair].first * halves + half);
    const Word* const other = view.spins_of(pairs[pair].second * halves + half);
    std::int32_t* const own = counts + (pair * samples_of_word + half * warp_size + lane) * layers;
    for (int axis = 0; axis < axes; ++axis) {
      // Adjacent positions are often in one layer.
      std::int32_t sum = 0, now = -1;
      for (Index p = warp * positions / warps; p < (warp + 1) * positions / warps; ++p) {
        const std::int32_t next = layer[axis * positions + p];
        if (next != now) {
          if (sum != 0) atomicAdd(own + now, sum);
          sum = 0;
          now = next;
        }
        sum += static_cast<std::int32_t>(
            (one[p * view.stride()] ^ other[p * view.stride()]) >> lane & 1u);
      }
      if (sum != 0) atomicAdd(own + now, sum);
    }
  }
}

}  // namespace

bool ladders_fit_on_gpu(const Device& device, int axes, Index sites, Index rungs) {
  if (axes < 2) return false;
  cuda::stream(device.ordinal);
  return blocks_side_by_side(device, kernel_of(axes), bytes_of_word(sites, axes, rungs)) >= rungs;
}

void run_grid_ladders_on_gpu(const Device& device, const GridLadderRun& run, Index sweeps) {
  const cuda::LaunchRegion region(device.ordinal, "ladders of samples");
  CUstream_st* const stream = cuda::stream(device.ordinal);
  const Kernel kernel = kernel_of(run.axes);
  const std::size_t bytes = bytes_of_word(run.view.positions, run.axes, run.exchange.rungs);
  Launch launch;
  launch.run = run;
  launch.positions_of_colour = static_cast<int>(run.view.positions / 2);
  launch.groups = run.view.words / run.exchange.rungs;
  launch.slots =
      std::min(launch.groups, blocks_side_by_side(device, kernel, bytes) / run.exchange.rungs);
  const cuda::Scratch arrivals(device.ordinal,
                               static_cast<std::size_t>(launch.groups) * sizeof(unsigned));
  launch.arrivals = arrivals.as<unsigned>();
  const Index most =
      run.exchange_every > 0
          ? std::max<Index>(1, sweeps_of_launch / run.exchange_every) * run.exchange_every
          : sweeps_of_launch;
  for (Index done = 0; done < sweeps; done += most) {
    launch.run.sweeps = static_cast<std::int32_t>(std::min<Index>(sweeps - done, most));
    cuda::check(cudaMemsetAsync(launch.arrivals, 0,
                                static_cast<std::size_t>(launch.groups) * sizeof(unsigned), stream),
                "clearing GPU memory");
    void* arguments[] = {&launch};
    cuda::check(
        cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel),
                                    dim3(static_cast<unsigned>(launch.slots * run.exchange.rungs)),
                                    dim3(threads_of_word), arguments, bytes, stream),
        "starting a kernel");
    launch.run.key.step += static_cast<std::uint64_t>(launch.run.sweeps);
    if (run.exchange_every > 0)
      launch.run.proposals += static_cast<std::uint64_t>(launch.run.sweeps / run.exchange_every);
  }
}

void exchange_samples_on_gpu(const Device& device, const LadderExchangeView& exchange,
                             std::uint64_t proposal, Index words, const SampleSums* sums) {
  const cuda::LaunchRegion region(device.ordinal, "exchange of samples");
  const cuda::LaunchShape shape = cuda::shape_of(words * samples_of_word);
  cuda::launch(device.ordinal, shape, record_words, exchange, proposal, words, sums);
  cuda::launch(device.ordinal, shape, exchange_words, exchange, proposal, words);
}

void write_by_rung_on_gpu(const Device& device, const SamplesView& view, int rungs,
                          const std::int32_t* word_at, std::uint32_t* spins) {
  const cuda::LaunchRegion region(device.ordinal, "samples by rung");
  cuda::launch(device.ordinal, cuda::shape_of(view.positions, view.words * halves, 128),
               write_words, view, rungs, word_at, spins);
}

void count_layers_on_gpu(const Device& device, const SamplesView& view, const WordPair* pairs,
                         Index count, int axes, int layers, const std::int32_t* layer,
                         std::int32_t* counts) {
  if (count == 0 || axes == 0) return;
  const cuda::LaunchRegion region(device.ordinal, "overlaps by layer");
  constexpr Index positions_of_block = 1024;
  const dim3 blocks(
      static_cast<unsigned>((view.positions + positions_of_block - 1) / positions_of_block),
      static_cast<unsigned>(std::min(count * halves, most_grid_rows)));
  cuda::launch(device.ordinal, {blocks, 128}, count_layers, view, pairs, count, axes, layers, layer,
               counts);
}

}  // namespace larmor::ising
