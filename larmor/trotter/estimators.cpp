#include "larmor/trotter/estimators.hpp"

#include <bit>
#include <cmath>

namespace larmor::trotter {
namespace {

/// Bit f of the result is bit f + count of a periodic field.
std::uint32_t rotated(std::uint32_t bits, int count, int of_field) {
  if (count == 0) return bits;
  return ((bits >> count) | (bits << (of_field - count))) & low_bits(of_field);
}

/// Counts the ones at each bit of many words.
class BitTally {
 public:
  void add(std::uint32_t word) {
    for (std::uint32_t& plane : planes_) {
      const std::uint32_t carry = plane & word;
      plane ^= word;
      word = carry;
      if (word == 0) return;
    }
    if (word != 0) planes_.push_back(word);
  }
  std::int32_t count(int bit) const {
    std::int32_t ones = 0;
    for (std::size_t n = 0; n < planes_.size(); ++n)
      ones += static_cast<std::int32_t>((planes_[n] >> bit) & 1u) << n;
    return ones;
  }

 private:
  std::vector<std::uint32_t> planes_;
};

}  // namespace

std::uint32_t ReplicaSpins::later_bits(Index site, int w, std::int32_t shift) const {
  const std::int32_t slice = w + shift;
  return rotated(bits(site, slice % words_.time.words),
                 slice / words_.time.words % words_.time.bits, words_.time.bits);
}

template <class Word>
std::vector<std::int32_t> ReplicaSpins::sums_of_words(const Word& word) const {
  const TimeWords& time = words_.time;
  std::vector<std::int32_t> sums(static_cast<std::size_t>(time.slices()));
  for (int w = 0; w < time.words; ++w) {
    BitTally down;
    for (Index site = 0; site < words_.sites; ++site) down.add(word(site, w));
    for (int f = 0; f < time.bits; ++f)
      sums[static_cast<std::size_t>(w + time.words * f)] =
          static_cast<std::int32_t>(words_.sites) - 2 * down.count(f);
  }
  return sums;
}

SliceSums ReplicaSpins::sums(const SystemGraph& graph) const {
  SliceSums sums;
  const int words = words_.time.words;
  for (const Bond& bond : graph.bonds) {
    std::int32_t opposite = 0;
    for (int w = 0; w < words; ++w) opposite += std::popcount(bits(bond.i, w) ^ bits(bond.j, w));
    sums.bond.push_back(slices() - 2 * opposite);
  }
  for (Index site = 0; site < words_.sites; ++site) {
    std::int32_t kinks = 0, down = 0;
    for (int w = 0; w < words; ++w) {
      kinks += std::popcount(bits(site, w) ^ later_bits(site, w, 1));
      down += std::popcount(bits(site, w));
    }
    sums.kinks.push_back(kinks);
    sums.site.push_back(slices() - 2 * down);
  }
  sums.slice = slice_sums();
  return sums;
}

std::vector<std::int32_t> ReplicaSpins::slice_sums() const {
  return sums_of_words([this](Index site, int w) { return bits(site, w); });
}

double ReplicaSpins::pair(Index i, Index j) const {
  std::int32_t opposite = 0;
  for (int w = 0; w < words_.time.words; ++w) opposite += std::popcount(bits(i, w) ^ bits(j, w));
  return 1 - 2.0 * opposite / slices();
}

std::vector<std::int64_t> ReplicaSpins::local_products() const {
  std::vector<std::int64_t> products;
  for (std::int32_t shift = 0; shift <= slices() / 2; ++shift) {
    std::int64_t opposite = 0;
    for (Index site = 0; site < words_.sites; ++site)
      for (int w = 0; w < words_.time.words; ++w)
        opposite += std::popcount(bits(site, w) ^ later_bits(site, w, shift));
    products.push_back(words_.sites * slices() - 2 * opposite);
  }
  return products;
}

std::vector<std::int32_t> ReplicaSpins::overlaps(const ReplicaSpins& other) const {
  return sums_of_words([&](Index site, int w) { return bits(site, w) ^ other.bits(site, w); });
}

EnergyTerms energy_terms(const Instance& instance, const SliceSums& sums) {
  const double M = static_cast<double>(sums.slice.size()), dtau = instance.beta / M;
  double classical = 0, transverse = 0, derivative = 0;
  for (std::size_t b = 0; b < sums.bond.size(); ++b) classical += instance.J[b] * sums.bond[b];
  for (std::size_t i = 0; i < sums.site.size(); ++i) {
    classical += instance.h[i] * sums.site[i];
    const double Gamma = instance.Gamma[i], n = sums.kinks[i];
    // A site without a transverse field has no kinks, and coth would be infinite.
    if (Gamma == 0) continue;
    const double t = std::tanh(dtau * Gamma), inverse_sinh = 1 / std::sinh(dtau * Gamma);
    transverse += Gamma * ((M - n) * t + n / t);
    derivative += Gamma * Gamma / M * ((M - n) * (1 - t * t) - n * inverse_sinh * inverse_sinh);
  }
  return {-(classical + transverse) / M, derivative / M};
}

double transverse_spin(double a, double kinks) {
  const double t = std::tanh(a);
  return t == 0 ? 0 : (1 - kinks) * t + kinks / t;
}

std::vector<double> transverse_spins(const Instance& instance, const SliceSums& sums) {
  const double M = static_cast<double>(sums.slice.size()), dtau = instance.beta / M;
  std::vector<double> x;
  for (std::size_t i = 0; i < sums.kinks.size(); ++i)
    x.push_back(transverse_spin(dtau * instance.Gamma[i], sums.kinks[i] / M));
  return x;
}

SliceMoments slice_moments(std::span<const std::int32_t> slice, Index sites) {
  const double N = static_cast<double>(sites);
  SliceMoments moments{};
  for (const std::int32_t sum : slice) {
    const double m = sum / N;
    moments.m += m;
    moments.m2 += m * m;
    moments.m4 += m * m * m * m;
  }
  const double M = static_cast<double>(slice.size());
  moments.m /= M;
  moments.m2 /= M;
  moments.m4 /= M;
  moments.mean_abs = std::abs(moments.m);
  moments.mean2 = moments.m * moments.m;
  moments.mean4 = moments.mean2 * moments.mean2;
  return moments;
}

std::vector<double> magnetic_correlation(std::span<const std::int32_t> slice, Index sites) {
  const std::size_t M = slice.size();
  std::vector<double> G;
  for (std::size_t shift = 0; shift <= M / 2; ++shift) {
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < M; ++k) sum += std::int64_t{slice[k]} * slice[(k + shift) % M];
    G.push_back(static_cast<double>(sum) / (static_cast<double>(sites) * static_cast<double>(M)));
  }
  return G;
}

}  // namespace larmor::trotter
