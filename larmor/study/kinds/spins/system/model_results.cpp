#include "larmor/study/kinds/spins/system/model_results.hpp"

#include "larmor/io/data_array.hpp"
#include "larmor/lattice/layers.hpp"
#include "larmor/study/input/study.hpp"

namespace larmor::study {
namespace {

/// What stands on the first `count` sites. @return basis atom of each
std::vector<std::int32_t> write_sites(const std::string& where, Index count, const Study& study,
                                      const SpinSystem& system, io::ResultsFile& results) {
  std::vector<double> positions, moments;
  std::vector<std::int32_t> basis;
  std::vector<std::string> species;
  for (Index site = 0; site < count; ++site) {
    const Vec3<double> r = system.geometry.position(site);
    positions.insert(positions.end(), {r.x, r.y, r.z});
    moments.push_back(system.moments[static_cast<std::size_t>(site)]);
    basis.push_back(system.geometry.basis_index(site));
    species.push_back(system.geometry.species(site));
  }
  const UnitSystem units = study.context.units;
  results.write(where + "/positions", io::DataArray(std::move(positions), {count, 3}),
                {{"unit", inner_unit(Dimension::length, units)}});
  results.write(where + "/moments", std::move(moments),
                {{"unit", inner_unit(Dimension::magnetic_moment, units)}});
  results.write(where + "/species", std::move(species));
  return basis;
}

/// The layer of each basis atom in the first cell. The same atom a cell higher is as many layers
/// higher as a cell has.
void write_layers(const Study& study, const lattice::Geometry& geometry, io::ResultsFile& results) {
  const std::vector<lattice::Layer> layers =
      lattice::layers_of(geometry, spin_tables(study).lattice.layer_thickness);
  const auto layers_per_cell = static_cast<Index>(layers.size());
  std::vector<Index> of_atom(geometry.crystal.basis.size());
  for (Index layer = 0; layer < layers_per_cell; ++layer)
    for (const lattice::LayerAtom& atom : layers[static_cast<std::size_t>(layer)])
      of_atom[static_cast<std::size_t>(atom.basis)] = layer + layers_per_cell * atom.level;
  results.write("/model/basis_layer", std::move(of_atom), {{"layers_per_cell", layers_per_cell}});
}

}  // namespace

void write_model(const Study& study, const SpinSystem& system, io::ResultsFile& results) {
  const lattice::Geometry& geometry = system.geometry;
  const Index sites = geometry.sites();
  if (geometry.is_perfect() && sites > most_listed_sites) {
    write_sites("/model/basis", static_cast<Index>(geometry.crystal.basis.size()), study, system,
                results);
  } else {
    results.write("/model/basis_index", write_sites("/model", sites, study, system, results));
    if (geometry.spins() < sites) {
      std::vector<bool> occupied;
      for (Index site = 0; site < sites; ++site) occupied.push_back(geometry.occupied(site));
      results.write("/model/occupied", occupied);
    }
  }
  if (geometry.is_lattice()) write_layers(study, geometry, results);
  std::vector<double> cell;
  for (const Vec3<double>& a : geometry.crystal.cell) cell.insert(cell.end(), {a.x, a.y, a.z});
  results.write("/model/cell", io::DataArray(cell, {3, 3}));
  results.write("/model/size",
                std::vector<std::int64_t>(geometry.size.begin(), geometry.size.end()));
  results.write("/model/periodic",
                std::vector<bool>(geometry.periodic.begin(), geometry.periodic.end()));
  results.set_attribute("/model", "lattice", geometry.crystal.name);
  results.set_attribute("/model", "dimensions", Index{geometry.crystal.dimensions});
  results.set_attribute("/model", "energy_unit",
                        inner_unit(Dimension::energy, study.context.units));
  results.set_attribute("/model", "energy_per_site_ferromagnet",
                        system.model.ferromagnetic_bond_energy());
  const spins::MeanFieldTemperature mean_field = system.model.mean_field().temperature();
  results.set_attribute("/model", "mean_field_temperature",
                        mean_field.value / study.context.constants.k_B);
  if (mean_field.is_lower_bound)
    results.set_attribute("/model", "mean_field_temperature_is_lower_bound", Index{1});
}

}  // namespace larmor::study
