#include "larmor/study/models/spins/tables/lattice_tables.hpp"

namespace larmor::study {

FieldTable<LatticeTable> LatticeTable::fields() {
  FieldTable<LatticeTable> table;
  add_lattice_fields(table)
      .optional("moment", &LatticeTable::moment, Dimension::magnetic_moment,
                "magnetic moment of each basis atom, or one for all")
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
                "sites whose heights differ by less form one layer, for topological charges. The "
                "default is 0.4 of the distance of nearest neighbours")
      .positive()
      .optional("other_atoms", &LatticeTable::other_atoms, Dimension::none,
                "positions of atoms without spins, in fractions of the vectors of `cell`; they "
                "only lower the symmetry, for couplings with symmetry = \"crystal\"")
      .optional("other_species", &LatticeTable::other_species, Dimension::none,
                "a name for each of `other_atoms`, or one for all")
      .optional("symmetry_tolerance", &LatticeTable::symmetry_tolerance, Dimension::length,
                "distance of positions that count as equal where the space group is found. The "
                "default is 0.001 of the distance of nearest neighbours")
      .positive();
  return table;
}

FieldTable<AlloyTable> AlloyTable::fields() {
  return FieldTable<AlloyTable>()
      .optional("species", &AlloyTable::species, Dimension::none,
                "species whose sites are replaced; this key may be left out if the lattice has one "
                "species")
      .required("by", &AlloyTable::by, Dimension::none,
                "name of the substitute, or \"vacancy\" for empty sites")
      .not_empty()
      .optional("fraction", &AlloyTable::fraction, Dimension::none,
                "share of the species' sites in the perfect lattice that are replaced. The number "
                "of replaced sites is rounded, and these sites are drawn at random")
      .at_least(0)
      .at_most(1)
      .optional("sites", &AlloyTable::sites, Dimension::none,
                "instead of a fraction: the numbers of the sites that are replaced, counted from 0")
      .at_least(0)
      .not_empty()
      .optional("moment", &AlloyTable::moment, Dimension::magnetic_moment,
                "moment of the substitute; required except for vacancies")
      .positive()
      .optional(
          "damping", &AlloyTable::damping, Dimension::none,
          "Gilbert damping of the substitute. The default is the damping of the replaced atom")
      .at_least(0)
      .optional("seed", &AlloyTable::seed, Dimension::none, "seed of the random sites");
}

}  // namespace larmor::study
