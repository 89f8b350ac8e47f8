#include "larmor/study/models/atoms/system/atom_system.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "larmor/atoms/forces/forces_of_copy.hpp"
#include "larmor/atoms/system/thermodynamics.hpp"
#include "larmor/core/maths/vectors.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/models/atoms/tables/replica_values.hpp"

namespace larmor::study {
namespace {

/// If structures differ, the number of sites is the mean of the replicas, rounded up.
SystemSize size_of(const AtomSetup& setup) {
  const Index structures = std::ssize(setup.structures);
  const Index atoms = (setup.atoms_before(structures) + structures - 1) / structures;
  return {atoms, atoms, nullptr, 3 * sizeof(double) * static_cast<double>(setup.most_atoms())};
}

/// Finds neighbours of the initial structures, so that an error points at the study.
/// @throws InputError for atoms at one position, or far away
void check_structures(const AtomSetup& setup, double cutoff) {
  for (std::size_t n = 0; n < setup.structures.size(); ++n)
    with_position(setup.where[n], [&] {
      atoms::find_neighbours(setup.structures[n].box, setup.structures[n].positions, cutoff);
    });
}

atoms::AtomState state_of(const AtomTables& tables, const AtomSetup& setup,
                          const ReplicaShare& replicas, const Device& device) {
  std::vector<atoms::Structure> structures;
  for (Index r = 0; r < replicas.count; ++r) structures.push_back(setup.of(replicas.first + r));
  return {atoms::AtomUnits::material(tables.context.constants), setup.molar_masses, structures,
          static_cast<std::uint64_t>(replicas.first), device};
}

/// "54 W (183.84 g/mol), 10 Be (..)": the atoms of all structures.
std::string composition_text(const AtomSetup& setup) {
  std::string words;
  const std::vector<std::string>& species = setup.species();
  for (std::size_t t = 0; t < species.size(); ++t) {
    Index count = 0;
    for (const atoms::NamedStructure& structure : setup.structures)
      count += std::ranges::count(structure.types, static_cast<std::int32_t>(t));
    words += fmt::format("{}{} {} ({:.7g} g/mol)", t > 0 ? ", " : "", count, species[t],
                         setup.molar_masses[t]);
  }
  return words;
}

/// The values of all atoms of all structures, one structure after the other.
template <class Value, class Of>
std::vector<Value> of_all_atoms(const AtomSetup& setup, const Of& of) {
  std::vector<Value> values;
  for (const atoms::NamedStructure& structure : setup.structures)
    for (std::size_t i = 0; i < structure.positions.size(); ++i) values.push_back(of(structure, i));
  return values;
}

}  // namespace

AtomSystem::AtomSystem(const AtomTables& from, const SystemChoice& choice)
    : System(choice.device),
      tables(from),
      setup(setup_of(from)),
      replicas(choice.replicas),
      state(state_of(from, setup, choice.replicas, choice.device)) {
  state.step.count_with(step);
  AtomPotentials found = read_potentials(from, setup.species(), choice.device);
  check_structures(setup, found.cutoff());
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
  atoms::copy_places(state, *host_);
  atoms::copy_forces(state, *host_);
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
  if (!host_forces_) host_forces_ = std::make_unique<atoms::ForcesOfCopy>(state, *forces_);
  return *host_forces_;
}

void AtomSystem::use_host() {
  if (device.backend == Backend::cpu) return;
  atoms::copy_places(*host_, state);
  atoms::copy_forces(*host_, state);
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
  use_seed(study.seed);
  if (tables.atoms.velocities == "thermal")
    return atoms::set_velocities(state, values_of_own(tables.atoms.temperature, replicas),
                                 tables.atoms.scaled, device.threads);
  AtomNumbers numbers = numbers_of(state, replicas.count);
  numbers.velocities.clear();
  for (Index r = 0; r < replicas.count; ++r)
    for (const double v : flattened(setup.of(replicas.first + r).velocities))
      numbers.velocities.push_back(v);
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
  const auto of_atoms = [&](const char* name) {
    const std::vector<double>& all = block<double>(blocks, name);
    if (static_cast<Index>(all.size()) != 3 * setup.atoms_before(replicas.all))
      throw MachineError(std::string("the checkpoint has other atoms in its ") + name);
    const auto first = all.begin() + 3 * setup.atoms_before(replicas.first);
    return std::vector<double>(first, first + 3 * state.layout.atoms());
  };
  set_numbers(state, {of_atoms("positions"), of_atoms("velocities"),
                      ranks.own_of(block<double>(blocks, "boxes"), ranks.replicas(), 9)});
}

void AtomSystem::require_finite() const {
  const AtomNumbers numbers = numbers_of(state, replicas.count);
  const atoms::AtomLayout& layout = state.layout;
  const auto require = [&](const std::vector<double>& values, const char* quantity) {
    for (Index r = 0; r < layout.replicas(); ++r)
      for (Index i = 3 * layout.first(r); i < 3 * layout.first(r + 1); ++i)
        if (!std::isfinite(values[static_cast<std::size_t>(i)]))
          throw UnphysicalError(fmt::format(
              "the {} of atom {} of replica {} is not finite at step {}; try a shorter "
              "timestep",
              quantity, i / 3 - layout.first(r), replicas.first + r, std::uint64_t{step}));
  };
  require(numbers.positions, "position");
  require(numbers.velocities, "velocity");
}

io::DataArray AtomSystem::configurations(Index count, const Ranks& ranks) const {
  return array_of_atoms(joined_numbers(count, ranks).positions);
}

io::DataArray AtomSystem::array_of_atoms(std::vector<double> vectors) const {
  const Index count = static_cast<Index>(vectors.size()) / 3;
  if (!setup.has_equal_numbers()) return {std::move(vectors), {count, 3}};
  const Index atoms = setup.of(0).atoms();
  return {std::move(vectors), {count / atoms, atoms, 3}};
}

void AtomSystem::write_model(const Study&, io::ResultsFile& results) const {
  using Structure = atoms::NamedStructure;
  const io::Attributes length{{"unit", inner_unit(Dimension::length, UnitSystem::material)}};
  const Index structures = std::ssize(setup.structures);
  const auto type_of = [](const Structure& of, std::size_t i) {
    return static_cast<std::size_t>(of.types[i]);
  };
  const auto positions = of_all_atoms<Vec3<double>>(
      setup, [](const Structure& of, std::size_t i) { return of.positions[i]; });
  results.write("/model/positions", io::DataArray(flattened(positions), {std::ssize(positions), 3}),
                length);
  results.write("/model/species",
                of_all_atoms<std::string>(setup, [&](const Structure& of, std::size_t i) {
                  return of.species[type_of(of, i)];
                }));
  results.write("/model/masses",
                of_all_atoms<double>(setup,
                                     [&](const Structure& of, std::size_t i) {
                                       return setup.molar_masses[type_of(of, i)];
                                     }),
                {{"unit", inner_unit(Dimension::mass, UnitSystem::material)}});
  if (std::ranges::none_of(setup.structures, [](const Structure& of) { return of.ids.empty(); }))
    results.write("/model/ids", of_all_atoms<Index>(setup, [](const Structure& of, std::size_t i) {
                    return of.ids[i];
                  }));
  std::vector<Vec3<double>> vectors;
  std::vector<bool> periodic;
  for (const Structure& of : setup.structures) {
    vectors.insert(vectors.end(), of.box.vectors.begin(), of.box.vectors.end());
    periodic.insert(periodic.end(), of.box.periodic.begin(), of.box.periodic.end());
  }
  const bool differ = setup.structures_differ();
  // FORMAT: if structures differ, lists of all replicas follow one another from `first_atom` on.
  io::Shape shape_of_cell{3, 3};
  if (differ) shape_of_cell.insert(shape_of_cell.begin(), structures);
  results.write("/model/cell", io::DataArray(flattened(vectors), shape_of_cell), length);
  results.write("/model/size", std::vector<std::int64_t>{1, 1, 1});
  results.write("/model/periodic", periodic);
  if (differ) {
    std::vector<std::int64_t> first;
    for (Index r = 0; r <= structures; ++r) first.push_back(setup.atoms_before(r));
    results.write("/model/first_atom", first);
  }
  results.set_attribute("/model", "energy_unit",
                        inner_unit(Dimension::energy, UnitSystem::material));
}

std::vector<std::string> AtomSystem::plan(const Study&) const {
  std::string boxes = fmt::format("box of {:.7g} Å^3", setup.of(0).box.volume());
  if (setup.structures_differ()) {
    std::vector<double> volumes;
    for (const atoms::NamedStructure& structure : setup.structures)
      volumes.push_back(structure.box.volume());
    boxes = fmt::format("boxes of {:.7g} to {:.7g} Å^3", std::ranges::min(volumes),
                        std::ranges::max(volumes));
  }
  std::vector<std::string> lines{"structure " + setup.words,
                                 "atoms     " + composition_text(setup) + "; " + boxes};
  for (const std::string& words : potential_descriptions_)
    lines.push_back((lines.size() == 2 ? "potential " : "          ") + words);
  return lines;
}

AtomBlueprint::AtomBlueprint(const AtomTables& tables)
    : tables_(tables),
      potentials_(read_potentials(tables, setup_of(tables).species(), Device::cpu())) {
  const AtomSetup& setup = setup_of(tables);
  for (std::size_t n = 0; n < setup.structures.size(); ++n)
    with_position(setup.where[n],
                  [&] { atoms::require_box(setup.structures[n].box, potentials_.cutoff()); });
}

SystemSize AtomBlueprint::size() const { return size_of(setup_of(tables_)); }

SystemBytes AtomBlueprint::bytes(const Device& device, Index replicas, Index) const {
  const AtomSetup& setup = setup_of(tables_);
  const Index all = setup.most_atoms_of(replicas);
  const auto count = static_cast<double>(all);
  double density = 0;
  for (const atoms::NamedStructure& structure : setup.structures)
    density = std::max(density, static_cast<double>(structure.atoms()) / structure.box.volume());
  const auto neighbours = [&](double reach) {
    return 4.0 / 3 * std::numbers::pi * reach * reach * reach * density;
  };
  const double cutoff = potentials_.cutoff(), found = neighbours(cutoff + tables_.atoms.skin);
  SystemBytes bytes;
  bytes.saved = 48 * count;
  bytes.host =
      3 * bytes.saved + 150 * static_cast<double>(setup.atoms_before(std::ssize(setup.structures)));
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
  std::vector<std::string> files = read_potentials(*this, setup.species(), Device::cpu()).files;
  if (!setup.file.empty()) files.insert(files.begin(), setup.file);
  return files;
}

AtomSystem& atom_system(const Simulation& simulation) {
  auto* const system = dynamic_cast<AtomSystem*>(&simulation.system);
  if (system == nullptr) throw InternalError("the system has no atoms");
  return *system;
}

}  // namespace larmor::study
