#pragma once
// Updates of one site, exp(-S) of which depends on phi_x and B, the sum of its neighbours, by
//
//   S_x = -2 kappa phi_x.B + phi_x^2 + lambda (phi_x^2 - 1)^2.
//
// BITS: random numbers are keyed by (site, replica, step). Block 0 has normal deviates 1 and 2 and
// the number that decides, block 1 the deviates 3 to 6, block 2 those after.

#include "larmor/core/maths/philox.hpp"
#include "larmor/phi4/field_view.hpp"

namespace larmor::phi4 {

enum class LocalRule { metropolis, heat_bath, over_relaxation };

inline namespace LARMOR_ISA_NAMESPACE {

/// Two standard normal deviates by Box and Muller, Ann. Math. Stat. 29 (1958) 610.
template <class Real>
LARMOR_INLINE void normal_pair(std::uint64_t first, std::uint64_t second, Real& a, Real& b) {
  const Real length = square_root(Real(-2.0) * logarithm(uniform_32<Real>(first)));
  Real sine, cosine;
  sine_cosine_turns(uniform_32<Real>(second), sine, cosine);
  a = length * cosine;
  b = length * sine;
}

/// Of a site: N normal deviates, then the word that decides.
template <int N>
struct SiteRandom {
  Components<N> normal;
  std::uint64_t word;

  LARMOR_INLINE SiteRandom(const RandomKey& key, Index replica, std::uint64_t site) {
    const auto r = static_cast<std::uint64_t>(replica);
    float deviate[most_components];
    const auto first = philox<std::uint64_t>(key, site, r);
    normal_pair(first.w[0], first.w[1], deviate[0], deviate[1]);
    word = first.w[2];
    if constexpr (N > 2) {
      const auto next = philox<std::uint64_t>(key, site, r, 1);
      normal_pair(next.w[0], next.w[1], deviate[2], deviate[3]);
      if constexpr (N > 4) normal_pair(next.w[2], next.w[3], deviate[4], deviate[5]);
    }
    if constexpr (N > 6) {
      const auto last = philox<std::uint64_t>(key, site, r, 2);
      normal_pair(last.w[0], last.w[1], deviate[6], deviate[7]);
    }
    for (int n = 0; n < N; ++n) normal.c[n] = deviate[n];
  }
};

/// A trial phi + d eta with eta normal, at lambda = infinity of length 1 again (of one component -
/// phi), accepted with probability min(1, exp(S_x - S_x')). Either way back is as likely as there.
template <int N>
struct MetropolisUpdate {
  FieldView view;
  RandomKey key;
  const double* step;  ///< d [replica]

  /// @return is the trial accepted?
  LARMOR_INLINE bool operator()(std::uint64_t site, Index replica) const {
    const bool fixed_length = is_infinite(view.lambda[replica]);
    const SiteRandom<N> random(key, replica, site);
    const Components<N> phi = load<N>(view, replica, site);
    const Components<N> B = neighbour_sum<N>(view, replica, site);
    const auto d = static_cast<float>(step[replica]);
    Components<N> trial, change;
    for (int n = 0; n < N; ++n) trial.c[n] = phi.c[n] + d * random.normal.c[n];
    if (fixed_length) {
      if constexpr (N == 1) {
        trial.c[0] = -phi.c[0];
      } else {
        const float square = dot(trial, trial);
        if (!(square > 0)) return false;
        const float scale = 1.0f / square_root(square);
        for (int n = 0; n < N; ++n) trial.c[n] = trial.c[n] * scale;
      }
    }
    for (int n = 0; n < N; ++n) change.c[n] = trial.c[n] - phi.c[n];
    float rise = -2.0f * static_cast<float>(view.kappa[replica]) * dot(change, B);
    if (!fixed_length) {
      const float before = dot(phi, phi), after = dot(trial, trial);
      const auto lambda = static_cast<float>(view.lambda[replica]);
      rise = rise + (after - before) * (1.0f + lambda * (after + before - 2.0f));
    }
    if (rise > 0 && !(uniform_32<float>(random.word) < exponential(-rise))) return false;
    store(view, replica, site, trial);
    return true;
  }
};

/// phi_x by its weight: lambda = 0, phi = kappa B + eta / sqrt(2) with eta normal; lambda =
/// infinity, one component +-1, or three by the cosine c of the angle to B, of weight exp(h c) with
/// h = 2 kappa |B|.
template <int N>
struct HeatBathUpdate {
  FieldView view;
  RandomKey key;

  LARMOR_INLINE bool operator()(std::uint64_t site, Index replica) const {
    const Components<N> B = neighbour_sum<N>(view, replica, site);
    const auto kappa = static_cast<float>(view.kappa[replica]);
    Components<N> phi;
    if (is_infinite(view.lambda[replica])) {
      phi = of_length_one(B, kappa, replica, site);
    } else {
      const SiteRandom<N> random(key, replica, site);
      for (int n = 0; n < N; ++n)
        phi.c[n] = kappa * B.c[n] + 0.70710678118654752f * random.normal.c[n];
    }
    store(view, replica, site, phi);
    return true;
  }

 private:
  LARMOR_INLINE Components<N> of_length_one(const Components<N>& B, float kappa, Index replica,
                                            std::uint64_t site) const {
    const auto random = philox<std::uint64_t>(key, site, static_cast<std::uint64_t>(replica));
    Components<N> phi{};
    if constexpr (N == 1) {
      const float below = exponential(-4.0f * kappa * B.c[0]);
      phi.c[0] = uniform_32<float>(random.w[0]) * (1.0f + below) < 1.0f ? 1.0f : -1.0f;
    } else if constexpr (N == 3) {
      // In double: 1 - c is a small difference of logarithms.
      const double u = uniform_52<double>(random.w[0], random.w[1]);
      const double x = B.c[0], y = B.c[1], z = B.c[2];
      const double length = square_root(x * x + y * y + z * z);
      const double h = 2.0 * kappa * length;
      double c = 2.0 * u - 1.0;
      if (h > 1e-6 || h < -1e-6) {
        const double a = absolute(h);
        c = 1.0 + logarithm(u + (1.0 - u) * exponential(-2.0 * a)) / a;
        c = h > 0 ? c : -c;
      }
      c = c < -1.0 ? -1.0 : (c > 1.0 ? 1.0 : c);
      double sine, cosine;
      sine_cosine_turns(uniform_32<double>(random.w[2]), sine, cosine);
      const double across = square_root(1.0 - c * c);
      // An orthonormal frame (p, q, b) with b along B: T. Duff et al., JCGT 6 (2017) 1.
      const double bx = length > 0 ? x / length : 0.0, by = length > 0 ? y / length : 0.0;
      const double bz = length > 0 ? z / length : 1.0;
      const double sign = bz < 0 ? -1.0 : 1.0;
      const double f = -1.0 / (sign + bz), g = bx * by * f;
      const double p = across * cosine, q = across * sine;
      phi.c[0] = static_cast<float>(p * (1.0 + sign * bx * bx * f) + q * g + c * bx);
      phi.c[1] = static_cast<float>(p * sign * g + q * (sign + by * by * f) + c * by);
      phi.c[2] = static_cast<float>(-(p * sign * bx) - q * by + c * bz);
    }
    return phi;
  }
};

/// phi -> 2 (phi.B) B / B^2 - phi keeps |phi| and phi.B, and so S. M. Creutz, Phys. Rev. D 36, 515
/// (1987).
template <int N>
struct OverRelaxation {
  FieldView view;

  LARMOR_INLINE bool operator()(std::uint64_t site, Index replica) const {
    const Components<N> phi = load<N>(view, replica, site);
    const Components<N> B = neighbour_sum<N>(view, replica, site);
    const float square = dot(B, B);
    if (!(square > 0)) return true;
    const float twice = 2.0f * dot(phi, B) / square;
    Components<N> turned;
    for (int n = 0; n < N; ++n) turned.c[n] = twice * B.c[n] - phi.c[n];
    store(view, replica, site,
          is_infinite(view.lambda[replica]) ? restored_length(turned) : turned);
    return true;
  }
};

/// BITS: a random direction, of one component + always.
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

/// The axis that clusters are reflected along. @param axis (replica, most_components)
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

/// phi - 2 sigma r. @param sigma phi.r
template <int N>
LARMOR_INLINE Components<N> reflected(const Components<N>& phi, const Components<N>& r, float sigma,
                                      bool fixed_length) {
  Components<N> turned;
  for (int n = 0; n < N; ++n) turned.c[n] = phi.c[n] - (2.0f * sigma) * r.c[n];
  return fixed_length ? restored_length(turned) : turned;
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::phi4
