#pragma once
// The tables of a study of atoms: positions, species, and potentials.

#include <memory>

#include "larmor/study/lattice/lattice_keys.hpp"
#include "larmor/study/model_kind/model_kind.hpp"

namespace larmor::study {

struct AtomLatticeTable : LatticeKeys {
  static constexpr const char* name = "lattice";
  static constexpr const char* doc = "a crystal as the initial structure of the atoms";

  static FieldTable<AtomLatticeTable> fields();
};

struct StructureTable {
  static constexpr const char* name = "structure";
  static constexpr const char* doc = "a file with the initial structure of the atoms";
  std::string file;
  Index frame = 0;
  std::optional<Value> frames;  ///< a list or "all"; only in [structure]
  std::array<Index, 3> repeat{1, 1, 1};
  std::vector<std::string> elements;
  TablePosition where;

  static FieldTable<StructureTable> fields();
};

/// Adds the keys of a structure in a file to a table derived from StructureTable.
template <class Table>
FieldTable<Table>& add_structure_fields(FieldTable<Table>& table) {
  return table
      .required("file", &StructureTable::file, Dimension::none,
                "extended XYZ, data or dump file of LAMMPS, or POSCAR")
      .not_empty()
      .optional("frame", &StructureTable::frame, Dimension::none,
                "number of the structure, counted from 0, in a file of several structures")
      .at_least(0)
      .optional("repeat", &StructureTable::repeat, Dimension::none,
                "number of copies of the structure along each vector of its cell")
      .at_least(1)
      .optional("elements", &StructureTable::elements, Dimension::none,
                "element of each type 1, 2, .. in a data or dump file of LAMMPS")
      .not_empty();
}

struct AtomsTable {
  static constexpr const char* name = "atoms";
  static constexpr const char* doc = "masses, and velocities before the first stage";
  Value masses;
  std::string velocities = "thermal";
  std::vector<double> temperature{0};  ///< one for all replicas, or one for each
  std::vector<std::uint64_t> seeds;    ///< one for each replica; empty: the seed of the study
  bool scaled = false;
  double skin = 1;
  TablePosition where;

  static FieldTable<AtomsTable> fields();
};

struct SnapTable {
  static constexpr const char* name = "snap";
  static constexpr const char* doc = "a SNAP potential; energies of several tables are added";
  std::optional<std::string> prefix, script, coefficients, parameters;
  TablePosition where;

  static FieldTable<SnapTable> fields();
};

struct ZblTable {
  static constexpr const char* name = "zbl";
  static constexpr const char* doc =
      "screened repulsion of nuclei (Ziegler, Biersack, Littmark), which is added to other "
      "potentials";
  double inner = 0, outer = 0;
  std::vector<std::string> elements;
  std::vector<double> charges;
  TablePosition where;

  static FieldTable<ZblTable> fields();
};

struct AtomSetup;

struct AtomTables : ModelTables {
  static constexpr const char* name = "";
  std::optional<AtomLatticeTable> lattice;
  std::optional<StructureTable> structure;
  AtomsTable atoms;
  std::vector<SnapTable> snap;
  std::vector<ZblTable> zbl;

  ReadContext context;
  std::string folder;  ///< folder of the files that the tables name
  Index replicas = 1;  ///< of the study
  /// The result of `setup_of` for the tables.
  mutable std::shared_ptr<const AtomSetup> made;

  static FieldTable<AtomTables> fields();
  std::vector<std::pair<std::string, Value>> completed() const override;
  std::vector<std::string> files() const override;
  std::unique_ptr<Blueprint> blueprint() const override;
};

/// @throws InternalError if the study is not about atoms
const AtomTables& atom_tables(const Study& study);

/// @throws InputError with the position of the first mistake
std::shared_ptr<const ModelTables> read_atom_tables(const Value& document,
                                                    const ModelContext& context);

}  // namespace larmor::study
