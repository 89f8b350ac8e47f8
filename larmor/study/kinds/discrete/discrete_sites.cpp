#include "larmor/study/kinds/discrete/discrete_sites.hpp"

#include "larmor/io/extxyz.hpp"

namespace larmor::study {
namespace {

/// Sites of a graph have places on a line, for files.
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

lattice::Geometry geometry_of(const DiscreteTables& tables) {
  const SiteLatticeTable& table = tables.lattice;
  if (table.sites) {
    if (table.type || table.cell || table.file || !table.size.empty())
      throw InputError("lattice says both sites and type, cell, file or size",
                       table.where.of("sites"), "a graph of sites has nothing else");
    return graph_of(*table.sites);
  }
  check_lattice_keys(table);
  return located(table.where, [&] {
    if (table.file) {
      lattice::Geometry geometry = io::read_extxyz(path_in(tables.folder, *table.file));
      set_species(table, geometry.crystal);
      return geometry;
    }
    lattice::Crystal crystal =
        table.type ? lattice::named_crystal(*table.type, table.constant) : own_crystal(table);
    set_species(table, crystal);
    return lattice_key_located(
        table, "", [&] { return lattice::make_lattice(crystal, table.size, table.periodic); });
  });
}

}  // namespace

DiscreteSites sites_of(const DiscreteTables& tables) {
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

}  // namespace larmor::study
