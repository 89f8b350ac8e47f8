#include "larmor/study/models/atoms/system/atom_system.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "larmor/atoms/system/thermodynamics.hpp"
#include "larmor/core/maths/vectors.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/models/atoms/tables/replica_values.hpp"

namespace larmor::study {
namespace {

SystemSize size_of(const AtomSetup& setup) {
  const Index atoms = setup.structure.atoms();
  return {atoms, atoms, nullptr, 3 * sizeof(double) * static_cast<double>(atoms)};
}

/// Finds neighbours of the initial structure, so that an error points at the study.
/// @throws InputError for atoms at one position, or far away
void check_structure(const AtomSetup& setup, double cutoff) {
  with_position(setup.where, [&] {
    atoms::find_neighbours(setup.structure.box, setup.structure.positions, cutoff);
  });
}

atoms::AtomState state_of(const AtomTables& tables, const AtomSetup& setup,
                          const ReplicaShare& replicas, const Device& device) {
  const std::vector<atoms::Structure> structures(static_cast<std::size_t>(replicas.count),
                                                 setup.structure);
  return {atoms::AtomUnits::material(tables.context.constants), setup.molar_masses, structures,
          static_cast<std::uint64_t>(replicas.first), device};
}

/// Copies the changing numbers between states on different devices.
void copy_places(const atoms::AtomState& from, atoms::AtomState& to) {
  to.position = from.position.to_host();
  to.box = from.box.to_host();
}
void copy_forces(const atoms::AtomState& from, atoms::AtomState& to) {
  to.force = from.force.to_host();
  to.energy = from.energy.to_host();
  to.virial = from.virial.to_host();
}

/// Computes forces of a state on the host by a GPU.
class ForcesFromGpu : public atoms::ForceField {
 public:
  /// @param there state on the GPU @param field force field on the GPU; both outlive this
  ForcesFromGpu(atoms::AtomState& there, atoms::ForceField& field) : there_(there), field_(field) {}

  void evaluate(atoms::AtomState& state) override {
    copy_places(state, there_);
    do {
      there_.faults.clear(there_.step);
      field_.evaluate(there_);
    } while (!field_.complete_steps(there_));
    copy_forces(there_, state);
  }

 private:
  atoms::AtomState& there_;
  atoms::ForceField& field_;
};

/// "W 54, Be 10"
std::string composition_text(const AtomSetup& setup) {
  std::string words;
  const auto& [types, species] = std::tie(setup.structure.types, setup.structure.species);
  for (std::size_t t = 0; t < species.size(); ++t)
    words += fmt::format("{}{} {} ({:.7g} g/mol)", t > 0 ? ", " : "",
                         std::count(types.begin(), types.end(), static_cast<std::int32_t>(t)),
                         species[t], setup.molar_masses[t]);
  return words;
}

}  // namespace

AtomSystem::AtomSystem(const AtomTables& from, const SystemChoice& choice)
    : System(choice.device),
      tables(from),
      setup(setup_of(from)),
      replicas(choice.replicas),
      state(state_of(from, setup, choice.replicas, choice.device)) {
  state.step.count_with(step);
  AtomPotentials found = read_potentials(from, setup.structure.species, choice.device);
  check_structure(setup, found.cutoff());
  potential_descriptions_ = std::move(found.words);
  forces_ = AtomPotentials::force_field(std::move(found), from.atoms.skin, choice.device);
}

const atoms::AtomState& AtomSystem::on_host() const {
  if (device.backend == Backend::cpu) return state;
  if (!host_) {
    host_ = std::make_unique<atoms::AtomState>(
        state_of(tables, setup, replicas, Device::cpu(device.threads)));
    host_->step.count_with(state.step);
  }
  copy_places(state, *host_);
  copy_forces(state, *host_);
  host_->velocity = state.velocity.to_host();
  return *host_;
}

atoms::AtomState& AtomSystem::host_state() {
  if (device.backend == Backend::cpu) return state;
  on_host();
  return *host_;
}

atoms::ForceField& AtomSystem::host_forces() {
  if (device.backend == Backend::cpu) return *forces_;
  if (!host_forces_) host_forces_ = std::make_unique<ForcesFromGpu>(state, *forces_);
  return *host_forces_;
}

void AtomSystem::use_host() {
  if (device.backend == Backend::cpu) return;
  copy_places(*host_, state);
  copy_forces(*host_, state);
}

SystemSize AtomSystem::size() const { return size_of(setup); }

void AtomSystem::use_seed(std::uint64_t seed_of_study) {
  if (tables.atoms.seeds.empty()) return state.set_seed(seed_of_study);
  std::vector<atoms::ReplicaKey> keys;
  for (const std::uint64_t seed : values_of_own(tables.atoms.seeds, replicas))
    keys.push_back({seed, 0, 0});
  state.keys = keys;
}

void AtomSystem::begin(const Study& study) {
  const auto count = static_cast<std::size_t>(replicas.count);
  use_seed(study.seed);
  if (tables.atoms.velocities == "thermal")
    return atoms::set_velocities(state, values_of_own(tables.atoms.temperature, replicas),
                                 tables.atoms.scaled, device.threads);
  AtomNumbers numbers = numbers_of(state, replicas.count);
  numbers.velocities.clear();
  for (std::size_t r = 0; r < count; ++r)
    for (const double v : flattened(setup.structure.velocities)) numbers.velocities.push_back(v);
  set_numbers(state, numbers);
  atoms::stop_centre_of_mass(state, device.threads);
}

AtomNumbers AtomSystem::joined_numbers(Index count, const Ranks& ranks) const {
  AtomNumbers own = numbers_of(state, std::clamp(count - replicas.first, Index{0}, replicas.count));
  return {ranks.joined(std::move(own.positions)), ranks.joined(std::move(own.velocities)),
          ranks.joined(std::move(own.boxes))};
}

Blocks AtomSystem::save(const Ranks& ranks) const {
  AtomNumbers all = joined_numbers(replicas.all, ranks);
  return {{"positions", std::move(all.positions)},
          {"velocities", std::move(all.velocities)},
          {"boxes", std::move(all.boxes)}};
}

void AtomSystem::load(const Blocks& blocks, const Ranks& ranks) {
  const auto own = [&](const char* name, Index numbers) {
    return ranks.own_of(block<double>(blocks, name), ranks.replicas(), numbers);
  };
  const Index coordinates = 3 * setup.structure.atoms();
  set_numbers(state,
              {own("positions", coordinates), own("velocities", coordinates), own("boxes", 9)});
}

void AtomSystem::require_finite() const {
  const AtomNumbers numbers = numbers_of(state, replicas.count);
  const Index coordinates = 3 * setup.structure.atoms();
  const auto require = [&](const std::vector<double>& values, const char* quantity) {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!std::isfinite(values[i]))
        throw UnphysicalError(
            fmt::format("the {} of atom {} of replica {} is not finite at step {}; try a shorter "
                        "timestep",
                        quantity, static_cast<Index>(i) % coordinates / 3,
                        replicas.first + static_cast<Index>(i) / coordinates, std::uint64_t{step}));
  };
  require(numbers.positions, "position");
  require(numbers.velocities, "velocity");
}

io::DataArray AtomSystem::configurations(Index count, const Ranks& ranks) const {
  std::vector<double> positions = joined_numbers(count, ranks).positions;
  const Index atoms = setup.structure.atoms();
  const Index here = static_cast<Index>(positions.size()) / (3 * atoms);
  return {std::move(positions), {here, atoms, 3}};
}

void AtomSystem::write_model(const Study&, io::ResultsFile& results) const {
  const atoms::NamedStructure& structure = setup.structure;
  const Index atoms = structure.atoms();
  const io::Attributes length{{"unit", inner_unit(Dimension::length, UnitSystem::material)}};
  results.write("/model/positions", io::DataArray(flattened(structure.positions), {atoms, 3}),
                length);
  std::vector<std::string> species;
  std::vector<double> masses;
  for (const std::int32_t type : structure.types) {
    species.push_back(structure.species[static_cast<std::size_t>(type)]);
    masses.push_back(setup.molar_masses[static_cast<std::size_t>(type)]);
  }
  results.write("/model/species", std::move(species));
  results.write("/model/masses", std::move(masses),
                {{"unit", inner_unit(Dimension::mass, UnitSystem::material)}});
  if (!structure.ids.empty()) results.write("/model/ids", structure.ids);
  const auto& vectors = structure.box.vectors;
  results.write("/model/cell", io::DataArray(flattened({vectors.begin(), vectors.end()}), {3, 3}),
                length);
  results.write("/model/size", std::vector<std::int64_t>{1, 1, 1});
  results.write("/model/periodic",
                std::vector<bool>(structure.box.periodic.begin(), structure.box.periodic.end()));
  results.set_attribute("/model", "energy_unit",
                        inner_unit(Dimension::energy, UnitSystem::material));
}

std::vector<std::string> AtomSystem::plan(const Study&) const {
  std::vector<std::string> lines{
      "structure " + setup.words,
      fmt::format("atoms     {}; box of {:.7g} Å^3", composition_text(setup),
                  setup.structure.box.volume())};
  for (const std::string& words : potential_descriptions_)
    lines.push_back((lines.size() == 2 ? "potential " : "          ") + words);
  return lines;
}

AtomBlueprint::AtomBlueprint(const AtomTables& tables)
    : tables_(tables),
      potentials_(read_potentials(tables, setup_of(tables).structure.species, Device::cpu())) {
  const AtomSetup& setup = setup_of(tables);
  with_position(setup.where,
                [&] { atoms::require_box(setup.structure.box, potentials_.cutoff()); });
}

SystemSize AtomBlueprint::size() const { return size_of(setup_of(tables_)); }

SystemBytes AtomBlueprint::bytes(const Device& device, Index replicas, Index) const {
  const AtomSetup& setup = setup_of(tables_);
  const Index all = setup.structure.atoms() * replicas;
  const auto count = static_cast<double>(all);
  const auto neighbours = [&](double reach) {
    return 4.0 / 3 * std::numbers::pi * reach * reach * reach *
           static_cast<double>(setup.structure.atoms()) / setup.structure.box.volume();
  };
  const double cutoff = potentials_.cutoff(), found = neighbours(cutoff + tables_.atoms.skin);
  SystemBytes bytes;
  bytes.saved = 48 * count;
  bytes.host = 3 * bytes.saved + 150 * static_cast<double>(setup.structure.atoms());
  if (device.backend == Backend::cpu) {
    // Positions, velocities, forces and types. The largest share, which was measured, are rows of
    // neighbours with and without the skin, and the results of a potential for them.
    bytes.state = (76 + 130 * found) * count;
    return bytes;
  }
  // Rows on a GPU have room for more neighbours than the average.
  constexpr double room = 1.3, of_found = 24, of_kept = 56, of_atom = 400;
  bytes.state = (of_atom + room * (of_found * found + of_kept * neighbours(cutoff))) * count;
  bytes.device = potentials_.gpu_bytes(all);
  bytes.host += 200 * count;
  return bytes;
}

std::unique_ptr<System> AtomBlueprint::make(const SystemChoice& choice) const {
  return std::make_unique<AtomSystem>(tables_, choice);
}

std::unique_ptr<Blueprint> AtomTables::blueprint() const {
  return std::make_unique<AtomBlueprint>(*this);
}

std::vector<std::string> AtomTables::files() const {
  const AtomSetup& setup = setup_of(*this);
  std::vector<std::string> files =
      read_potentials(*this, setup.structure.species, Device::cpu()).files;
  if (!setup.file.empty()) files.insert(files.begin(), setup.file);
  return files;
}

AtomSystem& atom_system(const Simulation& simulation) {
  auto* const system = dynamic_cast<AtomSystem*>(&simulation.system);
  if (system == nullptr) throw InternalError("the system has no atoms");
  return *system;
}

}  // namespace larmor::study
