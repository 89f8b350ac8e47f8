#include "larmor/study/models/discrete/system/discrete_sites.hpp"

#include <fmt/core.h>

#include "larmor/io/structures/extxyz.hpp"
#include "larmor/study/lattice/lattice_results.hpp"

namespace larmor::study {
namespace {

/// Sites of a graph get positions on a line, for files.
lattice::Geometry graph_of(Index sites) {
  lattice::Geometry geometry;
  geometry.crystal.name = "graph";
  geometry.crystal.dimensions = 1;
  geometry.crystal.cell = {Vec3<double>{static_cast<double>(sites), 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (Index i = 0; i < sites; ++i)
    geometry.crystal.basis.push_back(
        {{static_cast<double>(i) / static_cast<double>(sites), 0, 0}, "A", 1});
  geometry.periodic = {false, false, false};
  geometry.plain_positions = true;
  return geometry;
}

constexpr Index most_sites = Index{1} << 40;

/// @throws InputError for keys that `key` excludes
void require_alone(const SiteLatticeTable& table, const char* key, const char* remedy) {
  const LatticeKeys untouched;
  if (table.type || table.cell || table.file || !table.size.empty() || !table.basis.empty() ||
      table.constant != untouched.constant || !table.species.empty() ||
      (table.sites && !table.grid.empty()))
    throw InputError(std::string("lattice has ") + key + " and keys of another kind of lattice",
                     table.where.of(key), remedy);
}

/// A lattice with one site in its cell may be large: nothing is listed site by site.
lattice::Geometry repeated(const lattice::Crystal& crystal, const std::vector<Index>& size,
                           const std::vector<bool>& periodic) {
  if (crystal.basis.size() != 1) return lattice::make_lattice(crystal, size, periodic);
  lattice::Geometry geometry =
      lattice::make_lattice(crystal, std::vector<Index>(size.size(), 1), periodic);
  Index sites = 1;
  for (std::size_t axis = 0; axis < size.size(); ++axis) {
    if (size[axis] < 1 || size[axis] > most_sites / sites)
      throw lattice::LatticeKeyError("size", "the lattice has no site, or more than 2^40",
                                     "make the lattice smaller");
    sites *= size[axis];
    geometry.size[axis] = size[axis];
  }
  return geometry;
}

lattice::Geometry geometry_of(const DiscreteTables& tables) {
  const SiteLatticeTable& table = tables.lattice;
  if (table.sites) {
    require_alone(table, "sites", "remove the other keys of [lattice]");
    return graph_of(*table.sites);
  }
  check_lattice_keys(table);
  return with_position(table.where, [&] {
    if (table.file) {
      lattice::Geometry geometry = io::read_extxyz(path_in(tables.folder, *table.file));
      set_species(table, geometry.crystal);
      return geometry;
    }
    lattice::Crystal crystal =
        table.type ? lattice::named_crystal(*table.type, table.constant) : own_crystal(table);
    set_species(table, crystal);
    return lattice_key_located(
        table, "", [&] { return repeated(crystal, cells_of(table, crystal), table.periodic); });
  });
}

DiscreteSites grid_of(const SiteLatticeTable& table) {
  require_alone(table, "grid", "remove the other keys; grid allows only the key periodic");
  const std::size_t axes = table.grid.size();
  if (axes > ising::RegularGrid::most_axes)
    throw InputError("grid has " + std::to_string(axes) + " axes", table.where.of("grid"),
                     "give the numbers of sites along one to four axes");
  if (table.periodic.size() != 1 && table.periodic.size() != axes)
    throw InputError("periodic has " + std::to_string(table.periodic.size()) + " values for " +
                         std::to_string(axes) + " axes",
                     table.where.of("periodic"), "give one value, or one for each axis");
  DiscreteSites sites;
  sites.count = 1;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    if (table.grid[axis] > most_sites / sites.count)
      throw InputError("the grid has more than 2^40 sites", table.where.of("grid"),
                       "make the grid smaller");
    sites.count *= table.grid[axis];
    sites.grid.lengths.push_back(table.grid[axis]);
    sites.grid.periodic.push_back(table.periodic[table.periodic.size() == 1 ? 0 : axis]);
  }
  constexpr std::array types{"chain", "square", "sc"};
  if (axes <= types.size())
    sites.geometry =
        repeated(lattice::named_crystal(types[axes - 1], 1), table.grid, table.periodic);
  return sites;
}

DiscreteSites made_of(const DiscreteTables& tables) {
  if (!tables.lattice.grid.empty()) return grid_of(tables.lattice);
  DiscreteSites sites;
  sites.geometry = geometry_of(tables);
  const lattice::Geometry& geometry = *sites.geometry;
  sites.count = geometry.sites();
  if (!geometry.is_perfect() || geometry.crystal.basis.size() != 1) return sites;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(geometry.crystal.dimensions); ++axis) {
    sites.grid.lengths.push_back(geometry.size[axis]);
    sites.grid.periodic.push_back(geometry.periodic[axis]);
  }
  return sites;
}

/// FORMAT: /model of a grid of four axes, whose sites have no positions.
void write_grid(const ising::RegularGrid& grid, io::ResultsFile& results) {
  results.write("/model/size", std::vector<std::int64_t>(grid.lengths.begin(), grid.lengths.end()));
  results.write("/model/periodic", grid.periodic);
  results.set_attribute("/model", "lattice", "grid");
  results.set_attribute("/model", "dimensions", std::ssize(grid.lengths));
}

std::string grid_text(const ising::RegularGrid& grid, Index sites) {
  std::string size, boundary;
  for (std::size_t axis = 0; axis < grid.lengths.size(); ++axis) {
    size += fmt::format("{}{}", axis > 0 ? " x " : "", grid.lengths[axis]);
    boundary +=
        fmt::format("{}{}", axis > 0 ? ", " : "", grid.periodic[axis] ? "periodic" : "open");
  }
  return fmt::format("grid, {} ({}), {} sites", size, boundary, sites);
}

}  // namespace

const DiscreteSites& sites_of(const DiscreteTables& tables) {
  if (tables.sites == nullptr)
    tables.sites = std::make_shared<const DiscreteSites>(made_of(tables));
  return *tables.sites;
}

void write_sites(const DiscreteSites& sites, UnitSystem units, io::ResultsFile& results) {
  if (sites.geometry)
    write_lattice(
        *sites.geometry, units, [](Index) { return 1.0; }, results);
  else
    write_grid(sites.grid, results);
}

std::string sites_text(const DiscreteTables& tables, const DiscreteSites& sites) {
  return tables.lattice.sites ? fmt::format("a graph of {} sites", sites.count)
         : sites.geometry     ? lattice_text(*sites.geometry)
                              : grid_text(sites.grid, sites.count);
}

}  // namespace larmor::study
