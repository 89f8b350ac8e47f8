#include "larmor/study/models/spins/system/study_crystal.hpp"

#include <filesystem>

#include "larmor/io/files/toml.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"

namespace larmor::study {

StudyCrystal crystal_of_study(const std::string& path, const std::string& folder) {
  const Value document = io::parse_toml(io::read_text(path), path);
  if (const Value* model = document.find(ModelTable::name))
    if (const Value* kind = model->find("kind"); kind && kind->as_string() != "spins")
      throw InputError("the model is \"" + kind->as_string() + "\", not \"spins\"", kind->where(),
                       "couplings of vector spins have a symmetry; name a study of spins");
  Value units, lattice;
  units.mark(document.source_mark());
  lattice.mark(document.source_mark());
  for (const Value::Entry& entry : document.as_table()) {
    if (entry.key == "units" || entry.key == "constants")
      units.set(entry.key, entry.value, entry.key_mark);
    if (entry.key == "lattice") lattice.set(entry.key, entry.value, entry.key_mark);
  }
  const StudyHead head = read<StudyHead>(units, ReadContext::reduced());
  const auto of_files = folder.empty() ? std::filesystem::absolute(path).parent_path()
                                       : std::filesystem::absolute(folder);
  const SystemTables tables = read_spin_tables(lattice, {head.context(), 1, of_files.string(), 1});
  const lattice::Geometry geometry = build_geometry(tables);
  if (!geometry.is_lattice())
    throw InputError("plain positions have no space group", tables.lattice.where.of("file"),
                     "give the lattice by type or cell");
  return {geometry.crystal, surroundings_of(tables), head.units == "reduced"};
}

}  // namespace larmor::study
