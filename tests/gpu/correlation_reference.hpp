#pragma once
// Sums of correlations over all pairs of sites, directly from their definitions.

#include <complex>
#include <random>
#include <vector>

#include "larmor/core/maths/vec3.hpp"
#include "larmor/core/types.hpp"

namespace larmor::test {

/// Spins of M configurations at two times, at random sites without a lattice.
struct RandomSpins {
  Index sites, configurations;
  bool is_centred;                    ///< are means subtracted?
  std::vector<double> rows, columns;  ///< (site, k), k = 3 m + component
  std::vector<Vec3<double>> position;

  RandomSpins(Index sites_, Index configurations_, bool is_centred_)
      : sites(sites_), configurations(configurations_), is_centred(is_centred_) {
    std::mt19937_64 generator(sites_ * 1000 + configurations_);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> place(-10, 10);
    const auto add_spin = [&](std::vector<double>& to) {
      // All spins prefer one side, so that their means are not zero.
      Vec3<double> s{normal(generator), normal(generator), normal(generator) + 0.5};
      s = (1 / length(s)) * s;
      to.insert(to.end(), {s.x, s.y, s.z});
    };
    for (Index n = 0; n < sites * configurations; ++n) {
      add_spin(rows);
      add_spin(columns);
    }
    for (Index n = 0; n < sites; ++n)
      position.push_back({place(generator), place(generator), place(generator)});
  }

  Index numbers() const { return 3 * configurations; }
  static std::size_t at(Index n) { return static_cast<std::size_t>(n); }

  /// The means <S> of the sites, (site, 3). They are zero if the correlations are not centred.
  std::vector<double> means(const std::vector<double>& spins) const {
    std::vector<double> mean(at(3 * sites));
    if (!is_centred) return mean;
    for (Index site = 0; site < sites; ++site)
      for (Index k = 0; k < numbers(); ++k)
        mean[at(3 * site + k % 3)] +=
            spins[at(site * numbers() + k)] / static_cast<double>(configurations);
    return mean;
  }
  /// Spins minus their means, (site, k)
  std::vector<double> centred(const std::vector<double>& spins) const {
    const std::vector<double> mean = means(spins);
    std::vector<double> less = spins;
    for (Index site = 0; site < sites; ++site)
      for (Index k = 0; k < numbers(); ++k)
        less[at(site * numbers() + k)] -= mean[at(3 * site + k % 3)];
    return less;
  }
};

using Exact = std::complex<long double>;

/// Sum over r, r' of exp(-i q.(r - r')) C(r,r'), or of C^2, for every q. C has the factor 1/M and
/// exact means.
inline std::vector<Exact> exact_sums(const RandomSpins& s, const std::vector<Vec3<double>>& q,
                                     bool squared) {
  const Index numbers = s.numbers();
  const auto exact = [&](const std::vector<double>& spins) {
    std::vector<long double> less(spins.begin(), spins.end());
    for (Index site = 0; s.is_centred && site < s.sites; ++site)
      for (Index component = 0; component < 3; ++component) {
        long double mean = 0;
        for (Index m = 0; m < s.configurations; ++m)
          mean += less[s.at(site * numbers + 3 * m + component)];
        mean /= static_cast<long double>(s.configurations);
        for (Index m = 0; m < s.configurations; ++m)
          less[s.at(site * numbers + 3 * m + component)] -= mean;
      }
    return less;
  };
  const std::vector<long double> a = exact(s.rows), b = exact(s.columns);
  std::vector<std::vector<Exact>> phase;  // exp(-i q.r), (q, site)
  for (const Vec3<double>& k : q) {
    auto& of_q = phase.emplace_back();
    for (const Vec3<double>& r : s.position)
      of_q.push_back(std::polar(
          1.0L, -(static_cast<long double>(k.x) * r.x + static_cast<long double>(k.y) * r.y +
                  static_cast<long double>(k.z) * r.z)));
  }
  std::vector<Exact> sums(q.size());
  for (Index row = 0; row < s.sites; ++row) {
    std::vector<Exact> of_row(q.size());
    for (Index column = 0; column < s.sites; ++column) {
      long double c = 0;
      for (Index k = 0; k < numbers; ++k)
        c += a[s.at(row * numbers + k)] * b[s.at(column * numbers + k)];
      c /= static_cast<long double>(s.configurations);
      if (squared) c *= c;
      for (std::size_t n = 0; n < q.size(); ++n) of_row[n] += c * std::conj(phase[n][s.at(column)]);
    }
    for (std::size_t n = 0; n < q.size(); ++n) sums[n] += phase[n][s.at(row)] * of_row[n];
  }
  return sums;
}

}  // namespace larmor::test
