#include "larmor/imports/uppasd/initial_state.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <utility>

namespace larmor::imports::uppasd {
namespace {

/// UppASD's factor from degrees to radians of Euler angles.
constexpr double euler_degree = 3.1415 / 180;

/// Rows of the rotation by Euler angles phi, theta, psi (Goldstein's x convention).
Mat3<double> euler_rotation(const Vec3<double>& degrees) {
  const double phi = degrees.x * euler_degree, theta = degrees.y * euler_degree,
               psi = degrees.z * euler_degree;
  const double cf = std::cos(phi), sf = std::sin(phi), ct = std::cos(theta), st = std::sin(theta),
               cp = std::cos(psi), sp = std::sin(psi);
  return {{{cp * cf - ct * sf * sp, cp * sf + ct * cf * sp, sp * st},
           {-sp * cf - ct * sf * cp, -sp * sf + ct * cf * cp, cp * st},
           {st * sf, -st * cf, ct}}};
}

/// The rotation that turns a vector onto the x axis.
Mat3<double> rotation_to_x(const Vec3<double>& v) {
  const double alpha = std::atan2(v.y, v.x), beta = std::atan2(v.z, std::hypot(v.x, v.y));
  const double ca = std::cos(alpha), sa = std::sin(alpha), cb = std::cos(beta), sb = std::sin(beta);
  return {{{cb * ca, cb * sa, sb}, {-sa, ca, 0}, {-sb * ca, -sb * sa, cb}}};
}

/// A direction for each site, with its place.
struct Directions {
  std::vector<Vec3<double>> e;
  std::vector<SourceMark> marks;
};

Directions directions_of_momfile(const UppasdCrystal& crystal) {
  Directions directions;
  for (std::size_t s = 0; s < crystal.sites.size(); ++s) {
    const std::vector<Occupant>& occupants = crystal.sites[s].occupants;
    for (const Occupant& occupant : occupants)
      if (length(cross(occupant.direction, occupants[0].direction)) > 1e-9 ||
          dot(occupant.direction, occupants[0].direction) < 0)
        throw InputError(
            "the chemical types of site " + std::to_string(s + 1) + " have different directions",
            occupant.moment_where.position(),
            "give them one direction, or start from a restart file");
    directions.e.push_back(occupants[0].direction);
    directions.marks.push_back(occupants[0].moment_where);
  }
  return directions;
}

/// Turns all directions as roteul and rotang say.
void turn(const InputFile& input, const UppasdCrystal& crystal, Directions& directions) {
  const Index kind = input.whole("roteul", 0);
  if (kind == 0) return;
  if (kind != 1 && kind != 2)
    input.find("roteul")->refuse("there is no roteul " + std::to_string(kind), "write 0, 1 or 2");
  const Entry& rotang = input.require("rotang", "write `rotang` with three angles in degrees");
  const Mat3<double> euler = euler_rotation(rotang.vector());
  Vec3<double> mean{0, 0, 0};
  for (std::size_t s = 0; s < directions.e.size(); ++s)
    mean += crystal.sites[s].occupants[0].moment / length(directions.e[s]) * directions.e[s];
  const Mat3<double> first = rotation_to_x(mean);
  for (std::size_t s = 0; s < directions.e.size(); ++s) {
    directions.e[s] = euler * (kind == 2 ? first * directions.e[s] : directions.e[s]);
    directions.marks[s] = rotang.mark();
  }
}

Value state_of(const Directions& directions, const SourceMark& where) {
  Value state;
  state.mark(where);
  const bool equal = std::all_of(directions.e.begin(), directions.e.end(),
                                 [&](const Vec3<double>& e) { return e == directions.e[0]; });
  state.set("state", placed(equal ? "aligned" : "sublattices", where), where);
  if (equal) {
    state.set("direction", placed(vector_value(directions.e[0]), directions.marks[0]),
              directions.marks[0]);
    return state;
  }
  Value::Array all;
  for (std::size_t s = 0; s < directions.e.size(); ++s)
    all.push_back(placed(vector_value(directions.e[s]), directions.marks[s]));
  state.set("directions", placed(Value(std::move(all)), directions.marks[0]), directions.marks[0]);
  return state;
}

Value spiral(const InputFile& input, const UppasdCrystal& crystal, const SourceMark& where) {
  const Directions directions = directions_of_momfile(crystal);
  for (std::size_t s = 1; s < directions.e.size(); ++s)
    if (length(cross(directions.e[s], directions.e[0])) > 1e-9 ||
        dot(directions.e[s], directions.e[0]) < 0)
      throw InputError("a spiral needs one direction for all sites, and site " +
                           std::to_string(s + 1) + " has another one than site 1",
                       directions.marks[s].position(),
                       "write the state into a restart file, and set Initmag 4");
  const Entry& q =
      input.require("initpropvec", "write `initpropvec` with the wave vector of the spiral");
  const Entry& axis = input.require("initrotvec", "write `initrotvec` with the axis of the spiral");
  const Vec3<double> normal = axis.vector();
  if (length(normal) == 0) axis.refuse("initrotvec is zero", "give an axis of any length except 0");
  // The phase at the origin turns the direction.
  const double phase = input.number("initrotang", 0) * std::numbers::pi / 180;
  const Vec3<double> n = (1 / length(normal)) * normal, e = directions.e[0];
  const Vec3<double> turned =
      std::cos(phase) * e + std::sin(phase) * cross(n, e) + (1 - std::cos(phase)) * dot(n, e) * n;
  Value state;
  state.mark(where);
  state.set("state", placed("spiral", where), where);
  state.set("q", placed(vector_value(q.vector()), q.value_mark()), q.mark());
  state.set("normal", placed(vector_value(normal), axis.value_mark()), axis.mark());
  state.set("direction", placed(vector_value(turned), directions.marks[0]), directions.marks[0]);
  return state;
}

/// UppASD draws the angle to z between 0 and theta0, and the azimuth between 0 and phi0, in
/// radians. If mavg0 is not negative, theta0 is 2 acos(mavg0), and phi0 is a full turn.
Value cone(const InputFile& input, const SourceMark& where) {
  if (input.whole("roteul", 0) != 0)
    input.find("roteul")->refuse("roteul turns the cone, which cannot be imported", "set roteul 0");
  const Entry* given = input.find("mavg0");
  double angle = 0;
  if (given != nullptr && given->number() >= 0) {
    if (given->number() >= 1)
      given->refuse("mavg0 leaves no cone", "give a number from 0, below 1; or set Initmag 3");
    angle = 2 * std::acos(given->number());
  } else {
    given = &input.require("theta0", "write `theta0` with the angle of the cone in radians");
    angle = given->number();
    const Entry& azimuth =
        input.require("phi0", "write `phi0 6.283185307`, a full turn in radians");
    const double turns = azimuth.number() / (2 * std::numbers::pi);
    if (turns == 0 || std::abs(turns - std::round(turns)) > 1e-6)
      azimuth.refuse("only a part of a cone cannot be imported",
                     "write `phi0 6.283185307`, a full turn in radians");
    if (!(angle > 0))
      given->refuse("theta0 is not positive", "give the angle of the cone in radians");
  }
  Value state;
  state.mark(where);
  state.set("state", placed("cone", where), where);
  state.set("angle", placed(number_text(angle) + " rad", given->value_mark()), given->mark());
  return state;
}

/// @param where place of Initmag
Value restart(const InputFile& input, const SourceMark& where) {
  const Entry* const named = input.find("restartfile");
  const std::string path = input.restart_path();
  if (!std::filesystem::is_regular_file(path))
    throw InputError("there is no restart file '" + path + "'",
                     named != nullptr ? named->where() : where.position(),
                     "name the file by restartfile, or set Initmag 1 or 3");
  if (input.whole("roteul", 0) != 0)
    input.find("roteul")->refuse(
        "roteul turns the spins of a restart file, which cannot be "
        "imported",
        "set roteul 0, or turn the spins in the file");
  Value state;
  state.mark(where);
  state.set("state", placed("file", where), where);
  const SourceMark file = named != nullptr ? named->value_mark() : where;
  state.set("file", placed(named != nullptr ? named->word() : "restart", file),
            named != nullptr ? named->mark() : where);
  return state;
}

}  // namespace

Value state_of_momfile(const UppasdCrystal& crystal, const SourceMark& where) {
  return state_of(directions_of_momfile(crystal), where);
}

Value state_of_file(const InputFile& input, const Entry& entry, const UppasdCrystal& crystal) {
  Directions directions;
  directions.e = read_directions(input.open(entry), crystal.sites.size(), directions.marks);
  return state_of(directions, entry.mark());
}

Value initial_state(const InputFile& input, const UppasdCrystal& crystal,
                    std::vector<std::string>& notes) {
  const Entry* const initmag = input.find("initmag");
  const SourceMark where =
      initmag != nullptr ? initmag->mark() : SourceMark{crystal.cell_where.text, 0, 0};
  switch (initmag != nullptr ? initmag->whole() : 4) {
    case 1: {
      Value state;
      state.mark(where);
      state.set("state", placed("random", where), where);
      if (input.count("mensemble", 1) > 1)
        notes.emplace_back(
            "Initmag 1: each replica has its own random spins; UppASD gives all "
            "ensembles the same ones");
      return state;
    }
    case 3: {
      Directions directions = directions_of_momfile(crystal);
      turn(input, crystal, directions);
      return state_of(directions, where);
    }
    case 4:
      return restart(input, where);
    case 6:
      return state_of_file(
          input, input.require("momfile_i", "name the file of the first state by momfile_i"),
          crystal);
    case 8:
      return spiral(input, crystal, where);
    case 2:
      return cone(input, where);
    case 5: {
      if (input.whole("roteul", 0) == 2)
        input.find("roteul")->refuse(
            "roteul 2 turns the mean moment, which depends on the random signs",
            "set roteul 0 or 1");
      Directions directions = directions_of_momfile(crystal);
      turn(input, crystal, directions);
      Value state = state_of(directions, where);
      state.set("state", placed("random-signs", where), where);
      return state;
    }
    case 7:
      initmag->refuse("Initmag 7, both ends of a path in one restart file, cannot be imported",
                      "set Initmag 6, and give the ends by momfile_i and momfile_f");
    default:
      initmag->refuse("there is no Initmag " + initmag->word(), "write 1 to 6, or 8");
  }
}

}  // namespace larmor::imports::uppasd
