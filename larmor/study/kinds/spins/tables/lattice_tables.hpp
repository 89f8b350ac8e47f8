#pragma once
// The tables of a study that describe lattice and spins: what a user may write, with defaults.

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

struct InitialTable {
  static constexpr const char* name = "initial";
  static constexpr const char* doc = "the spins before the first stage";
  std::string state = "random";
  Vec3<double> direction{0, 0, 1};
  Vec3<double> q{0, 0, 0};
  Vec3<double> normal{0, 0, 1};
  std::optional<Vec3<double>> centre;
  std::optional<double> width;
  std::optional<Vec3<double>> inside;
  std::optional<double> radius;
  Index winding = 1;
  double helicity = 0;
  std::vector<Vec3<double>> directions;
  std::optional<std::string> file;
  TablePosition where;

  static FieldTable<InitialTable> fields();
};

/// The keys of a state of spins. @param states which of them there are
template <class Table>
FieldTable<Table>& add_initial_fields(FieldTable<Table>& table, std::vector<std::string> states) {
  return table
      .optional(
          "state", &InitialTable::state, Dimension::none,
          "random directions; all along `direction`; sublattices: each basis atom along its own of "
          "`directions`; a spiral that turns `direction` about "
          "`normal` by q.r; a domain wall from `direction` to its opposite along `normal`; "
          "a skyrmion in a background along `direction`; a vortex with its core along it; as a "
          "file has them")
      .one_of(std::move(states))
      .optional("direction", &InitialTable::direction, Dimension::none, "normalised")
      .not_zero()
      .optional("directions", &InitialTable::directions, Dimension::none,
                "sublattices: one for each basis atom; normalised")
      .not_zero()
      .optional("q", &InitialTable::q, Dimension::none,
                "wave vector of the spiral in reciprocal-lattice units")
      .optional("normal", &InitialTable::normal, Dimension::none,
                "axis of the spiral; direction in which a domain wall is crossed")
      .not_zero()
      .optional("centre", &InitialTable::centre, Dimension::length,
                "of a domain wall, skyrmion or vortex; the middle of the lattice if left out")
      .optional("width", &InitialTable::width, Dimension::length,
                "domain wall: tanh(x / width); of the core of a vortex; of the wall around a "
                "skyrmion, half its radius if left out")
      .positive()
      .optional("inside", &InitialTable::inside, Dimension::none,
                "where the spins inside a domain wall point; along normal if left out (Neel)")
      .not_zero()
      .optional("radius", &InitialTable::radius, Dimension::length,
                "skyrmion: where the spins lie in the plane")
      .positive()
      .optional("winding", &InitialTable::winding, Dimension::none,
                "skyrmion, vortex: turns of the in-plane spins around it; -1: antiskyrmion")
      .optional("helicity", &InitialTable::helicity, Dimension::angle,
                "skyrmion, vortex: 0 points outwards (Neel), 90 deg circles (Bloch)")
      .optional("file", &InitialTable::file, Dimension::none,
                "state = \"file\": extended XYZ with a column spin:R:3, sites in the order that "
                "`larmor export` writes")
      .not_empty();
}

inline FieldTable<InitialTable> InitialTable::fields() {
  FieldTable<InitialTable> table;
  add_initial_fields(table, {"random", "aligned", "sublattices", "spiral", "domain-wall",
                             "skyrmion", "vortex", "file"});
  return table;
}

}  // namespace larmor::study
