#include "larmor/io/results_model.hpp"

namespace larmor::io {

lattice::Geometry read_geometry(const ResultsReader& file) {
  const Attributes attributes = file.attributes("/model");
  const auto cell = file.read<double>("/model/cell");
  const auto size = file.read<std::int64_t>("/model/size");
  const auto periodic = file.read<std::uint8_t>("/model/periodic");
  const auto positions = file.read<double>("/model/positions");
  const auto moments = file.read<double>("/model/moments");
  const auto species = file.read<std::string>("/model/species");

  lattice::Geometry geometry;
  const std::size_t sites = moments.size();
  if (cell.size() != 9 || size.size() != 3 || periodic.size() != 3 ||
      positions.size() != 3 * sites || species.size() != sites)
    throw MachineError("the model in the results file is damaged");
  for (std::size_t d = 0; d < 3; ++d) {
    geometry.crystal.cell[d] = {cell[3 * d], cell[3 * d + 1], cell[3 * d + 2]};
    geometry.size[d] = size[d];
    geometry.periodic[d] = periodic[d] != 0;
  }
  geometry.crystal.name = attributes.at("lattice").text();
  geometry.crystal.dimensions = static_cast<int>(attributes.at("dimensions").integer());
  geometry.plain_positions = geometry.crystal.name == "positions";
  const Index cells = geometry.cells();
  if (cells < 1 || static_cast<Index>(sites) % cells != 0)
    throw MachineError("the model in the results file is damaged");
  // The first cell lies at the origin: its atoms are the basis.
  for (std::size_t b = 0; b < sites / static_cast<std::size_t>(cells); ++b) {
    const Vec3<double> r{positions[3 * b], positions[3 * b + 1], positions[3 * b + 2]};
    geometry.crystal.basis.push_back({geometry.crystal.fractional(r), species[b], moments[b]});
  }
  return geometry;
}

}  // namespace larmor::io
