#include "larmor/overlaps/copy_sums.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "larmor/core/maths/vec3.hpp"

namespace larmor::overlaps {
namespace {

/// Contributions of sites to the q_mn, summed plane by plane, (plane, entry).
class PlaneSums {
 public:
  PlaneSums(const WaveAxis& axis, std::size_t entries)
      : axis_(axis), entries_(entries), sums_(static_cast<std::size_t>(axis.planes()) * entries) {}

  double* of_site(std::size_t site) {
    return sums_.data() + static_cast<std::size_t>(axis_.plane[site]) * entries_;
  }
  /// sum over planes of factor(plane) times the sum of the plane [entries]
  std::vector<double> weighted(const std::vector<double>& factor) const {
    std::vector<double> total(entries_);
    for (std::size_t plane = 0; plane < factor.size(); ++plane)
      for (std::size_t entry = 0; entry < entries_; ++entry)
        total[entry] += factor[plane] * sums_[plane * entries_ + entry];
    return total;
  }

 private:
  const WaveAxis& axis_;
  std::size_t entries_;
  std::vector<double> sums_;
};

/// @param add_site(site, entries) adds the contribution of a site to the entries of its plane
/// @param square_of(entries) returns sum_mn q_mn^2 N^2 for entries that are summed over planes
template <class AddSite, class Square>
void sum_waves(const CopyGraph& graph, std::size_t entries, const AddSite& add_site,
               const Square& square_of, double* sums) {
  const double N2 = static_cast<double>(graph.spins) * static_cast<double>(graph.spins);
  for (std::size_t n = 0; n < graph.axes.size(); ++n) {
    const WaveAxis& axis = graph.axes[n];
    PlaneSums planes(axis, entries);
    for (std::size_t site = 0; site < axis.plane.size(); ++site)
      add_site(site, planes.of_site(site));
    sums[static_cast<std::size_t>(first_wave) + n] =
        (square_of(planes.weighted(axis.cosine)) + square_of(planes.weighted(axis.sine))) / N2;
  }
}

void write_overlap(double q, double q2, double* sums) {
  sums[overlap] = q;
  sums[overlap_size] = std::abs(q);
  sums[square] = q2;
  sums[fourth] = q2 * q2;
}

/// The sum over pairs of states (a, b) of n_ab (M n M)_ab, where M = (q delta - 1) / (q - 1). n_ab
/// is the number of sites with state a in one copy and b in the other.
double square_of_counts(const std::vector<double>& n, std::size_t q) {
  std::vector<double> of_a(q), of_b(q);
  double all = 0;
  for (std::size_t a = 0; a < q; ++a)
    for (std::size_t b = 0; b < q; ++b) {
      of_a[a] += n[a * q + b];
      of_b[b] += n[a * q + b];
      all += n[a * q + b];
    }
  const auto Q = static_cast<double>(q);
  double sum = 0;
  for (std::size_t a = 0; a < q; ++a)
    for (std::size_t b = 0; b < q; ++b)
      sum += n[a * q + b] * (Q * Q * n[a * q + b] - Q * of_a[a] - Q * of_b[b] + all);
  return sum / ((Q - 1) * (Q - 1));
}

}  // namespace

WaveAxis wave_axis(double length, const std::vector<double>& position) {
  // Sites whose positions differ by less are in one plane.
  constexpr double resolution = 1e-6;
  WaveAxis axis;
  axis.length = length;
  std::vector<double> planes = position;
  std::sort(planes.begin(), planes.end());
  planes.erase(std::unique(planes.begin(), planes.end(),
                           [](double a, double b) { return b - a < resolution; }),
               planes.end());
  for (const double x : planes) {
    const double phase = 2 * std::numbers::pi * x / length;
    axis.cosine.push_back(std::cos(phase));
    axis.sine.push_back(std::sin(phase));
  }
  for (const double x : position)
    axis.plane.push_back(static_cast<std::int32_t>(
        std::upper_bound(planes.begin(), planes.end(), x + resolution / 2) - planes.begin() - 1));
  axis.sites.resize(planes.size());
  for (const std::int32_t plane : axis.plane) ++axis.sites[static_cast<std::size_t>(plane)];
  return axis;
}

void sum_states(const CopyGraph& graph, int q, const std::uint8_t* a, const std::uint8_t* b,
                double* sums) {
  const auto Q = static_cast<std::size_t>(q);
  const auto N = static_cast<double>(graph.spins);
  std::vector<double> counts(Q * Q);
  for (Index i = 0; i < graph.sites; ++i) ++counts[a[i] * Q + b[i]];
  double equal = 0;
  for (std::size_t state = 0; state < Q; ++state) equal += counts[state * Q + state];
  write_overlap((q * equal / N - 1) / (q - 1), square_of_counts(counts, Q) / (N * N), sums);
  // Numbers of bonds whose sites have equal states in none, one or both copies.
  std::array<double, 3> bonds{};
  for (const auto& [i, j] : graph.bonds) ++bonds[int(a[i] == a[j]) + int(b[i] == b[j])];
  const double unequal = -1.0 / (q - 1), all = static_cast<double>(std::ssize(graph.bonds));
  sums[link_overlap] = (bonds[2] + unequal * bonds[1] + unequal * unequal * bonds[0]) / all;
  sums[bond_square] =
      ((bonds[2] + bonds[1] / 2) + unequal * unequal * (bonds[0] + bonds[1] / 2)) / all;
  sum_waves(
      graph, Q * Q, [&](std::size_t site, double* entries) { ++entries[a[site] * Q + b[site]]; },
      [&](const std::vector<double>& entries) { return square_of_counts(entries, Q); }, sums);
}

void sum_opposites(const CopyGraph& graph, const OppositeCounts& opposite, double* sums) {
  const auto share = [](Index n, Index all) {
    return 1 - 2 * static_cast<double>(n) / static_cast<double>(all);
  };
  const double q = share(opposite.spins, graph.spins);
  write_overlap(q, q * q, sums);
  sums[link_overlap] = share(opposite.bonds, std::ssize(graph.bonds));
  sums[bond_square] = 1;
  const auto N = static_cast<double>(graph.spins);
  const std::int32_t* of_plane = opposite.of_plane;
  for (std::size_t n = 0; n < graph.axes.size(); ++n) {
    const WaveAxis& axis = graph.axes[n];
    double real = 0, imaginary = 0;
    for (std::size_t plane = 0; plane < axis.sites.size(); ++plane) {
      const double sum = axis.sites[plane] - 2 * static_cast<double>(*of_plane++);
      real += axis.cosine[plane] * sum;
      imaginary += axis.sine[plane] * sum;
    }
    sums[static_cast<std::size_t>(first_wave) + n] =
        (real * real + imaginary * imaginary) / (N * N);
  }
}

void sum_vectors(const CopyGraph& graph, const double* a, const double* b, double* sums) {
  constexpr std::size_t entries = 9;
  const auto N = static_cast<double>(graph.spins);
  const auto spin = [](const double* copy, std::size_t site) {
    return Vec3<double>{copy[3 * site], copy[3 * site + 1], copy[3 * site + 2]};
  };
  const auto add_site = [&](std::size_t site, double* q) {
    for (std::size_t m = 0; m < 3; ++m)
      for (std::size_t n = 0; n < 3; ++n) q[3 * m + n] += a[3 * site + m] * b[3 * site + n];
  };
  const auto square_of = [](const std::vector<double>& q) {
    double sum = 0;
    for (const double entry : q) sum += entry * entry;
    return sum;
  };
  std::vector<double> q(entries);
  for (Index site = 0; site < graph.sites; ++site)
    add_site(static_cast<std::size_t>(site), q.data());
  write_overlap((q[0] + q[4] + q[8]) / N, square_of(q) / (N * N), sums);
  double of_links = 0, of_squares = 0;
  for (const auto& [i, j] : graph.bonds) {
    const auto I = static_cast<std::size_t>(i), J = static_cast<std::size_t>(j);
    const double x = dot(spin(a, I), spin(a, J)), y = dot(spin(b, I), spin(b, J));
    of_links += x * y;
    of_squares += (x * x + y * y) / 2;
  }
  sums[link_overlap] = of_links / static_cast<double>(std::ssize(graph.bonds));
  sums[bond_square] = of_squares / static_cast<double>(std::ssize(graph.bonds));
  sum_waves(graph, entries, add_site, square_of, sums);
}

}  // namespace larmor::overlaps
