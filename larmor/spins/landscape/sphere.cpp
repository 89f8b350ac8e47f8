#include "larmor/spins/landscape/sphere.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/maths/vec3.hpp"

namespace larmor::spins {
namespace {

/// BITS: number of sites in one partial sum.
constexpr Index sites_of_partial_sum = 2048;

Index sites_of(const SiteVectors& v) { return static_cast<Index>(v.size()) / 3; }

/// Calls body(number, first, last) for the partial sums of [0, count).
template <class Body>
void for_each_partial_sum(Index count, int threads, const Body& body) {
  const Index blocks = (count + sites_of_partial_sum - 1) / sites_of_partial_sum;
  const auto work = [&](Index c) {
    body(static_cast<std::size_t>(c), c * sites_of_partial_sum,
         std::min(count, (c + 1) * sites_of_partial_sum));
  };
  if (threads > 1 && blocks > 1) {
    parallel_for(threads, blocks, work);
  } else {
    for (Index c = 0; c < blocks; ++c) work(c);
  }
}

/// Combines the partial results in order: combine(... combine(combine(0, result 0), result 1) ...).
template <class T, class Share, class Combine>
T joined_partial_sums(Index count, int threads, const Share& share, const Combine& combine) {
  std::vector<T> partial(
      static_cast<std::size_t>((count + sites_of_partial_sum - 1) / sites_of_partial_sum));
  for_each_partial_sum(count, threads, [&](std::size_t c, Index first, Index last) {
    partial[c] = share(first, last);
  });
  T total{};
  for (const T& p : partial) total = combine(total, p);
  return total;
}

double sum(double a, double b) { return a + b; }

Vec3<double> load(const SiteVectors& v, Index n, Index i) {
  const double* p = v.data() + i;
  return {p[0], p[n], p[2 * n]};
}

void store(SiteVectors& v, Index n, Index i, const Vec3<double>& x) {
  double* p = v.data() + i;
  p[0] = x.x;
  p[n] = x.y;
  p[2 * n] = x.z;
}

/// The rotation of one spin: the unit vector towards which it turns, sine and cosine of the angle.
struct Turn {
  Vec3<double> towards;
  double sine, cosine;
};

Turn turn_of(const Vec3<double>& p, double length) {
  const double size = larmor::length(p);
  return {(size > 0 ? 1 / size : 0.0) * p, std::sin(length * size), std::cos(length * size)};
}

}  // namespace

double inner_product(const SiteVectors& a, const SiteVectors& b, int threads) {
  return joined_partial_sums<double>(
      static_cast<Index>(a.size()), threads,
      [&](Index first, Index last) {
        // Eight independent sums avoid waits between additions.
        double sums[8] = {};
        Index i = first;
        for (; i + 8 <= last; i += 8)
          for (Index l = 0; l < 8; ++l)
            sums[l] += a[static_cast<std::size_t>(i + l)] * b[static_cast<std::size_t>(i + l)];
        for (; i < last; ++i)
          sums[0] += a[static_cast<std::size_t>(i)] * b[static_cast<std::size_t>(i)];
        return ((sums[0] + sums[1]) + (sums[2] + sums[3])) +
               ((sums[4] + sums[5]) + (sums[6] + sums[7]));
      },
      sum);
}

void turn(const SiteVectors& e, const SiteVectors& p, double length, SiteVectors& turned,
          int threads) {
  const Index n = sites_of(e);
  for_each_partial_sum(n, threads, [&](std::size_t, Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      const Vec3<double> from = load(e, n, i);
      const Turn t = turn_of(load(p, n, i), length);
      const Vec3<double> to = t.cosine * from + t.sine * t.towards;
      const double size = larmor::length(to);
      store(turned, n, i, dot(from, from) > 0 ? (1 / size) * to : from);
    }
  });
}

void shortest_turn(const SiteVectors& a, const SiteVectors& b, SiteVectors& p, int threads) {
  const Index n = sites_of(a);
  for_each_partial_sum(n, threads, [&](std::size_t, Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      const Vec3<double> from = load(a, n, i), to = load(b, n, i);
      Vec3<double> across = cross(cross(from, to), from);
      double size = larmor::length(across);
      const double cosine = dot(from, to);
      if (size == 0 && cosine < 0) {
        across =
            cross(from, std::abs(from.z) < 0.9 ? Vec3<double>{0, 0, 1} : Vec3<double>{1, 0, 0});
        across = cross(across, from);
        size = larmor::length(across);
      }
      const double angle = std::atan2(larmor::length(cross(from, to)), cosine);
      store(p, n, i, (size > 0 ? angle / size : 0.0) * across);
    }
  });
}

}  // namespace larmor::spins
