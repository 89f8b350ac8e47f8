#include "larmor/correlations/spectra/pair_correlations_in_time.hpp"

#include <algorithm>
#include <limits>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/device/profile.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/statistics/replicas.hpp"
#include "larmor/correlations/spectra/time_transform.hpp"
#include "larmor/lattice/geometry.hpp"

namespace larmor::correlations::real_space {
namespace {

using Lags = std::vector<std::complex<double>>;

Index kinds_of(const PairsInTimeSettings& settings) {
  return (settings.bins > 0 ? 1 : 0) + (settings.displacement ? 1 : 0) +
         (settings.groups > 0 ? 1 : 0);
}

/// For each bin of distance the bin of exchanged sites, which is the bin itself.
std::vector<Index> turned_distances(Index bins) {
  std::vector<Index> turned;
  for (Index bin = 0; bin < bins; ++bin) turned.push_back(bin);
  return turned;
}

std::vector<Index> turned_groups(Index groups) {
  std::vector<Index> turned;
  for (Index g = 0; g < groups; ++g)
    for (Index h = 0; h < groups; ++h) turned.push_back(h * groups + g);
  return turned;
}

/// For each bin (b, b', d) the bin of exchanged sites, (b', b, -d).
std::vector<Index> turned_displacements(const DisplacementBins& bins) {
  std::vector<Index> turned;
  for (Index bin = 0; bin < bins.bins(); ++bin) turned.push_back(bins.opposite(bin));
  return turned;
}

/// int dt exp(+i w t) w(t) C(t), where `forward` is C(t) and `turned` is C(-t). The part of C that
/// is even in time has a real transform, and the odd part has an imaginary one.
Lags spectrum_of(const std::vector<double>& forward, const std::vector<double>& turned,
                 const LagsToFrequencies& to_frequencies) {
  Lags even, odd;
  for (std::size_t t = 0; t < forward.size(); ++t) {
    even.emplace_back((forward[t] + turned[t]) / 2);
    odd.emplace_back(0, (forward[t] - turned[t]) /
                            2);  // the factor i makes the value at -t the conjugate of that at t
  }
  const std::vector<double> real = to_frequencies(even), imaginary = to_frequencies(odd);
  Lags spectrum;
  for (std::size_t k = 0; k < real.size(); ++k) spectrum.emplace_back(real[k], -imaginary[k]);
  return spectrum;
}

}  // namespace

PairCorrelationsInTime::PairCorrelationsInTime(const lattice::Geometry& geometry,
                                               const PairsInTimeSettings& settings, Index replicas,
                                               const Communicator* world)
    : geometry_(geometry),
      settings_(settings),
      replicas_(replicas),
      blocks_(JackknifeBlocks::of(settings.error_blocks, replicas, settings.connected)),
      samples_({geometry.spins(), geometry.sites(), replicas, settings.samples, settings.connected,
                world},
               blocks_.column_blocks()) {
  if (settings.connected && replicas < 2)
    throw InputError("connected correlations need at least two replicas",
                     "set replicas = 2 or more, or connected = false");
}

double PairCorrelationsInTime::bytes(const lattice::Geometry& geometry,
                                     const PairsInTimeSettings& settings, Index replicas) {
  const auto blocks = JackknifeBlocks::of(settings.error_blocks, replicas, settings.connected);
  const auto T = static_cast<double>(settings.samples), F = 2 * T - 1;
  const auto S = static_cast<double>(blocks.column_blocks().size());
  const auto bins = static_cast<double>(settings.all_bins());
  const double saved = TwoTimeMatrices::bytes(geometry.spins(), replicas) + 8 * bins * (T * S + 1);
  // Each time has mean and error, and each frequency has complex spectrum and error. There is a
  // copy of these numbers.
  const double results = 8 * bins * (blocks.blocks > 0 ? 4 * T + 6 * F : 2 * T + 4 * F);
  return saved + std::max(saved, results) + 36.0 * static_cast<double>(geometry.spins());
}

double PairCorrelationsInTime::working_bytes(const lattice::Geometry& geometry,
                                             const PairsInTimeSettings& settings,
                                             const ReplicaShare& replicas, const Device& device) {
  require_pair_sums(device, settings.precision);
  const auto column_blocks =
      JackknifeBlocks::of(settings.error_blocks, replicas.all, settings.connected).column_blocks();
  const Index sites = geometry.spins(), width = width_of(column_blocks);
  const auto sums = [&](Index of_site, Index bins) {
    return pair_sums_bytes(device, {sites, of_site, 0, bins}, settings.precision);
  };
  // On a GPU, C and the number of pairs are two separate sums.
  const auto by_bins = [&](Index bins) {
    if (device.backend != Backend::cuda) return sums(width, 3 * bins);
    return sums(width, bins) + sums(1, bins);
  };
  double bytes = TwoTimeMatrices::working_bytes(sites, replicas.all, column_blocks);
  if (settings.bins > 0) bytes += by_bins(settings.bins);
  if (settings.displacement) bytes += by_bins(settings.displacement->bins());
  if (settings.groups > 0) bytes += sums(width, settings.groups * settings.groups);
  return bytes + PairRanks::bytes(geometry.sites(), replicas, device);
}

void PairCorrelationsInTime::begin_sums(const spins::SpinState& state) {
  PairSettings pairs;
  pairs.sites = geometry_.spins();
  pairs.numbers = samples_.width();
  pairs.precision = settings_.precision;
  pairs.squares = false;
  pairs.ranks = samples_.ranks();
  // This follows from the Cauchy-Schwarz inequality. The squares of a site's vectors sum to at most
  // M, also after subtraction of their mean.
  pairs.largest = static_cast<double>(replicas_);
  const Device& device = state.device();
  std::vector<Index> canonical;
  for (Index n = 0; n < geometry_.spins(); ++n)
    canonical.push_back(state.canonical()[static_cast<std::size_t>(n)]);
  if (settings_.bins > 0) {
    std::vector<Vec3<double>> position;
    for (const Index site : canonical) position.push_back(geometry_.position(site));
    const std::vector<Vec3<double>> periods = lattice::periods_of(geometry_);
    const DistanceBins bins{settings_.width, settings_.bins, periods};
    sums_.push_back({make_pair_sums(device, pairs, ByDistance{position, bins}), true});
  }
  if (settings_.displacement) {
    std::vector<lattice::SiteIndex> place;
    for (const Index site : canonical) place.push_back(geometry_.decode(site));
    sums_.push_back(
        {make_pair_sums(device, pairs, ByDisplacement{place, *settings_.displacement}), true});
  }
  if (settings_.groups > 0) {
    std::vector<std::int32_t> group;
    for (const Index site : canonical)
      group.push_back(settings_.group[static_cast<std::size_t>(site)]);
    sums_.push_back({make_pair_sums(device, pairs, BetweenGroups{group, settings_.groups}), false});
  }
}

void PairCorrelationsInTime::begin(const spins::SpinState& state) {
  samples_.begin(state);
  begin_sums(state);
  if (const double* first = samples_.whole_first())
    for (const Sums& kind : sums_) kind.sums->set_rows(first);
}

std::vector<double> PairCorrelationsInTime::sums_of(const RowShare& share) {
  std::vector<double> all, pairs;
  const bool has_pairs = !pairs_.empty();
  for (const MatrixColumns& column_block : samples_.column_blocks()) {
    // The first block of columns of the first sample counts the pairs, and the counts serve all
    // samples.
    const bool counts_pairs = !has_pairs && &column_block == &samples_.column_blocks().front();
    if (const double* rows = samples_.first_columns(column_block))
      for (const Sums& kind : sums_) kind.sums->set_rows(rows);
    const double* columns = samples_.latest_columns(column_block);
    for (const Sums& kind : sums_) {
      kind.sums->set_columns(columns);
      kind.sums->add(share);
      const std::vector<double> totals = kind.sums->totals().take();
      const std::size_t step = kind.counts_pairs ? 3 : 1;
      for (std::size_t n = 0; n < totals.size(); n += step) all.push_back(totals[n]);
      for (std::size_t n = 2; counts_pairs && kind.counts_pairs && n < totals.size(); n += step)
        pairs.push_back(totals[n]);
    }
  }
  if (has_pairs) return all;
  pairs_ = std::move(pairs);
  std::vector<double> members(static_cast<std::size_t>(settings_.groups));
  for (const std::int32_t g : settings_.group)
    if (g >= 0) members[static_cast<std::size_t>(g)] += 1;
  for (const double a : members)
    for (const double b : members) pairs_.push_back(a * b);
  return all;
}

void PairCorrelationsInTime::add(const spins::SpinState& own) {
  const Region region("correlations in real space");
  const spins::SpinState& state = samples_.next(own);
  if (sums_.empty()) begin(state);
  samples_.set_latest(state);
  const std::vector<double> sums = sums_of({});
  values_.insert(values_.end(), sums.begin(), sums.end());
  samples_.count();
}

Index PairCorrelationsInTime::try_share(const spins::SpinState& own) {
  const spins::SpinState& state = samples_.all_replicas(own);
  if (sums_.empty()) begin(state);
  samples_.set_latest(state);
  const Index shares = samples_.share_count(state.device(), kinds_of(settings_));
  sums_of({0, static_cast<int>(shares)});
  return shares;
}

std::vector<double> PairCorrelationsInTime::save() const {
  std::vector<double> saved = values_;
  saved.insert(saved.end(), pairs_.begin(), pairs_.end());
  samples_.save(saved);
  return saved;
}

void PairCorrelationsInTime::load(const std::vector<double>& saved) {
  const Index bins = settings_.all_bins();
  const std::span<const double> numbers =
      samples_.load(saved, samples_.column_block_count() * bins, bins);
  const auto first_pairs = numbers.end() - (numbers.empty() ? 0 : bins);
  values_.assign(numbers.begin(), first_pairs);
  pairs_.assign(first_pairs, numbers.end());
  sums_.clear();
}

/// Divisor of C without `left_out` replicas.
double PairCorrelationsInTime::norm(Index left_out) const {
  return static_cast<double>(replicas_ - left_out - (settings_.connected ? 1 : 0));
}

/// @param first number of the first bin of this kind among all bins @param turned for each bin, the
/// bin of exchanged sites
BinsInTime PairCorrelationsInTime::finish_bins(Index first, const std::vector<Index>& turned,
                                               const LagsToFrequencies& to_frequencies,
                                               int threads) const {
  const Index B = std::ssize(turned), T = settings_.samples, F = 2 * T - 1,
              S = samples_.column_block_count();
  const auto to_size = [](Index n) { return static_cast<std::size_t>(n); };
  const auto value = [&](Index t, Index s, Index bin) {
    return values_[to_size((t * S + s) * settings_.all_bins() + first + bin)];
  };
  /// C(t) of a bin. If there are blocks, replicas of `block` are left out.
  const auto mean = [&](Index bin, Index block) {
    const double pairs = pairs_[to_size(first + bin)];
    const double sums = pairs * norm(block < 0 ? 0 : blocks_.count(block));
    std::vector<double> means;
    for (Index t = 0; t < T; ++t) {
      double sum = 0;
      for (Index s = 0; s < S; ++s) sum += value(t, s, bin);
      if (block >= 0) sum -= blocks_.weight_of_block(block) * value(t, block, bin);
      means.push_back(pairs > 0 ? sum / sums : std::numeric_limits<double>::quiet_NaN());
    }
    return means;
  };
  BinsInTime bins;
  bins.pairs.assign(pairs_.begin() + first, pairs_.begin() + first + B);
  bins.mean.resize(to_size(T * B));
  bins.spectrum.resize(to_size(F * B));
  if (blocks_.blocks > 0) {
    bins.error.resize(to_size(T * B));
    bins.spectrum_error.resize(to_size(F * B));
  }
  parallel_for(threads, B, [&](Index bin) {
    const auto spectrum_without = [&](Index block, const std::vector<double>& own) {
      return spectrum_of(own, mean(turned[to_size(bin)], block), to_frequencies);
    };
    const std::vector<double> means = mean(bin, -1);
    const Lags spectrum = spectrum_without(-1, means);
    for (Index t = 0; t < T; ++t) bins.mean[to_size(t * B + bin)] = means[to_size(t)];
    for (Index k = 0; k < F; ++k) bins.spectrum[to_size(k * B + bin)] = spectrum[to_size(k)];
    if (blocks_.blocks == 0) return;
    std::vector<std::vector<double>> left;
    std::vector<Lags> left_spectrum;
    for (Index block = 0; block < blocks_.blocks; ++block) {
      left.push_back(mean(bin, block));
      left_spectrum.push_back(spectrum_without(block, left.back()));
    }
    std::vector<double> numbers(left.size());
    for (Index t = 0; t < T; ++t) {
      for (std::size_t b = 0; b < left.size(); ++b) numbers[b] = left[b][to_size(t)];
      bins.error[to_size(t * B + bin)] = jackknife_error(numbers);
    }
    for (Index k = 0; k < F; ++k) {
      for (std::size_t b = 0; b < left.size(); ++b)
        numbers[b] = left_spectrum[b][to_size(k)].real();
      bins.spectrum_error[to_size(k * B + bin)] = jackknife_error(numbers);
    }
  });
  return bins;
}

PairsInTimeResult PairCorrelationsInTime::finish(int threads) const {
  const Region region("correlations in real space");
  const Index T = settings_.samples;
  if (samples_.added() != T) throw InternalError("correlations finished before all samples came");
  const LagsToFrequencies to_frequencies(
      window_weights(settings_.window, T, settings_.window_width), settings_.interval);
  PairsInTimeResult result;
  result.frequency = to_frequencies.frequencies();
  result.error_blocks = blocks_.blocks;
  for (Index t = 0; t < T; ++t) result.time.push_back(settings_.interval * static_cast<double>(t));
  Index first = 0;
  const auto finish_kind = [&](const std::vector<Index>& turned) {
    const BinsInTime bins = finish_bins(first, turned, to_frequencies, threads);
    first += std::ssize(turned);
    return bins;
  };
  if (settings_.bins > 0) result.distance = finish_kind(turned_distances(settings_.bins));
  if (settings_.displacement)
    result.displacement = finish_kind(turned_displacements(*settings_.displacement));
  if (settings_.groups > 0) result.groups = finish_kind(turned_groups(settings_.groups));
  return result;
}

}  // namespace larmor::correlations::real_space
