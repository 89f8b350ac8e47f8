#include "larmor/correlations/spectra/real_space_structure_factor.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/device/profile.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/statistics/replicas.hpp"
#include "larmor/correlations/fourier/site_phase.hpp"
#include "larmor/correlations/spectra/time_transform.hpp"

namespace larmor::correlations::real_space {
namespace {

/// If S(q) is below this fraction of the largest S(q), it is zero within rounding and has no
/// relative error.
constexpr double vanishing = 1e-9;

/// sum_k |sum_r exp(-i q.r) a_{r,k}|^2 for each q.
std::vector<double> equal_time_sums(const std::vector<double>& a,
                                    const std::vector<Vec3<double>>& position,
                                    const std::vector<Vec3<double>>& q, int threads) {
  const std::size_t K = a.size() / position.size();
  std::vector<double> sums(q.size());
  parallel_for(threads, std::ssize(q), [&](Index n) {
    const auto wave = static_cast<std::size_t>(n);
    std::vector<double> real(K), imaginary(K);
    for (std::size_t r = 0; r < position.size(); ++r) {
      const SitePhase phase = site_phase(q[wave], position[r]);
      const double* row = a.data() + r * K;
      for (std::size_t k = 0; k < K; ++k) {
        real[k] += phase.re * row[k];
        imaginary[k] += phase.im * row[k];
      }
    }
    for (std::size_t k = 0; k < K; ++k)
      sums[wave] += real[k] * real[k] + imaginary[k] * imaginary[k];
  });
  return sums;
}

JackknifeBlocks blocks_of(const StructureFactorSettings& settings, Index replicas) {
  return JackknifeBlocks::of(settings.error_blocks, replicas, settings.connected);
}

std::vector<MatrixColumns> column_blocks_of(const StructureFactorSettings& settings,
                                            Index replicas) {
  return blocks_of(settings, replicas).column_blocks(settings.components);
}

/// Largest relative error of `found`. @param found (q, re im) @param exact (q)
double largest_error(const std::vector<double>& found, const std::vector<double>& exact) {
  const double least = vanishing * *std::max_element(exact.begin(), exact.end());
  double largest = 0;
  for (std::size_t q = 0; q < exact.size(); ++q)
    if (exact[q] > least) largest = std::max(largest, std::abs(found[2 * q] - exact[q]) / exact[q]);
  return largest;
}

}  // namespace

RealSpaceStructureFactor::RealSpaceStructureFactor(const lattice::Geometry& geometry,
                                                   const StructureFactorSettings& settings,
                                                   Index replicas, const Communicator* world)
    : geometry_(geometry),
      settings_(settings),
      replicas_(replicas),
      blocks_(blocks_of(settings, replicas)),
      samples_({geometry.spins(), geometry.sites(), replicas, settings.samples, settings.connected,
                world},
               column_blocks_of(settings, replicas)) {
  require_method(geometry, settings);
  require_replicas(settings, replicas);
}

double RealSpaceStructureFactor::bytes(const lattice::Geometry& geometry,
                                       const StructureFactorSettings& settings, Index replicas) {
  const Index sums = std::ssize(column_blocks_of(settings, replicas)) * settings.samples;
  const double saved = TwoTimeMatrices::bytes(geometry.spins(), replicas) +
                       16.0 * static_cast<double>(settings.q.size() * sums);
  return saved + std::max(saved, result_bytes(settings));
}

double RealSpaceStructureFactor::working_bytes(const lattice::Geometry& geometry,
                                               const StructureFactorSettings& settings,
                                               const ReplicaShare& replicas, const Device& device) {
  require_pair_sums(device, settings.pair_precision);
  const auto column_blocks = column_blocks_of(settings, replicas.all);
  return TwoTimeMatrices::working_bytes(geometry.spins(), replicas.all, column_blocks) +
         pair_sums_bytes(device, {geometry.spins(), width_of(column_blocks), settings.q.size()},
                         settings.pair_precision) +
         PairRanks::bytes(geometry.sites(), replicas, device);
}

void RealSpaceStructureFactor::begin(const spins::SpinState& state) {
  std::vector<Vec3<double>> position;
  for (Index n = 0; n < geometry_.spins(); ++n)
    position.push_back(geometry_.position(state.canonical()[static_cast<std::size_t>(n)]));
  PairSettings settings;
  settings.sites = geometry_.spins();
  settings.numbers = samples_.width();
  settings.precision = settings_.pair_precision;
  settings.ranks = samples_.ranks();
  samples_.begin(state);
  sums_ = make_pair_sums(state.device(), settings, FourierTerms{settings_.q.cartesian, position});
  if (equal_time_.empty())
    equal_time_ =
        equal_time_sums(samples_.first(), position, settings_.q.cartesian, state.device().threads);
  if (const double* first = samples_.whole_first()) sums_->set_columns(first);
}

std::vector<Pending> RealSpaceStructureFactor::sums_of(const RowShare& share) {
  std::vector<Pending> totals;
  for (const MatrixColumns& column_block : samples_.column_blocks()) {
    if (const double* first = samples_.first_columns(column_block)) sums_->set_columns(first);
    sums_->set_rows(samples_.latest_columns(column_block));
    sums_->add(share);
    totals.push_back(sums_->totals());
  }
  return totals;
}

void RealSpaceStructureFactor::add(const spins::SpinState& own) {
  const Region region("correlations in real space");
  finish_sums();
  const spins::SpinState& state = samples_.next(own);
  if (!sums_) begin(state);
  samples_.set_latest(state);
  arriving_ = sums_of({});
  samples_.count();
}

Index RealSpaceStructureFactor::try_share(const spins::SpinState& own) {
  const spins::SpinState& state = samples_.all_replicas(own);
  if (!sums_) begin(state);
  samples_.set_latest(state);
  const Index shares = samples_.share_count(state.device(), 1);
  for (Pending& totals : sums_of({0, static_cast<int>(shares)})) totals.take();
  return shares;
}

void RealSpaceStructureFactor::finish_sums() {
  for (Pending& totals : arriving_) {
    const std::vector<double> numbers = totals.take();
    values_.insert(values_.end(), numbers.begin(), numbers.end());
  }
  arriving_.clear();
}

std::vector<double> RealSpaceStructureFactor::save() {
  finish_sums();
  std::vector<double> saved = values_;
  saved.insert(saved.end(), equal_time_.begin(), equal_time_.end());
  samples_.save(saved);
  return saved;
}

void RealSpaceStructureFactor::load(const std::vector<double>& saved) {
  arriving_.clear();
  sums_.reset();
  const Index Q = settings_.q.size();
  const std::span<const double> numbers =
      samples_.load(saved, 2 * Q * samples_.column_block_count(), Q);
  const auto first_exact = numbers.end() - (numbers.empty() ? 0 : Q);
  values_.assign(numbers.begin(), first_exact);
  equal_time_.assign(first_exact, numbers.end());
}

/// The norm in `values_`. @param left_out number of replicas that are left out
double RealSpaceStructureFactor::norm(Index left_out) const {
  const auto M = static_cast<double>(replicas_ - left_out);
  return settings_.connected && settings_.unbiased ? M - 1 : M;
}

std::vector<std::complex<double>> RealSpaceStructureFactor::lags(Index q,
                                                                 Index column_block) const {
  const Index Q = settings_.q.size(), S = samples_.column_block_count();
  std::vector<std::complex<double>> lags;
  for (Index t = 0; t < settings_.samples; ++t) {
    const double* value = values_.data() + 2 * ((t * S + column_block) * Q + q);
    lags.emplace_back(value[0], value[1]);
  }
  return lags;
}

void RealSpaceStructureFactor::finish_q(Index q, const LagsToFrequencies& to_frequencies,
                                        StructureFactorResult& result) const {
  using Lags = std::vector<std::complex<double>>;
  const auto T = static_cast<std::size_t>(settings_.samples);
  const auto N = static_cast<double>(geometry_.spins());
  const auto add = [](Lags& sum, const Lags& more, double factor = 1) {
    for (std::size_t t = 0; t < sum.size(); ++t) sum[t] += factor * more[t];
  };
  const Index C = components();
  std::vector<Lags> of_block(static_cast<std::size_t>(samples_.column_block_count() / C), Lags(T));
  std::vector<Lags> of_component(static_cast<std::size_t>(C), Lags(T));
  Lags all(T);
  for (Index s = 0; s < samples_.column_block_count(); ++s) {
    const Lags own = lags(q, s);
    add(of_block[static_cast<std::size_t>(s / C)], own);
    add(of_component[static_cast<std::size_t>(s % C)], own);
    add(all, own);
  }
  const auto scaled = [&](const Lags& sums, double scale) {
    Lags lags(T);
    add(lags, sums, scale);
    return lags;
  };
  const Lags lags = scaled(all, 1 / (N * norm(0)));
  const std::vector<double> spectrum = to_frequencies(lags);
  result.intensity.insert(result.intensity.end(), spectrum.begin(), spectrum.end());
  result.intermediate.insert(result.intermediate.end(), lags.begin(), lags.end());
  result.static_value.push_back(lags[0].real());
  if (settings_.components) {
    std::array<std::vector<double>, 3> spectra;
    for (std::size_t a = 0; a < 3; ++a)
      spectra[a] = to_frequencies(scaled(of_component[a], 1 / (N * norm(0))));
    for (std::size_t k = 0; k < spectrum.size(); ++k)
      result.components.insert(result.components.end(),
                               {spectra[0][k], spectra[1][k], spectra[2][k]});
  }

  std::vector<Lags> left;
  std::vector<std::vector<double>> left_spectrum;
  for (Index b = 0; b < blocks_.blocks; ++b) {
    Lags sums = all;
    add(sums, of_block[static_cast<std::size_t>(b)], -blocks_.weight_of_block(b));
    left.push_back(scaled(sums, 1 / (N * norm(blocks_.count(b)))));
    left_spectrum.push_back(to_frequencies(left.back()));
  }
  const auto error = [&](const auto& value) {
    std::vector<double> values;
    for (std::size_t b = 0; b < left.size(); ++b) values.push_back(value(b));
    return jackknife_error(values);
  };
  for (std::size_t k = 0; k < spectrum.size(); ++k)
    result.error.push_back(error([&](std::size_t b) { return left_spectrum[b][k]; }));
  for (std::size_t t = 0; t < T; ++t)
    result.intermediate_error.push_back(error([&](std::size_t b) { return left[b][t].real(); }));
  result.static_error.push_back(error([&](std::size_t b) { return left[b][0].real(); }));
}

StructureFactorResult RealSpaceStructureFactor::finish(int) {
  const Region region("structure factor");
  finish_sums();
  const Index Q = settings_.q.size(), T = settings_.samples;
  if (samples_.added() != T) throw InternalError("correlations finished before all samples came");
  const LagsToFrequencies to_frequencies(
      window_weights(settings_.window, T, settings_.window_width), settings_.interval);
  StructureFactorResult result;
  result.frequency = to_frequencies.frequencies();
  for (Index t = 0; t < T; ++t) result.time.push_back(settings_.interval * static_cast<double>(t));
  for (Index q = 0; q < Q; ++q) finish_q(q, to_frequencies, result);
  std::vector<double> at_equal_times(static_cast<std::size_t>(2 * Q));
  const auto of_sample =
      static_cast<std::size_t>(samples_.column_block_count()) * at_equal_times.size();
  for (std::size_t n = 0; n < of_sample; ++n)
    at_equal_times[n % at_equal_times.size()] += values_[n];
  result.precision_error = largest_error(at_equal_times, equal_time_);
  return result;
}

}  // namespace larmor::correlations::real_space
