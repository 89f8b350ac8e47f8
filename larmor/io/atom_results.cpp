#include "larmor/io/atom_results.hpp"

#include <numeric>

namespace larmor::io {
namespace {

void require(bool fits) {
  if (!fits) throw MachineError("the atoms in the results file are damaged");
}

std::vector<Vec3<double>> vectors_of(const std::vector<double>& numbers, std::size_t count) {
  require(numbers.size() == 3 * count);
  std::vector<Vec3<double>> vectors;
  for (std::size_t i = 0; i < count; ++i)
    vectors.push_back({numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]});
  return vectors;
}

void set_box(atoms::NamedStructure& atoms, const std::vector<double>& numbers) {
  const std::vector<Vec3<double>> vectors = vectors_of(numbers, 3);
  atoms.box.vectors = {vectors[0], vectors[1], vectors[2]};
  atoms.cell = atoms.box.vectors;
}

}  // namespace

atoms::NamedStructure read_atoms(const ResultsReader& file) {
  atoms::NamedStructure atoms;
  const auto species = file.read<std::string>("/model/species");
  for (const std::string& name : species) atoms.types.push_back(atoms.type_of(name));
  atoms.positions = vectors_of(file.read<double>("/model/positions"), species.size());
  atoms.masses = file.read<double>("/model/masses");
  if (file.exists("/model/ids")) {
    atoms.ids = file.read<std::int64_t>("/model/ids");
  } else {
    atoms.ids.resize(species.size());
    std::iota(atoms.ids.begin(), atoms.ids.end(), 1);
  }
  require(atoms.masses.size() == species.size() && atoms.ids.size() == species.size());
  const auto periodic = file.read<std::uint8_t>("/model/periodic");
  require(periodic.size() == 3);
  for (std::size_t d = 0; d < 3; ++d) atoms.box.periodic[d] = periodic[d] != 0;
  set_box(atoms, file.read<double>("/model/cell"));
  return atoms;
}

atoms::NamedStructure placed(atoms::NamedStructure atoms, const AtomConfiguration& numbers) {
  const std::size_t count = atoms.positions.size();
  atoms.positions = vectors_of(numbers.positions, count);
  atoms.velocities = vectors_of(numbers.velocities, count);
  set_box(atoms, numbers.box);
  return atoms;
}

}  // namespace larmor::io
