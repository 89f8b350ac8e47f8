#pragma once
// Updates of one site. exp(-S) depends on the field phi_x and on the sum B of the neighbouring
// fields only through
//
//   S_x = -2 kappa phi_x.B + phi_x^2 + lambda (phi_x^2 - 1)^2.
//
// BITS: random numbers are keyed by (site, replica, step). Block 0 of Philox gives the normal
// deviates 1 and 2, and the number that decides on acceptance. Block 1 gives the deviates 3 to 6,
// and block 2 gives the deviates 7 and 8.

#include "larmor/core/maths/philox.hpp"
#include "larmor/lattice/lazy_sweeps.hpp"
#include "larmor/phi4/field_view.hpp"

namespace larmor::phi4 {

enum class LocalRule { metropolis, heat_bath, over_relaxation };

inline namespace LARMOR_ISA_NAMESPACE {

template <class Real>
using MaskOf = decltype(Real() < Real());
template <class Real>
using WordsOf = typename LaneTypes<Real>::Words;
/// The type that holds as many doubles as Real holds numbers.
template <class Real>
struct DoublesOf {
  using Type = double;
};

/// The couplings of a site, and the length of its trials.
template <class Real>
struct SiteCouplings {
  Real kappa, lambda, step;
  bool some_fixed, all_fixed;  ///< do some sites, or all sites, of the pack have |phi| = 1?

  LARMOR_INLINE MaskOf<Real> fixed_length() const { return lambda > Real(3e38f); }
};

template <int N, class Real>
LARMOR_INLINE Components<N, Real> chosen(const MaskOf<Real>& mask, const Components<N, Real>& yes,
                                         const Components<N, Real>& no) {
  Components<N, Real> r;
  for (int n = 0; n < N; ++n) r.c[n] = select(mask, yes.c[n], no.c[n]);
  return r;
}

/// Two standard normal deviates by Box and Muller, Ann. Math. Stat. 29 (1958) 610.
template <class Real>
LARMOR_INLINE void normal_pair(const WordsOf<Real>& first, const WordsOf<Real>& second, Real& a,
                               Real& b) {
  const Real length = square_root(Real(-2.0) * logarithm(uniform_32<Real>(first)));
  Real sine, cosine;
  sine_cosine_turns(uniform_32<Real>(second), sine, cosine);
  a = length * cosine;
  b = length * sine;
}

/// Random numbers of a site: three words, and N normal deviates if requested.
template <int N, class Real>
struct SiteRandom {
  WordsOf<Real> word[3];
  Components<N, Real> normal;
};
template <int N, class Real>
LARMOR_INLINE SiteRandom<N, Real> site_random(const RandomKey& key, const WordsOf<Real>& site,
                                              const WordsOf<Real>& replica, bool with_normal) {
  using Words = WordsOf<Real>;
  SiteRandom<N, Real> random;
  const auto first = philox<Words>(key, site, replica);
  for (int n = 0; n < 3; ++n) random.word[n] = first.w[n];
  if (!with_normal) return random;
  Real deviate[most_components];
  normal_pair(first.w[0], first.w[1], deviate[0], deviate[1]);
  if constexpr (N > 2) {
    const auto next = philox<Words>(key, site, replica, 1);
    normal_pair(next.w[0], next.w[1], deviate[2], deviate[3]);
    if constexpr (N > 4) normal_pair(next.w[2], next.w[3], deviate[4], deviate[5]);
  }
  if constexpr (N > 6) {
    const auto last = philox<Words>(key, site, replica, 2);
    normal_pair(last.w[0], last.w[1], deviate[6], deviate[7]);
  }
  for (int n = 0; n < N; ++n) random.normal.c[n] = deviate[n];
  return random;
}

/// Updates one site of a view. @return is the trial accepted? Only for rules with trials
template <int N, class Update>
LARMOR_INLINE bool update_site(const Update& update, std::uint64_t site, Index replica,
                               double step) {
  const FieldView& view = update.view;
  const bool fixed = is_infinite(view.lambda[replica]);
  const SiteCouplings<float> couplings{static_cast<float>(view.kappa[replica]),
                                       static_cast<float>(view.lambda[replica]),
                                       static_cast<float>(step), fixed, fixed};
  Components<N> phi = load<N>(view, replica, site);
  const Components<N> B = neighbour_sum<N>(view, replica, site);
  const auto random = update.template draw<float>(site, static_cast<std::uint64_t>(replica), fixed);
  if constexpr (Update::is_trial) {
    if (!update.apply(phi, B, couplings, random)) return false;
  } else {
    update.apply(phi, B, couplings, random);
  }
  store(view, replica, site, phi);
  return true;
}

/// Proposes the trial phi + d eta, where eta has normal components. At lambda = infinity, the trial
/// is scaled to length 1. If there is also only one component, the trial is - phi. A trial is
/// accepted with probability min(1, exp(S_x - S_x')), since a trial and the reverse trial are
/// proposed equally often. S_x' is S_x of the trial.
template <int N>
struct MetropolisUpdate {
  FieldView view;
  RandomKey key;
  const double* step;  ///< d [replica]
  static constexpr bool is_trial = true;

  /// @param all_fixed is |phi| = 1 at all sites?
  template <class Real>
  LARMOR_INLINE SiteRandom<N, Real> draw(const WordsOf<Real>& site, const WordsOf<Real>& replica,
                                         bool all_fixed) const {
    return site_random<N, Real>(key, site, replica, N > 1 || !all_fixed);
  }
  /// @return is the trial accepted?
  template <class Real>
  LARMOR_INLINE MaskOf<Real> apply(Components<N, Real>& phi, const Components<N, Real>& B,
                                   const SiteCouplings<Real>& couplings,
                                   const SiteRandom<N, Real>& random) const {
    Components<N, Real> trial = phi;
    Real square(1.0f);
    if (N > 1 || !couplings.all_fixed)
      for (int n = 0; n < N; ++n) trial.c[n] = phi.c[n] + couplings.step * random.normal.c[n];
    if (couplings.some_fixed) {
      Components<N, Real> unit;
      if constexpr (N == 1) {
        unit.c[0] = -phi.c[0];
      } else {
        square = select(couplings.fixed_length(), dot(trial, trial), Real(1.0f));
        const Real scale = Real(1.0f) / square_root(square);
        for (int n = 0; n < N; ++n) unit.c[n] = trial.c[n] * scale;
      }
      trial = chosen(couplings.fixed_length(), unit, trial);
    }
    Components<N, Real> change;
    for (int n = 0; n < N; ++n) change.c[n] = trial.c[n] - phi.c[n];
    Real rise = Real(-2.0f) * couplings.kappa * dot(change, B);
    if (!couplings.all_fixed) {
      const Real before = dot(phi, phi), after = dot(trial, trial);
      const Real local =
          rise + (after - before) * (Real(1.0f) + couplings.lambda * (after + before - Real(2.0f)));
      rise = couplings.some_fixed ? select(couplings.fixed_length(), rise, local) : local;
    }
    const auto is_probable = uniform_32<Real>(random.word[2]) < exponential(-rise);
    MaskOf<Real> accepted = both((rise <= Real(0.0f)) | is_probable, square > Real(0.0f));
    if constexpr (N == 1)
      if (couplings.some_fixed && lattice::is_lazy_sweep(key.step)) {
        const Real share = select(is_lazy(couplings), Real(0.5f), Real(1.0f));
        const Real probability = select(rise <= Real(0.0f), Real(1.0f), exponential(-rise));
        accepted = uniform_32<Real>(random.word[2]) < share * probability;
      }
    phi = chosen(accepted, trial, phi);
    return accepted;
  }
  LARMOR_INLINE bool operator()(std::uint64_t site, Index replica) const {
    return update_site<N>(*this, site, replica, step[replica]);
  }

 private:
  /// Is this a lazy sweep of one component (lattice/lazy_sweeps.hpp)?
  template <class Real>
  LARMOR_INLINE MaskOf<Real> is_lazy(const SiteCouplings<Real>& couplings) const {
    if (view.has_lazy_sweeps) return couplings.fixed_length();
    return both(couplings.fixed_length(),
                both(couplings.kappa <= Real(0.0f), -couplings.kappa <= Real(0.0f)));
  }
};

/// Draws phi_x from its conditional distribution. At lambda = 0, phi = kappa B + eta / sqrt(2),
/// where eta has normal components. At lambda = infinity, one component is +1 or -1. Three
/// components are drawn by the cosine c of the angle to B, which has the weight exp(h c) with h = 2
/// kappa |B|.
template <int N>
struct HeatBathUpdate {
  FieldView view;
  RandomKey key;
  static constexpr bool is_trial = false;

  template <class Real>
  LARMOR_INLINE SiteRandom<N, Real> draw(const WordsOf<Real>& site, const WordsOf<Real>& replica,
                                         bool all_fixed) const {
    return site_random<N, Real>(key, site, replica, !all_fixed);
  }
  template <class Real>
  LARMOR_INLINE void apply(Components<N, Real>& phi, const Components<N, Real>& B,
                           const SiteCouplings<Real>& couplings,
                           const SiteRandom<N, Real>& random) const {
    Components<N, Real> gaussian{}, unit{};
    if (!couplings.all_fixed)
      for (int n = 0; n < N; ++n)
        gaussian.c[n] = couplings.kappa * B.c[n] + Real(0.70710678118654752f) * random.normal.c[n];
    if (couplings.some_fixed) unit = unit_vector(B, couplings.kappa, random.word);
    phi = chosen(couplings.fixed_length(), unit, gaussian);
  }
  LARMOR_INLINE bool operator()(std::uint64_t site, Index replica) const {
    return update_site<N>(*this, site, replica, 0);
  }

 private:
  template <class Real>
  LARMOR_INLINE Components<N, Real> unit_vector(const Components<N, Real>& B, const Real& kappa,
                                                const WordsOf<Real> (&word)[3]) const {
    Components<N, Real> phi{};
    if constexpr (N == 1) {
      const Real below = exponential(Real(-4.0f) * kappa * B.c[0]);
      phi.c[0] = select(uniform_32<Real>(word[0]) * (Real(1.0f) + below) < Real(1.0f), Real(1.0f),
                        Real(-1.0f));
    } else if constexpr (N == 3) {
      // This is computed in double, since 1 - c is a small difference of logarithms.
      using Double = typename DoublesOf<Real>::Type;
      const Double u = uniform_52<Double>(word[0], word[1]);
      const Double x = converted<Double>(B.c[0]), y = converted<Double>(B.c[1]),
                   z = converted<Double>(B.c[2]);
      const Double length = square_root(x * x + y * y + z * z);
      const Double h = Double(2.0) * converted<Double>(kappa) * length, a = absolute(h);
      const Double along =
          Double(1.0) + logarithm(u + (Double(1.0) - u) * exponential(Double(-2.0) * a)) / a;
      Double c = select(a > Double(1e-6), select(h > Double(0.0), along, -along),
                        Double(2.0) * u - Double(1.0));
      c = select(c < Double(-1.0), Double(-1.0), select(c > Double(1.0), Double(1.0), c));
      Double sine, cosine;
      sine_cosine_turns(uniform_32<Double>(word[2]), sine, cosine);
      const Double across = square_root(Double(1.0) - c * c);
      // This makes an orthonormal frame (p, q, b) with b along B: T. Duff et al., JCGT 6 (2017) 1.
      const auto has_direction = length > Double(0.0);
      const Double bx = select(has_direction, x / length, Double(0.0)),
                   by = select(has_direction, y / length, Double(0.0)),
                   bz = select(has_direction, z / length, Double(1.0));
      const Double sign = select(bz < Double(0.0), Double(-1.0), Double(1.0));
      const Double f = Double(-1.0) / (sign + bz), g = bx * by * f;
      const Double p = across * cosine, q = across * sine;
      phi.c[0] = converted<Real>(p * (Double(1.0) + sign * bx * bx * f) + q * g + c * bx);
      phi.c[1] = converted<Real>(p * sign * g + q * (sign + by * by * f) + c * by);
      phi.c[2] = converted<Real>(-(p * sign * bx) - q * by + c * bz);
    }
    return phi;
  }
};

/// Over-relaxation, phi -> 2 (phi.B) B / B^2 - phi. It keeps |phi| and phi.B, and therefore S.
/// Source: M. Creutz, Phys. Rev. D 36, 515 (1987).
template <int N>
struct OverRelaxation {
  FieldView view;
  static constexpr bool is_trial = false;

  struct NoRandom {};
  template <class Real>
  LARMOR_INLINE NoRandom draw(const WordsOf<Real>&, const WordsOf<Real>&, bool) const {
    return {};
  }
  template <class Real>
  LARMOR_INLINE void apply(Components<N, Real>& phi, const Components<N, Real>& B,
                           const SiteCouplings<Real>& couplings, const NoRandom&) const {
    const Real square = dot(B, B);
    const Real twice = Real(2.0f) * dot(phi, B) / square;
    Components<N, Real> turned;
    for (int n = 0; n < N; ++n) turned.c[n] = twice * B.c[n] - phi.c[n];
    if (couplings.some_fixed)
      turned = chosen(couplings.fixed_length(), restored_length(turned), turned);
    phi = chosen(square > Real(0.0f), turned, phi);
  }
  LARMOR_INLINE bool operator()(std::uint64_t site, Index replica) const {
    return update_site<N>(*this, site, replica, 0);
  }
};

/// BITS: a field of length 1 in a random direction. With one component it is always +1.
template <int N>
LARMOR_INLINE Components<N> random_direction(const RandomKey& key, std::uint64_t site,
                                             std::uint64_t replica) {
  Components<N> r{};
  if constexpr (N == 1) {
    r.c[0] = 1;
  } else {
    double deviate[most_components] = {}, square = 0;
    for (int n = 0; n < N; n += 2) {
      const auto words =
          philox<std::uint64_t>(key, site, replica, static_cast<std::uint32_t>(n / 2));
      normal_pair(words.w[0], words.w[1], deviate[n], deviate[n + 1]);
    }
    for (int n = 0; n < N; ++n) square += deviate[n] * deviate[n];
    const double scale = 1.0 / square_root(square);
    for (int n = 0; n < N; ++n) r.c[n] = static_cast<float>(deviate[n] * scale);
  }
  return r;
}

/// Draws the axis along which clusters are reflected. @param axis (replica, most_components)
template <int N>
struct DrawAxis {
  RandomKey key;
  float* axis;

  LARMOR_INLINE void operator()(Index replica) const {
    const Components<N> r =
        random_direction<N>(key, std::uint64_t{0}, static_cast<std::uint64_t>(replica));
    for (int n = 0; n < N; ++n) axis[replica * most_components + n] = r.c[n];
  }
};

template <int N>
LARMOR_INLINE Components<N> axis_of(const float* axis, Index replica) {
  Components<N> r;
  for (int n = 0; n < N; ++n) r.c[n] = axis[replica * most_components + n];
  return r;
}

/// Returns phi - 2 sigma r, the reflection of phi along the axis r. @param sigma phi.r
template <int N>
LARMOR_INLINE Components<N> reflected(const Components<N>& phi, const Components<N>& r, float sigma,
                                      bool fixed_length) {
  Components<N> turned;
  for (int n = 0; n < N; ++n) turned.c[n] = phi.c[n] - (2.0f * sigma) * r.c[n];
  return fixed_length ? restored_length(turned) : turned;
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::phi4
