#pragma once
// Sums of C or C^2 over the pairs of each bin on a GPU: between groups, by distance and by
// displacement.

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "larmor/correlations/pairs/gpu/bin_epilogue.cuh"
#include "larmor/correlations/pairs/gpu/sums_of_pairs.cuh"
#include "larmor/correlations/pairs/reductions/minimum_image.hpp"

namespace larmor::correlations::real_space {

/// @tparam Data owner of the data on the device to which `bins` points
template <class Numbers, class Bins, class Data>
class BinSums : public SumsOfPairs<Numbers> {
 public:
  /// @param opposite maps the bin of (r, r') to the bin of (r', r)
  BinSums(const Device& device, const PairSettings& settings, const RowShare& share, Bins bins,
          Index count, Data data, std::function<Index(Index)> opposite)
      : SumsOfPairs<Numbers>(device, settings, share, count, count, 1),
        bins_(bins),
        data_(std::move(data)),
        count_(count),
        opposite_(std::move(opposite)) {
    const double pairs =
        static_cast<double>(rows_of_tile) * static_cast<double>(this->grid_.segment);
    if (!(settings.largest > 0))
      throw InternalError("sums of pairs by bins need to know the largest product");
    const double stored = settings.largest * Numbers::scale * Numbers::scale;
    const double greatest = pairs * (settings.squared ? stored * stored : stored);
    constexpr int bits = 61;  // BITS: one bit is free, since pairs may count twice
    scale_ = std::ldexp(1.0, bits - std::max(0, std::ilogb(greatest) + 1));
  }

  void add(const RowShare& share) override {
    this->select_rows(share);
    const BinEpilogue<Numbers, Bins> epilogue{bins_, static_cast<int>(count_),
                                              this->settings_.squared, scale_, this->sums_.data()};
    this->run(this->grid_, epilogue, 0, count_);
  }

  std::function<void(std::vector<double>&)> both_ways() const override {
    return [opposite = opposite_](std::vector<double>& totals) {
      const std::vector<double> half = totals;
      for (std::size_t bin = 0; bin < half.size(); ++bin)
        totals[bin] =
            (half[bin] + half[static_cast<std::size_t>(opposite(static_cast<Index>(bin)))]) / 2;
    };
  }

 private:
  Bins bins_;
  Data data_;
  Index count_;
  std::function<Index(Index)> opposite_;
  double scale_ = 1;
};

/// @tparam Arithmetic as in fourier_sums.cuh
template <class Arithmetic>
std::unique_ptr<FusedSums> sums_by(const Device& device, const PairSettings& settings,
                                   const BetweenGroups& between, const RowShare& share) {
  const Index groups = between.groups;
  require_at_most(most_groups, groups, "groups of sites");
  Array<std::int32_t> on_device(device, between.group);
  const GroupBins bins{on_device.data(), static_cast<int>(settings.sites),
                       static_cast<int>(groups)};
  return Arithmetic::in_precision(
      settings.precision, [&]<class Numbers>(Numbers) -> std::unique_ptr<FusedSums> {
        using Sums = BinSums<Numbers, GroupBins, Array<std::int32_t>>;
        return std::make_unique<Sums>(
            device, settings, share, bins, groups * groups, std::move(on_device),
            [groups](Index bin) { return bin % groups * groups + bin / groups; });
      });
}

template <class Arithmetic>
std::unique_ptr<FusedSums> sums_by(const Device& device, const PairSettings& settings,
                                   const ByDistance& reduction, const RowShare& share) {
  require_at_most(most_bins, reduction.bins.bins, "bins of distance");
  const MinimumImage image = minimum_image(reduction.bins.periods);
  using Data = std::pair<Array<double>, Array<Vec3<double>>>;
  Data data{Array<double>(device, by_component(reduction.position)),
            Array<Vec3<double>>(device, image.shift)};
  NearestImageBins bins{};
  bins.position = data.first.data();
  bins.shift = data.second.data();
  bins.sites = static_cast<int>(settings.sites);
  bins.bins = static_cast<int>(reduction.bins.bins);
  bins.per_width = 1 / reduction.bins.width;
  bins.periods = static_cast<int>(image.period.size());
  bins.shifts = static_cast<int>(image.shift.size());
  std::copy(image.period.begin(), image.period.end(), bins.period);
  std::copy(image.dual.begin(), image.dual.end(), bins.dual);
  return Arithmetic::in_precision(
      settings.precision, [&]<class Numbers>(Numbers) -> std::unique_ptr<FusedSums> {
        using Sums = BinSums<Numbers, NearestImageBins, Data>;
        return std::make_unique<Sums>(device, settings, share, bins, reduction.bins.bins,
                                      std::move(data), std::identity());
      });
}

template <class Arithmetic>
std::unique_ptr<FusedSums> sums_by(const Device& device, const PairSettings& settings,
                                   const ByDisplacement& reduction, const RowShare& share) {
  const DisplacementBins& displacement = reduction.bins;
  require_at_most(most_bins, displacement.bins(), "bins of displacement");
  std::vector<int4> of_site;
  for (const lattice::SiteIndex& s : reduction.site)
    of_site.push_back(make_int4(s.basis, static_cast<int>(s.cell[0]), static_cast<int>(s.cell[1]),
                                static_cast<int>(s.cell[2])));
  Array<int4> on_device(device, of_site);
  CellDisplacementBins bins{};
  bins.site = on_device.data();
  bins.sites = static_cast<int>(settings.sites);
  bins.atoms = static_cast<int>(displacement.atoms);
  for (int d = 0; d < 3; ++d) {
    const auto along = static_cast<std::size_t>(d);
    const Index size = displacement.size[along];
    const bool periodic = displacement.periodic[along];
    bins.period[d] = periodic ? static_cast<int>(size) : 0;
    bins.lowest[d] = static_cast<int>(DisplacementBins::least_of(size, periodic));
    bins.highest[d] = static_cast<int>(DisplacementBins::greatest_of(size, periodic));
    bins.least[d] = static_cast<int>(displacement.least[along]);
    bins.count[d] = static_cast<int>(displacement.count[along]);
  }
  return Arithmetic::in_precision(
      settings.precision, [&]<class Numbers>(Numbers) -> std::unique_ptr<FusedSums> {
        using Sums = BinSums<Numbers, CellDisplacementBins, Array<int4>>;
        return std::make_unique<Sums>(
            device, settings, share, bins, displacement.bins(), std::move(on_device),
            [displacement](Index bin) { return displacement.opposite(bin); });
      });
}

}  // namespace larmor::correlations::real_space
