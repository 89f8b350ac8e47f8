#pragma once
// Operands of sums over pairs on a GPU, their launches and their totals, whatever multiplies. Who
// includes this includes kernels too.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/error.hpp"
#include "larmor/correlations/pairs/gpu/bin_epilogue.cuh"
#include "larmor/correlations/pairs/gpu/fourier_epilogue.cuh"
#include "larmor/correlations/pairs/gpu/fused_sums.hpp"
#include "larmor/correlations/pairs/gpu/packing.cuh"
#include "larmor/correlations/pairs/gpu/value_epilogue.cuh"
#include "larmor/correlations/pairs/reductions/minimum_image.hpp"

namespace larmor::correlations::real_space {

inline constexpr int most_blocks_of_packing = 4096;

inline Index whole(Index number, Index unit) { return (number + unit - 1) / unit; }

inline unsigned packing_blocks(Index threads) {
  return static_cast<unsigned>(
      std::min<Index>(most_blocks_of_packing, std::max<Index>(1, whole(threads, packing_threads))));
}

inline Index padded(Index sites) { return whole(sites, panel_rows) * panel_rows; }

/// Columns of a unit: so many units that they fill some GPUs evenly, each long enough to pay. Of
/// the number of sites alone: it decides the order of sums.
inline Index segment_of(Index padded_sites) {
  constexpr Index units_wanted = 10000, step = 256, shortest = 512;
  const Index columns = padded_sites * (padded_sites / panel_rows) / units_wanted;
  return std::min(padded_sites, std::max(shortest, whole(columns, step) * step));
}

/// Sums over the units of a panel and their parts. sums: (unit, part, result)
static __global__ void panel_kernel(PairGrid grid, const double* sums, Index parts, Index results,
                                    Index all_panels, double* of_panels) {
  const Index i = static_cast<Index>(blockIdx.x) * packing_threads + threadIdx.x;
  if (i >= grid.panels * results) return;
  const Index panel = i / results, result = i % results;
  double sum = 0;
  for (Index segment = 0; segment < grid.segments(); ++segment) {
    const Index unit = segment * grid.panels + panel;
    for (Index part = 0; part < parts; ++part)
      sum += sums[(unit * parts + part) * results + result];
  }
  of_panels[result * all_panels + grid.first_panel + panel] = sum;
}

/// One block a number. of_panels: (number, panel)
static __global__ void total_kernel(const double* of_panels, Index panels, double scale,
                                    double* totals) {
  __shared__ double of_thread[packing_threads];
  const int thread = static_cast<int>(threadIdx.x);
  double sum = 0;
  for (Index panel = thread; panel < panels; panel += packing_threads)
    sum += of_panels[blockIdx.x * panels + panel];
  of_thread[thread] = sum;
  __syncthreads();
  for (int width = packing_threads / 2; width > 0; width /= 2) {
    if (thread < width) of_thread[thread] += of_thread[thread + width];
    __syncthreads();
  }
  if (thread == 0) totals[blockIdx.x] = scale * of_thread[0];
}

/// Positions as (3, site).
inline std::vector<double> by_component(std::span<const Vec3<double>> position) {
  std::vector<double> numbers(3 * position.size());
  for (std::size_t i = 0; i < position.size(); ++i) {
    numbers[i] = position[i].x;
    numbers[i + position.size()] = position[i].y;
    numbers[i + 2 * position.size()] = position[i].z;
  }
  return numbers;
}

/// Operands, and sums of units turned into totals.
template <class Numbers>
class SumsOfPairs : public FusedSums {
 public:
  void set_columns(const double* matrix) override {
    pack(matrix, columns_);
    grid_.columns = columns_.data();
    grid_.symmetric = false;
  }
  void set_rows(const double* matrix) override {
    pack(matrix, rows_);
    grid_.rows = rows_.data();
    grid_.symmetric = false;
  }
  void set_both(const double* matrix) override {
    pack(matrix, columns_);
    grid_.rows = grid_.columns = columns_.data();
    grid_.symmetric = true;
    rows_ = {};
  }
  std::span<double> panel_sums() override {
    return {of_panels_.data(), static_cast<std::size_t>(of_panels_.size())};
  }
  Pending totals() override {
    add_up_ranks();
    constexpr double product = 1 / (Numbers::scale * Numbers::scale);
    total_kernel<<<static_cast<unsigned>(results_), packing_threads, 0, stream()>>>(
        of_panels_.data(), all_panels_, settings_.squared ? product * product : product,
        totals_.data());
    larmor::cuda::check(cudaGetLastError(), "adding up correlations");
    Pending totals(device_, totals_.data(), totals_.size());
    if (!grid_.symmetric) return totals;
    return std::move(totals).then(both_ways());
  }

 protected:
  /// What makes totals of both orders of those over half of the pairs (r, r'), which count twice.
  virtual std::function<void(std::vector<double>&)> both_ways() const = 0;

  /// @param results numbers that are summed @param of_pass of one launch @param parts of a unit's
  /// sums
  SumsOfPairs(const Device& device, const PairSettings& settings, const RowShare& share,
              Index results, Index of_pass, Index parts)
      : device_(device),
        settings_(settings),
        share_(share),
        results_(results),
        parts_(parts),
        all_panels_(padded(settings.sites) / panel_rows) {
    grid_.padded = static_cast<int>(padded(settings.sites));
    grid_.chunks = static_cast<int>(whole(settings.numbers, Numbers::per_row));
    grid_.segment = static_cast<int>(segment_of(grid_.padded));
    take_rows({});
    sums_ = Array<double>(device, of_pass * parts * grid_.units());
    of_panels_ = Array<double>(device, results * all_panels_);
    totals_ = Array<double>(device, results);
  }

  /// The next launches are over one part of this share of the rows.
  void take_rows(const RowShare& part) {
    const RowShare rows = share_.cut(part);
    grid_.first_panel = static_cast<int>(rows.first(all_panels_));
    grid_.panels = static_cast<int>(rows.last(all_panels_)) - grid_.first_panel;
    first_part_ = part.part == 0;
  }

  /// Panels of other ranks are zero here.
  void add_up_ranks() {
    if (settings_.ranks != nullptr) settings_.ranks->add_up(of_panels_.data(), of_panels_.size());
  }

  cudaStream_t stream() const { return larmor::cuda::stream(device_.ordinal); }

  /// Sums so many results from `first` on.
  template <class Epilogue>
  void run(const PairGrid& grid, const Epilogue& epilogue, Index first, Index results) {
    const larmor::cuda::LaunchRegion region(device_.ordinal, "correlations, fused");
    double* of_panels = of_panels_.data() + first * all_panels_;
    if (first_part_)
      larmor::cuda::check(
          cudaMemsetAsync(of_panels, 0, static_cast<std::size_t>(results * all_panels_) * 8,
                          stream()),
          "forgetting the last sums");
    if (grid.panels == 0) return;
    const int most = settings_.blocks > 0 ? static_cast<int>(settings_.blocks)
                                          : larmor::cuda::multiprocessors(device_.ordinal);
    PairKernel<Numbers>::launch(std::min(most, grid.units()), grid, epilogue, stream());
    panel_kernel<<<static_cast<unsigned>(whole(results * grid.panels, packing_threads)),
                   packing_threads, 0, stream()>>>(grid, sums_.data(), parts_, results, all_panels_,
                                                   of_panels);
    larmor::cuda::check(cudaGetLastError(), "launching the fused correlation kernel");
  }

  Device device_;
  PairSettings settings_;
  RowShare share_;
  bool first_part_ = true;
  Index results_, parts_, all_panels_;
  PairGrid grid_{};
  Array<double> sums_;       ///< (unit, part, number)
  Array<double> of_panels_;  ///< (number, panel)

 private:
  void pack(const double* matrix, Array<char>& to) {
    const Index bytes = static_cast<Index>(grid_.chunks) * grid_.padded * row_bytes;
    if (to.size() != bytes) to = Array<char>(device_, bytes);
    const Index threads = static_cast<Index>(grid_.chunks) * grid_.padded * places_of_row;
    pack_kernel<Numbers><<<packing_blocks(threads), packing_threads, 0, stream()>>>(
        matrix, settings_.sites, settings_.numbers, grid_.padded, grid_.chunks,
        reinterpret_cast<typename Numbers::Place*>(to.data()));
    larmor::cuda::check(cudaGetLastError(), "packing spins");
  }

  Array<char> rows_, columns_;
  Array<double> totals_;
};

template <class Numbers>
class FourierSums : public SumsOfPairs<Numbers> {
 public:
  FourierSums(const Device& device, const PairSettings& settings, std::span<const Vec3<double>> q,
              std::span<const Vec3<double>> position, const RowShare& share)
      : SumsOfPairs<Numbers>(device, settings, share, 2 * std::ssize(q),
                             2 * std::min<Index>(most_wave_vectors, std::ssize(q)), summing_warps),
        wave_vectors_(std::ssize(q)) {
    const Index padded_sites = this->grid_.padded;
    phases_ =
        Array<char>(device, whole(wave_vectors_, Numbers::wave_vectors) * padded_sites * row_bytes);
    std::vector<double> turns;
    for (const Vec3<double>& k : q)
      for (const double x : {k.x, k.y, k.z}) turns.push_back(x / (2 * std::numbers::pi));
    const Array<double> q_there(device, turns), r_there(device, by_component(position));
    phase_kernel<Numbers>
        <<<packing_blocks(wave_vectors_ * settings.sites), packing_threads, 0, this->stream()>>>(
            q_there.data(), r_there.data(), wave_vectors_, settings.sites, padded_sites,
            phases_.data());
    larmor::cuda::check(cudaGetLastError(), "computing phases");
    larmor::cuda::synchronise(device.ordinal);
  }

  void add(const RowShare& part) override {
    this->take_rows(part);
    for (Index first = 0; first < wave_vectors_; first += most_wave_vectors) {
      const Index count = std::min<Index>(most_wave_vectors, wave_vectors_ - first);
      PairGrid grid = this->grid_;
      grid.phases = phases_.data() + first / Numbers::wave_vectors * this->grid_.padded * row_bytes;
      grid.phase_chunks = static_cast<int>(whole(count, Numbers::wave_vectors));
      const FourierEpilogue<Numbers> epilogue{static_cast<int>(count), this->settings_.squared,
                                              reinterpret_cast<double2*>(this->sums_.data())};
      this->run(grid, epilogue, 2 * first, 2 * count);
    }
  }

  /// The phase of (r', r) is the conjugate one.
  std::function<void(std::vector<double>&)> both_ways() const override {
    return [](std::vector<double>& totals) {
      for (std::size_t q = 0; q < totals.size(); q += 2) totals[q + 1] = 0;
    };
  }

 private:
  Index wave_vectors_;
  Array<char> phases_;
};

/// @tparam Data what `bins` points to, on the device
template <class Numbers, class Bins, class Data>
class BinSums : public SumsOfPairs<Numbers> {
 public:
  /// @param opposite the bin of (r', r), of that of (r, r')
  BinSums(const Device& device, const PairSettings& settings, const RowShare& share, Bins bins,
          Index count, Data data, std::function<Index(Index)> opposite)
      : SumsOfPairs<Numbers>(device, settings, share, count, count, 1),
        bins_(bins),
        data_(std::move(data)),
        count_(count),
        opposite_(std::move(opposite)) {
    const double pairs = static_cast<double>(panel_rows) * static_cast<double>(this->grid_.segment);
    if (!(settings.largest > 0))
      throw InternalError("sums of pairs by bins need to know the largest product");
    const double stored = settings.largest * Numbers::scale * Numbers::scale;
    const double greatest = pairs * (settings.squared ? stored * stored : stored);
    constexpr int bits = 61;  // pairs may count twice
    scale_ = std::ldexp(1.0, bits - std::max(0, std::ilogb(greatest) + 1));
  }

  void add(const RowShare& part) override {
    this->take_rows(part);
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

template <class Numbers>
class ValueSums : public SumsOfPairs<Numbers> {
 public:
  ValueSums(const Device& device, const PairSettings& settings, const CorrelationBins& bins,
            const RowShare& share)
      : SumsOfPairs<Numbers>(device, settings, share, totals_of(bins), counts_of(bins), 1),
        count_of_(bins.scaled(Numbers::scale * Numbers::scale)),
        counts_(counts_of(bins)),
        of_units_(device, of_extremes * summing_warps * this->grid_.units()),
        on_device_(device, counts_ + of_extremes * this->all_panels_) {
    if (static_cast<double>(panel_rows) * static_cast<double>(this->grid_.segment) >
        static_cast<double>(std::numeric_limits<unsigned int>::max()))
      throw InputError("a GPU does not count pairs of " + std::to_string(settings.sites) +
                       " sites by their correlation");
  }

  void add(const RowShare& part) override {
    this->take_rows(part);
    const PairGrid& grid = this->grid_;
    const ValueEpilogue<Numbers> epilogue{count_of_, static_cast<int>(this->settings_.sites),
                                          static_cast<int>(counts_), this->sums_.data(),
                                          of_units_.data()};
    this->run(grid, epilogue, 0, counts_);
    if (this->first_part_)
      larmor::cuda::check(
          cudaMemsetAsync(extremes_of_panels(), 0, bytes_of_extremes(), this->stream()),
          "forgetting the last extremes");
    if (grid.panels == 0) return;
    extremes_kernel<<<static_cast<unsigned>(whole(grid.panels, packing_threads)), packing_threads,
                      0, this->stream()>>>(grid, of_units_.data(), this->all_panels_,
                                           extremes_of_panels());
    larmor::cuda::check(cudaGetLastError(), "finding the extremes of panels");
  }

  Pending totals() override {
    this->add_up_ranks();
    total_kernel<<<static_cast<unsigned>(counts_), packing_threads, 0, this->stream()>>>(
        this->of_panels_.data(), this->all_panels_, 1.0, on_device_.data());
    larmor::cuda::check(cudaGetLastError(), "adding up numbers of pairs");
    larmor::cuda::check(
        cudaMemcpyAsync(on_device_.data() + counts_, extremes_of_panels(), bytes_of_extremes(),
                        cudaMemcpyDeviceToDevice, this->stream()),
        "copying the extremes of panels");
    Pending totals(this->device_, on_device_.data(), on_device_.size());
    return std::move(totals).then(
        [counts = counts_, panels = this->all_panels_](std::vector<double>& all) {
          ExtremePairs extremes;
          for (Index panel = 0; panel < panels; ++panel) {
            double of_panel[of_extremes];
            for (Index n = 0; n < of_extremes; ++n)
              of_panel[n] = all[static_cast<std::size_t>(counts + n * panels + panel)];
            extremes.take(ExtremePairs::load(of_panel));
          }
          for (ExtremePair* pair : {&extremes.largest, &extremes.smallest})
            pair->c /= Numbers::scale * Numbers::scale;
          all.resize(static_cast<std::size_t>(counts + of_extremes));
          extremes.store(all.data() + counts);
        });
  }

  /// Counts are the same, and extreme pairs have an order already.
  std::function<void(std::vector<double>&)> both_ways() const override {
    return [](std::vector<double>&) {};
  }

 private:
  static constexpr Index of_extremes = extreme_pairs * numbers_of_pair;

  double* extremes_of_panels() { return this->of_panels_.data() + counts_ * this->all_panels_; }
  std::size_t bytes_of_extremes() const {
    return static_cast<std::size_t>(of_extremes * this->all_panels_) * sizeof(double);
  }

  CountOfValue count_of_;
  Index counts_;
  Array<double> of_units_;   ///< (unit, warp, number)
  Array<double> on_device_;  ///< counts, and the extremes of panels
};

/// Sums of one kind, by one kind of arithmetic.
/// @tparam Arithmetic its in_precision(precision, make) calls make(numbers) for the kind of numbers
/// that the precision asks for
template <class Arithmetic>
std::unique_ptr<FusedSums> sums_by(const Device& device, const PairSettings& settings,
                                   const FourierTerms& terms, const RowShare& share) {
  return Arithmetic::in_precision(settings.precision,
                                  [&]<class Numbers>(Numbers) -> std::unique_ptr<FusedSums> {
                                    return std::make_unique<FourierSums<Numbers>>(
                                        device, settings, terms.q, terms.position, share);
                                  });
}

inline void require_at_most(Index most, Index number, const char* what) {
  if (number > most)
    throw InputError(std::to_string(number) + " " + what + " are too many",
                     "give at most " + std::to_string(most));
}

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
                                   const ByDistance& by, const RowShare& share) {
  require_at_most(most_bins, by.bins.bins, "bins of distance");
  const MinimumImage image = minimum_image(by.bins.periods);
  using Data = std::pair<Array<double>, Array<Vec3<double>>>;
  Data data{Array<double>(device, by_component(by.position)),
            Array<Vec3<double>>(device, image.shift)};
  NearestImageBins bins{};
  bins.position = data.first.data();
  bins.shift = data.second.data();
  bins.sites = static_cast<int>(settings.sites);
  bins.bins = static_cast<int>(by.bins.bins);
  bins.per_width = 1 / by.bins.width;
  bins.periods = static_cast<int>(image.period.size());
  bins.shifts = static_cast<int>(image.shift.size());
  std::copy(image.period.begin(), image.period.end(), bins.period);
  std::copy(image.dual.begin(), image.dual.end(), bins.dual);
  return Arithmetic::in_precision(
      settings.precision, [&]<class Numbers>(Numbers) -> std::unique_ptr<FusedSums> {
        using Sums = BinSums<Numbers, NearestImageBins, Data>;
        return std::make_unique<Sums>(device, settings, share, bins, by.bins.bins, std::move(data),
                                      std::identity());
      });
}

template <class Arithmetic>
std::unique_ptr<FusedSums> sums_by(const Device& device, const PairSettings& settings,
                                   const ByDisplacement& by, const RowShare& share) {
  const DisplacementBins& displacement = by.bins;
  require_at_most(most_bins, displacement.bins(), "bins of displacement");
  std::vector<int4> of_site;
  for (const lattice::SiteIndex& s : by.site)
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

template <class Arithmetic>
std::unique_ptr<FusedSums> sums_by(const Device& device, const PairSettings& settings,
                                   const ByValue& by, const RowShare& share) {
  require_at_most(most_bins, by.bins.bins, "bins of correlations");
  return Arithmetic::in_precision(
      settings.precision, [&]<class Numbers>(Numbers) -> std::unique_ptr<FusedSums> {
        return std::make_unique<ValueSums<Numbers>>(device, settings, by.bins, share);
      });
}

/// Sums of any kind.
template <class Arithmetic>
std::unique_ptr<FusedSums> all_sums_by(const Device& device, const PairSettings& settings,
                                       const PairReduction& reduction, const RowShare& share) {
  return std::visit(
      [&](const auto& kind) { return sums_by<Arithmetic>(device, settings, kind, share); },
      reduction);
}

}  // namespace larmor::correlations::real_space
