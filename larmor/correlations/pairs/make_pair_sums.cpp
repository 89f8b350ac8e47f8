#include "larmor/correlations/pairs/make_pair_sums.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/device.hpp"
#include "larmor/correlations/pairs/cpu/panel_sums.hpp"
#include "larmor/correlations/pairs/gpu/fused_sums.hpp"

namespace larmor::correlations::real_space {
namespace {

RowShare share_of(const PairSettings& settings) {
  return settings.ranks == nullptr ? RowShare{} : settings.ranks->share();
}

Pending totals_of(FusedSums& sums, PairRanks* ranks) {
  if (ranks != nullptr) {
    const std::span<double> of_panels = sums.panel_sums();
    ranks->add_up(of_panels.data(), std::ssize(of_panels));
  }
  return sums.totals();
}

class OnGpu : public PairSums {
 public:
  OnGpu(std::unique_ptr<FusedSums> sums, PairRanks* ranks)
      : sums_(std::move(sums)), ranks_(ranks) {}
  void set_rows(const double* a) override { sums_->set_rows(a); }
  void set_columns(const double* b) override { sums_->set_columns(b); }
  void set_both(const double* a) override { sums_->set_both(a); }
  void add(const RowShare& part) override { sums_->launch(part); }
  Pending totals() override { return totals_of(*sums_, ranks_); }

 private:
  std::unique_ptr<FusedSums> sums_;
  PairRanks* ranks_;
};

class OnCpu : public PairSums {
 public:
  OnCpu(const Device& device, std::unique_ptr<PanelSums> sums, PairRanks* ranks)
      : threads_(device.threads), sums_(std::move(sums)), ranks_(ranks) {}
  void set_rows(const double* a) override { sums_->set_rows(a); }
  void set_columns(const double* b) override { sums_->set_columns(b); }
  void set_both(const double* a) override { sums_->set_both(a); }
  void add(const RowShare& part) override {
    sums_->add(threads_, ranks_ == nullptr ? RowShare{} : ranks_->share(), part);
  }
  Pending totals() override { return Pending(sums_->totals(ranks_)); }

 private:
  int threads_;
  std::unique_ptr<PanelSums> sums_;
  PairRanks* ranks_;
};

/// Sums of one number for each bin. @param largest |a_r.b_r'| that there can be
using MakeBinSums =
    std::function<std::unique_ptr<FusedSums>(const PairSettings& settings, double largest)>;

/// C, C^2 and the number of pairs of each bin, as a CPU sums them at once.
class BinsOnGpu : public PairSums {
 public:
  BinsOnGpu(const Device& device, PairSettings settings, double largest, const MakeBinSums& make)
      : ranks_(settings.ranks) {
    PairSettings ones = settings;
    ones.numbers = 1;
    ones.squared = false;
    counts_ = make(ones, 1);
    const Array<double> one(device,
                            std::vector<double>(static_cast<std::size_t>(settings.sites), 1.0));
    counts_->set_both(one.data());
    synchronise(device);
    for (const bool squared : {false, true}) {
      if (squared && !settings.squares) continue;
      settings.squared = squared;
      sums_.push_back(make(settings, largest));
    }
  }
  void set_rows(const double* a) override {
    for (const auto& sums : sums_) sums->set_rows(a);
  }
  void set_columns(const double* b) override {
    for (const auto& sums : sums_) sums->set_columns(b);
  }
  void set_both(const double* a) override {
    for (const auto& sums : sums_) sums->set_both(a);
  }
  void add(const RowShare& part) override {
    for (const auto& sums : sums_) sums->launch(part);
    if (counts_) counts_->launch(part);
  }
  Pending totals() override {
    if (counts_) pairs_ = totals_of(*counts_, ranks_).take();
    counts_.reset();
    const std::vector<double> sum = totals_of(*sums_[0], ranks_).take();
    const std::vector<double> square =
        sums_.size() > 1 ? totals_of(*sums_[1], ranks_).take() : std::vector<double>(sum.size());
    std::vector<double> all;
    for (std::size_t bin = 0; bin < pairs_.size(); ++bin)
      all.insert(all.end(), {sum[bin], square[bin], pairs_[bin]});
    return Pending(std::move(all));
  }

 private:
  PairRanks* ranks_;
  std::unique_ptr<FusedSums> counts_;  ///< of pairs, which stay the same; null: known
  std::vector<double> pairs_;
  std::vector<std::unique_ptr<FusedSums>> sums_;  ///< of C, and of C^2 where they are asked for
};

template <class Settings>
Settings panels_of(const PairSettings& pairs) {
  Settings settings;
  settings.sites = pairs.sites;
  settings.numbers = pairs.numbers;
  return settings;
}

bool on_gpu(const Device& device) { return device.backend == Backend::cuda; }

}  // namespace

std::unique_ptr<PairSums> make_pair_fourier_sums(const Device& device, const PairSettings& settings,
                                                 std::span<const Vec3<double>> q,
                                                 std::span<const Vec3<double>> position) {
  if (on_gpu(device))
    return std::make_unique<OnGpu>(
        make_fourier_sums(device, settings, q, position, share_of(settings)), settings.ranks);
  auto panels = panels_of<FourierPanelSettings>(settings);
  panels.squared = settings.squared;
  panels.q = q;
  panels.position = position;
  return std::make_unique<OnCpu>(device, make_fourier_panels(panels), settings.ranks);
}

std::unique_ptr<PairSums> make_pair_distance_sums(const Device& device,
                                                  const PairSettings& settings,
                                                  std::span<const Vec3<double>> position,
                                                  const DistanceBins& bins, double largest) {
  if (on_gpu(device))
    return std::make_unique<BinsOnGpu>(
        device, settings, largest, [&](const PairSettings& pairs, double most) {
          return make_distance_sums(device, pairs, position, bins, most, share_of(pairs));
        });
  auto panels = panels_of<DistancePanelSettings>(settings);
  panels.position = position;
  panels.periods = bins.periods;
  panels.width = bins.width;
  panels.bins = bins.bins;
  return std::make_unique<OnCpu>(device, make_distance_panels(panels), settings.ranks);
}

std::unique_ptr<PairSums> make_pair_displacement_sums(const Device& device,
                                                      const PairSettings& settings,
                                                      std::span<const lattice::SiteIndex> site,
                                                      const DisplacementBins& bins,
                                                      double largest) {
  if (on_gpu(device))
    return std::make_unique<BinsOnGpu>(
        device, settings, largest, [&](const PairSettings& pairs, double most) {
          return make_displacement_sums(device, pairs, site, bins, most, share_of(pairs));
        });
  auto panels = panels_of<DisplacementPanelSettings>(settings);
  panels.site = site;
  panels.bins = bins;
  return std::make_unique<OnCpu>(device, make_displacement_panels(panels), settings.ranks);
}

std::unique_ptr<PairSums> make_pair_group_sums(const Device& device, const PairSettings& settings,
                                               std::span<const std::int32_t> group, Index groups,
                                               double largest) {
  if (on_gpu(device))
    return std::make_unique<OnGpu>(
        make_group_sums(device, settings, group, groups, largest, share_of(settings)),
        settings.ranks);
  auto panels = panels_of<GroupPanelSettings>(settings);
  panels.squared = settings.squared;
  panels.label = group;
  panels.groups = groups;
  return std::make_unique<OnCpu>(device, make_group_panels(panels), settings.ranks);
}

std::unique_ptr<PairSums> make_pair_value_sums(const Device& device, const PairSettings& settings,
                                               const CorrelationBins& bins) {
  if (on_gpu(device))
    return std::make_unique<OnGpu>(make_value_sums(device, settings, bins, share_of(settings)),
                                   settings.ranks);
  auto panels = panels_of<ValuePanelSettings>(settings);
  panels.bins = bins;
  return std::make_unique<OnCpu>(device, make_value_panels(panels), settings.ranks);
}

void require_pair_sums(const Device& device, PairPrecision precision) {
  if (on_gpu(device) && precision != PairPrecision::full && !has_tensor_core_sums(device))
    throw MachineError(std::string("sums over all pairs of sites in ") + name_of(precision) +
                       " need a GPU of compute capability 9.0 and a build with CUTLASS's headers; "
                       "precision = \"double\" needs neither");
}

Index most_groups_of_pairs(const Device& device) {
  return on_gpu(device) ? most_groups : most_panel_groups;
}

Index most_displacements_of_pairs(const Device& device) {
  return on_gpu(device) ? most_bins : most_panel_bins;
}

Index parts_of_pair_sums(const Device& device, Index sites, double multiply_adds, int ranks) {
  const double of_part = on_gpu(device) ? 2e12 : 4e9;
  // Four rounds of pieces leave few threads without one at the end of a part.
  constexpr Index rounds = 4, multiprocessors = 132;
  const Index at_a_time = rounds * (on_gpu(device) ? multiprocessors : device.threads);
  const Index pieces = (on_gpu(device) ? fused_pieces(sites) : panel_pieces(sites, 1)) / ranks;
  const auto wanted = static_cast<Index>(multiply_adds / of_part) + 1;
  return std::clamp(wanted, Index{1}, std::max(Index{1}, pieces / at_a_time));
}

double pair_sums_bytes(const Device& device, const PairSumsSize& size, PairPrecision precision) {
  const auto& [sites, numbers, wave_vectors, bins, symmetric] = size;
  if (on_gpu(device))  // sums of units, and of panels, which are fewer
    return fourier_sums_bytes(sites, numbers, wave_vectors, precision, symmetric) +
           16.0 * static_cast<double>(fused_pieces(sites) * bins);
  const Index totals = 2 * wave_vectors + bins;
  // Each thread has sums and a tile of its own.
  const Index of_threads = device.threads * (symmetric ? 2 : 1);
  const Index of_sums = (panel_pieces(sites, totals, symmetric) + of_threads) * totals;
  const Index matrices = symmetric ? 1 : 2;
  return 8.0 * static_cast<double>(sites * (matrices * numbers + 2 * wave_vectors)) +
         8.0 * static_cast<double>(of_sums + device.threads * panel_tile_numbers);
}

}  // namespace larmor::correlations::real_space
