#include "larmor/study/models/spins/system/initial.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <numbers>
#include <utility>

#include "larmor/core/error.hpp"
#include "larmor/core/input/lacking_key.hpp"
#include "larmor/core/maths/philox.hpp"
#include "larmor/core/maths/vectors.hpp"
#include "larmor/io/structures/extxyz.hpp"
#include "larmor/io/structures/uppasd_restart.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/models/spins/system/texture_handedness.hpp"

namespace larmor::study {
namespace {

using OfSites = std::function<Vec3<double>(Index site)>;

/// `v` without its component along the unit vector `n`.
Vec3<double> across(const Vec3<double>& v, const Vec3<double>& n) { return v - dot(v, n) * n; }

Vec3<double> direction_of(const InitialTable& initial) {
  return initial.direction.value_or(Vec3<double>{0, 0, 1});
}

/// For textures whose axis is z: 1 if `direction` points up, -1 if down. If `direction` is not
/// given, the result is the sign of the field. @param part the part of the texture with this
/// direction
double up_of(const InitialTable& initial, const SystemTables& tables, const std::string& part) {
  if (!initial.direction) {
    double B = 0;
    for (const spins::ZeemanField& field : std::get<std::vector<spins::ZeemanField>>(tables.terms))
      B += field.B.z;
    return B < 0 ? -1 : 1;
  }
  if (initial.direction->x != 0 || initial.direction->y != 0)
    throw InputError(part + " along z", initial.where.of("direction"),
                     "give direction = [0, 0, 1] or [0, 0, -1]");
  return initial.direction->z > 0 ? 1 : -1;
}

/// The terms with chiral bonds, in the canonical form.
std::vector<spins::LoweredTerm> chiral_terms(const StateSetting& setting,
                                             const spins::SiteMoments& moments) {
  SystemTables chiral;
  chiral.lattice = setting.tables.lattice;
  chiral.context = setting.tables.context;
  chiral.replicas = setting.tables.replicas;
  chiral.folder = setting.tables.folder;
  const auto keep = [&]<class Term>(std::vector<Term>& terms) {
    terms = std::get<std::vector<Term>>(setting.tables.terms);
  };
  keep(std::get<std::vector<spins::Dmi>>(chiral.terms));
  keep(std::get<std::vector<spins::TensorExchange>>(chiral.terms));
  return lower_terms(chiral, setting.geometry, moments);
}

TurnEnergy energy_of(const TextureFamily& family, const StateSetting& setting) {
  const spins::SiteMoments moments = site_moments(setting.geometry);
  return energy_of_turns(family.turned(0), family.axis, chiral_terms(setting, moments),
                         setting.geometry, setting.threads);
}

Texture with_helicity(const TextureFamily& family, const InitialTable& initial,
                      const StateSetting& setting) {
  return family.turned(initial.helicity.given ? *initial.helicity.given
                                              : energy_of(family, setting).best_angle());
}

/// Direction of the spins inside a wall before rotations. @param wall "auto", "neel" or "bloch"
Vec3<double> inside_of_wall(const InitialTable& initial, const std::string& wall) {
  const Vec3<double> d = unit_vector(direction_of(initial));
  const Vec3<double> n = unit_vector(normal_of(initial));
  const Vec3<double> m = wall == "bloch" ? cross(n, d) : across(initial.inside.value_or(n), d);
  if (length(m) < 1e-6)
    throw InputError("the spins inside the wall have no component across `direction`",
                     initial.where.of({"inside", "wall", "normal", "direction"}),
                     "give inside = [..] that is not along direction");
  return unit_vector(m);
}

Texture domain_wall(const InitialTable& initial, const StateSetting& setting) {
  if (!initial.width)
    throw LackingKey("width",
                     InputError("a domain wall lacks its width", initial.where,
                                "give width = ...: the magnetisation varies as tanh(x / width)"));
  if (initial.wall && initial.inside)
    throw InputError("a domain wall has both wall and inside", initial.where.of({"wall", "inside"}),
                     "remove one of these keys");
  const std::string wall = initial.wall.value_or("auto");
  const TextureFamily walls =
      domain_walls(initial, direction_of(initial), inside_of_wall(initial, wall), setting.geometry);
  if (initial.inside) return walls.turned(0);
  const TurnEnergy energy = energy_of(walls, setting);
  return walls.turned(wall == "auto" ? energy.best_angle() : energy.best_of_two());
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

RandomWords<std::uint64_t> random_of_site(std::uint64_t seed, Index site) {
  const RandomKey key{seed, 0, Stream::initial_configuration};
  return philox(key, static_cast<std::uint64_t>(site), std::uint64_t{0});
}

/// BITS: the polar angle from the axis is uniform up to `angle`, and so is the azimuth.
OfSites cone(const InitialTable& initial, std::uint64_t seed) {
  if (!initial.angle)
    throw LackingKey("angle", InputError("a cone lacks its angle", initial.where,
                                         "give angle = \"10 deg\", the largest one"));
  const Vec3<double> axis = unit_vector(direction_of(initial));
  // The coordinate axis that is farthest from the axis of the cone gives the azimuth 0.
  const double x = std::abs(axis.x), y = std::abs(axis.y), z = std::abs(axis.z);
  const Vec3<double> farthest = x <= y && x <= z ? Vec3<double>{1, 0, 0}
                                : y <= z         ? Vec3<double>{0, 1, 0}
                                                 : Vec3<double>{0, 0, 1};
  const Vec3<double> first = unit_vector(across(farthest, axis)), second = cross(axis, first);
  return [=, angle = *initial.angle](Index site) {
    const auto random = random_of_site(seed, site);
    const double polar = angle * uniform_52<double>(random.w[0], random.w[1]);
    const double azimuth = 2 * std::numbers::pi * uniform_52<double>(random.w[2], random.w[3]);
    return std::cos(polar) * axis + std::sin(polar) * std::cos(azimuth) * first +
           std::sin(polar) * std::sin(azimuth) * second;
  };
}

/// BITS: the highest bit of a random number is the sign.
OfSites random_signs(const InitialTable& initial, const StateSetting& setting) {
  if (initial.direction && !initial.directions.empty())
    throw InputError("random-signs has both direction and directions",
                     initial.where.of("directions"), "remove one of these keys");
  const Vec3<double> one = unit_vector(direction_of(initial));
  const OfSites along = initial.directions.empty() ? OfSites([one](Index) { return one; })
                                                   : sublattices(initial, setting.geometry);
  return [along, seed = setting.seed](Index site) {
    const bool up = (random_of_site(seed, site).w[0] >> 31 & 1) == 0;
    return (up ? 1.0 : -1.0) * along(site);
  };
}

Texture texture_of(const InitialTable& initial, const StateSetting& setting) {
  const lattice::Geometry& geometry = setting.geometry;
  const std::string& state = initial.state;
  const auto up = [&](const std::string& part) { return up_of(initial, setting.tables, part); };
  if (state == "spiral") return spiral(initial, direction_of(initial), geometry);
  if (state == "domain-wall") return domain_wall(initial, setting);
  if (state == "skyrmion" || state == "antiskyrmion")
    return with_helicity(skyrmions(initial, up("the background of a skyrmion points"), geometry),
                         initial, setting);
  if (state == "skyrmion-lattice")
    return with_helicity(
        skyrmion_lattices(initial, up("the background of skyrmions points"), geometry), initial,
        setting);
  if (state == "vortex")
    return with_helicity(vortices(initial, up("the core of a vortex points"), geometry), initial,
                         setting);
  if (state == "hopfion")
    return with_helicity(hopfions(initial, up("the background of a hopfion points"), geometry),
                         initial, setting);
  return {};
}

/// The direction of the spin of each site; empty for a state of one direction.
OfSites sites_of(const InitialTable& initial, const StateSetting& setting) {
  if (initial.state == "sublattices") return sublattices(initial, setting.geometry);
  if (initial.state == "cone") return cone(initial, setting.seed);
  if (initial.state == "random-signs") return random_signs(initial, setting);
  if (const Texture texture = texture_of(initial, setting))
    return [texture, &geometry = setting.geometry](Index site) {
      return texture(geometry.position(site));
    };
  return {};
}

/// The spins of each ensemble of the file in canonical order: one, or several that differ. An error
/// about the file as a whole points at the table.
std::vector<std::vector<Vec3<double>>> ensembles_of_file(const InitialTable& initial,
                                                         const lattice::Geometry& geometry,
                                                         const std::string& folder) {
  try {
    const std::string path = state_file(initial, folder);
    std::vector<std::vector<Vec3<double>>> ensembles;
    if (io::is_uppasd_restart(path))
      ensembles = io::read_uppasd_restart(path, geometry.spins());
    else
      ensembles.push_back(io::read_extxyz_spins(path, geometry.spins()));
    if (std::ranges::all_of(ensembles, [&](const auto& spins) { return spins == ensembles[0]; }))
      ensembles.resize(1);
    for (std::vector<Vec3<double>>& spins : ensembles) {
      std::vector<Vec3<double>> e(static_cast<std::size_t>(geometry.sites()), {0, 0, 0});
      std::size_t next = 0;
      for (Index site = 0; site < geometry.sites(); ++site)
        if (geometry.moment(site) != 0) e[static_cast<std::size_t>(site)] = spins[next++];
      spins = std::move(e);
    }
    return ensembles;
  } catch (const InputError& error) {
    if (error.has_position()) throw;
    throw InputError(error.problem(), initial.where.of("file"), error.remedy());
  }
}

/// @throws InputError for several ensembles
std::vector<Vec3<double>> spins_of_file(const InitialTable& initial,
                                        const lattice::Geometry& geometry,
                                        const std::string& folder) {
  std::vector<std::vector<Vec3<double>>> ensembles = ensembles_of_file(initial, geometry, folder);
  if (ensembles.size() > 1)
    throw InputError("the file has " + std::to_string(ensembles.size()) +
                         " ensembles with different spins, and one state is needed",
                     initial.where.of("file"), "keep only the rows of ensemble 1");
  return std::move(ensembles.front());
}

/// Sets every replica to its ensemble, or all replicas to the only one.
void set_ensembles(const std::vector<std::vector<Vec3<double>>>& ensembles,
                   const InitialTable& initial, spins::SpinState& state) {
  if (ensembles.size() == 1) return state.set_all(ensembles[0]);
  const SpinLayout& layout = state.layout();
  if (std::ssize(ensembles) != layout.study_replicas())
    throw InputError("the file has " + std::to_string(ensembles.size()) +
                         " ensembles with different spins, and the study has " +
                         std::to_string(layout.study_replicas()) + " replica(s)",
                     initial.where.of("file"),
                     "give each replica an ensemble, or keep only the rows of ensemble 1");
  std::vector<double> numbers = state.save();
  const VectorView view(numbers.data(), layout);
  for (Index lane = 0; lane < layout.padded_replicas(); ++lane) {
    const Index replica = layout.first_replica + std::min(lane, layout.replicas - 1);
    for (Index position = 0; position < layout.spins(); ++position) {
      const auto site =
          static_cast<std::size_t>(state.canonical()[static_cast<std::size_t>(position)]);
      view.store(ScalarSlot<DoubleNumbers>{position, lane},
                 ensembles[static_cast<std::size_t>(replica)][site]);
    }
  }
  state.load(numbers);
}

}  // namespace

std::string state_file(const InitialTable& initial, const std::string& folder) {
  return (std::filesystem::path(folder) / *initial.file).string();
}

namespace {

/// A key, and the states to which it belongs.
struct OwnKey {
  const char* key;
  bool given;
  std::vector<std::string> states;
};

/// @throws InputError for a key of other states
void require_own(const InitialTable& initial, const OwnKey& own) {
  const auto& [key, given, states] = own;
  if (!given || std::find(states.begin(), states.end(), initial.state) != states.end()) return;
  std::string owners;
  for (const std::string& state : states)
    owners += (owners.empty() ? "\"" : " or \"") + state + "\"";
  throw InputError(
      std::string(key) + " belongs to state = " + owners + ", not to \"" + initial.state + "\"",
      initial.where.of(key), "remove the key, or give a state to which the key belongs");
}

void check_own_keys(const InitialTable& initial) {
  const OwnKey keys[] = {
      {"direction",
       initial.direction.has_value(),
       {"aligned", "cone", "random-signs", "spiral", "domain-wall", "skyrmion", "antiskyrmion",
        "skyrmion-lattice", "vortex", "hopfion"}},
      {"directions", !initial.directions.empty(), {"sublattices", "random-signs"}},
      {"angle", initial.angle.has_value(), {"cone"}},
      {"q", initial.q.has_value(), {"spiral"}},
      {"normal", initial.normal.has_value(), {"spiral", "domain-wall"}},
      {"centre",
       initial.centre.has_value(),
       {"domain-wall", "skyrmion", "antiskyrmion", "skyrmion-lattice", "vortex", "hopfion"}},
      {"width",
       initial.width.has_value(),
       {"domain-wall", "skyrmion", "antiskyrmion", "vortex", "hopfion"}},
      {"inside", initial.inside.has_value(), {"domain-wall"}},
      {"wall", initial.wall.has_value(), {"domain-wall"}},
      {"radius", initial.radius.has_value(), {"skyrmion", "antiskyrmion", "hopfion"}},
      {"period", initial.period.has_value(), {"skyrmion-lattice"}},
      {"orientation", initial.orientation.has_value(), {"skyrmion-lattice"}},
      {"winding", initial.winding.has_value(), {"skyrmion", "skyrmion-lattice", "vortex"}},
      {"helicity",
       initial.helicity.given.has_value(),
       {"skyrmion", "antiskyrmion", "skyrmion-lattice", "vortex", "hopfion"}},
      {"hopf_index", initial.hopf_index.has_value(), {"hopfion"}}};
  for (const OwnKey& own : keys) require_own(initial, own);
  if (initial.file && initial.state != "file")
    throw InputError("file requires state = \"file\", not \"" + initial.state + "\"",
                     initial.where.of("file"), "remove one of these keys");
  if (!initial.file && initial.state == "file")
    throw LackingKey("file", InputError("state = \"file\" lacks its file", initial.where,
                                        "give file = \"spins.extxyz\""));
}

}  // namespace

std::vector<Vec3<double>> initial_directions(const InitialTable& initial,
                                             const StateSetting& setting) {
  const lattice::Geometry& geometry = setting.geometry;
  std::vector<Vec3<double>> e;
  check_own_keys(initial);
  if (initial.file) return spins_of_file(initial, geometry, setting.tables.folder);
  if (initial.state == "random") return e;
  e.assign(static_cast<std::size_t>(geometry.sites()), unit_vector(direction_of(initial)));
  if (const OfSites direction = sites_of(initial, setting))
    for (Index site = 0; site < geometry.sites(); ++site)
      e[static_cast<std::size_t>(site)] = direction(site);
  return e;
}

void set_initial_state(const Study& study, SpinSystem& system) {
  const SystemTables& tables = spin_tables(study);
  const InitialTable& initial = tables.initial;
  const StateSetting setting{system.geometry, tables, system.device.threads, study.seed};
  check_own_keys(initial);
  if (initial.file) {
    set_ensembles(ensembles_of_file(initial, system.geometry, tables.folder), initial,
                  system.state);
  } else if (initial.state == "random") {
    system.state.randomise(study.seed);
  } else if (const OfSites direction = sites_of(initial, setting)) {
    system.state.set_by_site(direction);
  } else {
    system.state.set_uniform(unit_vector(direction_of(initial)));
  }
}

}  // namespace larmor::study
