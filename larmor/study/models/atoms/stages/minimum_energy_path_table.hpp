#pragma once
// The table of a minimum-energy path of atoms.

#include "larmor/study/models/atoms/tables/atom_tables.hpp"

namespace larmor::study {

/// `lifetime = { temperature = [1000, 2000] }` of a path of atoms.
struct AtomLifetimeTable {
  static constexpr const char* name = "lifetime";
  Value temperature;
  Index equivalent_saddles = 1;
  TablePosition where;

  static FieldTable<AtomLifetimeTable> fields();
};

/// A structure that a key of a stage gives, with the keys of [structure].
template <const char* Key>
struct NamedStructureTable : StructureTable {
  static constexpr const char* name = Key;
  static FieldTable<NamedStructureTable> fields() {
    FieldTable<NamedStructureTable> table;
    return add_structure_fields(table);
  }
};

inline constexpr char final_structure_key[] = "final", through_structures_key[] = "through";

struct AtomPathTable {
  static constexpr const char* name = "minimum-energy-path";
  static constexpr const char* doc =
      "the path of least energy from the present atoms to a final structure, its barrier, and "
      "rates";
  std::string kind = name;
  NamedStructureTable<final_structure_key> final_structure;
  std::vector<NamedStructureTable<through_structures_key>> through;
  Index images = 9;
  bool relax = true;
  bool climb = true;
  bool refine = true;
  double spring_ratio = 1;
  double tolerance = 1e-3;
  Index steps = 5000;
  double max_step = 0.1;
  Index interpolation = 10;
  Index measure_every = 10;
  std::optional<AtomLifetimeTable> lifetime;
  TablePosition where;

  static FieldTable<AtomPathTable> fields();

  /// @throws InputError for keys that contradict one another
  void check_keys() const;
};

}  // namespace larmor::study
