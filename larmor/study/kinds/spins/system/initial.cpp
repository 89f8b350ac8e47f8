#include "larmor/study/kinds/spins/system/initial.hpp"

#include <cmath>
#include <filesystem>
#include <functional>
#include <numbers>

#include "larmor/core/error.hpp"
#include "larmor/core/maths/unit_vector.hpp"
#include "larmor/io/extxyz.hpp"
#include "larmor/study/input/study.hpp"

namespace larmor::study {
namespace {

using Texture = std::function<Vec3<double>(const Vec3<double>& position)>;
using OfSites = std::function<Vec3<double>(Index site)>;

/// Centre of the lattice, half way between its first and last sites.
Vec3<double> middle_of(const lattice::Geometry& geometry) {
  Vec3<double> low = geometry.position(0), high = low;
  for (Index site = 1; site < geometry.sites(); ++site) {
    const Vec3<double> r = geometry.position(site);
    low = {std::min(low.x, r.x), std::min(low.y, r.y), std::min(low.z, r.z)};
    high = {std::max(high.x, r.x), std::max(high.y, r.y), std::max(high.z, r.z)};
  }
  return 0.5 * (low + high);
}

Vec3<double> centre_of(const InitialTable& initial, const lattice::Geometry& geometry) {
  return initial.centre ? *initial.centre : middle_of(geometry);
}

/// `v` without its part along the unit vector `n`.
Vec3<double> across(const Vec3<double>& v, const Vec3<double>& n) { return v - dot(v, n) * n; }

/// Turns `direction` about `normal` by q.r (Rodrigues).
Texture spiral(const InitialTable& initial, const lattice::Geometry& geometry) {
  const Vec3<double> direction = unit_vector(initial.direction);
  const Vec3<double> n = unit_vector(initial.normal);
  if (length(cross(direction, n)) < 1e-6)
    throw InputError("initial: a spiral about its own direction does not turn",
                     initial.where.of({"normal", "direction"}),
                     "give a direction that is not along normal, for instance [1, 0, 0]");
  return [direction, n, q = initial.q, &geometry](const Vec3<double>& r) {
    const double angle = 2 * std::numbers::pi * dot(q, geometry.crystal.fractional(r));
    return std::cos(angle) * direction + std::sin(angle) * cross(n, direction) +
           ((1 - std::cos(angle)) * dot(n, direction)) * n;
  };
}

/// - tanh(x / width) direction + m / cosh(x / width), x along `normal`.
Texture domain_wall(const InitialTable& initial, const lattice::Geometry& geometry) {
  if (!initial.width)
    throw InputError("initial: a domain wall lacks its width", initial.where,
                     "give width = ...: the magnetisation goes as tanh(x / width)");
  const Vec3<double> d = unit_vector(initial.direction);
  const Vec3<double> n = unit_vector(initial.normal);
  const Vec3<double> m = across(initial.inside.value_or(n), d);
  if (length(m) < 1e-6)
    throw InputError("initial: the spins inside the wall have no direction of their own",
                     initial.where.of({"inside", "normal", "direction"}),
                     "give inside = [..], not along direction");
  return [d, n, m = unit_vector(m), centre = centre_of(initial, geometry),
          width = *initial.width](const Vec3<double>& r) {
    const double x = dot(n, r - centre) / width;
    return (-std::tanh(x)) * d + (1 / std::cosh(x)) * m;
  };
}

/// theta = 2 atan(sinh(R / w) / sinh(rho / w)) from the background, the profile of a circular wall
/// (Wang, Yuan and Wang, Commun. Phys. 1 (2018) 31), and azimuth winding * phi + helicity.
Texture skyrmion(const InitialTable& initial, const lattice::Geometry& geometry) {
  if (!initial.radius)
    throw InputError("initial: a skyrmion lacks its radius", initial.where,
                     "give radius = ...: where the spins lie in the plane");
  const double radius = *initial.radius, width = initial.width.value_or(radius / 2);
  const double up = initial.direction.z;
  if (initial.direction.x != 0 || initial.direction.y != 0)
    throw InputError("initial: the background of a skyrmion points along z",
                     initial.where.of("direction"), "give direction = [0, 0, 1] or [0, 0, -1]");
  return [=, centre = centre_of(initial, geometry), winding = initial.winding,
          helicity = initial.helicity](const Vec3<double>& r) {
    const Vec3<double> d = r - centre;
    const double rho = std::hypot(d.x, d.y);
    // sinh would overflow far out, where the background is all there is.
    if (rho > 300 * width) return Vec3<double>{0, 0, up > 0 ? 1.0 : -1.0};
    const double theta = 2 * std::atan2(std::sinh(radius / width), std::sinh(rho / width));
    const double azimuth = static_cast<double>(winding) * std::atan2(d.y, d.x) + helicity;
    return Vec3<double>{std::sin(theta) * std::cos(azimuth), std::sin(theta) * std::sin(azimuth),
                        (up > 0 ? 1 : -1) * std::cos(theta)};
  };
}

/// Spins that circle a core in the plane: e_z = direction.z / cosh(rho / w), azimuth winding * phi
/// + helicity.
Texture vortex(const InitialTable& initial, const lattice::Geometry& geometry) {
  if (!initial.width)
    throw InputError("initial: a vortex lacks the width of its core", initial.where,
                     "give width = ...: the core points out of the plane as 1 / cosh(r / width)");
  if (initial.direction.x != 0 || initial.direction.y != 0)
    throw InputError("initial: the core of a vortex points along z", initial.where.of("direction"),
                     "give direction = [0, 0, 1] or [0, 0, -1]");
  return [=, width = *initial.width, up = initial.direction.z > 0 ? 1 : -1,
          centre = centre_of(initial, geometry), winding = static_cast<double>(initial.winding),
          helicity = initial.helicity](const Vec3<double>& r) {
    const Vec3<double> d = r - centre;
    const double rho = std::hypot(d.x, d.y);
    const double azimuth = winding * std::atan2(d.y, d.x) + helicity;
    const double in_plane = std::tanh(rho / width);
    return Vec3<double>{in_plane * std::cos(azimuth), in_plane * std::sin(azimuth),
                        up / std::cosh(rho / width)};
  };
}

OfSites sublattices(const InitialTable& initial, const lattice::Geometry& geometry) {
  const std::size_t atoms = geometry.crystal.basis.size();
  if (initial.directions.size() != atoms)
    throw InputError("directions has " + std::to_string(initial.directions.size()) +
                         " entries for " + std::to_string(atoms) + " basis atom(s)",
                     initial.where.of("directions"),
                     "give one for each basis atom, directions = [[0, 0, 1], ..]");
  std::vector<Vec3<double>> units;
  for (const Vec3<double>& d : initial.directions) units.push_back(unit_vector(d));
  return [units, &geometry](Index site) {
    return units[static_cast<std::size_t>(geometry.basis_index(site))];
  };
}

Texture texture_of(const InitialTable& initial, const lattice::Geometry& geometry) {
  if (initial.state == "spiral") return spiral(initial, geometry);
  if (initial.state == "domain-wall") return domain_wall(initial, geometry);
  if (initial.state == "skyrmion") return skyrmion(initial, geometry);
  if (initial.state == "vortex") return vortex(initial, geometry);
  return {};
}

/// Empty for a state of one direction.
OfSites sites_of(const InitialTable& initial, const lattice::Geometry& geometry) {
  if (initial.state == "sublattices") return sublattices(initial, geometry);
  if (const Texture texture = texture_of(initial, geometry))
    return [texture, &geometry](Index site) { return texture(geometry.position(site)); };
  return {};
}

/// An error about the file as a whole points at the table.
std::vector<Vec3<double>> spins_of_file(const InitialTable& initial,
                                        const lattice::Geometry& geometry,
                                        const std::string& folder) {
  try {
    const std::vector<Vec3<double>> spins =
        io::read_extxyz_spins(state_file(initial, folder), geometry.spins());
    std::vector<Vec3<double>> e(static_cast<std::size_t>(geometry.sites()), {0, 0, 0});
    std::size_t next = 0;
    for (Index site = 0; site < geometry.sites(); ++site)
      if (geometry.moment(site) != 0) e[static_cast<std::size_t>(site)] = spins[next++];
    return e;
  } catch (const InputError& error) {
    if (error.has_position()) throw;
    throw InputError(error.problem(), initial.where.of("file"), error.remedy());
  }
}

}  // namespace

std::string state_file(const InitialTable& initial, const std::string& folder) {
  return (std::filesystem::path(folder) / *initial.file).string();
}

namespace {

void check_own_keys(const InitialTable& initial) {
  if (!initial.directions.empty() && initial.state != "sublattices")
    throw InputError(
        "directions belong to state = \"sublattices\", not to \"" + initial.state + "\"",
        initial.where.of("directions"), "remove one of them");
  if (initial.file.has_value() != (initial.state == "file"))
    throw InputError(initial.file ? "file requires state = \"file\", not \"" + initial.state + "\""
                                  : "state = \"file\" lacks its file",
                     initial.where.of({"file", "state"}),
                     initial.file ? "remove one of them" : "give file = \"spins.extxyz\"");
}

}  // namespace

std::vector<Vec3<double>> initial_directions(const InitialTable& initial,
                                             const lattice::Geometry& geometry,
                                             const std::string& folder) {
  std::vector<Vec3<double>> e;
  check_own_keys(initial);
  if (initial.file) return spins_of_file(initial, geometry, folder);
  if (initial.state == "random") return e;
  e.assign(static_cast<std::size_t>(geometry.sites()), unit_vector(initial.direction));
  if (const OfSites direction = sites_of(initial, geometry))
    for (Index site = 0; site < geometry.sites(); ++site)
      e[static_cast<std::size_t>(site)] = direction(site);
  return e;
}

void set_initial_state(const Study& study, SpinSystem& system) {
  const InitialTable& initial = spin_tables(study).initial;
  const lattice::Geometry& geometry = system.geometry;
  check_own_keys(initial);
  if (initial.file) {
    system.state.set_all(spins_of_file(initial, geometry, study.folder));
  } else if (initial.state == "random") {
    system.state.randomise(study.seed);
  } else if (const OfSites direction = sites_of(initial, geometry)) {
    system.state.set_by_site(direction);
  } else {
    system.state.set_uniform(unit_vector(initial.direction));
  }
}

}  // namespace larmor::study
