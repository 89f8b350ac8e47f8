#pragma once
// The tables of a study that describe the lattice, with defaults.

#include "larmor/study/lattice/lattice_keys.hpp"

namespace larmor::study {

struct LatticeTable : LatticeKeys {
  static constexpr const char* name = "lattice";
  static constexpr const char* doc = "the positions of the spins";
  std::vector<double> moment{1};
  std::optional<std::string> posfile;
  std::optional<std::string> momfile;
  std::optional<double> layer_thickness;
  std::vector<Vec3<double>> other_atoms;
  std::vector<std::string> other_species;
  std::optional<double> symmetry_tolerance;

  static FieldTable<LatticeTable> fields();
};

struct AlloyTable {
  static constexpr const char* name = "alloy";
  static constexpr const char* doc =
      "replaces sites of the lattice by another species or by vacancies, equally in all replicas. "
      "Several tables act in order, each on the result of the tables before it";
  static constexpr const char* vacancy = "vacancy";
  std::optional<std::string> species;
  std::string by;
  std::optional<double> fraction;
  std::vector<Index> sites;
  std::optional<double> moment;
  std::optional<double> damping;
  std::uint64_t seed = 1;
  TablePosition where;

  static FieldTable<AlloyTable> fields();
};

}  // namespace larmor::study
