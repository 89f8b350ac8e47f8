#include "larmor/fitting/design.hpp"

#include <algorithm>

#include "larmor/evaluation/evaluator.hpp"

namespace larmor::fitting {
namespace {

std::size_t as_size(Index n) { return static_cast<std::size_t>(n); }

/// Adds the coefficients of one atom: f(place, value) for B_k and for products of two components.
/// @param value B of the atom [components]
template <class Add>
void add_components(std::span<const double> value, bool quadratic, const Add& add) {
  std::size_t place = 0;
  for (const double B : value) add(place++, B);
  if (!quadratic) return;
  for (std::size_t k = 0; k < value.size(); ++k) {
    add(place++, 0.5 * value[k] * value[k]);
    for (std::size_t l = k + 1; l < value.size(); ++l) add(place++, value[k] * value[l]);
  }
}

/// The derivatives of these functions for a neighbour, from those of the components.
template <class Add>
void add_gradients(std::span<const double> value, std::span<const Vec3<double>> slope,
                   bool quadratic, const Add& add) {
  std::size_t place = 0;
  for (const Vec3<double>& g : slope) add(place++, g);
  if (!quadratic) return;
  for (std::size_t k = 0; k < value.size(); ++k) {
    add(place++, value[k] * slope[k]);
    for (std::size_t l = k + 1; l < value.size(); ++l)
      add(place++, value[k] * slope[l] + value[l] * slope[k]);
  }
}

}  // namespace

std::optional<atoms::Zbl> reference_of(const Settings& settings) {
  if (!settings.reference) return std::nullopt;
  return atoms::Zbl(settings.reference->inner, settings.reference->outer,
                    static_cast<std::int32_t>(settings.form.elements.size()),
                    settings.reference->pairs);
}

std::vector<std::int32_t> elements_of(const Settings& settings, const io::AtomFrame& frame) {
  const std::vector<atoms::snap::SnapElement>& known = settings.form.elements;
  std::vector<std::int32_t> number;
  for (const std::string& name : frame.atoms.species) {
    const auto found = std::ranges::find(known, name, &atoms::snap::SnapElement::name);
    number.push_back(static_cast<std::int32_t>(found - known.begin()));
  }
  std::vector<std::int32_t> elements;
  for (const std::int32_t type : frame.atoms.types)
    elements.push_back(number[static_cast<std::size_t>(type)]);
  return elements;
}

Design::Design(const Settings& settings)
    : settings_(settings),
      snap_(settings.form, atoms::snap::Method::generators, Device::cpu(1)),
      reference_(reference_of(settings)),
      components_(snap_.components()) {
  const Index products =
      settings.form.parameters.quadraticflag ? components_ * (components_ + 1) / 2 : 0;
  of_element_ = (settings.has_constant ? 1 : 0) + components_ + products;
  columns_ = of_element_ * static_cast<Index>(settings.form.elements.size());
}

/// The rows of a configuration while they are summed.
struct Design::Sums {
  Index width;  ///< columns and the target
  double* energy = nullptr;
  double* force = nullptr;
  double* stress = nullptr;
  double per_atom = 0, per_volume = 0;  ///< 1/N; factor of W in the unit of the set

  void add_value(std::size_t column, double value) const {
    if (energy) energy[column] += per_atom * value;
  }
  /// Adds the gradient g of a function of atom i for its neighbour j at r.
  void add_gradient(std::size_t column, Index i, Index j, const Vec3<double>& r,
                    const Vec3<double>& g) const {
    if (force) {
      double* of_i = force + 3 * i * width + column;
      double* of_j = force + 3 * j * width + column;
      of_i[0] += g.x;
      of_i[width] += g.y;
      of_i[2 * width] += g.z;
      of_j[0] -= g.x;
      of_j[width] -= g.y;
      of_j[2 * width] -= g.z;
    }
    if (stress) {
      double* to = stress + column;
      to[0] -= per_volume * r.x * g.x;
      to[width] -= per_volume * r.y * g.y;
      to[2 * width] -= per_volume * r.z * g.z;
      to[3 * width] -= per_volume * r.x * g.y;
      to[4 * width] -= per_volume * r.x * g.z;
      to[5 * width] -= per_volume * r.y * g.z;
    }
  }
};

Rows Design::rows(const Configuration& configuration) const {
  const auto wants = [&](Kind kind) {
    const auto n = static_cast<std::size_t>(kind);
    return settings_.uses[n] && configuration.weight[n] != 0 && configuration.has(kind);
  };
  Rows rows;
  const Index atoms = configuration.atoms();
  const auto begin = [&](Kind kind, Index count) {
    rows.kind.insert(rows.kind.end(), as_size(count), kind);
    rows.weight.insert(rows.weight.end(), as_size(count),
                       configuration.weight[static_cast<std::size_t>(kind)]);
  };
  if (wants(Kind::energy)) begin(Kind::energy, 1);
  if (wants(Kind::force)) begin(Kind::force, 3 * atoms);
  if (wants(Kind::stress)) begin(Kind::stress, 6);
  if (rows.kind.empty()) return rows;

  Sums sums{columns_ + 1};
  rows.numbers.assign(rows.kind.size() * as_size(sums.width), 0);
  double* at = rows.numbers.data();
  const auto take = [&](Kind kind, Index count) -> double* {
    if (!wants(kind)) return nullptr;
    double* const first = at;
    at += count * sums.width;
    return first;
  };
  sums.energy = take(Kind::energy, 1);
  sums.force = take(Kind::force, 3 * atoms);
  sums.stress = take(Kind::stress, 6);
  sums.per_atom = 1 / static_cast<double>(atoms);
  if (sums.stress)
    sums.per_volume =
        settings_.stress.sign * settings_.stress.size / configuration.frame.atoms.box.volume();

  const std::vector<std::int32_t> elements = elements_of(settings_, configuration.frame);
  const double cutoff =
      reference_ ? std::max(snap_.cutoff(), reference_->cutoff()) : snap_.cutoff();
  const atoms::NeighbourRows neighbours = evaluation::neighbours_of(configuration.frame, cutoff);
  const std::vector<double> B = snap_.bispectrum(neighbours, elements);
  const bool has_gradients = sums.force || sums.stress;
  const std::vector<Vec3<double>> slope = has_gradients
                                              ? snap_.bispectrum_gradients(neighbours, elements)
                                              : std::vector<Vec3<double>>();
  const bool quadratic = settings_.form.parameters.quadraticflag;
  const auto components = as_size(components_);
  for (Index i = 0; i < atoms; ++i) {
    auto column = as_size(elements[as_size(i)] * of_element_);
    if (settings_.has_constant) sums.add_value(column++, 1);
    const std::span<const double> of_atom(B.data() + as_size(i) * components, components);
    add_components(of_atom, quadratic,
                   [&](std::size_t place, double value) { sums.add_value(column + place, value); });
    if (!has_gradients) continue;
    for (Index n = neighbours.first[as_size(i)]; n < neighbours.first[as_size(i) + 1]; ++n) {
      const std::span<const Vec3<double>> of_pair(slope.data() + as_size(n) * components,
                                                  components);
      add_gradients(of_atom, of_pair, quadratic, [&](std::size_t place, const Vec3<double>& g) {
        sums.add_gradient(column + place, i, neighbours.neighbour[as_size(n)],
                          neighbours.displacement[as_size(n)], g);
      });
    }
  }

  double reference_energy = 0;
  std::vector<Vec3<double>> reference_force(as_size(atoms));
  atoms::SymmetricTensor reference_virial{};
  if (reference_) {
    const atoms::PairGradients pairs = reference_->evaluate(neighbours, elements);
    reference_energy = atoms::total(pairs.energy);
    reference_force = atoms::forces(neighbours, pairs.gradient);
    reference_virial = atoms::total(atoms::virials(neighbours, pairs.gradient));
  }
  if (sums.energy)
    sums.energy[columns_] = sums.per_atom * (*configuration.energy - reference_energy);
  if (sums.force)
    for (Index i = 0; i < atoms; ++i) {
      const Vec3<double> f = configuration.forces[as_size(i)] - reference_force[as_size(i)];
      double* to = sums.force + 3 * i * sums.width + columns_;
      to[0] = f.x;
      to[sums.width] = f.y;
      to[2 * sums.width] = f.z;
    }
  if (sums.stress)
    for (std::size_t d = 0; d < 6; ++d)
      sums.stress[static_cast<Index>(d) * sums.width + columns_] =
          (*configuration.stress)[d] - sums.per_volume * reference_virial[d];
  return rows;
}

atoms::snap::SnapPotential Design::potential(std::span<const double> x) const {
  atoms::snap::SnapPotential potential = settings_.form;
  for (std::size_t e = 0; e < potential.elements.size(); ++e) {
    std::vector<double>& all = potential.elements[e].coefficients;
    const auto of_element = x.subspan(e * as_size(of_element_), as_size(of_element_));
    std::ranges::copy(of_element, all.begin() + (settings_.has_constant ? 0 : 1));
  }
  return potential;
}

}  // namespace larmor::fitting
