#include "larmor/spins/htst/energy_expansion.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "larmor/spins/hamiltonian/bond_matrix.hpp"

namespace larmor::spins {
namespace {

/// The numbers a^T M b of a matrix M, where a and b are axes of two frames: two by two numbers.
using Block = std::array<double, 4>;

Mat3<double> outer(const Vec3<double>& a, const Vec3<double>& b) {
  return {{a.x * b, a.y * b, a.z * b}};
}

class Expander {
 public:
  Expander(const Model& model, const SiteVectors& spins)
      : view_(model.view(1)),
        space_(spins),
        numbers_(static_cast<std::size_t>(view_.layout.numbers())),
        input_(numbers_.data(), view_.layout) {
    const std::size_t sites = spins.size() / 3;
    for (std::size_t i = 0; i < sites; ++i)
      input_.store(ScalarSlot<>{static_cast<Index>(i), 0},
                   {spins[i], spins[sites + i], spins[2 * sites + i]});
  }

  EnergyExpansion expand() {
    switch (view_.bond_class) {
      case BondClass::scalar:
        return expand_with<BondClass::scalar>();
      case BondClass::vector:
        return expand_with<BondClass::vector>();
      default:
        return expand_with<BondClass::tensor>();
    }
  }

 private:
  template <BondClass C>
  EnergyExpansion expand_with();
  void add(Index row, Index column, const Mat3<double>& second_derivative);
  template <BondClass C>
  void add_bonds(const ScalarSlot<>& at, const Vec3<double>& e);
  void add_onsite(const ScalarSlot<>& at, const Vec3<double>& e);
  void append_row(SparseMatrix& matrix);

  ModelView view_;
  TangentSpace space_;
  std::vector<double> numbers_;
  VectorView input_;
  std::vector<std::pair<Index, Block>> row_;  ///< blocks of the current spin, by column
};

/// Adds a block to the row of the current spin.
void Expander::add(Index row, Index column, const Mat3<double>& second_derivative) {
  const Vec3<double> along_first = second_derivative * space_.first(column),
                     along_second = second_derivative * space_.second(column);
  const Vec3<double>&a = space_.first(row), &b = space_.second(row);
  const Block block{dot(a, along_first), dot(a, along_second), dot(b, along_first),
                    dot(b, along_second)};
  auto known =
      std::find_if(row_.begin(), row_.end(), [&](const auto& r) { return r.first == column; });
  if (known == row_.end()) known = row_.insert(known, {column, Block{}});
  for (std::size_t n = 0; n < block.size(); ++n) known->second[n] += block[n];
}

template <BondClass C>
void Expander::add_bonds(const ScalarSlot<>& at, const Vec3<double>& e) {
  for (int bond = 0; bond < view_.bonds_per_site; ++bond) {
    const Index other = neighbour_at(view_, at, bond);
    // Skip unused bonds, which lead to the spin itself, and bonds to vacancies.
    if (other == at.site || other >= space_.spins()) continue;
    if (view_.bonds.value.present()) {
      const RowValues<ScalarSlot<>> a(view_.bonds, at);
      std::array<double, 9> numbers{};
      for (int n = 0; n < components(C); ++n)
        numbers[static_cast<std::size_t>(n)] = a[bond * components(C) + n];
      add(at.site, other, -1.0 * matrix_of(C, numbers.data()));
    }
    if (view_.biquadratic.value.present()) {
      const double b = RowValues<ScalarSlot<>>(view_.biquadratic, at)[bond];
      if (b == 0) continue;
      const Vec3<double> f = input_.load(ScalarSlot<>{other, 0});
      add(at.site, at.site, -2 * b * outer(f, f));
      add(at.site, other, -2 * b * (isotropic(dot(e, f)) + outer(f, e)));
    }
  }
}

void Expander::add_onsite(const ScalarSlot<>& at, const Vec3<double>& e) {
  if (!view_.onsite.value.present()) return;
  const RowValues<ScalarSlot<>> k(view_.onsite, at);
  for (int n = 0; n < view_.onsite.width; n += onsite_width) {
    const OnsiteTerm<double> term(k, n);
    add(at.site, at.site, -term.polynomial.curvature(dot(term.n, e)) * outer(term.n, term.n));
  }
}

/// Appends the two matrix rows of the current spin.
void Expander::append_row(SparseMatrix& matrix) {
  std::sort(row_.begin(), row_.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t half = 0; half < 2; ++half) {
    for (const auto& [column, block] : row_)
      for (std::size_t other = 0; other < 2; ++other) {
        matrix.column.push_back(static_cast<std::int32_t>(2 * column) +
                                static_cast<std::int32_t>(other));
        matrix.value.push_back(block[2 * half + other]);
      }
    matrix.start.push_back(matrix.entries());
  }
  row_.clear();
}

template <BondClass C>
EnergyExpansion Expander::expand_with() {
  double energy = 0;
  std::vector<double> gradient;
  SparseMatrix hessian;
  hessian.size = space_.size();
  for (Index site = 0; site < space_.spins(); ++site) {
    const ScalarSlot<> at{site, 0};
    const Vec3<double> e = input_.load(at);
    const Environment<double> w = environment_of<C>(view_, input_, at);
    const Vec3<double> h = effective_field(view_, w, at, e);
    energy += energy_share<C>(view_, input_, at);
    gradient.push_back(-dot(h, space_.first(site)));
    gradient.push_back(-dot(h, space_.second(site)));
    add(site, site, isotropic(dot(e, h)));
    add_bonds<C>(at, e);
    add_onsite(at, e);
    append_row(hessian);
  }
  return {std::move(space_), energy, std::move(gradient), std::move(hessian)};
}

}  // namespace

double EnergyExpansion::largest_torque() const {
  double largest = 0;
  for (std::size_t i = 0; i < gradient.size(); i += 2)
    largest = std::max(largest, std::hypot(gradient[i], gradient[i + 1]));
  return largest;
}

EnergyExpansion expand_energy(const Model& model, const SiteVectors& spins) {
  if (model.long_range() != nullptr)
    throw InputError(
        "second derivatives of the energy are available only for bonds, but the dipolar "
        "interaction couples every spin with every other",
        "give the table dipolar a cutoff, or leave this table out");
  return Expander(model, spins).expand();
}

}  // namespace larmor::spins
