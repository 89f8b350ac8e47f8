#include "larmor/spins/terms/kitaev.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "larmor/core/maths/vectors.hpp"
#include "larmor/lattice/input.hpp"

namespace larmor::spins {
namespace {

/// Largest sine of the angle between directions that count as equal.
constexpr double same_direction = lattice::input_tolerance;

bool same_line(const Vec3<double>& u, const Vec3<double>& v) {
  return length(cross(u, v)) < same_direction;
}

/// Angle of a line in the xy plane, in [0, pi); pi for a line along z.
double angle_of(const Vec3<double>& u) {
  if (std::hypot(u.x, u.y) < same_direction) return std::numbers::pi;
  if (std::abs(u.y) < same_direction) return 0;
  return u.y > 0 ? std::atan2(u.y, u.x) : std::atan2(-u.y, -u.x);
}

/// The directions of bonds of types x, y, z.
class Directions {
 public:
  Directions(const lattice::SelectedBonds& bonds, const SourcePosition& where) : where_(where) {
    for (const auto& bond : bonds.stencil) add(bond.r);
    for (const auto& bond : bonds.pairs) add(bond.r);
    if (lines_.size() != 3) refuse(std::to_string(lines_.size()));
    std::sort(lines_.begin(), lines_.end(),
              [](const auto& u, const auto& v) { return angle_of(u) < angle_of(v); });
    for (std::size_t i = 0; i < 2; ++i)
      if (angle_of(lines_[i + 1]) - angle_of(lines_[i]) < same_direction)
        throw InputError("kitaev: two bond directions have equal angles in the xy plane", where_,
                         remedy);
  }

  int type_of(const Vec3<double>& r) const {
    const auto same = [u = unit_vector(r)](const auto& line) { return same_line(line, u); };
    return static_cast<int>(std::find_if(lines_.begin(), lines_.end(), same) - lines_.begin());
  }

 private:
  static constexpr const char* remedy =
      "give a table with bond = \"x\", \"y\" or \"z\" for each type, and name the bonds of this "
      "type by `offset` or `pairs`";

  void add(const Vec3<double>& r) {
    const Vec3<double> u = unit_vector(r);
    for (const Vec3<double>& line : lines_)
      if (same_line(line, u)) return;
    if (lines_.size() == 3) refuse("more");
    lines_.push_back(u);
  }

  [[noreturn]] void refuse(const std::string& count) const {
    throw InputError(
        "kitaev: bond = \"auto\" needs bonds along three directions, but there are " + count,
        where_, remedy);
  }

  SourcePosition where_;
  std::vector<Vec3<double>> lines_;
};

}  // namespace

FieldTable<Kitaev> Kitaev::fields() {
  FieldTable<Kitaev> table;
  table
      .optional("K", &Kitaev::K, Dimension::energy,
                "coupling of the components g; K > 0 is ferromagnetic; give at least one of K, "
                "Gamma and Gamma_prime; default: 0")
      .optional("Gamma", &Kitaev::Gamma, Dimension::energy,
                "coupling of the two components other than g with each other; default: 0")
      .optional("Gamma_prime", &Kitaev::Gamma_prime, Dimension::energy,
                "coupling of the component g with each of the two other components; default: 0")
      .optional("bond", &Kitaev::bond, Dimension::none,
                "type of the selected bonds; auto assigns x, y and z to the three bond directions "
                "in the order of their angles to the x axis (honeycomb: 30, 90, 150 degrees)")
      .one_of({"auto", "x", "y", "z"});
  lattice::add_bond_fields(table);
  return table;
}

Mat3<double> Kitaev::matrix(int type) const {
  const int g = type, a = (type + 1) % 3, b = (type + 2) % 3;
  double A[3][3] = {};
  A[g][g] = K.value_or(0);
  A[a][b] = A[b][a] = Gamma.value_or(0);
  A[g][a] = A[a][g] = A[g][b] = A[b][g] = Gamma_prime.value_or(0);
  Mat3<double> m;
  for (int i = 0; i < 3; ++i) m.row[i] = {A[i][0], A[i][1], A[i][2]};
  return m;
}

LoweredTerm Kitaev::lower(const TermContext& context) const {
  if (!K && !Gamma && !Gamma_prime)
    throw InputError("kitaev has none of K, Gamma and Gamma_prime", where,
                     "give at least one of K, Gamma and Gamma_prime");
  const lattice::SelectedBonds bonds = select_bonds(*this, name, context.geometry);
  std::optional<Directions> directions;
  if (bond == "auto") directions.emplace(bonds, where);
  const auto matrix_of = [&](const Vec3<double>& r) {
    return matrix(directions ? directions->type_of(r) : bond[0] - 'x');
  };
  LoweredTerm term;
  term.name = name;
  term.warning = bonds.warning;
  term.bond_class = BondClass::tensor;
  for (const auto& selected : bonds.stencil)
    term.stencil.push_back({selected, matrix_of(selected.r)});
  for (const auto& selected : bonds.pairs) term.pairs.push_back({selected, matrix_of(selected.r)});
  return term;
}

}  // namespace larmor::spins
