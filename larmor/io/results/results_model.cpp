#include "larmor/io/results/results_model.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>

namespace larmor::io {
namespace {

/// Stores the species and moment of a site if they differ from those of the basis atom. It is not
/// called for vacancies.
void place_substitute(lattice::Geometry& geometry, Index site, const std::string& species,
                      double moment) {
  const auto atoms = geometry.crystal.basis.size();
  const auto b = static_cast<std::size_t>(geometry.basis_index(site));
  const lattice::BasisAtom& atom = geometry.crystal.basis[b];
  if (moment > 0 && atom.species == species && atom.moment == moment) return;
  auto& others = geometry.substitutes;
  auto known = std::find_if(others.begin(), others.end(), [&](const lattice::Substitute& other) {
    return other.species == species && other.moment == moment;
  });
  if (known == others.end())
    known = others.insert(others.end(), {species, moment, std::vector<bool>(atoms)});
  known->atoms[b] = true;
  if (others.size() > 255) throw MachineError("the model in the results file is damaged");
  geometry.substitution.resize(static_cast<std::size_t>(geometry.sites()));
  geometry.substitution[static_cast<std::size_t>(site)] =
      static_cast<std::uint8_t>(known - others.begin() + 1);
}

}  // namespace

lattice::Geometry read_geometry(const ResultsReader& file) {
  const auto require = [&](bool fits) {
    if (!fits) throw MachineError("the model " + file.place("/model") + " is damaged");
  };
  const Attributes attributes = file.attributes("/model");
  const auto cell = file.read<double>("/model/cell");
  const auto size = file.read<std::int64_t>("/model/size");
  const auto periodic = file.read<std::uint8_t>("/model/periodic");
  // For a large perfect lattice the file has only the first cell.
  const bool listed = file.exists("/model/positions");
  const std::string group = listed ? "/model" : "/model/basis";
  const auto positions = file.read<double>(group + "/positions");
  const auto moments = file.read<double>(group + "/moments");
  const auto species = file.read<std::string>(group + "/species");

  lattice::Geometry geometry;
  const std::size_t sites = moments.size();
  require(cell.size() == 9 && size.size() == 3 && periodic.size() == 3 && sites > 0 &&
          positions.size() == 3 * sites && species.size() == sites);
  constexpr Index most = std::numeric_limits<std::int32_t>::max();
  Index cells_there = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    require(size[d] > 0 && size[d] <= most / cells_there);
    cells_there *= size[d];
    geometry.crystal.cell[d] = {cell[3 * d], cell[3 * d + 1], cell[3 * d + 2]};
    geometry.size[d] = size[d];
    geometry.periodic[d] = periodic[d] != 0;
  }
  geometry.crystal.name = attributes.at("lattice").text();
  geometry.crystal.dimensions = static_cast<int>(attributes.at("dimensions").integer());
  geometry.plain_positions = geometry.crystal.name == "positions";
  const Index cells = listed ? cells_there : 1;
  require(static_cast<Index>(sites) % cells == 0);
  // The first cell lies at the origin: its atoms are the basis.
  const std::size_t atoms = sites / static_cast<std::size_t>(cells);
  for (std::size_t b = 0; b < atoms; ++b) {
    const Vec3<double> r{positions[3 * b], positions[3 * b + 1], positions[3 * b + 2]};
    // In an alloy, any spin of the sublattice can represent its basis atom.
    std::size_t spin = b;
    while (spin < sites && moments[spin] == 0) spin += atoms;
    if (spin >= sites) spin = b;
    geometry.crystal.basis.push_back(
        {geometry.crystal.fractional(r), species[spin], moments[spin]});
  }
  for (std::size_t site = 0; listed && site < sites; ++site)
    place_substitute(geometry, static_cast<Index>(site), species[site], moments[site]);
  return geometry;
}

namespace {

void require(bool fits, const std::string& file) {
  if (!fits) throw MachineError("the atoms of " + file + " are damaged");
}

std::vector<Vec3<double>> vectors_of(const std::vector<double>& numbers, std::size_t count,
                                     const std::string& file) {
  require(numbers.size() == 3 * count, file);
  std::vector<Vec3<double>> vectors;
  for (std::size_t i = 0; i < count; ++i)
    vectors.push_back({numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]});
  return vectors;
}

void set_box(atoms::NamedStructure& atoms, const std::vector<double>& numbers,
             const std::string& file) {
  const std::vector<Vec3<double>> vectors = vectors_of(numbers, 3, file);
  atoms.box.vectors = {vectors[0], vectors[1], vectors[2]};
  atoms.cell = atoms.box.vectors;
}

/// Values of one replica.
struct PartOfReplicas {
  std::size_t first, count;  ///< its atoms
  std::size_t replica, replicas;

  /// @param width values of an atom
  template <class T>
  std::vector<T> of_atoms(const std::vector<T>& all, std::size_t width, std::size_t atoms,
                          const std::string& place) const {
    require(all.size() == width * atoms, place);
    const auto begin = all.begin() + static_cast<Index>(width * first);
    return {begin, begin + static_cast<Index>(width * count)};
  }
  /// @param width values of a replica
  template <class T>
  std::vector<T> of_replica(const std::vector<T>& all, std::size_t width,
                            const std::string& place) const {
    require(all.size() == width * replicas, place);
    const auto begin = all.begin() + static_cast<Index>(width * replica);
    return {begin, begin + static_cast<Index>(width)};
  }
};

}  // namespace

std::vector<Index> read_first_atoms(const ResultsReader& file) {
  if (!file.exists("/model/first_atom")) return {};
  std::vector<Index> first = file.read<std::int64_t>("/model/first_atom");
  require(first.size() > 1 && first.front() == 0 &&
              std::ranges::adjacent_find(first, std::ranges::greater_equal()) == first.end(),
          file.place("/model"));
  return first;
}

atoms::NamedStructure read_atoms(const ResultsReader& file, Index replica) {
  const std::string place = file.place("/model");
  const auto all_species = file.read<std::string>("/model/species");
  const std::size_t all = all_species.size();
  const std::vector<Index> first_atoms = read_first_atoms(file);
  PartOfReplicas part{0, all, 0, 1};
  if (!first_atoms.empty()) {
    part.replica = static_cast<std::size_t>(replica);
    part.replicas = first_atoms.size() - 1;
    require(part.replica < part.replicas && first_atoms.back() == static_cast<Index>(all), place);
    part.first = static_cast<std::size_t>(first_atoms[part.replica]);
    part.count = static_cast<std::size_t>(first_atoms[part.replica + 1]) - part.first;
  }
  atoms::NamedStructure atoms;
  const auto species = part.of_atoms(all_species, 1, all, place);
  for (const std::string& name : species) atoms.types.push_back(atoms.type_of(name));
  atoms.positions = vectors_of(part.of_atoms(file.read<double>("/model/positions"), 3, all, place),
                               part.count, place);
  atoms.masses = part.of_atoms(file.read<double>("/model/masses"), 1, all, place);
  if (file.exists("/model/ids")) {
    atoms.ids = part.of_atoms(file.read<std::int64_t>("/model/ids"), 1, all, place);
  } else {
    atoms.ids.resize(species.size());
    std::iota(atoms.ids.begin(), atoms.ids.end(), 1);
  }
  const auto periodic = part.of_replica(file.read<std::uint8_t>("/model/periodic"), 3, place);
  for (std::size_t d = 0; d < 3; ++d) atoms.box.periodic[d] = periodic[d] != 0;
  set_box(atoms, part.of_replica(file.read<double>("/model/cell"), 9, place), place);
  return atoms;
}

atoms::NamedStructure placed(atoms::NamedStructure atoms, const AtomConfiguration& numbers,
                             const std::string& file) {
  const std::size_t count = atoms.positions.size();
  atoms.positions = vectors_of(numbers.positions, count, file);
  atoms.velocities = vectors_of(numbers.velocities, count, file);
  set_box(atoms, numbers.box, file);
  return atoms;
}

}  // namespace larmor::io
