#pragma once
// The canonical forms of every Hamiltonian term, with their energy and field, defined once for all
// backends:
//
//   H = - sum_<ij> e_i^T A_ij e_j                 bilinear bonds (A scalar, J and D, or 3x3)
//       - sum_<ij> b_ij (e_i.e_j)^2               biquadratic bonds
//       - sum_i sum_n [ a2 p^2 + a4 p^4 + a6 p^6 ],  p = n.e_i      on-site polynomial
//       - sum_i h_i.e_i                           field, h = mu B
//       - 1/2 sum_ij e_i^T T_ij e_j               any range, i = j included; a convolution
//                                                 computes its field before the kernel runs
//
// with each pair counted once, unit vectors e, and all numbers in energy units.
//
// Values that differ by site are stored as rows: sites with equal values share one row.

#include "larmor/core/simd/views.hpp"

namespace larmor::spins {

/// A dense table of the distinct rows, and the row of each storage position.
struct RowTable {
  Reals value;                        ///< (row, width); absent if the form is absent
  const std::int32_t* row = nullptr;  ///< row of each storage position [padded sites]
  std::int32_t width = 0;
  bool uniform = true;  ///< every site uses row 0
  /// 0 if values do not differ by replica. Otherwise it is the number of values in one block of
  /// replicas, and `value` has the shape (block, row, width, 8). Only bonds and fields may differ
  /// by replica.
  Index block_stride = 0;

  friend bool operator==(const RowTable&, const RowTable&) = default;
};

/// The numbers of A_ij that a bond needs: J (scalar), J and D (vector), or all nine entries
/// (tensor).
enum class BondClass { scalar, vector, tensor };

LARMOR_HD constexpr int components(BondClass c) {
  return c == BondClass::scalar ? 1 : c == BondClass::vector ? 4 : 9;
}

/// Numbers of one term of the on-site polynomial: n_x, n_y, n_z, a2, a4, a6.
inline constexpr int onsite_width = 6;

/// The model as kernels read it. Neighbours: (site / 8, bond, 8). An unused bond leads to the site
/// itself with coupling zero.
struct ModelView {
  const std::int32_t* neighbour = nullptr;
  std::int32_t bonds_per_site = 0;
  BondClass bond_class = BondClass::scalar;
  RowTable bonds;        ///< width bonds_per_site * components
  RowTable biquadratic;  ///< width bonds_per_site
  RowTable onsite;       ///< width terms * 6
  RowTable field;        ///< width 3
  Reals long_range;      ///< sum_j T_ij e_j of the given spins, in their layout; or absent
  const std::int32_t* canonical = nullptr;
  SpinLayout layout;

  friend bool operator==(const ModelView&, const ModelView&) = default;
};

inline namespace LARMOR_ISA_NAMESPACE {

/// The row (or eight rows) of a slot, converted to the numbers of spins or bonds.
template <class At, class Number = typename At::Real>
struct RowValues {
  const ScalarOf<Number>* values;
  LARMOR_INLINE RowValues(const RowTable& table, const At& at)
      : values(table.value.template as<ScalarOf<Number>>() +
               (table.uniform ? 0 : Index(table.row[at.site]) * table.width)) {}
  LARMOR_INLINE Number operator[](int i) const { return Number(values[i]); }
};

template <class Numbers, class Number>
struct RowValues<SitePackSlot<Numbers>, Number> {
  const ScalarOf<Number>* values;
  std::int32_t offset[lane_count];
  bool same = true;

  LARMOR_INLINE RowValues(const RowTable& table, const SitePackSlot<Numbers>& at)
      : values(table.value.template as<ScalarOf<Number>>()) {
    if (table.uniform) return;
    const std::int32_t* row = table.row + at.first_site;
    for (int l = 1; l < lane_count; ++l) same = same && row[l] == row[0];
    if (same) values += Index(row[0]) * table.width;
    for (int l = 0; l < lane_count; ++l) offset[l] = row[l] * table.width;
  }
  LARMOR_INLINE Number operator[](int i) const {
    return same ? Number(values[i]) : Number::gather(values + i, offset);
  }
};

/// A row whose values differ by replica.
template <class At, class Number = typename At::Real>
struct ReplicaValues;

template <class Numbers, class Number>
struct ReplicaValues<ReplicaPackSlot<Numbers>, Number> {
  const ScalarOf<Number>* values;
  LARMOR_INLINE ReplicaValues(const RowTable& table, const ReplicaPackSlot<Numbers>& at)
      : values(table.value.template as<ScalarOf<Number>>() + at.block * table.block_stride +
               Index(table.row[at.site]) * table.width * lane_count) {}
  LARMOR_INLINE Number operator[](int i) const { return Number::load(values + i * lane_count); }
};

template <class Numbers, class Number>
struct ReplicaValues<ScalarSlot<Numbers>, Number> {
  const Number* values;
  LARMOR_INLINE ReplicaValues(const RowTable& table, const ScalarSlot<Numbers>& at)
      : values(table.value.template as<Number>() + at.replica / lane_count * table.block_stride +
               Index(table.row[at.site]) * table.width * lane_count + at.replica % lane_count) {}
  LARMOR_INLINE Number operator[](int i) const { return values[i * lane_count]; }
};

/// Can a slot belong to one of several replicas? Packs of sites exist only for a single replica.
template <class At>
inline constexpr bool of_several_replicas = true;
template <class Numbers>
inline constexpr bool of_several_replicas<SitePackSlot<Numbers>> = false;

/// Does a slot carry the field of its bonds (spins/jit/summed_slot.hpp)?
template <class At>
concept has_bond_field = requires(const At& at) {
  at.bond_field;
};

/// Storage position at the other end of a bond; eight positions for a pack of sites.
template <class At>
LARMOR_INLINE Index neighbour_at(const ModelView& m, const At& at, int bond) {
  return m.neighbour[((at.site / lane_count) * m.bonds_per_site + bond) * lane_count +
                     at.site % lane_count];
}
template <class Numbers>
LARMOR_INLINE const std::int32_t* neighbour_at(const ModelView& m, const SitePackSlot<Numbers>& at,
                                               int bond) {
  return m.neighbour + ((at.first_site / lane_count) * m.bonds_per_site + bond) * lane_count;
}

/// A symmetric matrix.
template <class Real>
struct Quadratic {
  Vec3<Real> diagonal;  ///< Q_xx, Q_yy, Q_zz
  Vec3<Real> mixed;     ///< Q_yz, Q_zx, Q_xy
};

/// Local energy of one spin e, while all other spins are fixed:
/// E(e) = - field.e - e^T Q e - polynomial(e).
template <class Real>
struct Environment {
  Vec3<Real> field;     ///< bonds and external field
  Vec3<Real> diagonal;  ///< Q_xx, Q_yy, Q_zz of the biquadratic bonds
  Vec3<Real> mixed;     ///< Q_yz, Q_zx, Q_xy
};

/// A_ij e_j of D_ij.(e_i x e_j) = e_i^T A_ij e_j = e_i.(e_j x D_ij). The only definition of the
/// sign of D.
template <class Number>
LARMOR_INLINE Vec3<Number> dmi_field(const Vec3<Number>& D, const Vec3<Number>& e) {
  return cross(e, D);
}

/// A_ij e_j of one bond, in the precision of bonds.
template <BondClass C, class Number, class Values>
LARMOR_INLINE Vec3<Number> bond_field(const Values& a, int first, const Vec3<Number>& e) {
  if constexpr (C == BondClass::scalar) {
    return a[first] * e;
  } else if constexpr (C == BondClass::vector) {
    const Vec3<Number> D{a[first + 1], a[first + 2], a[first + 3]};
    return a[first] * e + dmi_field(D, e);
  } else {
    return {a[first] * e.x + a[first + 1] * e.y + a[first + 2] * e.z,
            a[first + 3] * e.x + a[first + 4] * e.y + a[first + 5] * e.z,
            a[first + 6] * e.x + a[first + 7] * e.y + a[first + 8] * e.z};
  }
}

template <BondClass C, class At, class Values>
LARMOR_INLINE Vec3<typename At::Real> sum_over_bonds(const ModelView& m, const VectorView& spins,
                                                     const At& at, const Values& a) {
  using Number = typename At::Bond;
  Vec3<Number> h{Number(0.0), Number(0.0), Number(0.0)};
  for (int bond = 0; bond < m.bonds_per_site; ++bond)
    h +=
        bond_field<C>(a, bond * components(C), spins.load_neighbour(at, neighbour_at(m, at, bond)));
  return converted<typename At::Real>(h);
}

/// sum_j A_ij e_j for couplings that differ by replica.
template <BondClass C, class At>
LARMOR_COLD Vec3<typename At::Real> sum_over_bonds_of_replicas(const ModelView& m, VectorView spins,
                                                               At at) {
  return sum_over_bonds<C>(m, spins, at, ReplicaValues<At, typename At::Bond>(m.bonds, at));
}

/// sum_j A_ij e_j
template <BondClass C, class At>
LARMOR_INLINE Vec3<typename At::Real> bilinear_field(const ModelView& m, const VectorView& spins,
                                                     const At& at) {
  using Real = typename At::Real;
  using Number = typename At::Bond;
  if constexpr (has_bond_field<At>) {
    return at.bond_field;
  } else {
    if (!m.bonds.value.present()) return {Real(0.0), Real(0.0), Real(0.0)};
    if constexpr (of_several_replicas<At>)
      if (m.bonds.block_stride != 0) return sum_over_bonds_of_replicas<C>(m, spins, at);
    return sum_over_bonds<C>(m, spins, at, RowValues<At, Number>(m.bonds, at));
  }
}

template <class At>
LARMOR_INLINE Vec3<typename At::Real> external_field(const ModelView& m, const At& at) {
  using Real = typename At::Real;
  if (!m.field.value.present()) return {Real(0.0), Real(0.0), Real(0.0)};
  if constexpr (of_several_replicas<At>) {
    if (m.field.block_stride != 0) {
      const ReplicaValues<At> b(m.field, at);
      return {b[0], b[1], b[2]};
    }
  }
  const RowValues<At> b(m.field, at);
  return {b[0], b[1], b[2]};
}

/// Q = sum_j b_ij e_j e_j^T
template <class At>
LARMOR_COLD Quadratic<typename At::Real> biquadratic_sum(const ModelView& m, VectorView spins,
                                                         At at) {
  using Real = typename At::Real;
  using Number = typename At::Bond;
  const Number zero(0.0);
  Vec3<Number> diagonal{zero, zero, zero}, mixed{zero, zero, zero};
  const RowValues<At, Number> b(m.biquadratic, at);
  for (int bond = 0; bond < m.bonds_per_site; ++bond) {
    const Vec3<Number> e = spins.load_neighbour(at, neighbour_at(m, at, bond));
    const Vec3<Number> be = b[bond] * e;
    diagonal += Vec3<Number>{be.x * e.x, be.y * e.y, be.z * e.z};
    mixed += Vec3<Number>{be.y * e.z, be.z * e.x, be.x * e.y};
  }
  return {converted<Real>(diagonal), converted<Real>(mixed)};
}

template <class At>
LARMOR_INLINE void add_biquadratic(const ModelView& m, const VectorView& spins, const At& at,
                                   Environment<typename At::Real>& environment) {
  if (!m.biquadratic.value.present()) return;
  const Quadratic<typename At::Real> q = biquadratic_sum(m, spins, at);
  environment.diagonal = q.diagonal;
  environment.mixed = q.mixed;
}

template <class At>
LARMOR_INLINE Vec3<typename At::Real> long_range_field(const ModelView& m, const At& at) {
  using Real = typename At::Real;
  if (!m.long_range.present()) return {Real(0.0), Real(0.0), Real(0.0)};
  return VectorView(m.long_range, m.layout).load(at);
}

template <BondClass C, class At>
LARMOR_INLINE Environment<typename At::Real> environment_of(const ModelView& m,
                                                            const VectorView& spins, const At& at) {
  using Real = typename At::Real;
  const Real zero(0.0);
  Environment<Real> environment{
      bilinear_field<C>(m, spins, at) + external_field(m, at) + long_range_field(m, at),
      {zero, zero, zero},
      {zero, zero, zero}};
  add_biquadratic(m, spins, at, environment);
  return environment;
}

/// Is the local energy linear in e?
LARMOR_INLINE bool is_linear(const ModelView& m) {
  return !m.onsite.value.present() && !m.biquadratic.value.present();
}

/// e^T Q e
template <class Real>
LARMOR_INLINE Real quadratic_form(const Environment<Real>& w, const Vec3<Real>& e) {
  return w.diagonal.x * e.x * e.x + w.diagonal.y * e.y * e.y + w.diagonal.z * e.z * e.z +
         Real(2.0) * (w.mixed.x * e.y * e.z + w.mixed.y * e.z * e.x + w.mixed.z * e.x * e.y);
}

/// P(p) = a2 p^2 + a4 p^4 + a6 p^6 of one term of the on-site form, and its derivatives.
template <class Number>
struct OnsitePolynomial {
  Number a2, a4, a6;

  LARMOR_INLINE Number value(const Number& p) const {
    const Number p2 = p * p;
    return p2 * (a2 + p2 * (a4 + p2 * a6));
  }
  /// dP/dp
  LARMOR_INLINE Number slope(const Number& p) const {
    const Number p2 = p * p;
    return p * (Number(2.0) * a2 + p2 * (Number(4.0) * a4 + p2 * Number(6.0) * a6));
  }
  /// d^2P/dp^2
  LARMOR_INLINE Number curvature(const Number& p) const {
    const Number p2 = p * p;
    return Number(2.0) * a2 + p2 * (Number(12.0) * a4 + p2 * Number(30.0) * a6);
  }
};

/// One term of the on-site form, as stored in its row.
template <class Real>
struct OnsiteTerm {
  Vec3<Real> n;
  OnsitePolynomial<Real> polynomial;

  template <class Values>
  LARMOR_INLINE OnsiteTerm(const Values& k, int first)
      : n{k[first], k[first + 1], k[first + 2]},
        polynomial{k[first + 3], k[first + 4], k[first + 5]} {}
};

/// - polynomial(e) of the on-site form, in energy units.
template <class At>
LARMOR_INLINE typename At::Real onsite_energy(const ModelView& m, const At& at,
                                              const Vec3<typename At::Real>& e) {
  using Real = typename At::Real;
  Real energy(0.0);
  if (!m.onsite.value.present()) return energy;
  const RowValues<At> k(m.onsite, at);
  for (int i = 0; i < m.onsite.width; i += onsite_width) {
    const OnsiteTerm<Real> term(k, i);
    energy = energy - term.polynomial.value(dot(term.n, e));
  }
  return energy;
}

/// Nonlinear terms of the local energy: - e^T Q e - polynomial(e).
template <class At>
LARMOR_INLINE typename At::Real nonlinear_energy(const ModelView& m,
                                                 const Environment<typename At::Real>& w,
                                                 const At& at, const Vec3<typename At::Real>& e) {
  return onsite_energy(m, at, e) - quadratic_form(w, e);
}

/// -dE/de of the local energy (the effective field times the moment).
template <class At>
LARMOR_INLINE Vec3<typename At::Real> effective_field(const ModelView& m,
                                                      const Environment<typename At::Real>& w,
                                                      const At& at,
                                                      const Vec3<typename At::Real>& e) {
  using Real = typename At::Real;
  Vec3<Real> h = w.field;
  if (m.biquadratic.value.present()) {
    const Real two(2.0);
    h += two * Vec3<Real>{w.diagonal.x * e.x + w.mixed.z * e.y + w.mixed.y * e.z,
                          w.mixed.z * e.x + w.diagonal.y * e.y + w.mixed.x * e.z,
                          w.mixed.y * e.x + w.mixed.x * e.y + w.diagonal.z * e.z};
  }
  if (m.onsite.value.present()) {
    const RowValues<At> k(m.onsite, at);
    for (int i = 0; i < m.onsite.width; i += onsite_width) {
      const OnsiteTerm<Real> term(k, i);
      h += term.polynomial.slope(dot(term.n, e)) * term.n;
    }
  }
  return h;
}

/// Laplacian of the local energy on the sphere of e.
/// @param h effective_field at e
template <class At>
LARMOR_INLINE typename At::Real laplacian(const ModelView& m,
                                          const Environment<typename At::Real>& w, const At& at,
                                          const Vec3<typename At::Real>& e,
                                          const Vec3<typename At::Real>& h) {
  using Real = typename At::Real;
  const Real two(2.0);
  Real sum = two * dot(e, h);
  if (m.biquadratic.value.present())
    sum = sum + two * (quadratic_form(w, e) - w.diagonal.x - w.diagonal.y - w.diagonal.z);
  if (!m.onsite.value.present()) return sum;
  const RowValues<At> k(m.onsite, at);
  for (int i = 0; i < m.onsite.width; i += onsite_width) {
    const OnsiteTerm<Real> term(k, i);
    const Real p = dot(term.n, e);
    sum = sum - (Real(1.0) - p * p) * term.polynomial.curvature(p);
  }
  return sum;
}

/// Contribution of a spin to H. Each of the two spins of a bond counts half of its energy.
/// @param w environment of the spin, with the whole field of its bonds and the external field
template <class At>
LARMOR_INLINE typename At::Real energy_share(const ModelView& m,
                                             const Environment<typename At::Real>& w, const At& at,
                                             const Vec3<typename At::Real>& e) {
  using Real = typename At::Real;
  return onsite_energy(m, at, e) -
         Real(0.5) * (dot(w.field, e) + dot(external_field(m, at), e) + quadratic_form(w, e));
}

/// Contribution to H of a spin with its current direction and environment.
template <BondClass C, class At>
LARMOR_INLINE typename At::Real energy_share(const ModelView& m, const VectorView& spins,
                                             const At& at) {
  return energy_share(m, environment_of<C>(m, spins, at), at, spins.load(at));
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
