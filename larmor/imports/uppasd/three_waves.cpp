#include "larmor/imports/uppasd/three_waves.hpp"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include "larmor/imports/uppasd/wave_vectors.hpp"
#include "larmor/lattice/bonds.hpp"

namespace larmor::imports::uppasd {
namespace {

constexpr double pi = std::numbers::pi;

Vec3<double> turned_about_z(const Vec3<double>& v, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * v.x - s * v.y, s * v.x + c * v.y, v.z};
}

struct ThreeWaves {
  double up;                      ///< z component of n
  std::array<Vec3<double>, 3> q;  ///< 1 / lattice constant, without 2 pi
  std::array<Vec3<double>, 3> s;

  ThreeWaves(double z, const Vec3<double>& first_q, const Vec3<double>& first_s) : up(z) {
    for (std::size_t k = 0; k < 3; ++k) {
      // A turn about -z is a turn about z in the other sense.
      const double angle = z * 2 * pi / 3 * static_cast<double>(k);
      q[k] = turned_about_z(first_q, angle);
      s[k] = turned_about_z(first_s, angle);
    }
  }

  Vec3<double> at(const Vec3<double>& r) const {
    Vec3<double> m{0, 0, 0};
    for (std::size_t k = 0; k < 3; ++k) {
      const double phase = 2 * pi * dot(q[k], r);
      m += std::sin(phase) * s[k] + Vec3<double>{0, 0, up * std::cos(phase)};
    }
    const double size = length(m);
    return size > 0 ? (1 / size) * m : Vec3<double>{0, 0, up};
  }
};

double coupling_energy(const std::vector<Coupling>& couplings, CouplingKind kind,
                       const lattice::Geometry& geometry, const std::vector<Vec3<double>>& spins) {
  double energy = 0;
  for (const Coupling& c : couplings) {
    const io::DirectedBond& ends = c.ends.bond;
    const lattice::StencilBond bond{ends.from, ends.to, ends.offset, c.r};
    const auto atoms = static_cast<Index>(geometry.crystal.basis.size());
    for (Index site = ends.from; site < geometry.sites(); site += atoms) {
      const Index other = lattice::neighbour(geometry, site, bond);
      if (other < 0) continue;
      const Vec3<double>& a = spins[static_cast<std::size_t>(site)];
      const Vec3<double>& b = spins[static_cast<std::size_t>(other)];
      const CouplingNumbers& n = c.numbers;
      switch (kind) {
        case CouplingKind::exchange:
          energy -= n[0] * dot(a, b);
          break;
        case CouplingKind::tensor:
          energy -= a.x * (n[0] * b.x + n[1] * b.y + n[2] * b.z) +
                    a.y * (n[3] * b.x + n[4] * b.y + n[5] * b.z) +
                    a.z * (n[6] * b.x + n[7] * b.y + n[8] * b.z);
          break;
        case CouplingKind::dmi:
          energy -= dot(Vec3<double>{n[0], n[1], n[2]}, cross(a, b));
          break;
        case CouplingKind::biquadratic:
          energy -= n[0] * dot(a, b) * dot(a, b);
          break;
      }
    }
  }
  return energy;
}

double coupling_energy(const UppasdHamiltonian& hamiltonian, const lattice::Geometry& geometry,
                       const std::vector<Vec3<double>>& spins) {
  return coupling_energy(hamiltonian.exchange, hamiltonian.exchange_kind, geometry, spins) +
         coupling_energy(hamiltonian.dmi, CouplingKind::dmi, geometry, spins) +
         coupling_energy(hamiltonian.biquadratic, CouplingKind::biquadratic, geometry, spins);
}

double z_of_axis(const InputFile& input) {
  const Vec3<double> n = input.vector("qm_nvec", {0, 0, 1});
  if (n.x != 0 || n.y != 0 || n.z == 0)
    input.find("qm_nvec")->refuse("three spirals about an axis other than z cannot be imported",
                                  "write `qm_nvec 0 0 1`, or start from a restart file");
  return n.z > 0 ? 1 : -1;
}

}  // namespace

Value three_waves(const InputFile& input, const UppasdCrystal& crystal,
                  const UppasdHamiltonian& hamiltonian, const Entry& ip_mode,
                  const Quantities& quantities, std::vector<std::string>& notes) {
  if (crystal.is_alloy)
    ip_mode.refuse("spirals of a random alloy cannot be imported", "set ip_mode N");
  const double up = z_of_axis(input);
  Vec3<double> s = input.vector("qm_svec", {1, 0, 0});
  if (s.z != 0 || length(s) == 0)
    input.find("qm_svec")->refuse("qm_svec is not in the plane of the spirals",
                                  "give a vector across z, such as `qm_svec 1 -1 0`");
  s = (1 / length(s)) * s;
  const WaveVectors points = read_wave_vectors(input, crystal);
  constexpr Index most_sites = 10'000'000;
  if (crystal.geometry.sites() > most_sites)
    ip_mode.refuse(
        "ip_mode Y compares energies of all sites, and the lattice has more than ten "
        "million",
        "reduce ncell, or start from a restart file");
  const lattice::Geometry& geometry = crystal.geometry;
  const std::array<Vec3<double>, 3> reciprocal = geometry.crystal.reciprocal();
  const Vec3<double> centre = geometry.position(
      geometry.site(0, geometry.size[0] / 2, geometry.size[1] / 2, geometry.size[2] / 2));
  double lowest = std::numeric_limits<double>::infinity();
  std::optional<Vec3<double>> best;
  SourceMark best_where;
  std::vector<Vec3<double>> spins(static_cast<std::size_t>(geometry.sites()));
  for (std::size_t n = 0; n < points.q.size(); ++n) {
    const Vec3<double>& f = points.q[n];
    const Vec3<double> q =
        (1 / (2 * pi)) * (f.x * reciprocal[0] + f.y * reciprocal[1] + f.z * reciprocal[2]);
    if (length(q) < 1e-9 || std::abs(q.z) > 1e-9) continue;
    const ThreeWaves waves(up, q, s);
    for (Index site = 0; site < geometry.sites(); ++site)
      spins[static_cast<std::size_t>(site)] = waves.at(geometry.position(site) - centre);
    const double energy = coupling_energy(hamiltonian, geometry, spins);
    if (energy >= lowest) continue;
    lowest = energy;
    best = q;
    best_where = points.marks[n];
  }
  if (!best)
    ip_mode.refuse("ip_mode Y finds no wave vector across z",
                   "set qpoints F, and give wave vectors in the plane by a qfile");
  // The next skyrmion lies 30 degrees from a wave vector.
  const double wave = length(*best), azimuth = std::atan2(best->y, best->x);
  double helicity = std::atan2(s.y, s.x) - azimuth;
  helicity -= 2 * pi * std::round(helicity / (2 * pi));
  const Entry* const alat = input.find("alat");
  const double constant = alat != nullptr && !quantities.reduced ? alat->number() : 1;
  const char* const unit = alat != nullptr ? "m" : "Å";
  Value state;
  const SourceMark where = ip_mode.mark();
  state.mark(where);
  const auto set = [&](const char* key, Value value, const SourceMark& mark) {
    state.set(key, placed(std::move(value), mark), mark);
  };
  set("state", "skyrmion-lattice", where);
  set("direction", vector_value({0, 0, -up}), where);
  set("period", quantities.of(2 / std::sqrt(3.0) / wave * constant, unit), best_where);
  set("orientation", number_text((azimuth + pi / 6) * 180 / pi) + " deg", best_where);
  set("helicity", number_text(helicity * 180 / pi) + " deg", where);
  Value::Array middle;
  for (const double x : {centre.x, centre.y, centre.z})
    middle.push_back(quantities.of(x * constant, unit));
  set("centre", Value(std::move(middle)), where);
  notes.push_back(fmt::format(
      "ip_mode Y: three spirals with |q| = {:.6g} have the lowest energy of couplings among the "
      "wave vectors of the qfile, {:.6g}{} per atom. Larmor adapts their period to the periodic "
      "lattice",
      wave, lowest / static_cast<double>(geometry.sites()), quantities.reduced ? "" : " mRy"));
  return state;
}

}  // namespace larmor::imports::uppasd
