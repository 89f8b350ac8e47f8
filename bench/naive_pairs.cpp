#include "bench/naive_pairs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "larmor/core/error.hpp"
#include "larmor/correlations/pairs/reductions/minimum_image.hpp"

namespace larmor::bench {

using namespace correlations::real_space;

namespace {

using Long = long double;

/// Adds C of a pair (r, r') to the sums.
using AddPair = std::function<void(Index r, Index other, Long c, std::vector<Long>& sums)>;

class NaivePairs : public PairSums {
 public:
  NaivePairs(const PairSettings& settings, std::size_t totals, AddPair add)
      : sites_(settings.sites), numbers_(settings.numbers), totals_(totals), add_(std::move(add)) {}

  void set_columns(const double* matrix) override {
    columns_.assign(matrix, matrix + sites_ * numbers_);
  }
  void set_rows(const double* matrix) override { rows_.assign(matrix, matrix + sites_ * numbers_); }
  void set_both(const double* matrix) override {
    set_rows(matrix);
    set_columns(matrix);
  }

  void add(const RowShare& share) override {
    const auto size = static_cast<std::size_t>(sites_ * numbers_);
    if (rows_.size() != size || columns_.size() != size)
      throw InternalError("sums over pairs of sites were requested before both matrices were set");
    if (share.index == 0) sums_.assign(totals_, 0);
    for (Index r = share.first(sites_); r < share.last(sites_); ++r)
      for (Index other = 0; other < sites_; ++other) {
        const double* a = rows_.data() + r * numbers_;
        const double* b = columns_.data() + other * numbers_;
        Long c = 0;
        for (Index k = 0; k < numbers_; ++k) c += static_cast<Long>(a[k]) * b[k];
        add_(r, other, c, sums_);
      }
  }

  Pending totals() override { return Pending({sums_.begin(), sums_.end()}); }

 private:
  Index sites_, numbers_;
  std::size_t totals_;
  AddPair add_;
  std::vector<double> rows_, columns_;  ///< (site, k)
  std::vector<Long> sums_;
};

Vec3<Long> lengthened(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

/// Length of the shortest of all periodic images of d, from a search of all candidates.
Long distance(Vec3<Long> d, const MinimumImage& box) {
  std::array<Vec3<Long>, 3> period{}, dual{};
  for (std::size_t i = 0; i < box.period.size(); ++i) {
    period[i] = lengthened(box.period[i]);
    dual[i] = lengthened(box.dual[i]);
    d = d - std::round(dot(dual[i], d)) * period[i];
  }
  // A translation that shortens d is at most twice as long as d.
  const Long reach = 2 * std::sqrt(dot(d, d)) * (1 + Long{1e-9});
  std::array<Index, 3> most{};
  for (std::size_t i = 0; i < 3; ++i)
    most[i] = static_cast<Index>(reach * std::sqrt(dot(dual[i], dual[i])));
  Long nearest = dot(d, d);
  for (Index x = -most[0]; x <= most[0]; ++x)
    for (Index y = -most[1]; y <= most[1]; ++y)
      for (Index z = -most[2]; z <= most[2]; ++z) {
        const Vec3<Long> image = d + static_cast<Long>(x) * period[0] +
                                 static_cast<Long>(y) * period[1] +
                                 static_cast<Long>(z) * period[2];
        nearest = std::min(nearest, dot(image, image));
      }
  return std::sqrt(nearest);
}

template <class T>
std::vector<T> copied(std::span<const T> values) {
  return {values.begin(), values.end()};
}

std::unique_ptr<PairSums> naive_sums(const PairSettings& settings, const FourierTerms& terms) {
  const auto add = [q = copied(terms.q), position = copied(terms.position),
                    squared = settings.squared](Index r, Index other, Long c,
                                                std::vector<Long>& sums) {
    const Vec3<Long> d = lengthened(position[static_cast<std::size_t>(r)]) -
                         lengthened(position[static_cast<std::size_t>(other)]);
    const Long weight = squared ? c * c : c;
    for (std::size_t n = 0; n < q.size(); ++n) {
      const Long angle = dot(lengthened(q[n]), d);
      sums[2 * n] += weight * std::cos(angle);
      sums[2 * n + 1] -= weight * std::sin(angle);
    }
  };
  return std::make_unique<NaivePairs>(settings, 2 * terms.q.size(), add);
}

std::unique_ptr<PairSums> naive_sums(const PairSettings& settings, const ByDistance& by) {
  const auto add = [box = minimum_image(by.bins.periods), position = copied(by.position),
                    width = static_cast<Long>(by.bins.width),
                    bins = by.bins.bins](Index r, Index other, Long c, std::vector<Long>& sums) {
    const Vec3<Long> d = lengthened(position[static_cast<std::size_t>(other)]) -
                         lengthened(position[static_cast<std::size_t>(r)]);
    const Long place = distance(d, box) / width + edge_of_bin;
    if (place >= static_cast<Long>(bins)) return;
    Long* bin = sums.data() + 3 * static_cast<Index>(place);
    bin[0] += c;
    bin[1] += c * c;
    bin[2] += 1;
  };
  return std::make_unique<NaivePairs>(settings, static_cast<std::size_t>(3 * by.bins.bins), add);
}

std::unique_ptr<PairSums> naive_sums(const PairSettings& settings, const ByDisplacement& by) {
  const auto add = [bins = by.bins, site = copied(by.site)](Index r, Index other, Long c,
                                                            std::vector<Long>& sums) {
    const lattice::SiteIndex& from = site[static_cast<std::size_t>(r)];
    const lattice::SiteIndex& to = site[static_cast<std::size_t>(other)];
    Index bin = from.basis * bins.atoms + to.basis;
    for (std::size_t d = 0; d < 3; ++d) {
      Index step = to.cell[d] - from.cell[d];
      while (bins.periodic[d] && 2 * step > bins.size[d]) step -= bins.size[d];
      while (bins.periodic[d] && 2 * step <= -bins.size[d]) step += bins.size[d];
      const Index place = step - bins.least[d];
      if (place < 0 || place >= bins.count[d]) return;
      bin = bin * bins.count[d] + place;
    }
    sums[static_cast<std::size_t>(3 * bin)] += c;
    sums[static_cast<std::size_t>(3 * bin + 1)] += c * c;
    sums[static_cast<std::size_t>(3 * bin + 2)] += 1;
  };
  return std::make_unique<NaivePairs>(settings, static_cast<std::size_t>(3 * by.bins.bins()), add);
}

std::unique_ptr<PairSums> naive_sums(const PairSettings& settings, const BetweenGroups& between) {
  const auto add = [label = copied(between.group), groups = between.groups,
                    squared = settings.squared](Index r, Index other, Long c,
                                                std::vector<Long>& sums) {
    const Index from = label[static_cast<std::size_t>(r)];
    const Index to = label[static_cast<std::size_t>(other)];
    if (from < 0 || to < 0) return;
    sums[static_cast<std::size_t>(from * groups + to)] += squared ? c * c : c;
  };
  return std::make_unique<NaivePairs>(
      settings, static_cast<std::size_t>(between.groups * between.groups), add);
}

std::unique_ptr<PairSums> naive_sums(const PairSettings& settings, const ByValue& by) {
  const auto add = [bins = by.bins](Index r, Index other, Long c, std::vector<Long>& sums) {
    if (r == other) return;
    const Long width =
        (static_cast<Long>(bins.greatest) - bins.least) / static_cast<Long>(bins.bins);
    Index count = 0;
    for (Index n = 0; n < bins.bins; ++n)
      if (c >= bins.least + (static_cast<Long>(n) - CountOfValue::edge) * width) count = n + 1;
    if (c > bins.greatest + CountOfValue::edge * width) count = bins.bins + 1;
    sums[static_cast<std::size_t>(count)] += 1;
    Long* largest = sums.data() + counts_of(bins);
    Long* smallest = largest + numbers_of_pair;
    const std::array<Long, 3> pair{c, static_cast<Long>(r + 1), static_cast<Long>(other + 1)};
    if (largest[1] == 0 || c > largest[0]) std::copy(pair.begin(), pair.end(), largest);
    if (smallest[1] == 0 || c < smallest[0]) std::copy(pair.begin(), pair.end(), smallest);
  };
  return std::make_unique<NaivePairs>(settings, static_cast<std::size_t>(totals_of(by.bins)), add);
}

}  // namespace

std::unique_ptr<PairSums> make_naive_sums(const PairSettings& settings,
                                          const PairReduction& reduction) {
  return std::visit([&](const auto& kind) { return naive_sums(settings, kind); }, reduction);
}

}  // namespace larmor::bench
