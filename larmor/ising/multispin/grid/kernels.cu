// Updates and sums of Ising spins on a GPU. A thread works on groups of adjacent 32-bit words, one
// group after the other. A thread first draws the random planes that all words need. In one word of
// ten or twenty, these planes leave a bit undecided. A warp collects such words and finishes them
// together.
//
// For small lattices, one launch does many sweeps in one of two ways. In the first, a block of
// threads has a whole replica. In the second, all blocks run at once, and each has a tile and the
// words around it in shared memory.

#include <cuda_runtime.h>

#include <algorithm>
#include <cuda/atomic>
#include <limits>
#include <optional>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/core/gpu/warp.hpp"
#include "larmor/ising/multispin/grid/kernels.hpp"
#include "larmor/ising/multispin/grid/update_kernel.hpp"

namespace larmor::ising {
namespace {

constexpr int block_threads = 256;
constexpr int block_warps = block_threads / warp_size;
/// Places for undecided words of a warp. If there are more such words, they are finished at once.
constexpr int most_undecided_words = 64;
constexpr unsigned whole_warp = 0xffffffffu;

using Word = std::uint32_t;

/// The words that a thread updates at once: one word or a group.
template <int width>
struct WordsOf {
  using Type = WordGroup<width>;
};
template <>
struct WordsOf<1> {
  using Type = Word;
};
__device__ Word& word_of(Word& words, int) { return words; }
template <int n>
__device__ Word& word_of(WordGroup<n>& words, int i) {
  return words.w[i];
}
/// The low 32 bits of the numbers of adjacent words.
__device__ void number(Word& words, Word first) { words = first; }
template <int n>
__device__ void number(WordGroup<n>& words, Word first) {
  for (int i = 0; i < n; ++i) words.w[i] = first + static_cast<Word>(i);
}

/// Keeps the compiler from recomputing an address for every use.
template <class T>
__device__ T* held(T* address) {
  asm("" : "+l"(address));
  __builtin_assume(__isGlobal(address));
  return address;
}

/// Decides words at a boundary. Such words are few, so this need not be fast.
template <int axes, class Place, class W>
__device__ __noinline__ W decide_at_boundary(Place place, Bonds<axes, W> bonds,
                                             const Acceptance* table, BitPlanes random) {
  Decision<4 * axes + 1, W> decision;
  boundary_sums<axes>(place, bonds.negative, decision.member);
  const StoredDigits<1> digits_of{table};
  std::uint64_t calls = 0;
  W words;
  number(words, static_cast<Word>(place.word));
  decision.begin(digits_of, random, words, spread_word<W>(0));
  return decision.accepted | decision.finish(digits_of, random, words, calls);
}

/// Words with undecided bits, in shared memory.
template <int classes, class Number, int most>
struct UndecidedWords {
  Number word[most];
  Word open[most], member[classes][most];
};

/// Undecided words of a warp.
template <class Words>
struct UndecidedOfWarp {
  Words& words;
  int count = 0;
  /// Reserves n slots for this warp. @return the first of them
  __device__ int reserve(int n) {
    count += n;
    return count - n;
  }
};

/// Undecided words of a block.
template <class Words>
struct UndecidedOfBlock {
  Words& words;
  int& count;  ///< in shared memory
  __device__ int reserve(int n) const {
    int first = 0;
    if (n > 0 && threadIdx.x % warp_size == 0) first = atomicAdd(&count, n);
    return __shfl_sync(whole_warp, first, 0);
  }
};

/// Work of a launch, and its distribution over threads.
struct LaunchWork {
  int groups_of_thread;  ///< groups of words that a thread updates one after the other
  Index tiles;           ///< number of tiles of a replica; a block updates one tile at a time
  Index sweeps;
  int first_colour, last_colour;
};

/// Updates words of one colour of a replica. Eight planes decide most bits at once. Words with
/// undecided bits follow later.
/// @tparam Undecided UndecidedOfWarp or UndecidedOfBlock of UndecidedWords, which have
/// `most_undecided` slots
template <int axes, bool upper_half, class Number, int width, int most_undecided,
          template <class> class Undecided>
class WordUpdate {
 public:
  using W = typename WordsOf<width>::Type;
  static constexpr int classes = class_count<axes, upper_half>;
  using Digits = HeldDigits<classes, 2>;
  using Words = UndecidedWords<classes, Number, most_undecided>;

  /// @param random random planes for words whose numbers have 32 bits
  __device__ WordUpdate(const UpdateRequest& request, const RandomKey& key, int colour,
                        Index replica, const Digits& digits_of, const Undecided<Words>& undecided,
                        const BitPlanes& random)
      : request_(request),
        key_(key),
        colour_(colour),
        replica_(replica),
        digits_of_(digits_of),
        undecided_(undecided),
        random_(random) {}

  /// All threads of the warp must call it. @param active does this thread have words?
  /// @param others words of the other colour @param own address of the words to update
  /// @param random gives the planes that all words need
  /// @param flip flip(word, flips) for words that are finished at once
  template <class Place, class Source, class Random, class Flip>
  __device__ void update(bool active, const Place& place, const Source& others, Word* own,
                         const Random& random, const Flip& flip) {
    W open = spread_word<W>(0);
    W member[classes];
    if (active) {
      const LatticeView& lattice = request_.lattice;
      const W before = loaded<W>(own) & lattice.own_spin;
      const auto bonds = unsatisfied_bonds<axes>(lattice, replica_, colour_, others, place,
                                                 before ^ lattice.coupling);
      W flips;
      if (lattice.grid.any_open && place.touches_open_boundary()) {
        flips = decide_at_boundary<axes>(place, bonds, lattice.acceptance + replica_,
                                         random_of(place.word));
      } else {
        Decision<classes, W> decision;
        const W rest = count_classes<axes, upper_half>(bonds.negative, decision.member);
        W words;
        number(words, static_cast<Word>(place.word));
        decision.begin(digits_of_, random, words, rest);
        flips = decision.accepted;
        open = decision.open;
        for (int c = 0; c < classes; ++c) member[c] = decision.member[c];
      }
      store(own, before ^ flips);
    }
    unsigned all[width];
    int count = 0;
    for (int i = 0; i < width; ++i) {
      all[i] = __ballot_sync(whole_warp, word_of(open, i) != 0);
      count += __popc(all[i]);
    }
    int first = undecided_.reserve(count);
    LARMOR_UNROLL
    for (int i = 0; i < width; ++i) {
      const int slot = first + __popc(all[i] & ((1u << threadIdx.x % warp_size) - 1));
      first += __popc(all[i]);
      if (word_of(open, i) == 0) continue;
      const Number word = place.word + static_cast<Number>(i);
      if (slot < most_undecided) {
        undecided_.words.word[slot] = word;
        undecided_.words.open[slot] = word_of(open, i);
        for (int c = 0; c < classes; ++c) undecided_.words.member[c][slot] = word_of(member[c], i);
      } else {
        Decision<classes, Word> decision;
        for (int c = 0; c < classes; ++c) decision.member[c] = word_of(member[c], i);
        decision.open = word_of(open, i);
        flip(word, finished(decision, word));
      }
    }
  }

  /// Finishes undecided words `first`, `first + step`, ...; call it after a synchronisation.
  template <class Flip>
  __device__ void finish(int first, int step, const Flip& flip) {
    const int count = min(undecided_.count, most_undecided);
    for (int n = first; n < count; n += step) {
      Decision<classes, Word> decision;
      for (int c = 0; c < classes; ++c) decision.member[c] = undecided_.words.member[c][n];
      decision.open = undecided_.words.open[n];
      const Number word = undecided_.words.word[n];
      const Word flips = finished(decision, word);
      if (flips != 0) flip(word, flips);
    }
  }

  __device__ BitPlanes random_of(Number word) const {
    if constexpr (sizeof(Number) > 4)
      return BitPlanes(key_, static_cast<std::uint64_t>(replica_), colour_,
                       static_cast<std::uint64_t>(word) >> 32);
    return random_;
  }

 private:
  __device__ Word finished(Decision<classes, Word>& decision, Number word) const {
    std::uint64_t calls = 0;
    return decision.finish(digits_of_, random_of(word), static_cast<Word>(word), calls);
  }

  const UpdateRequest& request_;
  const RandomKey& key_;
  int colour_;
  Index replica_;
  const Digits& digits_of_;
  Undecided<Words> undecided_;
  BitPlanes random_;
};

template <int axes, bool upper_half, class Number, int width>
using TileUpdate =
    WordUpdate<axes, upper_half, Number, width, most_undecided_words, UndecidedOfWarp>;

/// Updates a tile of one colour of a replica. All threads of a block must call it.
template <int axes, bool upper_half, class Number, int width>
__device__ void update_tile(
    const UpdateRequest& request, const RandomKey& key, int colour, Index replica, Index tile,
    int groups_of_thread, const HeldDigits<class_count<axes, upper_half>, 2>& digits_of,
    typename TileUpdate<axes, upper_half, Number, width>::Words& undecided) {
  using W = typename WordsOf<width>::Type;
  const LatticeView& lattice = request.lattice;
  const Index words_at_once = Index(blockDim.x) * width;
  const Index begin = lattice.grid.first + tile * groups_of_thread * words_at_once;
  const auto last =
      static_cast<Number>(min(lattice.grid.last, begin + groups_of_thread * words_at_once));
  Word* const spins = held(lattice.spins_of(replica, colour));
  const StoredWords<W> others{held(lattice.spins_of(replica, 1 - colour))};
  const auto flip = [&](Number word, Word flips) { spins[word] ^= flips; };
  TileUpdate<axes, upper_half, Number, width> update(
      request, key, colour, replica, digits_of, {undecided},
      BitPlanes(key, static_cast<std::uint64_t>(replica), colour, 0));
  auto word = static_cast<Number>(begin + Index(threadIdx.x) * width);
  for (int n = 0; n < groups_of_thread; ++n, word += static_cast<Number>(words_at_once)) {
    const RowPlace<W, axes, Number> place(lattice.grid, nullptr, colour, word);
    update.update(word < last, place, others, spins + word, update.random_of(word), flip);
  }
  __syncwarp();
  update.finish(static_cast<int>(threadIdx.x) % warp_size, warp_size, flip);
  __syncwarp();
}

/// A block updates tiles of all replicas one after the other. Block (x, y) begins with tile x of
/// replica y.
template <int axes, bool upper_half, class Number, int width>
__global__ void __launch_bounds__(block_threads, 3)
    update_words(const __grid_constant__ UpdateRequest request,
                 const __grid_constant__ LaunchWork work) {
  using Update = TileUpdate<axes, upper_half, Number, width>;
  __shared__ typename Update::Words undecided[block_warps];
  RandomKey key = request.key;
  for (Index n = 0; n < work.sweeps; ++n, ++key.step) {
#pragma unroll 1
    for (int colour = work.first_colour; colour <= work.last_colour; ++colour) {
      for (Index replica = blockIdx.y; replica < request.lattice.replicas; replica += gridDim.y) {
        const typename Update::Digits digits_of(request.lattice.acceptance[replica]);
        for (Index tile = blockIdx.x; tile < work.tiles; tile += gridDim.x)
          update_tile<axes, upper_half, Number, width>(request, key, colour, replica, tile,
                                                       work.groups_of_thread, digits_of,
                                                       undecided[threadIdx.x / warp_size]);
      }
      __syncthreads();
    }
  }
}

/// Work of update_in_windows, and its distribution over blocks.
struct Windows {
  int tile;   ///< words of a replica that a block updates
  int depth;  ///< half-sweeps between two exchanges
  int reach;  ///< largest distance in words between a word and its neighbours
  Index sweeps;
};

/// If a thread has only one group of words, it keeps the place of the group, and blocks may have
/// more threads.
template <bool one_group>
inline constexpr int most_window_threads = one_group ? 768 : 512;
inline constexpr int most_undecided_of_window = 256;

/// Words in a window, by their number in the grid; the window may wrap around the grid.
template <class W>
struct WindowWords {
  const Word* window;
  int begin, words;
  __device__ unsigned place(int word) const {
    const int from_begin = word - begin;
    return min(static_cast<unsigned>(from_begin), static_cast<unsigned>(from_begin + words));
  }
  __device__ W at(int word) const { return loaded<W>(window + place(word)); }
  __device__ Word one_at(int word) const { return window[place(word)]; }
};

/// A word that one block sends to another. The number of the exchange in the mailbox shows that the
/// word has arrived.
class Mailbox {
 public:
  __device__ explicit Mailbox(std::uint64_t* place) : place_(*place) {}
  __device__ void send(Word word, std::uint32_t number) const {
    place_.store(word | static_cast<std::uint64_t>(number) << 32, ::cuda::memory_order_relaxed);
  }
  /// Waits for the word of this exchange.
  __device__ Word receive(std::uint32_t number) const {
    std::uint64_t found;
    do {
      found = place_.load(::cuda::memory_order_relaxed);
    } while (static_cast<std::uint32_t>(found >> 32) != number);
    return static_cast<Word>(found);
  }

 private:
  ::cuda::atomic_ref<std::uint64_t, ::cuda::thread_scope_device> place_;
};

/// Random planes that a thread drew in advance.
template <class W>
struct DrawnPlanes {
  W plane[planes_for_all];
  __device__ void draw_for_all(const W&, W (&to)[planes_for_all]) const {
    for (int k = 0; k < planes_for_all; ++k) to[k] = plane[k];
  }
};

/// Updates a lattice that fits the GPU. A block keeps its tile and the words around it (the window)
/// of both colours in shared memory, and updates them `depth` times. Each update makes the
/// outermost words of the window invalid. The block then takes the words around its tile from its
/// neighbours. Each word has two mailboxes, which exchanges use alternately. Before a block writes
/// into a mailbox again, it has received newer words from its neighbours. They sent these words
/// after they had read the mailbox.
/// @tparam one_group does each thread have only one group? If so, the thread draws planes while it
/// waits
template <int axes, bool upper_half, int width, bool one_group>
__global__ void __launch_bounds__(most_window_threads<one_group>, 1)
    update_in_windows(const __grid_constant__ UpdateRequest request,
                      const __grid_constant__ Windows windows) {
  using W = typename WordsOf<width>::Type;
  using Place = RowPlace<W, axes, int>;
  using Update =
      WordUpdate<axes, upper_half, int, width, most_undecided_of_window, UndecidedOfBlock>;
  extern __shared__ Word window[];
  __shared__ typename Update::Words undecided;
  __shared__ int undecided_count[2];  // for even and odd half-sweeps
  const LatticeView& lattice = request.lattice;
  const typename Update::Digits digits_of(lattice.acceptance[blockIdx.y]);
  const auto thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const auto words = static_cast<int>(lattice.grid.words);
  const int first = static_cast<int>(blockIdx.x) * windows.tile;
  const int own = min(windows.tile, words - first);
  const int halo = windows.depth * windows.reach;
  const int window_words = own + 2 * halo;
  const auto around = [&](int word) {
    return word < 0 ? word + words : word < words ? word : word - words;
  };
  const int begin = around(first - halo);
  const auto mailbox = [&](int colour, int word, std::uint32_t number) {
    const Index row = (number % 2 * gridDim.y + blockIdx.y) * 2 + colour;
    return Mailbox(request.mailboxes + row * words + word);
  };
  for (int colour = 0; colour < 2; ++colour) {
    const Word* const stored = lattice.spins_of(blockIdx.y, colour);
    for (int i = thread; i < window_words; i += threads)
      window[colour * window_words + i] = stored[around(begin + i)];
  }

  if (thread < 2) undecided_count[thread] = 0;
  const int position = windows.reach + thread * width;
  [[maybe_unused]] Place own_place(lattice.grid, nullptr, 0, around(begin + position));
  [[maybe_unused]] DrawnPlanes<W> drawn;
  const Index half_sweeps = 2 * windows.sweeps;
  RandomKey key = request.key;
  const auto random_now = [&](int colour) { return BitPlanes(key, blockIdx.y, colour, 0); };
  BitPlanes random = random_now(0);
  const auto draw = [&](int margin) {
    if (!one_group || position < margin || position >= window_words - margin) return;
    W numbers;
    number(numbers, static_cast<Word>(own_place.word));
    random.draw_for_all(numbers, drawn.plane);
  };
  // Undecided words go first to the outermost warps, since these have the fewest words to update.
  const int warps = threads / warp_size, warp = thread / warp_size;
  const int turn = warp < (warps + 1) / 2 ? 2 * warp : 2 * (warps - 1 - warp) + 1;
  const int first_undecided = turn * warp_size + thread % warp_size;
  draw(windows.reach);
  __syncthreads();
  Index done = 0;
  for (std::uint32_t exchange = request.exchanges;; ++exchange) {
    const int last = static_cast<int>(min(Index{windows.depth}, half_sweeps - done));
    int margin = (windows.depth - last + 1) * windows.reach;
#pragma unroll 1
    for (int n = 0; n < last; ++n) {
      const int colour = static_cast<int>(done % 2);
      Word* const mine = window + colour * window_words;
      const WindowWords<W> others{window + (1 - colour) * window_words, begin, words};
      const auto flip = [&](int word, Word flips) { mine[others.place(word)] ^= flips; };
      Update update(request, key, colour, blockIdx.y, digits_of,
                    {undecided, undecided_count[colour]}, random);
      if constexpr (one_group) {
        update.update(position >= margin && position < window_words - margin, own_place, others,
                      mine + position, drawn, flip);
        own_place.change_colour();
      } else {
        // Whole warps take part, even if only some of the threads have words.
        const int lane = thread % warp_size;
        for (int i = margin + thread * width; i - lane * width < window_words - margin;
             i += threads * width) {
          const bool active = i < window_words - margin;
          const Place place(lattice.grid, nullptr, colour, around(begin + (active ? i : margin)));
          update.update(active, place, others, mine + i, random, flip);
        }
      }
      __syncthreads();
      update.finish(first_undecided, threads, flip);
      if (thread == 0) undecided_count[1 - colour] = 0;
      ++done;
      margin += windows.reach;
      key.step += static_cast<std::uint64_t>(colour);
      random = random_now(1 - colour);
      if (n + 1 < last) draw(margin);
      __syncthreads();
    }
    if (done == half_sweeps) break;
    // If only one half-sweep was done since the last exchange, neighbours need only the colour that
    // it updated.
    const int updated = static_cast<int>((done + 1) % 2);
    const int first_colour = windows.depth == 1 ? updated : 0;
    const int last_colour = windows.depth == 1 ? updated : 1;
    for (int colour = first_colour; colour <= last_colour; ++colour)
      for (int i = thread; i < own; i += threads)
        if (i < halo || i >= own - halo)
          mailbox(colour, first + i, exchange)
              .send(window[colour * window_words + halo + i], exchange);
    draw(windows.reach);
    for (int colour = first_colour; colour <= last_colour; ++colour)
      for (int i = thread; i < 2 * halo; i += threads) {
        const int place = i < halo ? i : i + own;
        window[colour * window_words + place] =
            mailbox(colour, around(begin + place), exchange).receive(exchange);
      }
    __syncthreads();
  }
  for (int colour = 0; colour < 2; ++colour) {
    Word* const stored = lattice.spins_of(blockIdx.y, colour);
    for (int i = thread; i < own; i += threads)
      stored[first + i] = window[colour * window_words + halo + i];
  }
}

__device__ long long sum_of_warp(long long sum) {
  for (int lane = warp_size / 2; lane > 0; lane /= 2) sum += __shfl_down_sync(~0u, sum, lane);
  return sum;
}

template <int axes>
__global__ void __launch_bounds__(block_threads)
    sum_words(const __grid_constant__ LatticeView lattice, SpinSums* sums) {
  const Index stride = Index(gridDim.x) * blockDim.x;
  for (Index replica = blockIdx.y; replica < lattice.replicas; replica += gridDim.y) {
    long long unsatisfied = 0, down = 0;
    for (Index word = lattice.grid.first + Index(blockIdx.x) * blockDim.x + threadIdx.x;
         word < lattice.grid.last; word += stride) {
      const RowPlace<Word, axes> place(lattice.grid, nullptr, 0, word);
      const Word spins = lattice.spins_of(replica, 0)[word];
      down += count_ones(spins) + count_ones(lattice.spins_of(replica, 1)[word]);
      unsatisfied += count_unsatisfied<axes>(lattice, replica, 0, place, spins, ~Word{0});
    }
    unsatisfied = sum_of_warp(unsatisfied);
    down = sum_of_warp(down);
    if (threadIdx.x % warp_size != 0) continue;
    // The sums are whole numbers, so their order does not matter. Negative numbers wrap around
    // correctly.
    using Unsigned = unsigned long long;
    atomicAdd(reinterpret_cast<Unsigned*>(&sums[replica].unsatisfied), Unsigned(unsatisfied));
    atomicAdd(reinterpret_cast<Unsigned*>(&sums[replica].down), Unsigned(down));
  }
}

/// Shape of a launch for sums. @param most_tiles largest number of tiles of a replica
cuda::LaunchShape shape_of_sums(const LatticeView& lattice, Index most_tiles) {
  constexpr Index words_of_thread = 4;
  const Index words = lattice.grid.last - lattice.grid.first;
  const Index of_thread = (words + words_of_thread - 1) / words_of_thread;
  const Index warps = std::min<Index>((of_thread + warp_size - 1) / warp_size, block_warps);
  const Index tile = warps * warp_size * words_of_thread;
  const Index tiles = std::min((words + tile - 1) / tile, most_tiles);
  return {dim3(static_cast<unsigned>(tiles),
               static_cast<unsigned>(std::min(lattice.replicas, most_grid_rows))),
          static_cast<int>(warps * warp_size)};
}

int attribute_of(int ordinal, cudaDeviceAttr attribute) {
  int value = 0;
  cuda::check(cudaDeviceGetAttribute(&value, attribute, ordinal), "asking for a GPU attribute");
  return value;
}

template <class Kernel>
Index blocks_at_once(Kernel kernel, int multiprocessors) {
  int of_one = 0;
  cuda::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_one, kernel, block_threads, 0),
              "asking for blocks at a time");
  return Index{of_one} * multiprocessors;
}

/// Cycles of a half-sweep on a GPU, measured on an H100. They decide between kinds of launches.
namespace cycles {
constexpr double of_word = 3.3;            ///< for each word, if a multiprocessor has many words
constexpr double of_word_in_window = 4.5;  ///< for each word of a window
constexpr double at_least = 1100;     ///< least number from one colour to the next within a block
constexpr double of_exchange = 2000;  ///< until neighbours have the words that a block has written
constexpr double of_launch = 5500;
double of_window(Index words) {
  return std::max(at_least, of_word_in_window * static_cast<double>(words));
}
/// Cycles if each block has its own replicas.
double of_replicas(Index words, Index replicas, Index multiprocessors) {
  constexpr Index side_by_side = 8;
  const auto turns = [&](Index places) { return (replicas + places - 1) / places; };
  return std::max(at_least * static_cast<double>(turns(multiprocessors * side_by_side)),
                  of_word * static_cast<double>(words * turns(multiprocessors)));
}
}  // namespace cycles

struct WindowShape {
  Windows windows;
  int tiles, threads;
  std::size_t bytes;  ///< bytes of shared memory
  double cycles;      ///< cycles of a half-sweep
};

/// Largest number of words of one colour that fit into shared memory in addition to undecided
/// words.
Index most_words_of_window(int ordinal) {
  constexpr Index bytes_of_undecided = 12 * 1024;
  return (attribute_of(ordinal, cudaDevAttrMaxSharedMemoryPerBlockOptin) - bytes_of_undecided) /
         (2 * Index{sizeof(Word)});
}

/// The fastest division into tiles with at most one tile per multiprocessor; nothing if none is
/// possible. There is at least one exchange, so a block stores spins only after other blocks have
/// read them.
template <bool one_group>
std::optional<WindowShape> window_shape(const LatticeView& lattice, Index sweeps, int width,
                                        Index multiprocessors, Index most_window_words) {
  constexpr Index most_threads = most_window_threads<one_group>;
  const int most_depth = static_cast<int>(std::min<Index>(16, sweeps));
  const WordGrid& grid = lattice.grid;
  const Index reach = std::max<Index>(width, grid.axes == 1 ? 1 : grid.stride[grid.axes - 1]);
  std::optional<WindowShape> best;
  for (Index tiles = multiprocessors / lattice.replicas; tiles > 1; tiles = tiles * 2 / 3) {
    const Index tile = (grid.words + tiles * width - 1) / (tiles * width) * width;
    for (int depth = 1; depth <= most_depth; depth += depth == 1 ? 1 : 2) {
      const Index window_words = tile + 2 * depth * reach,
                  groups = (window_words - 2 * reach) / width;
      if (window_words > std::min(grid.words, most_window_words) ||
          (one_group && groups > most_threads))
        break;
      double all = cycles::of_exchange;
      for (int n = 0; n < depth; ++n) all += cycles::of_window(window_words - 2 * (n + 1) * reach);
      if (best && all / depth >= best->cycles) continue;
      const Index threads =
          std::min((groups + warp_size - 1) / warp_size * warp_size, most_threads);
      best = {{static_cast<int>(tile), depth, static_cast<int>(reach), sweeps},
              static_cast<int>((grid.words + tile - 1) / tile),
              static_cast<int>(threads),
              static_cast<std::size_t>(2 * window_words) * sizeof(Word),
              all / depth};
    }
  }
  return best;
}

template <class Kernel>
void launch_windows(Kernel kernel, UpdateRequest request, WindowShape shape, CUstream_st* stream) {
  cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(shape.bytes)),
              "asking for shared memory");
  void* arguments[] = {&request, &shape.windows};
  cuda::check(
      cudaLaunchCooperativeKernel(
          kernel,
          dim3(static_cast<unsigned>(shape.tiles), static_cast<unsigned>(request.lattice.replicas)),
          dim3(static_cast<unsigned>(shape.threads)), arguments, shape.bytes, stream),
      "starting a kernel");
}

template <int axes, bool upper_half, class Number, int width>
void launch(const Device& device, UpdateRequest request, Index sweeps) {
  const auto kernel = update_words<axes, upper_half, Number, width>;
  CUstream_st* const stream = cuda::stream(device.ordinal);
  const Index words = request.lattice.grid.last - request.lattice.grid.first;
  const Index replicas = request.lattice.replicas;
  const auto rows = static_cast<unsigned>(std::min(replicas, most_grid_rows));
  const Index groups = (words + width - 1) / width;
  const int multiprocessors = attribute_of(device.ordinal, cudaDevAttrMultiProcessorCount);
  const bool several = sweeps > 0;
  // There are three choices. Each block has its own replicas, or blocks have windows, or each
  // half-sweep is a launch.
  constexpr Index most_of_block = 16 * block_threads;
  constexpr double never = std::numeric_limits<double>::infinity();
  const double of_replica = !several || groups > most_of_block
                                ? never
                                : cycles::of_replicas(words, replicas, multiprocessors);
  const double of_launches =
      cycles::of_launch + cycles::of_word * static_cast<double>(words * replicas) / multiprocessors;
  if constexpr (sizeof(Number) == 4) {
    if (several && request.mailboxes != nullptr &&
        attribute_of(device.ordinal, cudaDevAttrCooperativeLaunch) != 0) {
      const Index most_window_words = most_words_of_window(device.ordinal);
      const double others = std::min(of_replica, of_launches);
      const auto few =
          window_shape<true>(request.lattice, sweeps, 1, multiprocessors, most_window_words);
      if (few && few->cycles < others)
        return launch_windows(update_in_windows<axes, upper_half, 1, true>, request, *few, stream);
      const auto many =
          window_shape<false>(request.lattice, sweeps, width, multiprocessors, most_window_words);
      if (many && many->cycles < others)
        return launch_windows(update_in_windows<axes, upper_half, width, false>, request, *many,
                              stream);
    }
  }
  if (of_replica < of_launches) {
    const auto threads = static_cast<int>(
        std::min<Index>((groups + warp_size - 1) / warp_size * warp_size, block_threads));
    const LaunchWork work{static_cast<int>((groups + threads - 1) / threads), 1, sweeps, 0, 1};
    cuda::launch(stream, {dim3(1, rows), threads}, kernel, request, work);
    return;
  }
  const auto tiles_for = [&](Index groups_of_thread) {
    const Index tile = groups_of_thread * block_threads * width;
    return (words + tile - 1) / tile;
  };
  // Finds the number of groups per thread that leaves the fewest blocks idle at the end. The start
  // of a block costs as much as a fraction of a group.
  constexpr int most_groups = 10;
  constexpr double cost_of_start = 0.7;
  const Index at_once = blocks_at_once(kernel, multiprocessors);
  int best_groups = 1;
  double least = std::numeric_limits<double>::infinity();
  for (int n = 1; n <= most_groups; ++n) {
    const Index waves = (tiles_for(n) * replicas + at_once - 1) / at_once;
    const double cost = static_cast<double>(waves) * (n + cost_of_start);
    if (cost >= least) continue;
    least = cost;
    best_groups = n;
  }
  LaunchWork work{best_groups, tiles_for(best_groups), 1, 0, 0};
  const cuda::LaunchShape shape{dim3(static_cast<unsigned>(work.tiles), rows), block_threads};
  if (!several) {
    work.first_colour = work.last_colour = request.colour;
    cuda::launch(stream, shape, kernel, request, work);
  }
  for (Index n = 0; n < sweeps; ++n, ++request.key.step) {
    for (int colour = 0; colour < 2; ++colour) {
      work.first_colour = work.last_colour = colour;
      cuda::launch(stream, shape, kernel, request, work);
    }
  }
}

template <int axes, class Number, bool upper_half>
void launch_by_width(const Device& device, const UpdateRequest& request, Index sweeps) {
  if (request.lattice.grid.row_words % 2 == 0) {
    launch<axes, upper_half, Number, 2>(device, request, sweeps);
  } else {
    launch<axes, upper_half, Number, 1>(device, request, sweeps);
  }
}

template <int axes>
void launch_by_size(const Device& device, const UpdateRequest& request, Index sweeps) {
  constexpr Index fewer_for_32_bits = Index{1} << 30;
  if (request.lattice.grid.words >= fewer_for_32_bits) {
    launch_by_width<axes, Index, false>(device, request, sweeps);
  } else if (request.upper_half) {
    launch_by_width<axes, std::int32_t, true>(device, request, sweeps);
  } else {
    launch_by_width<axes, std::int32_t, false>(device, request, sweeps);
  }
}

}  // namespace

void update_on_gpu(const Device& device, const UpdateRequest& request, Index sweeps) {
  const cuda::LaunchRegion region(device.ordinal, "update of Ising spins");
  switch (request.lattice.grid.axes) {
    case 1:
      launch_by_size<1>(device, request, sweeps);
      break;
    case 2:
      launch_by_size<2>(device, request, sweeps);
      break;
    case 3:
      launch_by_size<3>(device, request, sweeps);
      break;
    default:
      launch_by_size<4>(device, request, sweeps);
  }
}

void sum_on_gpu(const Device& device, const LatticeView& lattice, SpinSums* sums) {
  const cuda::LaunchRegion region(device.ordinal, "sums of Ising spins");
  constexpr Index most_tiles = 1024;
  const cuda::LaunchShape shape = shape_of_sums(lattice, most_tiles);
  switch (lattice.grid.axes) {
    case 1:
      cuda::launch(device.ordinal, shape, sum_words<1>, lattice, sums);
      break;
    case 2:
      cuda::launch(device.ordinal, shape, sum_words<2>, lattice, sums);
      break;
    case 3:
      cuda::launch(device.ordinal, shape, sum_words<3>, lattice, sums);
      break;
    default:
      cuda::launch(device.ordinal, shape, sum_words<4>, lattice, sums);
  }
}

}  // namespace larmor::ising
