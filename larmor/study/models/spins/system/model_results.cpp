#include "larmor/study/models/spins/system/model_results.hpp"

#include "larmor/lattice/layers.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/lattice/lattice_results.hpp"

namespace larmor::study {
namespace {

/// The layer of each basis atom in the first cell. One cell higher, the layer of an atom is higher
/// by the number of layers in a cell.
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
  write_lattice(
      geometry, study.context.units,
      [&](Index site) { return system.moments[static_cast<std::size_t>(site)]; }, results);
  if (geometry.is_lattice()) write_layers(study, geometry, results);
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
