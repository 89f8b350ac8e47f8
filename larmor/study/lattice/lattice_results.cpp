#include "larmor/study/lattice/lattice_results.hpp"

#include "larmor/io/hdf5/data_array.hpp"

namespace larmor::study {
namespace {

/// Writes the first `count` sites. @return basis atom of each
std::vector<std::int32_t> write_sites(const std::string& where, Index count,
                                      const lattice::Geometry& geometry, UnitSystem units,
                                      const std::function<double(Index)>& moment,
                                      io::ResultsFile& results) {
  std::vector<double> positions, moments;
  std::vector<std::int32_t> basis;
  std::vector<std::string> species;
  for (Index site = 0; site < count; ++site) {
    const Vec3<double> r = geometry.position(site);
    positions.insert(positions.end(), {r.x, r.y, r.z});
    moments.push_back(moment(site));
    basis.push_back(geometry.basis_index(site));
    species.push_back(geometry.species(site));
  }
  results.write(where + "/positions", io::DataArray(std::move(positions), {count, 3}),
                {{"unit", inner_unit(Dimension::length, units)}});
  results.write(where + "/moments", std::move(moments),
                {{"unit", inner_unit(Dimension::magnetic_moment, units)}});
  results.write(where + "/species", std::move(species));
  return basis;
}

}  // namespace

void write_lattice(const lattice::Geometry& geometry, UnitSystem units,
                   const std::function<double(Index)>& moment, io::ResultsFile& results) {
  const Index sites = geometry.sites();
  if (geometry.is_perfect() && sites > most_listed_sites) {
    write_sites("/model/basis", static_cast<Index>(geometry.crystal.basis.size()), geometry, units,
                moment, results);
  } else {
    results.write("/model/basis_index",
                  write_sites("/model", sites, geometry, units, moment, results));
    if (geometry.spins() < sites) {
      std::vector<bool> occupied;
      for (Index site = 0; site < sites; ++site) occupied.push_back(geometry.occupied(site));
      results.write("/model/occupied", occupied);
    }
  }
  std::vector<double> cell;
  for (const Vec3<double>& a : geometry.crystal.cell) cell.insert(cell.end(), {a.x, a.y, a.z});
  results.write("/model/cell", io::DataArray(cell, {3, 3}));
  results.write("/model/size",
                std::vector<std::int64_t>(geometry.size.begin(), geometry.size.end()));
  results.write("/model/periodic",
                std::vector<bool>(geometry.periodic.begin(), geometry.periodic.end()));
  results.set_attribute("/model", "lattice", geometry.crystal.name);
  results.set_attribute("/model", "dimensions", Index{geometry.crystal.dimensions});
}

}  // namespace larmor::study
