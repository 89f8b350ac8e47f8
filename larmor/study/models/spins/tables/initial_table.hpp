#pragma once
// The table of a state of spins, with defaults.

#include "larmor/core/input/fields.hpp"

namespace larmor::study {

struct InitialTable {
  static constexpr const char* name = "initial";
  static constexpr const char* doc = "the spins before the first stage";
  std::string state = "random";
  std::optional<Vec3<double>> direction;
  std::optional<double> angle;
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

/// All states. @param with_random also states with random numbers, which are not a single state?
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
      .optional("direction", &InitialTable::direction, Dimension::none,
                "aligned: direction of all spins; cone: its axis; random-signs: direction of all "
                "spins before their signs; domain-wall: direction of the spins on the side "
                "away from which `normal` points; spiral: the direction that is turned; skyrmions "
                "and hopfion: direction of the surroundings; vortex: direction of the core. Give a "
                "vector of any length except 0. The default is z, and for skyrmions, hopfion and "
                "vortex -z if the z component of [field] is negative")
      .not_zero()
      .optional("directions", &InitialTable::directions, Dimension::none,
                "sublattices, random-signs: one direction for each basis atom, a vector of any "
                "length except 0")
      .not_zero()
      .optional("angle", &InitialTable::angle, Dimension::angle,
                "cone: the largest angle between a spin and `direction`")
      .positive()
      .optional("q", &InitialTable::q, Dimension::none,
                "wave vector of the spiral in reciprocal-lattice units. The default is 0")
      .optional("normal", &InitialTable::normal, Dimension::none,
                "axis of the spiral, or normal of the domain wall. The default is z")
      .not_zero()
      .optional("centre", &InitialTable::centre, Dimension::length,
                "centre of a texture; skyrmion-lattice: centre of one of the skyrmions. The "
                "default is the middle of the lattice")
      .optional(
          "width", &InitialTable::width, Dimension::length,
          "domain wall: the magnetisation varies as tanh(x / width); vortex: width of the core; "
          "skyrmion and hopfion: width of the wall around the core, half the radius if left out")
      .positive()
      .optional("wall", &InitialTable::wall, Dimension::none,
                "direction of the spins inside a domain wall. If neither `wall` nor `inside` is "
                "given, it is auto")
      .one_of(
          {"auto", "neel", "bloch"},
          {"lowest energy of the Dzyaloshinskii-Moriya interaction; along normal without this "
           "interaction",
           "along normal or against it, by the lowest energy of the Dzyaloshinskii-Moriya "
           "interaction; along normal without this interaction",
           "along normal x direction or against it, by the lowest energy of the "
           "Dzyaloshinskii-Moriya interaction; along normal x direction without this interaction"})
      .optional("inside", &InitialTable::inside, Dimension::none,
                "instead of `wall`: direction of the spins inside a domain wall, from which the "
                "component along `direction` is removed")
      .not_zero()
      .optional("radius", &InitialTable::radius, Dimension::length,
                "skyrmion: radius at which the spins lie in the plane; hopfion: radius of the ring "
                "of spins against direction")
      .positive()
      .optional("period", &InitialTable::period, Dimension::length,
                "skyrmion-lattice: distance between neighbouring skyrmions; the program adapts it "
                "so that whole periods fit into a periodic lattice")
      .positive()
      .optional(
          "orientation", &InitialTable::orientation, Dimension::angle,
          "skyrmion-lattice: angle from x to the next skyrmion, counterclockwise. The default is 0")
      .optional("winding", &InitialTable::winding, Dimension::none,
                "skyrmion, vortex, skyrmion-lattice: number of turns of the in-plane spins around "
                "the centre. The default is 1, and for an antiskyrmion -1")
      .at_least(-1000)
      .at_most(1000)
      .optional(
          "helicity", &InitialTable::helicity, Dimension::angle,
          "skyrmions, vortex, hopfion: angle by which all spins are turned about z. In-plane spins "
          "point outwards at 0 and inwards at 180 deg (Neel). They circle counterclockwise at 90 "
          "deg and clockwise at -90 deg (Bloch). auto takes the angle of lowest energy of the "
          "Dzyaloshinskii-Moriya interaction, or 0 if no angle is lower")
      .optional("hopf_index", &InitialTable::hopf_index, Dimension::none,
                "hopfion: the Hopf index, with sign. The default is 1")
      .at_least(-100)
      .at_most(100)
      .optional(
          "file", &InitialTable::file, Dimension::none,
          "state = \"file\": extended XYZ file with a column spin:R:3, or restart file of "
          "UppASD, whose ensembles become replicas. Its sites must have the order that `larmor "
          "export` writes")
      .not_empty();
}

}  // namespace larmor::study
