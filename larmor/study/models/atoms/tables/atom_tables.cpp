#include "larmor/study/models/atoms/tables/atom_tables.hpp"

#include <algorithm>

#include "larmor/core/input/lacking_key.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/model_kind/model_kind.hpp"
#include "larmor/study/models/atoms/tables/replica_values.hpp"

namespace larmor::study {

FieldTable<AtomLatticeTable> AtomLatticeTable::fields() {
  FieldTable<AtomLatticeTable> table;
  add_lattice_fields(table);
  return table;
}

FieldTable<StructureTable> StructureTable::fields() {
  FieldTable<StructureTable> table;
  return add_structure_fields(table)
      .optional("frames", &StructureTable::frames, Dimension::none,
                "used instead of frame: a list with the number of the structure of each replica, "
                "or \"all\" if the file has one structure for each replica, in order. The "
                "structures may differ in atoms and boxes")
      .described_as("list of whole numbers or \"all\"", {});
}

FieldTable<AtomsTable> AtomsTable::fields() {
  return FieldTable<AtomsTable>()
      .optional("masses", &AtomsTable::masses, Dimension::none,
                "masses by element, such as { W = \"183.84 g/mol\" }. The defaults are the masses "
                "in the file, or else those of the elements")
      .described_as("table of masses", {})
      .optional("velocities", &AtomsTable::velocities, Dimension::none,
                "velocities before the first stage, without motion of the centre of mass")
      .one_of({"thermal", "file"},
              {"drawn at `temperature` (Maxwell-Boltzmann)", "those in the file of `structure`"})
      .optional("temperature", &AtomsTable::temperature, Dimension::temperature,
                "temperature of thermal velocities: a number, or a list with one for each replica; "
                "at 0 the atoms are at rest")
      .at_least(0)
      .optional(
          "scaled", &AtomsTable::scaled, Dimension::none,
          "if true, one factor for all thermal velocities makes the kinetic temperature exactly "
          "`temperature`. Otherwise the kinetic temperature scatters as in equilibrium")
      .optional("seeds", &AtomsTable::seeds, Dimension::none,
                "list with a seed for each replica. A replica then has the random numbers of a "
                "study with this `seed` and one replica. If left out, the `seed` of the study and "
                "the number of the replica give the random numbers")
      .not_empty()
      .optional("skin", &AtomsTable::skin, Dimension::length,
                "length that is added to the cutoff in the search for neighbours. With a larger "
                "skin the search is repeated less often. Results do not depend on the skin")
      .at_least(0);
}

FieldTable<SnapTable> SnapTable::fields() {
  return FieldTable<SnapTable>()
      .optional("prefix", &SnapTable::prefix, Dimension::none,
                "prefix of the files PREFIX.snapcoeff and PREFIX.snapparam")
      .not_empty()
      .optional("script", &SnapTable::script, Dimension::none,
                "used instead of prefix: an include file of LAMMPS (.snap) with pair_style snap, "
                "by itself or overlaid with zbl")
      .not_empty()
      .optional("coefficients", &SnapTable::coefficients, Dimension::none,
                "used instead of prefix, together with `parameters`: a .snapcoeff file")
      .not_empty()
      .optional("parameters", &SnapTable::parameters, Dimension::none,
                "a .snapparam file, required with `coefficients`")
      .not_empty();
}

FieldTable<ZblTable> ZblTable::fields() {
  return FieldTable<ZblTable>()
      .required("inner", &ZblTable::inner, Dimension::length,
                "distance from which the repulsion is switched off")
      .positive()
      .required("outer", &ZblTable::outer, Dimension::length,
                "distance beyond which the repulsion is zero")
      .positive()
      .optional("elements", &ZblTable::elements, Dimension::none,
                "elements that repel one another. The default is all")
      .not_empty()
      .optional("charges", &ZblTable::charges, Dimension::none,
                "charges of the nuclei of `elements`. The default is atomic numbers")
      .positive()
      .not_empty();
}

FieldTable<AtomTables> AtomTables::fields() {
  return FieldTable<AtomTables>()
      .optional("lattice", &AtomTables::lattice, Dimension::none, AtomLatticeTable::doc)
      .optional("structure", &AtomTables::structure, Dimension::none, StructureTable::doc)
      .optional("atoms", &AtomTables::atoms, Dimension::none, AtomsTable::doc)
      .optional("snap", &AtomTables::snap, Dimension::none, SnapTable::doc)
      .optional("zbl", &AtomTables::zbl, Dimension::none, ZblTable::doc);
}

std::vector<std::pair<std::string, Value>> AtomTables::completed() const {
  return completed_entries(*this, context);
}

const AtomTables& atom_tables(const Study& study) {
  const auto* const tables = dynamic_cast<const AtomTables*>(study.tables.get());
  if (tables == nullptr) throw InternalError("the study is not about atoms");
  return *tables;
}

namespace {

void require_one_structure(const AtomTables& tables, const Value& document) {
  if (tables.lattice && tables.structure)
    throw InputError("the study has both [lattice] and [structure]", tables.structure->where,
                     "give one of them: atoms begin with one structure");
  if (!tables.lattice && !tables.structure)
    throw InputError("the study does not give the positions of the atoms", document.where(),
                     "give [lattice], for a crystal, or [structure], for a file");
  if (tables.lattice) check_lattice_keys(*tables.lattice);
  if (tables.lattice && tables.lattice->species.empty())
    throw LackingKey(
        "species",
        InputError("lattice lacks its species", tables.lattice->where,
                   "give species = [\"W\"], for instance: the element of each basis atom, or "
                   "one for all"));
}

/// Checks that a [[snap]] table names its files in exactly one way.
void require_files(const SnapTable& snap) {
  const bool listed = snap.coefficients || snap.parameters;
  const int ways = int(snap.prefix.has_value()) + int(snap.script.has_value()) + int(listed);
  if (ways != 1)
    throw InputError(
        ways == 0 ? "snap names no files" : "snap has several of prefix, script and coefficients",
        snap.where.of({"prefix", "script", "coefficients", "parameters"}),
        "give prefix, script, or coefficients and parameters");
  if (listed && !(snap.coefficients && snap.parameters))
    throw InputError("snap has only one of coefficients and parameters",
                     snap.where.of({"coefficients", "parameters"}), "give both");
}

void require_ranges(const ZblTable& zbl) {
  if (zbl.outer <= zbl.inner)
    throw InputError("outer is not larger than inner", zbl.where.of("outer"),
                     "give outer > inner: the repulsion is switched off between these distances");
  if (!zbl.charges.empty() && zbl.charges.size() != zbl.elements.size())
    throw InputError("charges has " + std::to_string(zbl.charges.size()) + " entries for " +
                         std::to_string(zbl.elements.size()) + " elements",
                     zbl.where.of("charges"), "give `elements`, and one charge for each element");
}

void require_velocities(const AtomsTable& atoms, bool has_file) {
  if (atoms.velocities != "file") return;
  if (!has_file)
    throw InputError("velocities = \"file\", but there is no file", atoms.where.of("velocities"),
                     "give [structure] with a file that has velocities");
  if (std::ranges::any_of(atoms.temperature, [](double T) { return T > 0; }) || atoms.scaled)
    throw InputError("temperature and scaled are for thermal velocities, not for those of a file",
                     atoms.where.of({"temperature", "scaled"}),
                     "remove temperature and scaled, or give velocities = \"thermal\"");
}

void require_lists(const AtomsTable& atoms, Index replicas) {
  require_one_or_each("temperature", atoms.temperature.size(), replicas,
                      atoms.where.of("temperature"));
  if (!atoms.seeds.empty() && std::ssize(atoms.seeds) != replicas)
    throw InputError("seeds has " + std::to_string(atoms.seeds.size()) +
                         " values for replicas = " + std::to_string(replicas),
                     atoms.where.of("seeds"), "give one seed for each replica, or leave seeds out");
}

}  // namespace

std::shared_ptr<const ModelTables> read_atom_tables(const Value& document,
                                                    const ModelContext& context) {
  if (context.read.units != UnitSystem::material)
    throw InputError("atoms need units: their potentials are in eV and Å", document.where(),
                     "give units = \"material\"");
  auto tables = std::make_shared<AtomTables>(larmor::read<AtomTables>(document, context.read));
  tables->context = context.read;
  tables->folder = context.folder;
  tables->replicas = context.replicas;
  require_one_structure(*tables, document);
  if (tables->snap.empty() && tables->zbl.empty())
    throw InputError("the study has no potential", document.where(), "give [[snap]] or [[zbl]]");
  for (const SnapTable& snap : tables->snap) require_files(snap);
  for (const ZblTable& zbl : tables->zbl) require_ranges(zbl);
  require_velocities(tables->atoms, tables->structure.has_value());
  require_lists(tables->atoms, context.replicas);
  return tables;
}

}  // namespace larmor::study
