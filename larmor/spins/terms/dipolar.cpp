#include "larmor/spins/terms/dipolar.hpp"

#include <cmath>

#include "larmor/lattice/bond_selection.hpp"
#include "larmor/spins/hamiltonian/lowered_term.hpp"
#include "larmor/spins/long_range/dipole_sum.hpp"

namespace larmor::spins {
namespace {

/// Largest number of sites for which all pairs may be bonds. Larger systems need too much memory.
constexpr Index most_sites_of_bonds = 10000;

/// mu_0 mu_B^2 / 4 pi in eV A^3: mu_0 / 4 pi is 1e-7 T^2 m^3 / J (to 1e-9), 1 m^3 is 1e30 A^3.
double material_strength(const Constants& c) { return c.mu_B * c.mu_B * c.e * 1e23; }

bool is_material(const TermContext& context) {
  return context.constants.k_B != reduced_constants.k_B;
}

/// Adds every pair of sites as a bond.
void add_all_pairs(const TermContext& context, double strength, const DipoleSum& sum,
                   LoweredTerm& term) {
  const lattice::Geometry& geometry = context.geometry;
  const Index sites = geometry.sites();
  if (sites > most_sites_of_bonds)
    throw InputError(
        "dipolar: " + std::to_string(sites) + " sites make too many bonds",
        "use method = \"fft\" on a lattice, or a cutoff; method = \"bonds\" supports at most " +
            std::to_string(most_sites_of_bonds) + " sites");
  std::vector<Vec3<double>> position;
  for (Index site = 0; site < sites; ++site) position.push_back(geometry.position(site));
  const auto moment = [&](Index site) { return context.moments[static_cast<std::size_t>(site)]; };
  term.bond_class = BondClass::tensor;
  term.pairs.reserve(static_cast<std::size_t>(sites * (sites - 1) / 2));
  for (Index i = 0; i < sites; ++i)
    for (Index j = i + 1; j < sites; ++j) {
      const Vec3<double> r =
          position[static_cast<std::size_t>(j)] - position[static_cast<std::size_t>(i)];
      const double factor = strength * moment(i) * moment(j);
      if (factor != 0) term.pairs.push_back({{i, j, r}, factor * sum.between(r)});
    }
  const Mat3<double> self = sum.self();
  if (!(self == Mat3<double>{}))
    term.onsite = [self, strength, &moments = context.moments](Index site) {
      const double m = moments[static_cast<std::size_t>(site)];
      return onsite_quadratic((strength * m * m) * self);
    };
}

/// Does every site have the moment of its basis atom?
bool moments_repeat(const TermContext& context) {
  if (context.cells_are_alike()) return true;
  const auto& basis = context.geometry.crystal.basis;
  for (Index site = 0; site < context.geometry.sites(); ++site)
    if (context.moments[static_cast<std::size_t>(site)] !=
        basis[static_cast<std::size_t>(context.geometry.basis_index(site))].moment)
      return false;
  return true;
}

/// Adds every pair up to the cutoff.
void add_near_pairs(const TermContext& context, double strength, double cutoff, LoweredTerm& term) {
  const lattice::Geometry& geometry = context.geometry;
  const auto tensor = [&](Index i, Index j, const Vec3<double>& r) {
    const double moments =
        context.moments[static_cast<std::size_t>(i)] * context.moments[static_cast<std::size_t>(j)];
    return (strength * moments) * dipole_tensor(r);
  };
  term.bond_class = BondClass::tensor;
  if (!geometry.is_lattice()) {
    for (const lattice::PairBond& bond : lattice::pairs_within(geometry, cutoff, {}))
      term.pairs.push_back({bond, tensor(bond.i, bond.j, bond.r)});
  } else if (const auto stencil = lattice::stencil_within(geometry, cutoff);
             moments_repeat(context)) {
    for (const lattice::StencilBond& bond : stencil)
      term.stencil.push_back({bond, tensor(bond.from, bond.to, bond.r)});
  } else {
    for (const lattice::PairBond& bond : pair_by_pair({stencil, {}}, geometry).pairs)
      term.pairs.push_back({bond, tensor(bond.i, bond.j, bond.r)});
  }
  if (term.pairs.empty() && term.stencil.empty())
    throw InputError("dipolar: the cutoff is shorter than all distances between sites",
                     "give a longer cutoff");
}

}  // namespace

FieldTable<Dipolar> Dipolar::fields() {
  return FieldTable<Dipolar>()
      .optional("strength", &Dipolar::strength, Dimension::none,
                "energy of two parallel unit moments side by side at unit distance; reduced units "
                "need this key, and material units do not allow it")
      .positive()
      .optional("method", &Dipolar::method, Dimension::none,
                "fft supports lattices of any size, but not Monte Carlo; bonds makes every pair a "
                "bond, and also supports Monte Carlo and plain positions; cutoff is an "
                "approximation, with bonds up to `cutoff`; auto chooses cutoff if `cutoff` is "
                "given, otherwise fft on lattices and bonds for plain positions")
      .one_of({"auto", "fft", "bonds", "cutoff"})
      .optional("cutoff", &Dipolar::cutoff, Dimension::length,
                "largest distance of a pair if method is cutoff")
      .positive()
      .optional("demagnetisation", &Dipolar::demagnetisation, Dimension::none,
                "three demagnetising factors of the sample that surrounds the box; their sum is 1, "
                "and each is 1/3 for a sphere; only if all directions are periodic; default: none")
      .at_least(0)
      .at_most(1);
}

std::string Dipolar::chosen_method(const lattice::Geometry& geometry) const {
  if (method != "auto") return method;
  if (cutoff) return "cutoff";
  return geometry.is_lattice() ? "fft" : "bonds";
}

void Dipolar::check(const TermContext& context) const {
  const auto refuse = [&](const std::string& problem, const std::string& remedy) {
    throw InputError("dipolar: " + problem, where, remedy);
  };
  if (is_material(context) && strength)
    refuse("material units define the strength of the interaction", "remove strength");
  if (!is_material(context) && !strength)
    refuse("reduced units need a strength", "give strength = ..., the energy of two unit moments");
  const lattice::Geometry& geometry = context.geometry;
  const std::string chosen = chosen_method(geometry);
  if (chosen == "cutoff" && !cutoff)
    refuse("method = \"cutoff\" needs a cutoff", "give cutoff = ...");
  if (chosen != "cutoff" && cutoff)
    refuse("method " + chosen + " includes all pairs and has no cutoff",
           "remove cutoff, or use method = \"cutoff\"");
  if (chosen == "fft" && !geometry.is_lattice())
    refuse("an FFT needs a lattice, not plain positions", "use method = \"bonds\" or a cutoff");
  const Vec3<double>& N = demagnetisation;
  if (N == Vec3<double>{0, 0, 0}) return;
  if (chosen == "cutoff" || !(geometry.periodic[0] && geometry.periodic[1] && geometry.periodic[2]))
    refuse("demagnetisation needs three periodic directions, and method fft or bonds",
           "remove demagnetisation; open boundaries already act as surfaces of the sample");
  if (std::abs(N.x + N.y + N.z - 1) > 1e-6)
    refuse("the sum of the demagnetising factors must be 1",
           "give three factors with sum 1; a sphere has [1/3, 1/3, 1/3]");
}

LoweredTerm Dipolar::lower(const TermContext& context) const {
  check(context);
  const double energy = is_material(context) ? material_strength(context.constants) : *strength;
  const lattice::Geometry& geometry = context.geometry;
  LoweredTerm term;
  term.name = name;
  const std::string chosen = chosen_method(geometry);
  if (chosen == "cutoff") {
    add_near_pairs(context, energy, *cutoff, term);
    return term;
  }
  const auto sum = std::make_shared<DipoleSum>(geometry, demagnetisation);
  if (chosen == "bonds") {
    add_all_pairs(context, energy, *sum, term);
    return term;
  }
  term.long_range = LongRangeCoupling{
      [sum, &geometry](int from, int to, const std::array<Index, 3>& offset) {
        if (from == to && offset == std::array<Index, 3>{0, 0, 0}) return sum->self();
        const auto& basis = geometry.crystal.basis;
        const Vec3<double> cells{static_cast<double>(offset[0]), static_cast<double>(offset[1]),
                                 static_cast<double>(offset[2])};
        return sum->between(
            geometry.crystal.cartesian(cells + basis[static_cast<std::size_t>(to)].fractional -
                                       basis[static_cast<std::size_t>(from)].fractional));
      },
      [root = std::sqrt(energy), &moments = context.moments](Index site) {
        return root * moments[static_cast<std::size_t>(site)];
      }};
  return term;
}

}  // namespace larmor::spins
