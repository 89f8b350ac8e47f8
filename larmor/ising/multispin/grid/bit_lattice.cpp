#include "larmor/ising/multispin/grid/bit_lattice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/error.hpp"
#include "larmor/ising/multispin/grid/bond_signs.hpp"
#include "larmor/lattice/lazy_sweeps.hpp"
#if defined(LARMOR_HAS_CUDA)
#include "larmor/core/device/cuda_backend.hpp"
#endif

namespace larmor::ising {
namespace {

constexpr Index bits = 32;

/// If there are fewer interior words than this, extra launches cost a GPU more time than the
/// update.
[[maybe_unused]] constexpr Index least_inside = 65536;

WordGrid view_of(const GridShape& shape) {
  WordGrid grid{};
  grid.axes = static_cast<int>(shape.size.size());
  grid.row_words = shape.size[0] / (2 * bits);
  grid.row_divisor = Divisor(grid.row_words);
  grid.words = grid.row_words;
  for (int a = 0; a < most_axes; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    grid.size[a] = a < grid.axes ? shape.size[axis] : 1;
    grid.open[a] = a < grid.axes && !shape.periodic.empty() && !shape.periodic[axis];
    grid.any_open = grid.any_open || grid.open[a];
    grid.size_divisor[a] = Divisor(grid.size[a]);
    if (a == 0) continue;
    grid.stride[a] = grid.words;
    grid.words *= grid.size[a];
    grid.around[a] = grid.words - grid.stride[a];
  }
  grid.last = grid.words;
  return grid;
}

/// Flags of all words of a colour that this rank has. The flags of the last word fill the rest of
/// the array.
std::vector<std::uint32_t> place_flags(const WordGrid& grid, Index array_words) {
  std::vector<std::uint32_t> flags(static_cast<std::size_t>(array_words));
  for (Index n = 0; n < array_words; ++n) {
    const Index word = std::min(grid.first + n, grid.last - 1);
    Index rest = word / grid.row_words;
    const Index in_row = word % grid.row_words;
    std::uint32_t f = 0;
    if (in_row == 0) f |= PlaceFlags::first(0);
    if (in_row == grid.row_words - 1) f |= PlaceFlags::last(0);
    Index parity = 0;
    for (int a = 1; a < grid.axes; ++a) {
      const Index x = rest % grid.size[a];
      rest /= grid.size[a];
      parity += x;
      if (x == 0) f |= PlaceFlags::first(a);
      if (x == grid.size[a] - 1) f |= PlaceFlags::last(a);
    }
    if (parity % 2 != 0) f |= PlaceFlags::odd_row;
    flags[static_cast<std::size_t>(n)] = f;
  }
  return flags;
}

Index long_axes(const GridShape& shape) {
  return std::count_if(shape.size.begin(), shape.size.end(), [](Index n) { return n > 1; });
}

/// Calls body(site, colour, word, bit) for the sites of a replica in canonical order.
template <class Body>
void for_each_site(const WordGrid& grid, const Body& body) {
  const Index rows = grid.words / grid.row_words;
  for (Index row = 0; row < rows; ++row) {
    Index rest = row, parity = 0;
    for (int a = 1; a < grid.axes; ++a) {
      parity += rest % grid.size[a];
      rest /= grid.size[a];
    }
    for (Index x = 0; x < grid.size[0]; ++x) {
      const Index k = x / 2;
      body(row * grid.size[0] + x, static_cast<int>((x + parity) % 2),
           row * grid.row_words + k / bits, static_cast<int>(k % bits));
    }
  }
}

}  // namespace

Index GridShape::sites() const {
  Index sites = 1;
  for (const Index n : size) sites *= n;
  return sites;
}

double update_bytes_on_gpu(Index sites, Index replicas) {
  const Index words = sites / bits * replicas;
  return words > most_words_together ? 0 : 2.0 * sizeof(std::uint64_t) * static_cast<double>(words);
}

void require_bits(const GridShape& shape) {
  const auto axes = std::ssize(shape.size);
  if (axes < 1 || axes > most_axes)
    throw InputError("a grid of spins has " + std::to_string(axes) + " axes",
                     "a grid may have 1 to " + std::to_string(most_axes));
  if (!shape.periodic.empty() && std::ssize(shape.periodic) != axes)
    throw InputError("a grid of " + std::to_string(axes) + " axes has " +
                         std::to_string(shape.periodic.size()) + " flags for periodic axes",
                     "give one value for each axis");
  constexpr Index most_sites = Index{1} << 40;
  Index sites = 1;
  for (const Index n : shape.size) {
    if (n < 1) throw InputError("a grid of spins has an axis without sites");
    if (n > most_sites / sites)
      throw InputError("a grid of spins has more than 2^40 sites in a replica");
    sites *= n;
  }
  if (shape.size[0] % 64 != 0)
    throw InputError("spins stored as bits need a first axis of a multiple of 64 sites; it has " +
                     std::to_string(shape.size[0]));
  for (std::size_t a = 0; a < shape.size.size(); ++a)
    if ((shape.periodic.empty() || shape.periodic[a]) && shape.size[a] % 2 != 0)
      throw InputError(
          "a checkerboard of two colours needs an even number of sites along every "
          "periodic axis; axis " +
          std::to_string(a + 1) + " has " + std::to_string(shape.size[a]));
}

BitLattice::BitLattice(const GridShape& shape, const Couplings& couplings,
                       const ReplicaShare& replicas, std::uint64_t seed, const Device& device,
                       Rule rule, const Communicator* world)
    : shape_(shape),
      couplings_(couplings),
      rule_(rule),
      share_(replicas),
      seed_(seed),
      device_(device) {
  require_bits(shape);
  if (!std::isfinite(couplings.J)) throw InputError("the coupling J is not a finite number");
  if (!couplings.sample.empty() && std::ssize(couplings.sample) != replicas.all)
    throw InputError("samples are given for " + std::to_string(couplings.sample.size()) + " of " +
                     std::to_string(replicas.all) + " replicas");
  grid_ = view_of(shape);
  for (int a = 0; a < grid_.axes; ++a)
    bonds_ += sites() / grid_.size[a] * (grid_.size[a] - (grid_.open[a] ? 1 : 0));
  if (world != nullptr && world->size() > 1) {
    const int axis = grid_.axes - 1;
    // If there is only one axis, each site would be a plane, and a word would hold many planes. The
    // grid then counts as one plane.
    slabs_ = std::make_unique<PlaneSlabs>(*world, axis > 0 ? grid_.size[axis] : 1,
                                          !grid_.open[axis], device);
    halo_words_ = grid_.stride[axis];
    grid_.first = slabs_->first() * halo_words_;
    grid_.last = slabs_->last() * halo_words_;
    grid_.around[axis] = -halo_words_;
  }
  const Index with_halo = own_words() + 2 * halo_words_;
  array_words_ = (with_halo + spare_words - 1) / spare_words * spare_words + spare_words;
  spins_ = Array<std::uint32_t>(device, spare_words + 2 * replicas.count * array_words_);
  acceptance_ = Array<Acceptance>(device, 2 * replicas.count);
  if (device.backend == Backend::cpu && grid_.row_words % spare_words != 0)
    flags_ = Array<std::uint32_t>(device, place_flags(grid_, array_words_));
  if (couplings.random_signs) make_signs();
  set_temperatures({std::numeric_limits<double>::infinity()});
}

void BitLattice::make_signs() {
  std::vector<std::uint64_t> sample(static_cast<std::size_t>(share_.count));
  if (!couplings_.sample.empty())
    std::copy_n(couplings_.sample.begin() + share_.first, share_.count, sample.begin());
  sample_ = Array<std::uint64_t>(device_, sample);
  if (device_.backend != Backend::cpu) return;
  // A CPU stores the signs, since it reads them faster than it draws them. Each sample is stored
  // once.
  std::vector<std::uint64_t> distinct = sample;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<Index> place;
  for (const std::uint64_t s : sample)
    place.push_back(std::lower_bound(distinct.begin(), distinct.end(), s) - distinct.begin());
  signs_of_replica_ = Array<Index>(device_, place);
  signs_ = Array<std::uint32_t>(device_,
                                spare_words + std::ssize(distinct) * grid_.axes * 2 * array_words_);
  const RandomKey key = view().sign_key;
  // The stored signs include the plane before this rank's first plane, since a bond belongs to the
  // first of its sites.
  const Index begin = grid_.first - halo_words_;
  std::uint32_t* const first = signs_.data() + origin();
  for (std::size_t s = 0; s < distinct.size(); ++s)
    for (int axis = 0; axis < grid_.axes; ++axis)
      for (int colour = 0; colour < 2; ++colour) {
        std::uint32_t* const to =
            first + ((static_cast<Index>(s) * grid_.axes + axis) * 2 + colour) * array_words_;
        parallel_blocks(device_.threads, grid_.last - begin, 1, [&](Index from, Index until) {
          RandomWords<std::uint64_t> random{};
          for (Index n = from; n < until; ++n) {
            const Index word = begin + n < 0 ? begin + n + grid_.words : begin + n;
            const Index of_call = word % words_of_sign_call;
            if (n == from || of_call == 0)
              random = sign_words(key, distinct[s], word / words_of_sign_call, colour, axis);
            to[begin + n] = static_cast<std::uint32_t>(random.w[of_call]);
          }
        });
      }
}

LatticeView BitLattice::view() const {
  LatticeView v{};
  v.grid = grid_;
  v.replicas = share_.count;
  v.array_words = array_words_;
  v.spins = const_cast<std::uint32_t*>(spins_.data()) + origin();
  v.acceptance = acceptance_.data();
  v.flags = flags_.data() == nullptr ? nullptr : flags_.data() - grid_.first;
  v.coupling = couplings_.J < 0 ? ~0u : 0u;
  v.own_spin = rule_ == Rule::heat_bath ? 0u : ~0u;
  v.signs_differ = couplings_.random_signs;
  v.sample = sample_.data();
  v.sign_key = {couplings_.seed, 0, Stream::bond_sign};
  v.signs = signs_.data() == nullptr ? nullptr : signs_.data() + origin();
  v.signs_of_replica = signs_of_replica_.data();
  return v;
}

void BitLattice::randomise(std::uint64_t seed) {
  std::vector<std::uint32_t> words(static_cast<std::size_t>(2 * share_.count * own_words()));
  const RandomKey key{seed, 0, Stream::initial_configuration,
                      static_cast<std::uint64_t>(share_.first)};
  const int threads = device_.host_threads();
  for (Index array = 0; array < 2 * share_.count; ++array)
    parallel_blocks(threads, own_words(), 1, [&](Index first, Index last) {
      for (Index n = first; n < last; ++n) {
        const std::uint64_t place = static_cast<std::uint64_t>(grid_.first + n) |
                                    static_cast<std::uint64_t>(array % 2) << colour_bit_of_words;
        words[static_cast<std::size_t>(array * own_words() + n)] = static_cast<std::uint32_t>(
            philox<std::uint64_t>(key, place, static_cast<std::uint64_t>(array / 2)).w[0]);
      }
    });
  set_own_words(words);
}

void BitLattice::set_all(bool up) {
  set_own_words(std::vector<std::uint32_t>(static_cast<std::size_t>(2 * share_.count * own_words()),
                                           up ? 0u : ~0u));
}

void BitLattice::copy_replicas(std::span<const ReplicaCopy> copies) {
  larmor::copy_replicas(device_, spins_.data() + spare_words, {2 * array_words_}, copies);
}

void BitLattice::set_temperatures(const std::vector<double>& thermal_energies) {
  const auto given = std::ssize(thermal_energies);
  if (given != 1 && given != share_.count)
    throw InputError(std::to_string(given) + " temperatures are given for " +
                     std::to_string(share_.count) + " replicas; give one, or one for each replica");
  std::vector<Acceptance> tables, of_lazy_sweeps;
  upper_half_ = true;
  has_lazy_sweeps_ = false;
  const bool all_need = lattice::needs_lazy_sweeps(sites(), 2 * long_axes(shape_));
  for (Index replica = 0; replica < share_.count; ++replica) {
    const double kT = thermal_energies[static_cast<std::size_t>(given == 1 ? 0 : replica)];
    if (!(kT >= 0)) throw InputError("a temperature is " + std::to_string(kT) + "; give 0 or more");
    const double J = std::abs(couplings_.J);
    const double ratio = J == 0 ? 0 : J / kT;
    const bool needs = rule_ == Rule::metropolis && (all_need || ratio == 0);
    has_lazy_sweeps_ = has_lazy_sweeps_ || needs;
    tables.push_back(acceptance_of(rule_, grid_.axes, ratio));
    of_lazy_sweeps.push_back(
        acceptance_of(needs ? Rule::lazy_metropolis : rule_, grid_.axes, ratio));
    for (int q = 2 * grid_.axes; q <= 4 * grid_.axes; ++q)
      upper_half_ = upper_half_ && tables.back().sure[q] != 0;
  }
  tables.insert(tables.end(), of_lazy_sweeps.begin(), of_lazy_sweeps.end());
  acceptance_.copy_from(tables);
}

void BitLattice::sweep(Index count, UpdateCounter& steps) {
  UpdateRequest request{};
  request.lattice = view();
  const auto set_kind = [&](bool is_lazy) {
    request.lattice.acceptance = acceptance_.data() + (is_lazy ? share_.count : 0);
    request.upper_half = upper_half_ && !is_lazy;
  };
  const auto is_lazy = [&](std::uint64_t step) {
    return has_lazy_sweeps_ && lattice::is_lazy_sweep(step);
  };
  request.drawn = counting_ ? &drawn_ : nullptr;
  const auto key_of = [&](std::uint64_t step) {
    return RandomKey{seed_, step, Stream::ising_update, static_cast<std::uint64_t>(share_.first)};
  };
  if (count <= 0) return;
#if defined(LARMOR_HAS_CUDA)
  if (device_.backend == Backend::cuda && !slabs_) {
    const auto bytes = static_cast<Index>(update_bytes_on_gpu(sites(), share_.count));
    if (mailboxes_.size() == 0 && bytes > 0)
      mailboxes_ = Array<std::uint64_t>(device_, bytes / Index{sizeof(std::uint64_t)});
    request.mailboxes = mailboxes_.data();
    while (count > 0) {
      const Index now = has_lazy_sweeps_ ? lattice::sweeps_of_one_kind(steps, count) : count;
      set_kind(is_lazy(steps));
      request.exchanges = exchanges_;
      exchanges_ += static_cast<std::uint32_t>(2 * now);
      request.key = key_of(steps);
      steps += static_cast<std::uint64_t>(now);
      update_on_gpu(device_, request, now);
      count -= now;
    }
    return;
  }
#endif
  for (Index n = 0; n < count; ++n) {
    set_kind(is_lazy(steps));
    request.key = key_of(steps++);
    for (request.colour = 0; request.colour < 2; ++request.colour)
      slabs_ ? update_shared(request) : update(request);
  }
}

void BitLattice::update(const UpdateRequest& request) {
#if defined(LARMOR_HAS_CUDA)
  if (device_.backend == Backend::cuda) return update_on_gpu(device_, request, 0);
#endif
  struct Loop {
    const CpuKernels* kernels;
    const UpdateRequest* request;
  };
  const Loop loop{&cpu_kernels(), &request};
  share_short_work(
      device_.threads, loop.kernels->groups_of(own_words()) * share_.count,
      [](const void* context, Index first, Index last) {
        const Loop& l = *static_cast<const Loop*>(context);
        l.kernels->update(*l.request, first, last);
      },
      &loop);
}

void BitLattice::update_shared(const UpdateRequest& request) {
#if defined(LARMOR_HAS_CUDA)
  const Index first_inside = grid_.first + halo_words_, last_inside = grid_.last - halo_words_;
  if (device_.backend == Backend::cuda && last_inside - first_inside >= least_inside) {
    const auto update_range = [&](Index first, Index last) {
      UpdateRequest of_range = request;
      of_range.lattice.grid.first = first;
      of_range.lattice.grid.last = last;
      update(of_range);
    };
    // Other ranks need the planes at the border. These are sent while the GPU updates the interior.
    CUstream_st* const stream = slabs_->fork();
    {
      const cuda::StreamScope scope(device_.ordinal, stream);
      update_range(grid_.first, first_inside);
      update_range(last_inside, grid_.last);
    }
    exchange(request.colour);
    update_range(first_inside, last_inside);
    slabs_->join();
    return;
  }
#endif
  update(request);
  slabs_->fork();
  exchange(request.colour);
  slabs_->join();
}

void BitLattice::exchange(int colour) {
  std::vector<PlaneSlabs::Border> borders;
  for (Index replica = 0; replica < share_.count; ++replica) {
    std::uint32_t* const words = spins_.data() + origin() + (2 * replica + colour) * array_words_;
    borders.push_back({words + grid_.first, words + grid_.last - halo_words_,
                       words + grid_.first - halo_words_, words + grid_.last,
                       static_cast<std::size_t>(halo_words_) * sizeof(std::uint32_t)});
  }
  slabs_->exchange(borders);
}

BitLattice::Sums BitLattice::sums() const {
  std::vector<SpinSums> found(static_cast<std::size_t>(share_.count));
  const LatticeView lattice = view();
#if defined(LARMOR_HAS_CUDA)
  if (device_.backend == Backend::cuda) {
    Array<SpinSums> on_gpu(device_, share_.count);
    sum_on_gpu(device_, lattice, on_gpu.data());
    on_gpu.copy_to(found);
  }
#endif
  if (device_.backend == Backend::cpu) {
    struct Loop {
      const CpuKernels* kernels;
      const LatticeView* lattice;
      SpinSums* sums;
    };
    const CpuKernels& kernels = cpu_kernels();
    const Loop loop{&kernels, &lattice, found.data()};
    share_short_work(
        device_.threads, kernels.groups_of(own_words()) * share_.count,
        [](const void* context, Index first, Index last) {
          const Loop& l = *static_cast<const Loop*>(context);
          l.kernels->sum(*l.lattice, first, last, l.sums);
        },
        &loop);
  }
  if (slabs_) {
    // Sums of doubles are exact, since there are fewer than 2^43 bonds.
    std::vector<double> numbers;
    for (const SpinSums& s : found) {
      numbers.push_back(static_cast<double>(s.unsatisfied));
      numbers.push_back(static_cast<double>(s.down));
    }
    slabs_->world().sum(numbers.data(), numbers.size());
    for (std::size_t r = 0; r < found.size(); ++r)
      found[r] = {static_cast<std::int64_t>(numbers[2 * r]),
                  static_cast<std::int64_t>(numbers[2 * r + 1])};
  }
  Sums sums;
  for (const SpinSums& s : found) {
    sums.bonds.push_back(bonds_ - 2 * s.unsatisfied);
    sums.spins.push_back(sites() - 2 * s.down);
  }
  return sums;
}

std::vector<std::int64_t> BitLattice::bond_sums() const { return sums().bonds; }
std::vector<std::int64_t> BitLattice::spin_sums() const { return sums().spins; }

/// Gathers all words of the grid for consecutive arrays, which are numbered by (replica, colour).
/// @return (array, word)
std::vector<std::uint32_t> BitLattice::words_of(Index first_array, Index arrays) const {
  std::vector<std::uint32_t> stored(static_cast<std::size_t>(arrays * array_words_));
  spins_.copy_range_to(stored, spare_words + first_array * array_words_);
  std::vector<std::uint32_t> words(static_cast<std::size_t>(arrays * grid_.words));
  for (Index array = 0; array < arrays; ++array) {
    std::copy_n(stored.begin() + array * array_words_ + halo_words_, own_words(),
                words.begin() + array * grid_.words + grid_.first);
    if (slabs_)
      slabs_->complete(words.data() + array * grid_.words,
                       static_cast<std::size_t>(halo_words_) * sizeof(std::uint32_t));
  }
  return words;
}

/// @param words the words of this rank (replica, colour, word)
void BitLattice::set_own_words(const std::vector<std::uint32_t>& words) {
  std::vector<std::uint32_t> stored(static_cast<std::size_t>(spins_.size()));
  for (Index array = 0; array < 2 * share_.count; ++array)
    std::copy_n(words.begin() + array * own_words(), own_words(),
                stored.begin() + spare_words + array * array_words_ + halo_words_);
  spins_.copy_from(stored);
  for (int colour = 0; colour < 2 && slabs_; ++colour) {
    slabs_->fork();
    exchange(colour);
    slabs_->join();
  }
}

std::vector<std::int8_t> BitLattice::spins(Index replica) const {
  if (replica < 0 || replica >= share_.count)
    throw InternalError("spins of replica " + std::to_string(replica) +
                        " are requested, but there are " + std::to_string(share_.count) +
                        " replicas");
  const std::vector<std::uint32_t> words = words_of(2 * replica, 2);
  std::vector<std::int8_t> spins(static_cast<std::size_t>(sites()));
  for_each_site(grid_, [&](Index site, int colour, Index word, int bit) {
    const std::uint32_t w = words[static_cast<std::size_t>(colour * grid_.words + word)];
    spins[static_cast<std::size_t>(site)] = ((w >> bit) & 1u) != 0 ? -1 : 1;
  });
  return spins;
}

void BitLattice::set_spins(const std::vector<std::int8_t>& spins) {
  if (std::ssize(spins) != share_.count * sites())
    throw InternalError(std::to_string(spins.size()) + " spins are given for " +
                        std::to_string(share_.count * sites()) + " sites");
  std::vector<std::uint32_t> words(static_cast<std::size_t>(2 * share_.count * own_words()));
  for (Index replica = 0; replica < share_.count; ++replica)
    for_each_site(grid_, [&](Index site, int colour, Index word, int bit) {
      if (word < grid_.first || word >= grid_.last) return;
      const Index place = (2 * replica + colour) * own_words() + word - grid_.first;
      if (spins[static_cast<std::size_t>(replica * sites() + site)] < 0)
        words[static_cast<std::size_t>(place)] |= 1u << bit;
    });
  set_own_words(words);
}

std::vector<std::int8_t> BitLattice::bond_signs(Index replica, int axis) const {
  if (replica < 0 || replica >= share_.count || axis < 0 || axis >= grid_.axes)
    throw InternalError("signs of bonds along axis " + std::to_string(axis) + " of replica " +
                        std::to_string(replica) + " are requested, but do not exist");
  std::vector<std::int8_t> signs(static_cast<std::size_t>(sites()), 1);
  if (!couplings_.random_signs) return signs;
  const RandomKey key = view().sign_key;
  const std::uint64_t sample =
      couplings_.sample.empty()
          ? 0
          : couplings_.sample[static_cast<std::size_t>(share_.first + replica)];
  for_each_site(grid_, [&](Index site, int colour, Index word, int bit) {
    const auto random = sign_words(key, sample, word / words_of_sign_call, colour, axis);
    if (((random.w[word % words_of_sign_call] >> bit) & 1u) != 0)
      signs[static_cast<std::size_t>(site)] = -1;
  });
  return signs;
}

std::vector<std::uint64_t> BitLattice::packed() const {
  const std::vector<std::uint32_t> words = words_of(0, 2 * share_.count);
  std::vector<std::uint64_t> packed(words.size() / 2);
  for (std::size_t n = 0; n < packed.size(); ++n)
    packed[n] = words[2 * n] | static_cast<std::uint64_t>(words[2 * n + 1]) << bits;
  return packed;
}

void BitLattice::set_packed(const std::vector<std::uint64_t>& packed) {
  if (std::ssize(packed) != share_.count * grid_.words)
    throw InputError("a state of Ising spins has " + std::to_string(packed.size()) +
                     " words, but the lattice needs " + std::to_string(share_.count * grid_.words));
  std::vector<std::uint32_t> words;
  words.reserve(static_cast<std::size_t>(2 * share_.count * own_words()));
  for (Index array = 0; array < 2 * share_.count; ++array)
    for (Index word = grid_.first; word < grid_.last; ++word) {
      const Index n = array * grid_.words + word;
      words.push_back(
          static_cast<std::uint32_t>(packed[static_cast<std::size_t>(n / 2)] >> (n % 2 * bits)));
    }
  set_own_words(words);
}

}  // namespace larmor::ising
