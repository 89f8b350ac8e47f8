#include "larmor/ising/multispin/samples/bit_samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <tuple>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/error.hpp"
#include "larmor/ising/multispin/samples/update_kernel.hpp"
#include "larmor/lattice/colouring.hpp"
#include "larmor/lattice/lazy_sweeps.hpp"

namespace larmor::ising {
namespace {

/// The number of a replica has 24 bits in the random key.
constexpr Index most_replicas = Index{1} << 24;

void require(const SampleGraph& graph) {
  if (graph.sites < 1 || graph.sites > most_sites_of_sample)
    throw InputError("a sample of Ising spins has " + std::to_string(graph.sites) + " sites",
                     "a sample may have 1 to 2^24");
  if (!graph.sign_places.empty() && graph.sign_places.size() != graph.bonds.size())
    throw InputError("places of signs are given for " + std::to_string(graph.sign_places.size()) +
                     " of " + std::to_string(graph.bonds.size()) + " bonds");
  for (std::size_t n = 0; n < graph.bonds.size(); ++n) {
    const SignedBond& bond = graph.bonds[n];
    const std::string name = "bond " + std::to_string(n + 1) + " in a graph of Ising spins";
    for (const Index site : {bond.i, bond.j})
      if (site < 0 || site >= graph.sites)
        throw InputError(name + " ends at site " + std::to_string(site) + ", but there are " +
                             std::to_string(graph.sites) + " sites",
                         "count sites from 0");
    if (bond.i == bond.j)
      throw InputError(name + " joins site " + std::to_string(bond.i) + " to itself");
    if (bond.sign != 1 && bond.sign != -1)
      throw InputError(name + " has the sign " + std::to_string(bond.sign),
                       "the sign may be 1 or -1");
  }
}

/// Sorts the bonds of every site axis by axis. For each axis, the bond to the previous site comes
/// first, then the bond to the next site. Bonds of a grid are numbered by their first site, then by
/// their axis.
void order_by_direction(const SampleGraph& graph, lattice::Graph& ends) {
  const auto axes = std::ssize(graph.grid);
  const lattice::Graph unordered = ends;
  for (Index site = 0; site < graph.sites; ++site)
    for (Index n = 0; n < 2 * axes; ++n) {
      const Index first = ends.offset[static_cast<std::size_t>(site)];
      const auto from = static_cast<std::size_t>(first + n);
      const std::int32_t bond = unordered.bond[from];
      const Index direction = 2 * (bond % axes) + (bond / axes == site ? 1 : 0);
      const auto to = static_cast<std::size_t>(first + direction);
      ends.bond[to] = bond;
      ends.neighbour[to] = unordered.neighbour[from];
    }
}

bool need_lazy_sweeps(const SampleGraph& graph) {
  lattice::GraphComponents components(graph.sites);
  for (const SignedBond& bond : graph.bonds) components.join(bond.i, bond.j);
  return components.need_lazy_sweeps();
}

int width_for(Index most_bonds) {
  for (const int width : widths)
    if (width >= most_bonds) return width;
  throw InputError(
      "an Ising spin has " + std::to_string(most_bonds) + " bonds",
      "a spin that is stored as a bit may have up to " + std::to_string(most_bonds_of_site));
}

}  // namespace

BitSamples::BitSamples(const SampleGraph& graph, const SampleCouplings& couplings,
                       const ReplicaShare& words, std::uint64_t seed, const Device& device,
                       Rule rule)
    : graph_(graph),
      couplings_(couplings),
      rule_(rule),
      share_(words),
      seed_(seed),
      device_(device),
      words_of_block_(device.backend == Backend::cpu ? words_of_cpu_block : 1) {
  require(graph);
  if (!std::isfinite(couplings.J)) throw InputError("the coupling J is not a finite number");
  if (words.all * halves > most_replicas)
    throw InputError("a study has " + std::to_string(words.all) + " words of 64 samples",
                     "a study may have up to 2^23");
  if (!couplings.first_sample.empty() && std::ssize(couplings.first_sample) != words.all)
    throw InputError("first samples are given for " +
                     std::to_string(couplings.first_sample.size()) + " of " +
                     std::to_string(words.all) + " words");
  if (couplings.random_signs)
    for (Index word = 0; word < words.count; ++word)
      if (first_sample(word) > static_cast<std::uint64_t>(most_replicas - samples_of_word))
        throw InputError("a word begins with sample " + std::to_string(first_sample(word)),
                         "numbers of samples are under 2^24");
  make_positions();
  const Index blocks = (words.count + words_of_block_ - 1) / words_of_block_;
  spins_ = Array<std::uint32_t>(device, blocks * words_of_block_ * halves * sites());
  temperature_ = Array<std::int32_t>(device, samples());
  make_signs();
  set_temperatures({std::numeric_limits<double>::infinity()});
}

void BitSamples::make_positions() {
  lattice::Graph ends = lattice::graph_of(graph_.sites, std::span<const SignedBond>(graph_.bonds));
  if (is_regular()) order_by_direction(graph_, ends);
  needs_lazy_sweeps_ = need_lazy_sweeps(graph_);
  const lattice::Colouring colouring = lattice::greedy_colouring(ends);
  std::vector<std::int32_t> site(static_cast<std::size_t>(sites()));
  std::iota(site.begin(), site.end(), 0);
  const auto kind = [&](std::int32_t i) {
    return std::tuple(colouring.colour[static_cast<std::size_t>(i)], ends.degree(i));
  };
  std::stable_sort(site.begin(), site.end(),
                   [&](std::int32_t a, std::int32_t b) { return kind(a) < kind(b); });
  position_of_.resize(site.size());
  Index most_bonds = 0;
  for (std::size_t p = 0; p < site.size(); ++p) {
    position_of_[static_cast<std::size_t>(site[p])] = static_cast<std::int32_t>(p);
    const auto [colour, degree] = kind(site[p]);
    most_bonds = std::max(most_bonds, degree);
    if (p == 0 || kind(site[p - 1]) != kind(site[p])) {
      if (static_cast<std::size_t>(colour) == first_run_.size())
        first_run_.push_back(static_cast<int>(runs_.size()));
      runs_.push_back({static_cast<std::int32_t>(p), 0, static_cast<std::int32_t>(degree)});
    }
    ++runs_.back().count;
  }
  first_run_.push_back(static_cast<int>(runs_.size()));
  width_ = width_for(most_bonds);
  site_ = Array<std::int32_t>(device_, site);
  runs_on_device_ = Array<SampleRun>(device_, runs_);

  // Bonds are numbered in the order of positions, so that most are read in this order.
  const SamplesView v = view();
  const Index slots = sites() * width_;
  std::vector<std::int32_t> neighbour(static_cast<std::size_t>(slots)), bond(neighbour.size());
  bond_number_.assign(graph_.bonds.size(), -1);
  std::int32_t bonds_met = 0;
  const Index of_colour = is_regular() ? sites() / 2 : 0;
  for (Index slot = 0; slot < slots; ++slot) {
    const Index position = slot / v.position_stride % sites(), n = slot / v.bond_stride % width_;
    const auto i = static_cast<std::size_t>(site[static_cast<std::size_t>(position)]);
    if (n >= ends.degree(static_cast<Index>(i))) continue;
    const auto end = static_cast<std::size_t>(ends.offset[i] + n);
    const auto of_site = static_cast<std::size_t>(ends.neighbour[end]);
    std::int32_t& number = bond_number_[static_cast<std::size_t>(ends.bond[end])];
    if (of_colour > 0 && position < of_colour)
      number = static_cast<std::int32_t>(n * of_colour + position);
    else if (of_colour == 0 && number < 0)
      number = bonds_met++;
    neighbour[static_cast<std::size_t>(slot)] = position_of_[of_site];
  }
  for (Index slot = 0; slot < slots; ++slot) {
    const Index position = slot / v.position_stride % sites(), n = slot / v.bond_stride % width_;
    const auto i = static_cast<std::size_t>(site[static_cast<std::size_t>(position)]);
    if (n < ends.degree(static_cast<Index>(i)))
      bond[static_cast<std::size_t>(slot)] = bond_number_[static_cast<std::size_t>(
          ends.bond[static_cast<std::size_t>(ends.offset[i] + n)])];
  }
  neighbour_ = Array<std::int32_t>(device_, neighbour);
  bond_ = Array<std::int32_t>(device_, bond);
}

std::uint64_t BitSamples::first_sample(Index word) const {
  const Index of_study = share_.first + word;
  return couplings_.first_sample.empty()
             ? static_cast<std::uint64_t>(of_study * samples_of_word)
             : couplings_.first_sample[static_cast<std::size_t>(of_study)];
}

std::vector<std::uint64_t> BitSamples::random_signs(std::uint64_t n) const {
  return couplings_.signs ? couplings_.signs(n) : signs_of_samples(graph_, couplings_.seed, n);
}

void BitSamples::make_signs() {
  const bool all_positive = std::all_of(graph_.bonds.begin(), graph_.bonds.end(),
                                        [](const SignedBond& bond) { return bond.sign > 0; });
  if (!couplings_.random_signs && all_positive) return;
  // Signs are stored, since a kernel reads them faster than it draws them. Each set of signs is
  // stored once.
  std::map<std::uint64_t, std::vector<std::uint64_t>> of_samples;
  for (Index word = 0; word < share_.count; ++word)
    of_samples[couplings_.random_signs ? first_sample(word) : 0];
  std::vector<std::pair<const std::uint64_t, std::vector<std::uint64_t>>*> sets;
  for (auto& set : of_samples) sets.push_back(&set);
  parallel_for(device_.host_threads(), std::ssize(sets), [&](Index n) {
    auto& [first, set] = *sets[static_cast<std::size_t>(n)];
    set = couplings_.random_signs ? random_signs(first)
                                  : std::vector<std::uint64_t>(graph_.bonds.size());
    for (std::size_t b = 0; b < set.size(); ++b)
      if (graph_.bonds[b].sign < 0) set[b] = ~set[b];
  });
  std::map<std::vector<std::uint64_t>, Index> tables;
  std::vector<SignTable> table_of_block;
  Index words = 0;
  for (Index word = 0; word < share_.count; word += words_of_block_) {
    std::vector<std::uint64_t> samples;
    for (Index n = 0; n < words_of_block_; ++n)
      samples.push_back(couplings_.random_signs ? first_sample(std::min(word + n, share_.count - 1))
                                                : 0);
    if (std::all_of(samples.begin(), samples.end(), [&](auto s) { return s == samples[0]; }))
      samples.resize(1);
    const auto [table, is_new] = tables.try_emplace(samples, words);
    if (is_new) words += std::ssize(samples) * bonds();
    table_of_block.push_back({halves * table->second, samples.size() > 1});
  }
  std::vector<std::uint32_t> signs(static_cast<std::size_t>(halves * words));
  for (const auto& [samples, first] : tables)
    for (std::size_t n = 0; n < samples.size(); ++n) {
      const std::vector<std::uint64_t>& set = of_samples[samples[n]];
      for (std::size_t b = 0; b < set.size(); ++b) {
        const auto number = static_cast<std::size_t>(bond_number_[b]);
        const std::size_t at =
            halves * (static_cast<std::size_t>(first) + number * samples.size() + n);
        signs[at] = static_cast<std::uint32_t>(set[b]);
        signs[at + 1] = static_cast<std::uint32_t>(set[b] >> 32);
      }
    }
  signs_ = Array<std::uint32_t>(device_, signs);
  sign_tables_ = Array<SignTable>(device_, table_of_block);
}

SamplesView BitSamples::view() const {
  SamplesView v{};
  v.positions = sites();
  v.words = share_.count;
  v.words_of_block = words_of_block_;
  v.width = width_;
  v.spins = const_cast<std::uint32_t*>(spins_.data());
  v.neighbour = neighbour_.data();
  v.bond = bond_.data();
  // On a CPU, the bonds of one position are adjacent in memory. On a GPU, the n-th bonds of all
  // positions are adjacent.
  const bool on_cpu = device_.backend == Backend::cpu;
  v.position_stride = on_cpu ? width_ : 1;
  v.bond_stride = on_cpu ? 1 : static_cast<std::int32_t>(sites());
  v.site = site_.data();
  v.runs = runs_on_device_.data();
  v.run_count = static_cast<int>(runs_.size());
  v.signs = signs_.data();
  v.sign_tables = sign_tables_.data();
  v.thresholds = thresholds_.data();
  v.temperature = temperature_.data();
  v.words_are_uniform = words_are_uniform_;
  v.coupling = couplings_.J < 0 ? ~0u : 0u;
  v.own_spin = rule_ == Rule::heat_bath ? 0u : ~0u;
  return v;
}

/// Index of the low half of a word at a position.
Index BitSamples::place_of(Index word, Index position) const {
  return ((word / words_of_block_ * sites() + position) * words_of_block_ +
          word % words_of_block_) *
         halves;
}

/// BITS: a call is keyed by the site and, as its replica, by the word. The first two numbers of the
/// call are the low and the high half of the spins.
void BitSamples::randomise(std::uint64_t seed) {
  std::vector<std::uint64_t> words(static_cast<std::size_t>(share_.count * sites()));
  const RandomKey key{seed, 0, Stream::initial_configuration,
                      static_cast<std::uint64_t>(share_.first)};
  parallel_blocks(device_.host_threads(), std::ssize(words), 1, [&](Index first, Index last) {
    for (Index n = first; n < last; ++n) {
      const auto random = philox<std::uint64_t>(key, static_cast<std::uint64_t>(n % sites()),
                                                static_cast<std::uint64_t>(n / sites()));
      words[static_cast<std::size_t>(n)] = random.w[0] | random.w[1] << 32;
    }
  });
  set_packed(words);
}

void BitSamples::set_all(bool up) {
  set_packed(std::vector<std::uint64_t>(static_cast<std::size_t>(share_.count * sites()),
                                        up ? 0 : ~std::uint64_t{0}));
}

void BitSamples::set_temperatures(const std::vector<double>& thermal_energies) {
  const auto given = std::ssize(thermal_energies);
  if (given != 1 && given != share_.count && given != samples())
    throw InputError(std::to_string(given) + " temperatures are given for " +
                     std::to_string(share_.count) +
                     " words of samples; give one, or one for each word or sample");
  std::vector<double> rungs;
  std::vector<std::int32_t> number;
  std::map<double, std::int32_t> numbers;
  for (Index sample = 0; sample < samples(); ++sample) {
    const Index index = given == 1 ? 0 : given == samples() ? sample : sample / samples_of_word;
    const double kT = thermal_energies[static_cast<std::size_t>(index)];
    const auto [known, is_new] = numbers.try_emplace(kT, static_cast<std::int32_t>(rungs.size()));
    number.push_back(known->second);
    if (is_new) rungs.push_back(kT);
  }
  words_are_uniform_ = given != samples();
  set_rungs(rungs);
  temperature_.copy_from(number);
}

void BitSamples::set_ladder(const std::vector<double>& thermal_energies,
                            const std::vector<std::int32_t>& rung) {
  if (std::ssize(rung) != samples())
    throw InternalError("the rungs of a ladder do not have one entry per sample");
  words_are_uniform_ = false;
  set_rungs(thermal_energies);
  temperature_.copy_from(rung);
}

void BitSamples::set_rungs(const std::vector<double>& thermal_energies) {
  const double J = std::abs(couplings_.J);
  has_lazy_sweeps_ = false;
  std::vector<std::uint64_t> thresholds, of_lazy_sweeps;
  for (const double kT : thermal_energies) {
    if (!(kT >= 0)) throw InputError("a temperature is " + std::to_string(kT) + "; give 0 or more");
    const double ratio = J == 0 ? 0 : J / kT;
    const bool needs = rule_ == Rule::metropolis && (needs_lazy_sweeps_ || ratio == 0);
    has_lazy_sweeps_ = has_lazy_sweeps_ || needs;
    for (int q = 0; q <= 2 * width_; ++q) {
      thresholds.push_back(flip_threshold(rule_, width_ - q, ratio));
      of_lazy_sweeps.push_back(
          flip_threshold(needs ? Rule::lazy_metropolis : rule_, width_ - q, ratio));
    }
  }
  thresholds.insert(thresholds.end(), of_lazy_sweeps.begin(), of_lazy_sweeps.end());
  thresholds_ = Array<std::uint64_t>(device_, thresholds);
}

void BitSamples::add_up_ends(Array<SampleSums>& sums) const {
  SamplesView v = view();
  if (has_two_colours()) {
    v.runs += first_run_[1];
    v.run_count -= first_run_[1];
  }
#if defined(LARMOR_HAS_CUDA)
  if (device_.backend == Backend::cuda) {
    clear_sums_on_gpu(device_, sums.data(), samples());
    return sum_samples_on_gpu(device_, v, sums.data());
  }
#endif
  const SampleKernels& kernels = sample_kernels();
  std::fill_n(sums.data(), sums.size(), SampleSums{});
  parallel_for(device_.threads, kernels.vectors(share_.count),
               [&](Index n) { kernels.sum(v, n, n + 1, sums.data()); });
}

bool BitSamples::is_regular() const {
  return device_.backend == Backend::cuda && graph_.is_two_coloured_grid();
}

std::vector<RegularPlace> BitSamples::regular_places() const {
  const std::vector<std::int32_t> neighbour = neighbour_.to_host(), site = site_.to_host();
  const auto positions = static_cast<std::size_t>(sites()), of_colour = positions / 2;
  std::vector<RegularPlace> places(positions);
  for (std::size_t p = 0; p < positions; ++p) {
    const std::size_t of_others = p < of_colour ? of_colour : 0;
    for (std::size_t n = 0; n < 2 * graph_.grid.size(); ++n)
      places[p].neighbour[n] = static_cast<std::uint16_t>(
          static_cast<std::size_t>(neighbour[n * positions + p]) - of_others);
    if (site[p] % 2 != 0) places[p].neighbour[0] |= 0x8000;
  }
  return places;
}

SampleUpdate BitSamples::update_after(std::uint64_t steps) const {
  SampleUpdate update{};
  update.view = view();
  update.key = {seed_, steps, Stream::sample_update,
                static_cast<std::uint64_t>(share_.first * halves)};
  const bool is_lazy = has_lazy_sweeps_ && lattice::is_lazy_sweep(steps);
  if (is_lazy) update.view.thresholds += thresholds_.size() / 2;
  update.upper_half = rule_ == Rule::metropolis && !is_lazy;
  return update;
}

void BitSamples::sweep(Index count, UpdateCounter& steps) {
  if (!has_lazy_sweeps_) return sweep_alike(count, steps);
  while (count > 0) {
    const Index now = lattice::sweeps_of_one_kind(steps, count);
    sweep_alike(now, steps);
    count -= now;
  }
}

void BitSamples::sweep_alike(Index count, UpdateCounter& steps) {
  SampleUpdate update = update_after(steps);
  update.drawn = counting_ ? &drawn_ : nullptr;
  steps += static_cast<std::uint64_t>(count);
#if defined(LARMOR_HAS_CUDA)
  if (device_.backend == Backend::cuda)
    return sweep_samples_on_gpu(device_, update, count, runs_.data(), first_run_.data(), colours());
#endif
  const SampleKernels& kernels = sample_kernels();
  const Index vectors = kernels.vectors(share_.count);
  struct Loop {
    const SampleKernels* kernels;
    const SampleUpdate* update;
    Index sweeps;
    int first_run, last_run;
  };
  Loop loop{&kernels, &update, count, 0, 0};
  // A thread sweeps whole vectors, and keeps the spins of a vector in its cache for all sweeps. If
  // some threads would be idle, all threads share the positions of each colour instead.
  if (vectors % device_.threads == 0 || vectors > 4 * device_.threads) {
    share_loop(
        device_.threads, vectors, vectors,
        [](const void* context, Index first, Index last) {
          const Loop& l = *static_cast<const Loop*>(context);
          l.kernels->sweep(*l.update, l.sweeps, first, last);
        },
        &loop);
    return;
  }
  for (Index n = 0; n < count; ++n, ++update.key.step)
    for (std::size_t colour = 0; colour + 1 < first_run_.size(); ++colour) {
      loop.first_run = first_run_[colour];
      loop.last_run = first_run_[colour + 1];
      Index positions = 0;
      for (int r = loop.first_run; r < loop.last_run; ++r)
        positions += runs_[static_cast<std::size_t>(r)].count;
      share_short_work(
          device_.threads, vectors * positions,
          [](const void* context, Index first, Index last) {
            const Loop& l = *static_cast<const Loop*>(context);
            l.kernels->update(*l.update, l.first_run, l.last_run, first, last);
          },
          &loop);
    }
}

BitSamples::Sums BitSamples::sums_of(const std::vector<SampleSums>& found) const {
  Sums sums;
  for (const SampleSums& s : found) {
    // Every unsatisfied bond was counted at both of its ends.
    sums.bonds.push_back(bonds() - s.twice_unsatisfied);
    sums.spins.push_back(sites() - 2 * s.down);
  }
  return sums;
}

BitSamples::Sums BitSamples::sums() const {
  std::vector<SampleSums> found(static_cast<std::size_t>(samples()));
  const SamplesView v = view();
#if defined(LARMOR_HAS_CUDA)
  if (device_.backend == Backend::cuda) {
    Array<SampleSums> on_gpu(device_, samples());
    sum_samples_on_gpu(device_, v, on_gpu.data());
    on_gpu.copy_to(found);
    return sums_of(found);
  }
#endif
  const SampleKernels& kernels = sample_kernels();
  parallel_for(device_.threads, kernels.vectors(share_.count),
               [&](Index n) { kernels.sum(v, n, n + 1, found.data()); });
  return sums_of(found);
}

BitSamples::Sums BitSamples::overlaps(const std::vector<WordPair>& pairs) const {
  if (pairs.empty()) return {};
  for (const WordPair& pair : pairs)
    for (const Index word : {pair.first, pair.second}) require_word(word, 0);
  Array<SampleSums> sums(device_, std::ssize(pairs) * samples_of_word);
  add_up_overlaps(spins_, Array<WordPair>(device_, pairs), sums);
  return sums_of(sums.to_host());
}

void BitSamples::add_up_overlaps(const Array<std::uint32_t>& spins, const Array<WordPair>& pairs,
                                 Array<SampleSums>& sums) const {
  SamplesView v = view();
  v.spins = const_cast<std::uint32_t*>(spins.data());
#if defined(LARMOR_HAS_CUDA)
  if (device_.backend == Backend::cuda)
    return compare_samples_on_gpu(device_, v, pairs.data(), pairs.size(), sums.data());
#endif
  const SampleKernels& kernels = sample_kernels();
  parallel_for(device_.threads, kernels.vectors(pairs.size()), [&](Index n) {
    kernels.compare(v, pairs.data(), pairs.size(), n, n + 1, sums.data());
  });
}

void BitSamples::require_word(Index word, int sample) const {
  if (word < 0 || word >= share_.count || sample < 0 || sample >= samples_of_word)
    throw InternalError("sample " + std::to_string(sample) + " of word " + std::to_string(word) +
                        " is requested, but there are " + std::to_string(share_.count) +
                        " words of 64 samples");
}

std::vector<std::int8_t> BitSamples::spins(Index word, int sample) const {
  require_word(word, sample);
  // Only one block of words is copied to the host.
  const Index first = place_of(word / words_of_block_ * words_of_block_, 0);
  std::vector<std::uint32_t> block(
      static_cast<std::size_t>(sites() * words_of_block_ * Index{halves}));
  spins_.copy_range_to(block, first);
  constexpr int bits_of_half = 32;
  std::vector<std::int8_t> spins;
  spins.reserve(position_of_.size());
  for (const std::int32_t position : position_of_) {
    const Index half = place_of(word, position) - first + sample / bits_of_half;
    const std::uint32_t w = block[static_cast<std::size_t>(half)];
    spins.push_back((w >> sample % bits_of_half & 1u) != 0 ? -1 : 1);
  }
  return spins;
}

std::vector<std::int8_t> BitSamples::bond_signs(Index word, int sample) const {
  require_word(word, sample);
  std::vector<std::uint64_t> words(graph_.bonds.size());
  if (couplings_.random_signs) words = random_signs(first_sample(word));
  std::vector<std::int8_t> signs;
  for (std::size_t b = 0; b < words.size(); ++b)
    signs.push_back(static_cast<std::int8_t>(
        (words[b] >> sample & 1u) != 0 ? -graph_.bonds[b].sign : graph_.bonds[b].sign));
  return signs;
}

std::vector<std::uint64_t> BitSamples::packed() const {
  const std::vector<std::uint32_t> stored = spins_.to_host();
  std::vector<std::uint64_t> packed;
  packed.reserve(static_cast<std::size_t>(share_.count * sites()));
  for (Index word = 0; word < share_.count; ++word)
    for (const std::int32_t position : position_of_) {
      const auto index = static_cast<std::size_t>(place_of(word, position));
      packed.push_back(stored[index] | static_cast<std::uint64_t>(stored[index + 1]) << 32);
    }
  return packed;
}

void BitSamples::set_stored(const Array<std::uint32_t>& spins) {
  copy_bytes(device_, spins_.data(), device_, spins.data(),
             static_cast<std::size_t>(spins_.size()) * sizeof(std::uint32_t));
}

void BitSamples::set_packed(const std::vector<std::uint64_t>& packed) {
  if (std::ssize(packed) != share_.count * sites())
    throw InputError("a state of samples of Ising spins has " + std::to_string(packed.size()) +
                     " words, but the samples need " + std::to_string(share_.count * sites()));
  std::vector<std::uint32_t> stored(static_cast<std::size_t>(spins_.size()));
  auto from = packed.begin();
  for (Index word = 0; word < share_.count; ++word)
    for (const std::int32_t position : position_of_) {
      const auto index = static_cast<std::size_t>(place_of(word, position));
      stored[index] = static_cast<std::uint32_t>(*from);
      stored[index + 1] = static_cast<std::uint32_t>(*from++ >> 32);
    }
  spins_.copy_from(stored);
}

}  // namespace larmor::ising
