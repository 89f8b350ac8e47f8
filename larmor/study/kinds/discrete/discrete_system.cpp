#include "larmor/study/kinds/discrete/discrete_system.hpp"

#include <fmt/core.h>

#include <cstring>

#include "larmor/study/input/study.hpp"
#include "larmor/study/kinds/discrete/discrete_bonds.hpp"
#include "larmor/study/lattice/lattice_results.hpp"

namespace larmor::study {
namespace {

SystemSize size_of_sites(const DiscreteSites& sites) {
  return {sites.count, sites.count, &*sites.geometry,
          sizeof(std::int32_t) * static_cast<double>(sites.count)};
}

/// BITS: every site in a state of its own. (replica, site)
std::vector<std::uint8_t> random_states(const RandomKey& key, Index replicas, Index sites,
                                        Index states) {
  std::vector<std::uint8_t> found;
  found.reserve(static_cast<std::size_t>(replicas * sites));
  for (Index r = 0; r < replicas; ++r)
    for (Index i = 0; i < sites; ++i) {
      const auto random =
          philox<std::uint64_t>(key, static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(r));
      found.push_back(
          static_cast<std::uint8_t>((random.w[0] * static_cast<std::uint64_t>(states)) >> 32));
    }
  return found;
}

}  // namespace

DiscreteSystem::DiscreteSystem(const DiscreteTables& from, DiscreteSites at,
                               const SystemChoice& choice)
    : System(choice.device),
      tables(from),
      sites(std::move(at)),
      replicas(choice.replicas),
      differ_(couplings_differ(from)),
      by_site_(choice.device, choice.replicas.count * sites.count) {}

SystemSize DiscreteSystem::size() const { return size_of_sites(sites); }

void DiscreteSystem::begin(const Study& study) {
  if (tables.initial.state != "random") {
    const std::uint8_t state =
        tables.state_of(tables.initial.value.value_or(tables.is_ising() ? 1 : 0));
    return put(
        std::vector<std::uint8_t>(static_cast<std::size_t>(replicas.count * sites.count), state));
  }
  const RandomKey key{study.seed, step++, Stream::initial_configuration,
                      static_cast<std::uint64_t>(replicas.first)};
  put(random_states(key, replicas.count, sites.count, tables.states()));
}

const ising::PottsModel& DiscreteSystem::potts_model() {
  if (model_ == nullptr)
    model_ = std::make_unique<ising::PottsModel>(device, potts_definition(tables, sites), replicas);
  return *model_;
}

ising::PottsState& DiscreteSystem::potts_state() {
  if (potts_ == nullptr) {
    const std::vector<std::uint8_t> states = canonical(replicas.count);
    potts_ = std::make_unique<ising::PottsState>(potts_model(), step);
    potts_->load(states);
    by_site_ = Array<std::uint8_t>();
  }
  return *potts_;
}

Array<std::uint8_t>& DiscreteSystem::states_by_site() {
  if (potts_ != nullptr) {
    by_site_ = Array<std::uint8_t>(device, canonical(replicas.count));
    potts_ = nullptr;
  }
  return by_site_;
}

std::vector<std::uint8_t> DiscreteSystem::canonical(Index count) const {
  if (potts_ != nullptr) return potts_->canonical(count);
  std::vector<std::uint8_t> states(static_cast<std::size_t>(count * sites.count));
  by_site_.copy_part_to(states, 0);
  return states;
}

void DiscreteSystem::put(const std::vector<std::uint8_t>& states) {
  if (potts_ != nullptr) return potts_->load(states);
  by_site_.copy_from(states);
}

Blocks DiscreteSystem::save(const Ranks& ranks) const {
  const std::vector<std::uint8_t> states = canonical(replicas.count);
  std::vector<std::byte> bytes(states.size());
  std::memcpy(bytes.data(), states.data(), states.size());
  return {{"states", ranks.joined(bytes)}};
}

void DiscreteSystem::load(const Blocks& blocks, const Ranks& ranks) {
  const std::vector<std::byte> own =
      ranks.own_of(block<std::byte>(blocks, "states"), ranks.replicas(), sites.count);
  std::vector<std::uint8_t> states(own.size());
  std::memcpy(states.data(), own.data(), own.size());
  put(states);
}

io::DataArray DiscreteSystem::configurations(Index count, const Ranks& ranks) const {
  const std::vector<std::uint8_t> own =
      canonical(std::clamp(count - replicas.first, Index{0}, replicas.count));
  std::vector<std::byte> bytes(own.size());
  std::memcpy(bytes.data(), own.data(), own.size());
  bytes = ranks.joined(bytes);
  std::vector<std::int32_t> values;
  values.reserve(bytes.size());
  for (const std::byte state_of_site : bytes)
    values.push_back(tables.value_of(static_cast<std::uint8_t>(state_of_site)));
  const Index here = std::ssize(values) / sites.count;
  return {std::move(values), {here, sites.count}};
}

void DiscreteSystem::write_model(const Study& study, io::ResultsFile& results) const {
  write_lattice(
      *sites.geometry, study.context.units, [](Index) { return 1.0; }, results);
  results.set_attribute("/model", "states", tables.states());
  results.set_attribute("/model", "energy_unit", "");
}

std::vector<std::string> DiscreteSystem::plan(const Study&) const {
  return {"lattice   " + (tables.lattice.sites ? fmt::format("a graph of {} sites", sites.count)
                                               : lattice_words(*sites.geometry)),
          fmt::format("model     {}; up to {} bonds a site",
                      tables.is_ising() ? std::string("Ising")
                                        : fmt::format("Potts, {} states", tables.states()),
                      most_bonds(tables, sites))};
}

std::vector<std::string> DiscreteSystem::advice() const {
  if (!couplings_are_rounded(tables)) return {};
  return {
      "couplings are rounded to multiples of 2^-30 of the largest, so that energies are exact "
      "sums"};
}

DiscreteBlueprint::DiscreteBlueprint(const DiscreteTables& tables)
    : tables_(tables), sites_(sites_of(tables)) {
  check_bonds(tables, sites_);
}

SystemSize DiscreteBlueprint::size() const { return size_of_sites(sites_); }

SystemBytes DiscreteBlueprint::bytes(const Device&, Index replicas, Index) const {
  SystemBytes bytes;
  bytes.state = bytes.saved = static_cast<double>(sites_.count) * static_cast<double>(replicas);
  bytes.host = 3 * bytes.saved + 50 * static_cast<double>(sites_.count);
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
