#pragma once
// The table of a state of spins, with defaults.

#include "larmor/core/input/fields.hpp"

namespace larmor::study {

struct InitialTable {
  static constexpr const char* name = "initial";
  static constexpr const char* doc = "the spins before the first stage";
  std::string state = "random";
  std::optional<Vec3<double>> direction;
  std::optional<Vec3<double>> q;
  std::optional<Vec3<double>> normal;
  std::optional<Vec3<double>> centre;
  std::optional<double> width;
  std::optional<Vec3<double>> inside;
  std::optional<std::string> wall;
  std::optional<double> radius;
  std::optional<double> period;
  std::optional<double> orientation;
  std::optional<Index> winding;
  OrAuto<double> helicity;
  std::optional<Index> hopf_index;
  std::vector<Vec3<double>> directions;
  std::optional<std::string> file;
  TablePosition where;

  static FieldTable<InitialTable> fields();
};

/// A state by its name.
struct StateInfo {
  std::string name;
  std::string doc;
};

/// All states. @param with_random also random spins, which are not a single state?
std::vector<StateInfo> states_by_name(bool with_random);

/// The keys of a state of spins. @param with_random as for states_by_name
template <class Table>
FieldTable<Table>& add_initial_fields(FieldTable<Table>& table, bool with_random) {
  std::vector<std::string> names, docs;
  for (const StateInfo& state : states_by_name(with_random)) {
    names.push_back(state.name);
    docs.push_back(state.doc);
  }
  return table
      .optional("state", &InitialTable::state, Dimension::none, "the directions of the spins")
      .one_of(std::move(names), std::move(docs))
      .optional(
          "direction", &InitialTable::direction, Dimension::none,
          "aligned: direction of all spins; domain-wall: direction of the spins on the side from "
          "which the normal comes; spiral: the direction that is turned; skyrmions and hopfion: "
          "direction of the surroundings; vortex: direction of the core; normalised. If left out "
          "it is along z; for skyrmions, hopfion and vortex on the side of [field]")
      .not_zero()
      .optional("directions", &InitialTable::directions, Dimension::none,
                "sublattices: one for each basis atom; normalised")
      .not_zero()
      .optional("q", &InitialTable::q, Dimension::none,
                "wave vector of the spiral in reciprocal-lattice units; 0 if left out")
      .optional("normal", &InitialTable::normal, Dimension::none,
                "axis of the spiral; normal of the domain wall; z if left out")
      .not_zero()
      .optional("centre", &InitialTable::centre, Dimension::length,
                "centre of a texture; skyrmion-lattice: centre of one of the skyrmions; the middle "
                "of the lattice if left out")
      .optional("width", &InitialTable::width, Dimension::length,
                "domain wall: tanh(x / width); vortex: width of its core; skyrmion and hopfion: "
                "width of the wall around the core, half the radius if left out")
      .positive()
      .optional(
          "wall", &InitialTable::wall, Dimension::none,
          "direction of the spins inside a domain wall; auto if neither this nor `inside` is given")
      .one_of(
          {"auto", "neel", "bloch"},
          {"lowest energy of the Dzyaloshinskii-Moriya interaction; along normal without this "
           "interaction",
           "along normal or against it, by the lowest energy of the Dzyaloshinskii-Moriya "
           "interaction; along normal without this interaction",
           "along normal x direction or against it, by the lowest energy of the "
           "Dzyaloshinskii-Moriya interaction; along normal x direction without this interaction"})
      .optional("inside", &InitialTable::inside, Dimension::none,
                "instead of `wall`: direction of the spins inside a domain wall, without their "
                "component along direction")
      .not_zero()
      .optional("radius", &InitialTable::radius, Dimension::length,
                "skyrmion: radius at which the spins lie in the plane; hopfion: radius of the ring "
                "of spins against direction")
      .positive()
      .optional("period", &InitialTable::period, Dimension::length,
                "skyrmion-lattice: distance between neighbouring skyrmions; adapted so that whole "
                "periods fit into a periodic lattice")
      .positive()
      .optional(
          "orientation", &InitialTable::orientation, Dimension::angle,
          "skyrmion-lattice: angle from x to the next skyrmion, counterclockwise; 0 if left out")
      .optional("winding", &InitialTable::winding, Dimension::none,
                "skyrmion, vortex, skyrmion-lattice: turns of the in-plane spins around the "
                "centre; if left out 1, for an antiskyrmion -1")
      .at_least(-1000)
      .at_most(1000)
      .optional("helicity", &InitialTable::helicity, Dimension::angle,
                "skyrmions, vortex, hopfion: angle by which all spins are turned about z; 0 points "
                "outwards, 180 deg inwards (Neel), 90 deg circles counterclockwise, -90 deg "
                "clockwise (Bloch); auto: the lowest energy of the Dzyaloshinskii-Moriya "
                "interaction, 0 if no angle is lower")
      .optional("hopf_index", &InitialTable::hopf_index, Dimension::none,
                "hopfion: its Hopf index, with sign; 1 if left out")
      .at_least(-100)
      .at_most(100)
      .optional("file", &InitialTable::file, Dimension::none,
                "state = \"file\": extended XYZ with a column spin:R:3, sites in the order that "
                "`larmor export` writes")
      .not_empty();
}

}  // namespace larmor::study
