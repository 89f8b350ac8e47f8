#include "larmor/atoms/potentials/snap/energy_function.hpp"

#include <array>

#include "larmor/core/error.hpp"

namespace larmor::atoms::snap {
namespace {

/// The components that contribute Z_j1j2j of the channels k and l to the derivative by U^m_j. A
/// component has three matrices, and U^m_j is the third, the first or the second one.
std::array<ProductShare, shares_of_product> shares_of(const SnapTables& tables, const Triple& t,
                                                      int channels, bool bnorm, int k, int l,
                                                      int m) {
  const auto number = [&](int a, int b, int c, int component) {
    return ((a * channels + b) * channels + c) * tables.view().components + component;
  };
  // With bnormflag, components divide Z by j + 1. The derivative here does not.
  const double as_largest = bnorm ? 1.0 / (t.j + 1) : 1;
  const double as_other = bnorm ? as_largest : (t.j1 + 1.0) / (t.j + 1);
  std::array<ProductShare, shares_of_product> shares{};
  if (t.j >= t.j1) shares[0] = {number(k, l, m, tables.component(t.j1, t.j2, t.j)), as_largest};
  if (t.j1 >= t.j && t.j >= t.j2)
    shares[1] = {number(m, l, k, tables.component(t.j, t.j2, t.j1)), as_other};
  if (t.j2 >= t.j) shares[2] = {number(l, m, k, tables.component(t.j2, t.j, t.j1)), as_other};
  return shares;
}

}  // namespace

EnergyFunction::EnergyFunction(const SnapPotential& potential, const SnapTables& tables)
    : quadratic_(potential.parameters.quadraticflag),
      components_(
          component_count(potential.parameters, static_cast<int>(potential.elements.size()))) {
  const SnapParameters& p = potential.parameters;
  const int channels = potential.channels();
  for (std::size_t e = 0; e < potential.elements.size(); ++e) {
    const SnapElement& element = potential.elements[e];
    if (static_cast<long>(element.coefficients.size()) !=
        coefficient_count(p, static_cast<int>(potential.elements.size())))
      throw InternalError("a SNAP potential has coefficients of another size");
    coefficients_.push_back(element.coefficients);
    std::vector<double>& zero = zero_.emplace_back();
    const int own = potential.channel(static_cast<int>(e));
    for (int k = 0; k < channels; ++k)
      for (int l = 0; l < channels; ++l)
        for (int m = 0; m < channels; ++m)
          for (const Triple& t : tables.components()) {
            const bool counts =
                p.bzeroflag && (p.wselfallflag || (k == own && l == own && m == own));
            zero.push_back(counts ? (p.bnormflag ? 1.0 : t.j + 1.0) : 0.0);
          }
  }
  for (int k = 0; k < channels; ++k)
    for (int l = 0; l < channels; ++l)
      for (int m = 0; m < channels; ++m)
        for (const Triple& t : tables.triples())
          for (const ProductShare& share : shares_of(tables, t, channels, p.bnormflag, k, l, m))
            shares_.push_back(share);
}

std::span<const double> EnergyFunction::linear(int element) const {
  return coefficients(element).subspan(1, static_cast<std::size_t>(components_));
}

double EnergyFunction::value(int element, std::span<const double> B,
                             std::span<double> slope) const {
  const std::span<const double> beta = linear(element);
  double E = constant(element);
  for (std::size_t k = 0; k < B.size(); ++k) {
    E += beta[k] * B[k];
    slope[k] = beta[k];
  }
  if (!quadratic_) return E;
  const double* A = coefficients(element).data() + 1 + components_;
  for (std::size_t k = 0; k < B.size(); ++k) {
    E += 0.5 * *A * B[k] * B[k];
    slope[k] += *A++ * B[k];
    for (std::size_t l = k + 1; l < B.size(); ++l) {
      E += *A * B[k] * B[l];
      slope[k] += *A * B[l];
      slope[l] += *A++ * B[k];
    }
  }
  return E;
}

std::vector<double> EnergyFunction::of_products(std::span<const double> slope) const {
  std::vector<double> coefficient(shares_.size() / shares_of_product);
  for (std::size_t n = 0; n < shares_.size(); ++n)
    coefficient[n / shares_of_product] +=
        shares_[n].factor * slope[static_cast<std::size_t>(shares_[n].component)];
  return coefficient;
}

}  // namespace larmor::atoms::snap
