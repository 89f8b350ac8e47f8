#include "larmor/imports/uppasd/torque.hpp"

#include <array>
#include <cmath>
#include <utility>

namespace larmor::imports::uppasd {
namespace {

/// UppASD's neighbours for derivatives are nearer than this, in lattice constants.
constexpr double derivative_cutoff = 1.05;
/// UppASD's gyromagnetic ratio, rad/(s T).
constexpr double gamma_of_uppasd = 1.760859644e11;

int sign_of(double x) { return x > 1e-7 ? 2 : x < -1e-7 ? 0 : 1; }

/// The nearest neighbour of an atom in each of the 26 directions: octants, quadrants of planes, and
/// axes.
std::vector<Vec3<double>> derivative_neighbours(int atom, const std::vector<Coupling>& exchange) {
  std::array<Vec3<double>, 27> nearest{};
  std::array<double, 27> distance{};
  distance.fill(derivative_cutoff);
  const auto consider = [&](const Vec3<double>& d) {
    const auto place = static_cast<std::size_t>(sign_of(d.x) + 3 * sign_of(d.y) + 9 * sign_of(d.z));
    if (length(d) >= distance[place]) return;
    distance[place] = length(d);
    nearest[place] = d;
  };
  for (const Coupling& c : exchange) {
    if (c.ends.bond.from == atom) consider(c.r);
    if (c.ends.bond.to == atom) consider(-c.r);
  }
  std::vector<Vec3<double>> found;
  for (std::size_t n = 0; n < nearest.size(); ++n)
    if (distance[n] < derivative_cutoff) found.push_back(nearest[n]);
  return found;
}

Value::Array torque_of_gradient(const InputFile& input, const UppasdCrystal& crystal,
                                const std::vector<Coupling>& exchange, const Entry& jvec,
                                const Quantities& quantities, std::vector<std::string>& notes) {
  const Vec3<double> j = jvec.vector();
  const Vec3<double> along = derivative_along(j, 0, exchange);
  for (int atom = 1; atom < static_cast<int>(crystal.sites.size()); ++atom)
    if (length(derivative_along(j, atom, exchange) - along) > 1e-6 * length(j))
      jvec.refuse(
          "the atoms of the cell have different neighbours, and UppASD's derivatives along "
          "jvec differ between them",
          "convert the input, and write the drift velocity of the current into the torque");
  if (length(along) == 0)
    jvec.refuse(
        "jvec points along no neighbour of the exchange file nearer than 1.05 lattice "
        "constants",
        "give a current along bonds, or set stt N");
  const Entry* const alat = input.find("alat");
  const double gamma = quantities.reduced ? 1 : gamma_of_uppasd;
  // A lattice without alat has the lattice constant 1 Angstrom.
  const double constant = quantities.reduced ? 1 : alat != nullptr ? alat->number() : 1e-10;
  const Vec3<double> u = gamma * constant * along;
  Value torque;
  torque.mark(jvec.mark());
  torque.set("kind", placed("spin-transfer", jvec.mark()), jvec.mark());
  torque.set("velocity",
             placed(Value(Value::Array{quantities.of(u.x, "m/s"), quantities.of(u.y, "m/s"),
                                       quantities.of(u.z, "m/s")}),
                    jvec.value_mark()),
             jvec.mark());
  const Entry* const beta = input.find("adibeta");
  const SourceMark where = beta != nullptr ? beta->value_mark() : jvec.mark();
  torque.set("beta", placed(input.number("adibeta", 0), where), where);
  notes.push_back("stt A: jvec = (" + number_text(j.x) + ", " + number_text(j.y) + ", " +
                  number_text(j.z) + ") T drives textures at gamma times (" + number_text(along.x) +
                  ", " + number_text(along.y) + ", " + number_text(along.z) +
                  ") lattice constants, because UppASD divides the sum over neighbours by their "
                  "number. Both programs then agree for slow textures");
  return {placed(std::move(torque), jvec.mark())};
}

Value::Array fixed_torque(const Entry& jvec, double damping, const Quantities& quantities) {
  const Vec3<double> j = jvec.vector();
  const double strength = length(j) / (1 + damping * damping);
  Value torque;
  torque.mark(jvec.mark());
  torque.set("kind", placed("polarised", jvec.mark()), jvec.mark());
  torque.set("polarisation", placed(vector_value(j), jvec.value_mark()), jvec.mark());
  torque.set("damping_like", placed(quantities.field(strength), jvec.value_mark()), jvec.mark());
  torque.set("field_like", placed(quantities.field(damping * strength), jvec.value_mark()),
             jvec.mark());
  return {placed(std::move(torque), jvec.mark())};
}

}  // namespace

Vec3<double> derivative_along(const Vec3<double>& j, int atom,
                              const std::vector<Coupling>& exchange) {
  const std::vector<Vec3<double>> neighbours = derivative_neighbours(atom, exchange);
  Vec3<double> sum{0, 0, 0};
  for (const Vec3<double>& d : neighbours) {
    double weight = 0;
    for (const auto& [j_axis, d_axis] : {std::pair(j.x, d.x), {j.y, d.y}, {j.z, d.z}})
      if (std::abs(d_axis) > 1e-7) weight += j_axis / d_axis;
    sum += weight * d;
  }
  if (neighbours.empty()) return sum;
  return (1 / static_cast<double>(neighbours.size())) * sum;
}

void set_torque(Value& stage, const InputFile& input, const UppasdCrystal& crystal,
                const std::vector<Coupling>& exchange, double damping, const Quantities& quantities,
                std::vector<std::string>& notes) {
  const Entry* const stt = input.find("stt");
  if (stt == nullptr || stt->letter() == 'N') return;
  if (stt->letter() != 'A' && stt->letter() != 'F')
    stt->refuse("stt " + stt->word() + " cannot be imported", "write N, A or F");
  const Entry& jvec = input.require("jvec", "write `jvec` with the current, or set stt N");
  if (length(jvec.vector()) == 0) return;
  Value::Array torque = stt->letter() == 'A'
                            ? torque_of_gradient(input, crystal, exchange, jvec, quantities, notes)
                            : fixed_torque(jvec, damping, quantities);
  if (const Index solver = input.whole("sdealgh", 1); solver == 4 || solver == 5)
    notes.push_back("stt " + stt->word() + " with SDEalgh " + std::to_string(solver) +
                    ": UppASD's corrector leaves the torque out, so its torque has half of the "
                    "strength that it has with SDEalgh 1. Larmor has the whole torque");
  stage.set("torque", placed(Value(std::move(torque)), stt->mark()), stt->mark());
}

}  // namespace larmor::imports::uppasd
