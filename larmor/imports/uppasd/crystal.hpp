#pragma once
// The lattice of inpsd.dat: cell, posfile and momfile.
//
//   posfile   site type x y z              do_ralloy 1: site type chem concentration x y z
//   momfile   site chem moment ex ey ez
//
// Positions are Cartesian in lattice constants (posfiletype C), or in units of the cell's vectors
// (D). UppASD folds all atoms into the cell at the origin.

#include <string>
#include <vector>

#include "larmor/imports/uppasd/input_file.hpp"
#include "larmor/imports/uppasd/quantities.hpp"
#include "larmor/lattice/geometry.hpp"

namespace larmor::imports::uppasd {

/// A chemical type on a site.
struct Occupant {
  Index chem = 1;            ///< number of the chemical type
  double concentration = 1;  ///< share of the cells in which it occupies the site
  double moment = 1;         ///< mu_B
  Vec3<double> direction{0, 0, 1};
  SourceMark where;         ///< in the posfile
  SourceMark moment_where;  ///< in the momfile
};

struct Site {
  Index type = 1;
  Vec3<double> fractional;  ///< as written
  Vec3<double> folded;      ///< in the cell at the origin
  SourceMark where;
  std::vector<Occupant> occupants;  ///< in the order of their chemical types
};

struct UppasdCrystal {
  std::vector<Site> sites;
  bool is_alloy = false;
  SourceMark cell_where;
  /// With positions in lattice constants, and without the alloy.
  lattice::Geometry geometry;
  /// Are anisotropies different on sites of one type? Then each site is a species.
  bool species_by_site = false;

  /// The occupant of a chemical type; null if the site never holds it.
  const Occupant* occupant(std::size_t site, Index chem) const;
  Occupant* occupant(std::size_t site, Index chem);
  /// Name of the species in the study.
  std::string species(std::size_t site, Index chem) const;
};

/// @throws InputError for missing, short or contradictory files; MachineError if one cannot be read
UppasdCrystal read_crystal(const InputFile& input, std::vector<std::string>& notes);

/// Sets [lattice] and [[alloy]].
void set_lattice(Value& study, const InputFile& input, const UppasdCrystal& crystal,
                 const Quantities& quantities);

/// Directions (ex, ey, ez) of a momfile, one for each site. @throws InputError as read_crystal
std::vector<Vec3<double>> read_directions(const DataFile& file, std::size_t sites,
                                          std::vector<SourceMark>& marks);

}  // namespace larmor::imports::uppasd
