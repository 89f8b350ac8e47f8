#pragma once
// The tables of a study that describe the lattice: what a user may write, with defaults.

#include "larmor/study/lattice/lattice_keys.hpp"

namespace larmor::study {

struct LatticeTable : LatticeKeys {
  static constexpr const char* name = "lattice";
  static constexpr const char* doc = "where the spins sit";
  std::vector<double> moment{1};
  std::optional<std::string> posfile;
  std::optional<std::string> momfile;
  std::optional<double> layer_thickness;

  static FieldTable<LatticeTable> fields() {
    FieldTable<LatticeTable> table;
    add_lattice_fields(table)
        .optional("moment", &LatticeTable::moment, Dimension::magnetic_moment,
                  "magnetic moment of each basis atom; one for all")
        .positive()
        .optional("file", &LatticeTable::file, Dimension::none,
                  "extended XYZ file with positions, species and moments")
        .not_empty()
        .optional("posfile", &LatticeTable::posfile, Dimension::none,
                  "UppASD posfile with the basis of `cell`")
        .not_empty()
        .optional("momfile", &LatticeTable::momfile, Dimension::none,
                  "UppASD momfile with the moments of `posfile`")
        .not_empty()
        .optional("layer_thickness", &LatticeTable::layer_thickness, Dimension::length,
                  "sites whose heights differ by less form one layer, for topological charges; "
                  "0.4 of the distance of nearest neighbours if left out")
        .positive();
    return table;
  }
};

struct AlloyTable {
  static constexpr const char* name = "alloy";
  static constexpr const char* doc =
      "sites of the lattice replaced by another species or by vacancies, the same in all replicas; "
      "several tables act in order, each on what those before it left";
  static constexpr const char* vacancy = "vacancy";
  std::optional<std::string> species;
  std::string by;
  std::optional<double> fraction;
  std::vector<Index> sites;
  std::optional<double> moment;
  std::optional<double> damping;
  std::uint64_t seed = 1;
  TablePosition where;

  static FieldTable<AlloyTable> fields() {
    return FieldTable<AlloyTable>()
        .optional("species", &AlloyTable::species, Dimension::none,
                  "whose sites are replaced; may be left out where the lattice has one species")
        .required("by", &AlloyTable::by, Dimension::none,
                  "name of what comes instead; \"vacancy\": nothing does")
        .not_empty()
        .optional("fraction", &AlloyTable::fraction, Dimension::none,
                  "of the sites that the species has in the perfect lattice; their number is "
                  "rounded, and so many are drawn at random")
        .at_least(0)
        .at_most(1)
        .optional("sites", &AlloyTable::sites, Dimension::none,
                  "in place of a fraction: these sites, counted from 0")
        .at_least(0)
        .not_empty()
        .optional("moment", &AlloyTable::moment, Dimension::magnetic_moment,
                  "of the substitute; required but for vacancies")
        .positive()
        .optional("damping", &AlloyTable::damping, Dimension::none,
                  "Gilbert damping of the substitute; that of the atom it replaces if left out")
        .at_least(0)
        .optional("seed", &AlloyTable::seed, Dimension::none, "of the sites drawn");
  }
};

}  // namespace larmor::study
