#include "larmor/io/results/atom_results.hpp"

#include <numeric>

namespace larmor::io {
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

}  // namespace

atoms::NamedStructure read_atoms(const ResultsReader& file) {
  const std::string place = file.place("/model");
  atoms::NamedStructure atoms;
  const auto species = file.read<std::string>("/model/species");
  for (const std::string& name : species) atoms.types.push_back(atoms.type_of(name));
  atoms.positions = vectors_of(file.read<double>("/model/positions"), species.size(), place);
  atoms.masses = file.read<double>("/model/masses");
  if (file.exists("/model/ids")) {
    atoms.ids = file.read<std::int64_t>("/model/ids");
  } else {
    atoms.ids.resize(species.size());
    std::iota(atoms.ids.begin(), atoms.ids.end(), 1);
  }
  require(atoms.masses.size() == species.size() && atoms.ids.size() == species.size(), place);
  const auto periodic = file.read<std::uint8_t>("/model/periodic");
  require(periodic.size() == 3, place);
  for (std::size_t d = 0; d < 3; ++d) atoms.box.periodic[d] = periodic[d] != 0;
  set_box(atoms, file.read<double>("/model/cell"), place);
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
