#include "larmor/study/models/discrete/system/discrete_system.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/ranks/communicator.hpp"
#include "larmor/core/ranks/plane_slabs.hpp"
#include "larmor/ising/measures/grid_sums.hpp"
#include "larmor/ising/multispin/grid/bit_lattice.hpp"
#include "larmor/ising/multispin/samples/sample_ladders.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/lattice/lattice_results.hpp"
#include "larmor/study/models/discrete/system/discrete_bonds.hpp"
#include "larmor/study/models/discrete/system/discrete_engine.hpp"

namespace larmor::study {
namespace {

SystemSize size_of_sites(const DiscreteSites& sites) {
  return {sites.count, sites.count, sites.geometry ? &*sites.geometry : nullptr,
          static_cast<double>(sites.count)};
}

/// Joins the arrays of all ranks, rank after rank, on the root.
template <class T>
std::vector<T> joined(const std::vector<T>& own, const Ranks& ranks) {
  std::vector<std::byte> bytes(own.size() * sizeof(T));
  std::memcpy(bytes.data(), own.data(), bytes.size());
  bytes = ranks.joined(bytes);
  std::vector<T> all(bytes.size() / sizeof(T));
  std::memcpy(all.data(), bytes.data(), bytes.size());
  return all;
}

/// This rank's share of (replica, inner).
template <class T>
std::vector<T> own_of(const std::vector<T>& all, Index inner, const Ranks& ranks) {
  std::vector<std::byte> bytes(all.size() * sizeof(T));
  std::memcpy(bytes.data(), all.data(), bytes.size());
  bytes = ranks.own_of(bytes, ranks.replicas(), inner * static_cast<Index>(sizeof(T)));
  std::vector<T> own(bytes.size() / sizeof(T));
  std::memcpy(own.data(), bytes.data(), bytes.size());
  return own;
}

Index packed_bytes(Index sites) { return (sites + 7) / 8; }

/// Packs states that are 0 or 1 into bits. The bits of every replica begin with a new byte.
/// @param states (replica, site)
std::vector<std::byte> packed(const std::vector<std::uint8_t>& states, Index sites) {
  const Index of_replica = packed_bytes(sites);
  std::vector<std::byte> bytes(static_cast<std::size_t>(std::ssize(states) / sites * of_replica));
  for (Index n = 0; n < std::ssize(states); ++n)
    bytes[static_cast<std::size_t>(n / sites * of_replica + n % sites / 8)] |=
        static_cast<std::byte>(states[static_cast<std::size_t>(n)] << n % sites % 8);
  return bytes;
}

std::vector<std::uint8_t> unpacked(const std::vector<std::byte>& bytes, Index sites) {
  const Index of_replica = packed_bytes(sites);
  std::vector<std::uint8_t> states(
      static_cast<std::size_t>(std::ssize(bytes) / of_replica * sites));
  for (Index n = 0; n < std::ssize(states); ++n)
    states[static_cast<std::size_t>(n)] = static_cast<std::uint8_t>(
        std::to_integer<unsigned>(
            bytes[static_cast<std::size_t>(n / sites * of_replica + n % sites / 8)]) >>
            n % sites % 8 &
        1u);
  return states;
}

/// BITS: an independent state at every site. (replica, site)
std::vector<std::uint8_t> random_states(const RandomKey& key, Index replicas, Index sites,
                                        Index states, int threads) {
  std::vector<std::uint8_t> found(static_cast<std::size_t>(replicas * sites));
  parallel_for(threads, replicas, [&](Index r) {
    for (Index i = 0; i < sites; ++i) {
      const auto random =
          philox<std::uint64_t>(key, static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(r));
      found[static_cast<std::size_t>(r * sites + i)] =
          static_cast<std::uint8_t>((random.w[0] * static_cast<std::uint64_t>(states)) >> 32);
    }
  });
  return found;
}

}  // namespace

DiscreteSystem::DiscreteSystem(const DiscreteTables& from, DiscreteSites at,
                               const SystemChoice& choice)
    : System(choice.device),
      tables(from),
      sites(std::move(at)),
      replicas(choice.replicas),
      sharing(choice.sharing),
      differ_(couplings_differ(from)) {}

DiscreteSystem::~DiscreteSystem() = default;

SystemSize DiscreteSystem::size() const { return size_of_sites(sites); }

Index DiscreteSystem::first_site() const {
  if (sharing == nullptr) return 0;
  const Index planes = sites.grid.lengths.back();
  return PlaneSlabs::first_plane(sharing->rank(), sharing->size(), planes) * (sites.count / planes);
}

Index DiscreteSystem::own_sites() const {
  if (sharing == nullptr) return sites.count;
  const Index planes = sites.grid.lengths.back();
  return PlaneSlabs::first_plane(sharing->rank() + 1, sharing->size(), planes) *
             (sites.count / planes) -
         first_site();
}

void DiscreteSystem::begin(const Study& study) {
  if (sharing != nullptr) {
    const std::string reason = reason_against_shared(study, sharing->size());
    if (!reason.empty())
      throw InputError(fmt::format("{} ranks have too few replicas, and cannot share the sites of "
                                   "this study: {}",
                                   sharing->size(), reason),
                       study.model.where.of("kind"),
                       "start fewer ranks: each takes eight replicas or more");
  }
  const bool is_random = tables.initial.state == "random";
  const std::uint8_t state =
      is_random ? 0 : tables.state_of(tables.initial.value.value_or(tables.is_ising() ? 1 : 0));
  // BITS: initial states are bits of a grid if the first stage can use them, otherwise by site.
  if (const std::optional<ising::Rule> rule = rule_of_bits(study)) {
    potts_ = nullptr;
    bit_lattice(*rule, study.seed);
  }
  if (is_random) return randomise(study.seed);
  if (bits_ != nullptr) return bits_->set_all(state == 0);
  put(std::vector<std::uint8_t>(static_cast<std::size_t>(replicas.count * sites.count), state));
}

void DiscreteSystem::move_isoenergetically(std::span<const CopiesToMove> pairs) {
  if (isoenergetic_ == nullptr)
    isoenergetic_ = std::make_unique<ising::IsoenergeticMove>(
        sites.count, potts_definition(tables, sites).bonds,
        tables.is_ising() && tables.field.h == 0 && !fields_);
  std::vector<std::uint8_t> states = canonical(replicas.count);
  parallel_for(device.threads, std::ssize(pairs), [&](Index n) {
    const CopiesToMove& pair = pairs[static_cast<std::size_t>(n)];
    (*isoenergetic_)(states.data() + pair.a * sites.count, states.data() + pair.b * sites.count,
                     pair.random);
  });
  if (bits_ == nullptr) return put(states);
  std::vector<std::int8_t> spins;
  spins.reserve(states.size());
  for (const std::uint8_t state : states)
    spins.push_back(static_cast<std::int8_t>(tables.value_of(state)));
  bits_->set_spins(spins);
}

ising::PottsModel& DiscreteSystem::potts_model(const std::optional<FieldRungs>& fields) {
  if (model_ != nullptr && fields == fields_) return *model_;
  if (potts_ != nullptr) {
    const std::vector<std::uint8_t> states = canonical(replicas.count);
    potts_ = nullptr;
    put(states);
  }
  isoenergetic_ = nullptr;
  fields_ = fields;
  ising::PottsDefinition definition = potts_definition(tables, sites);
  if (fields) {
    for (const double h : fields->fields) definition.fields.push_back(tables.field.h + h);
    definition.has_fields_between = fields->is_tuned;
  }
  // Frees the old model first: memory may not hold both.
  model_ = nullptr;
  model_ = std::make_unique<ising::PottsModel>(device, definition, replicas);
  return *model_;
}

ising::PottsState& DiscreteSystem::potts_state() {
  if (sharing != nullptr)
    throw InputError("ranks cannot share sites that are updated one by one on any graph",
                     "start one rank");
  if (potts_ == nullptr) {
    const std::vector<std::uint8_t> states = canonical(replicas.count);
    potts_ = std::make_unique<ising::PottsState>(potts_model(fields_), step);
    potts_->load(states);
    by_site_ = Array<std::uint8_t>();
    bits_ = nullptr;
    ladders_ = nullptr;
  }
  return *potts_;
}

Array<std::uint8_t>& DiscreteSystem::states_by_site() {
  if (by_site_.size() == 0) {
    const std::vector<std::uint8_t> states = canonical(replicas.count);
    potts_ = nullptr;
    put(states);
  }
  return by_site_;
}

const Array<std::uint8_t>& DiscreteSystem::site_states() {
  if (by_site_.size() > 0 && sharing == nullptr) return by_site_;
  if (measured_.size() == 0) measured_ = Array<std::uint8_t>(device, replicas.count * sites.count);
  if (sharing != nullptr || ladders_ != nullptr)
    measured_.copy_from(canonical(replicas.count));
  else if (bits_ != nullptr)
    ising::write_site_states(*bits_, measured_);
  else
    ising::write_site_states(*potts_, measured_);
  return measured_;
}

std::unique_ptr<ising::BitLattice> DiscreteSystem::new_bits(ising::Rule rule,
                                                            std::uint64_t seed) const {
  const ScalarExchange& exchange = tables.exchange.front();
  ising::Couplings couplings;
  couplings.J = strength_of(tables);
  if (exchange.disorder > 0) {
    couplings.random_signs = true;
    couplings.seed = exchange.disorder_seed;
    if (exchange.disorder_by_replica)
      for (Index replica = 0; replica < replicas.all; ++replica)
        couplings.sample.push_back(static_cast<std::uint64_t>(exchange.sample_of(replica)));
  }
  return std::make_unique<ising::BitLattice>(
      ising::GridShape{sites.grid.lengths, sites.grid.periodic}, couplings, replicas, seed, device,
      rule, sharing);
}

void DiscreteSystem::randomise(std::uint64_t seed) {
  const RandomKey key{seed, step++, Stream::initial_configuration,
                      static_cast<std::uint64_t>(replicas.first)};
  if (bits_ != nullptr) return bits_->randomise(seed);
  put(random_states(key, replicas.count, sites.count, tables.states(), device.host_threads()));
}

ising::BitLattice& DiscreteSystem::bit_lattice(ising::Rule rule, std::uint64_t seed) {
  if (bits_ != nullptr && rule == rule_of_bits_ && seed == seed_of_bits_) return *bits_;
  std::unique_ptr<ising::BitLattice> bits = new_bits(rule, seed);
  if (bits_ != nullptr) {
    bits->set_packed(bits_->packed());
  } else if (potts_ != nullptr || ladders_ != nullptr || by_site_.size() > 0) {
    const std::vector<std::uint8_t> states = canonical(replicas.count);
    std::vector<std::int8_t> spins(states.size());
    std::transform(states.begin(), states.end(), spins.begin(),
                   [](std::uint8_t state) { return static_cast<std::int8_t>(1 - 2 * state); });
    bits->set_spins(spins);
  }
  bits_ = std::move(bits);
  rule_of_bits_ = rule;
  seed_of_bits_ = seed;
  potts_ = nullptr;
  ladders_ = nullptr;
  by_site_ = Array<std::uint8_t>();
  return *bits_;
}

ising::SampleLadders& DiscreteSystem::sample_ladders(const tempering::LadderLayout& layout,
                                                     ising::Rule rule, std::uint64_t seed) {
  const std::vector<std::uint8_t> states = canonical(replicas.count);
  const ising::SampleGraph graph =
      ising::grid_graph(ising::GridShape{sites.grid.lengths, sites.grid.periodic});
  ising::SampleCouplings couplings;
  couplings.J = strength_of(tables);
  if (tables.exchange.front().disorder > 0) {
    couplings.random_signs = true;
    couplings.signs = [this, graph](std::uint64_t first_sample) {
      return signs_of_samples(tables, sites, graph, static_cast<Index>(first_sample));
    };
  }
  const Index of_sample = layout.replicas_of_sample();
  const Index first_sample = replicas.first / of_sample;
  const ising::WordsOfSamples words =
      ising::words_of_samples(first_sample, replicas.count / of_sample, layout.samples);
  samples_before_ = first_sample - words.first * ising::samples_of_word;
  tempering::LadderLayout filled = layout;
  filled.samples = words.all * ising::samples_of_word;
  ladders_ = std::make_unique<ising::SampleLadders>(
      graph, couplings, filled,
      ReplicaShare(words.first * layout.copies, words.count * layout.copies,
                   words.all * layout.copies),
      seed, device, rule);
  fill_ladders(states, of_sample);
  potts_ = nullptr;
  bits_ = nullptr;
  by_site_ = Array<std::uint8_t>();
  return *ladders_;
}

void DiscreteSystem::fill_ladders(const std::vector<std::uint8_t>& states, Index of_sample) {
  ising::BitSamples& samples = ladders_->samples();
  const Index before = samples_before_ * of_sample;
  std::vector<std::uint64_t> words(static_cast<std::size_t>(samples.words() * sites.count));
  parallel_for(device.host_threads(), samples.words(), [&](Index n) {
    std::uint64_t* const word = words.data() + n * sites.count;
    for (int sample = 0; sample < ising::samples_of_word; ++sample) {
      const Index replica = ladders_->replica_at({n, sample}) - before;
      if (replica < 0 || replica >= replicas.count) continue;
      const std::uint8_t* const own = states.data() + replica * sites.count;
      for (Index site = 0; site < sites.count; ++site)
        word[site] |= std::uint64_t{own[site]} << sample;
    }
  });
  samples.set_packed(words);
}

void DiscreteSystem::read_ladders(Index first, Index count,
                                  std::vector<std::uint8_t>& states) const {
  const std::vector<std::uint64_t> words = ladders_->samples().packed();
  const tempering::LadderLayout& layout = ladders_->layout();
  const Index before = samples_before_ * layout.replicas_of_sample();
  parallel_for(device.host_threads(), count, [&](Index replica) {
    const ising::SamplePlace place = ladders_->place_of(before + first + replica);
    const std::uint64_t* const word = words.data() + place.word * sites.count;
    std::uint8_t* const own = states.data() + replica * sites.count;
    for (Index site = 0; site < sites.count; ++site)
      own[site] = static_cast<std::uint8_t>(word[site] >> place.sample & 1u);
  });
}

std::vector<std::uint8_t> DiscreteSystem::canonical(Index count, Index first) const {
  if (potts_ != nullptr) return potts_->canonical(count, first);
  std::vector<std::uint8_t> states(static_cast<std::size_t>(count * own_sites()));
  if (ladders_ != nullptr) {
    read_ladders(first, count, states);
    return states;
  }
  if (bits_ == nullptr) {
    by_site_.copy_range_to(states, first * own_sites());
    if (sharing == nullptr) return states;
    std::vector<std::uint8_t> all;
    for (auto own = states.begin(); own != states.end(); own += own_sites()) {
      const auto of_replica = all_gathered(*sharing, std::vector(own, own + own_sites()));
      all.insert(all.end(), of_replica.begin(), of_replica.end());
    }
    return all;
  }
  states.resize(static_cast<std::size_t>(count * sites.count));
  for (Index replica = 0; replica < count; ++replica) {
    const std::vector<std::int8_t> spins = bits_->spins(first + replica);
    std::transform(spins.begin(), spins.end(), states.begin() + replica * sites.count,
                   [](std::int8_t spin) { return static_cast<std::uint8_t>(spin < 0 ? 1 : 0); });
  }
  return states;
}

void DiscreteSystem::put(const std::vector<std::uint8_t>& states) {
  if (potts_ != nullptr) return potts_->load(states);
  bits_ = nullptr;
  ladders_ = nullptr;
  const Index own = own_sites();
  if (by_site_.size() == 0) by_site_ = Array<std::uint8_t>(device, replicas.count * own);
  const std::span<const std::uint8_t> all(states);
  for (Index replica = 0; replica < replicas.count; ++replica)
    by_site_.copy_range_from(
        all.subspan(static_cast<std::size_t>(replica * sites.count + first_site()),
                    static_cast<std::size_t>(own)),
        replica * own);
}

std::string DiscreteSystem::exchange_text() const {
  return bits_ != nullptr ? bits_->exchange_text() : "";
}

Blocks DiscreteSystem::save(const Ranks& ranks) const {
  // FORMAT: spins that are bits are packed by BitLattice. Other states, except samples, have a byte
  // each.
  if (bits_ != nullptr) return {{"spins", joined(bits_->packed(), ranks)}};
  const std::vector<std::uint8_t> states = canonical(replicas.count);
  // FORMAT: spins of samples have eight sites in a byte, the first one lowest, replica by replica.
  if (ladders_ != nullptr) return {{"bits", ranks.joined(packed(states, sites.count))}};
  std::vector<std::byte> bytes(states.size());
  std::memcpy(bytes.data(), states.data(), states.size());
  return {{"states", ranks.joined(bytes)}};
}

void DiscreteSystem::load(const Blocks& blocks, const Ranks& ranks) {
  if (blocks.contains("spins")) {
    const std::vector<std::uint64_t> own =
        own_of(block<std::uint64_t>(blocks, "spins"), sites.count / 64, ranks);
    // The current stage has given the rule of the updates, and their seed.
    if (bits_ == nullptr) bits_ = new_bits(rule_of_bits_, seed_of_bits_);
    bits_->set_packed(own);
    potts_ = nullptr;
    by_site_ = Array<std::uint8_t>();
    return;
  }
  if (blocks.contains("bits"))
    return put(unpacked(
        ranks.own_of(block<std::byte>(blocks, "bits"), ranks.replicas(), packed_bytes(sites.count)),
        sites.count));
  const std::vector<std::byte> own =
      ranks.own_of(block<std::byte>(blocks, "states"), ranks.replicas(), sites.count);
  std::vector<std::uint8_t> states(own.size());
  std::memcpy(states.data(), own.data(), own.size());
  put(states);
}

std::vector<LiveArray> DiscreteSystem::live_arrays() const {
  return {{tables.is_ising() ? "spins" : "states", "", "replica, site"}};
}

io::DataArray DiscreteSystem::live_array(const std::string&) {
  return shown(canonical(replicas.count), {replicas.count, sites.count});
}

io::DataArray DiscreteSystem::configurations(Index count, const Ranks& ranks) const {
  const Index own = std::clamp(count - replicas.first, Index{0}, replicas.count);
  std::vector<std::uint8_t> states = joined(canonical(own), ranks);
  const Index here = std::ssize(states) / sites.count;
  return shown(std::move(states), {here, sites.count});
}

io::DataArray DiscreteSystem::configuration(Index replica) const {
  return shown(canonical(1, replica), {sites.count});
}

/// FORMAT: Ising spins are int8, states of Potts models are uint8.
io::DataArray DiscreteSystem::shown(std::vector<std::uint8_t> states, io::Shape shape) const {
  if (!tables.is_ising()) return {std::move(states), std::move(shape)};
  std::vector<std::int8_t> spins(states.size());
  std::transform(states.begin(), states.end(), spins.begin(), [&](std::uint8_t state) {
    return static_cast<std::int8_t>(tables.value_of(state));
  });
  return {std::move(spins), std::move(shape)};
}

void DiscreteSystem::write_model(const Study& study, io::ResultsFile& results) const {
  write_sites(sites, study.context.units, results);
  results.set_attribute("/model", "states", tables.states());
  results.set_attribute("/model", "energy_unit", "");
}

std::vector<std::string> DiscreteSystem::plan(const Study&) const {
  return {"lattice   " + sites_text(tables, sites),
          fmt::format("model     {}; up to {} bonds a site",
                      tables.is_ising() ? std::string("Ising")
                                        : fmt::format("Potts, {} states", tables.states()),
                      most_bonds(tables, sites))};
}

std::vector<std::string> DiscreteSystem::advice() const {
  std::vector<std::string> advice = warnings_of_shells(tables, sites);
  if (couplings_are_rounded(tables))
    advice.push_back(
        "couplings are rounded to multiples of 2^-30 of the largest, so that energies are exact "
        "sums");
  return advice;
}

DiscreteBlueprint::DiscreteBlueprint(const DiscreteTables& tables)
    : tables_(tables), sites_(sites_of(tables)) {
  check_bonds(tables, sites_);
  check_fields(tables, sites_);
}

SystemSize DiscreteBlueprint::size() const { return size_of_sites(sites_); }

SystemBytes DiscreteBlueprint::bytes(const Device&, Index replicas, Index) const {
  const auto N = static_cast<double>(sites_.count);
  const bool as_bits = may_be_bits(tables_, sites_);
  SystemBytes bytes;
  bytes.state = bytes.saved = (as_bits ? 1.0 / 8 : 1.0) * N * static_cast<double>(replicas);
  // The host has copies of the states for files.
  bytes.host = 4 * bytes.saved;
  if (sites_.geometry && sites_.count <= most_listed_sites) bytes.host += 50 * N;
  return bytes;
}

std::unique_ptr<System> DiscreteBlueprint::make(const SystemChoice& choice) const {
  return std::make_unique<DiscreteSystem>(tables_, sites_, choice);
}

DiscreteSystem& discrete_system(const Simulation& simulation) {
  auto* const system = dynamic_cast<DiscreteSystem*>(&simulation.system);
  if (system == nullptr) throw InternalError("the system has no discrete spins");
  return *system;
}

}  // namespace larmor::study
