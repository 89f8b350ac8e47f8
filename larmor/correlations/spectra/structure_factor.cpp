#include "larmor/correlations/spectra/structure_factor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/device/profile.hpp"
#include "larmor/core/error.hpp"
#include "larmor/correlations/spectra/time_transform.hpp"

namespace larmor::correlations {
namespace {

using Complex = std::complex<double>;

/// Ranks with different replicas gather their samples as soon as all waiting samples together have
/// this many bytes.
constexpr double most_waiting_bytes = 4 << 20;
constexpr Index most_waiting_samples = 256;

constexpr Index numbers_of_amplitude = 6;  ///< three complex components

/// Standard error of a mean over replicas. For connected correlations it is that of the jackknife,
/// which is linear in the terms for a covariance.
/// @param squares sum of (p_m - mean)^2 over the terms
double replica_error(double squares, double M, double sites, bool connected, bool unbiased) {
  if (!connected)
    return M < 2 ? std::numeric_limits<double>::quiet_NaN()
                 : std::sqrt(squares / (M * (M - 1))) / sites;
  if (M < 3) return std::numeric_limits<double>::quiet_NaN();
  const double jackknife = std::sqrt((M - 1) / M * squares) * M / ((M - 1) * (M - 2)) / sites;
  return unbiased ? jackknife : jackknife * (M - 1) / M;
}

LaggedProductsSettings products_settings(const StructureFactorSettings& settings, Index replicas) {
  LaggedProductsSettings products{settings.q.size(), replicas, settings.samples};
  products.connected = settings.connected;
  products.all_origins = settings.origins == Origins::all;
  products.origins = std::min(settings.origin_count, settings.samples);
  return settings.origins == Origins::automatic ? with_cheap_origins(products) : products;
}

}  // namespace

std::string origins_text(const StructureFactorSettings& settings, Index replicas) {
  if (settings.method == Method::real_space) return "fixed";
  const LaggedProductsSettings products = products_settings(settings, replicas);
  if (products.all_origins) return "all";
  return products.origins == 1 ? "fixed" : std::to_string(products.origins);
}

StructureFactor::StructureFactor(const lattice::Geometry& geometry,
                                 const StructureFactorSettings& settings,
                                 const ReplicaShare& replicas, RankedSamples ranks)
    : settings_(settings),
      sites_(geometry.sites()),
      spins_(geometry.spins()),
      replicas_(replicas),
      ranks_(std::move(ranks)),
      transform_(geometry, settings.q, settings.method, replicas) {
  require_replicas(settings, replicas.all);
  if (ranks_.is_root) products_ = make_lagged_products(products_settings(settings, replicas.all));
}

double StructureFactor::bytes(const StructureFactorSettings& settings, Index replicas) {
  const double kept = lagged_products_bytes(products_settings(settings, replicas));
  // The root holds the pending sample, waiting samples, and gathered samples.
  constexpr double samples_on_their_way = 3;
  const double of_sample =
      48.0 * static_cast<double>(settings.q.size()) * static_cast<double>(replicas);
  return kept + std::max(kept, result_bytes(settings)) + samples_on_their_way * of_sample +
         most_waiting_bytes;
}

double StructureFactor::working_bytes(const lattice::Geometry& geometry,
                                      const StructureFactorSettings& settings,
                                      const ReplicaShare& replicas, const Device& device) {
  return StateAmplitudes::bytes(geometry, settings.q, settings.method, replicas, device);
}

void StructureFactor::require_next_sample(Index sites, Index replicas) const {
  if (added_ == settings_.samples) throw InternalError("more samples than announced");
  if (replicas != replicas_.count || sites != sites_)
    throw InternalError("spins of another system were given to a structure factor");
}

void StructureFactor::add(const StridedVectors& spins, int threads) {
  receive();
  require_next_sample(spins.sites, spins.replicas);
  std::vector<double> sample(
      static_cast<std::size_t>(settings_.q.size() * replicas_.count * numbers_of_amplitude));
  transform_.transform(spins, threads, reinterpret_cast<Complex*>(sample.data()));
  arriving_ = Pending(std::move(sample));
  threads_ = threads;
  ++added_;
}

void StructureFactor::add(const spins::SpinState& state) {
  // Waits for the last sample. The GPU has already begun the steps after this sample, so it is busy
  // meanwhile.
  receive();
  require_next_sample(state.layout().sites, state.layout().replicas);
  arriving_ = transform_.transform(state);
  threads_ = state.device().threads;
  ++added_;
}

void StructureFactor::receive() {
  if (!arriving_) return;
  const std::vector<double> numbers = arriving_->take();
  arriving_.reset();
  waiting_.insert(waiting_.end(), numbers.begin(), numbers.end());
  ++waiting_samples_;
  const double bytes_of_all =
      48.0 * static_cast<double>(settings_.q.size()) * static_cast<double>(replicas_.all);
  if (!ranks_.gathered || waiting_samples_ == most_waiting_samples ||
      static_cast<double>(waiting_samples_) * bytes_of_all > most_waiting_bytes)
    collect();
}

void StructureFactor::collect() {
  if (waiting_samples_ == 0) return;
  std::vector<double> all = std::move(waiting_);
  if (ranks_.gathered) all = ranks_.gathered(std::move(all), numbers_of_amplitude);
  if (products_) {
    const std::size_t each = all.size() / static_cast<std::size_t>(waiting_samples_);
    for (std::size_t first = 0; first < all.size(); first += each)
      products_->add(std::span(all).subspan(first, each), threads_);
  }
  waiting_.clear();
  waiting_samples_ = 0;
}

void StructureFactor::finish_sums() {
  receive();
  collect();
}

std::vector<double> StructureFactor::save() {
  finish_sums();
  return products_ ? products_->save() : std::vector<double>{};
}

void StructureFactor::load(const std::vector<double>& saved) {
  arriving_.reset();
  waiting_.clear();
  waiting_samples_ = 0;
  added_ = lagged_samples(products_settings(settings_, replicas_.all), saved.size());
  if (products_) products_->load(saved);
}

StructureFactorResult StructureFactor::finish(int threads) {
  const Region region("structure factor");
  finish_sums();
  const Index Q = settings_.q.size(), T = settings_.samples;
  if (added_ != T) throw InternalError("correlations finished before all samples came");
  const std::vector<double> weights = window_weights(settings_.window, T, settings_.window_width);
  const auto F = static_cast<std::size_t>(2 * T - 1);
  const auto rows = static_cast<std::size_t>(Q);
  StructureFactorResult result;
  // All threads share this plan.
  const LagsToFrequencies to_frequencies(weights, settings_.interval);
  result.frequency = to_frequencies.frequencies();
  for (Index t = 0; t < T; ++t) result.time.push_back(settings_.interval * static_cast<double>(t));
  result.intensity.resize(rows * F);
  result.error.resize(rows * F);
  result.components.resize(rows * F * 3);
  result.intermediate.resize(rows * static_cast<std::size_t>(T));
  result.intermediate_error.resize(rows * static_cast<std::size_t>(T));
  result.static_value.resize(rows);
  result.static_error.resize(rows);
  parallel_for(threads, Q, [&](Index q) { finish_q(q, to_frequencies, result); });
  return result;
}

void StructureFactor::finish_q(Index q, const LagsToFrequencies& to_frequencies,
                               StructureFactorResult& result) const {
  const auto T = static_cast<std::size_t>(settings_.samples);
  const std::size_t F = 2 * T - 1, row = static_cast<std::size_t>(q);
  const LaggedProductsSettings shape = products_settings(settings_, replicas_.all);
  const auto M = static_cast<double>(shape.replicas), B = static_cast<double>(shape.blocks()),
             N = static_cast<double>(spins_);
  const LaggedProductsOfQ products = products_->products_of(q);
  const double scale = 1 / (N * (settings_.connected && settings_.unbiased ? M - 1 : M));
  // Let a block have n replicas. (sum over the block - n mean)^2 / n estimates the squared
  // deviation of one replica.
  const auto error = [&](double squares) {
    const double of_replicas = shape.blocks() > 1 ? (M - 1) / (B - 1) * squares : squares;
    return replica_error(of_replicas, M, N, settings_.connected, settings_.unbiased);
  };

  std::vector<Complex> mean(T);
  for (const auto& p : products.of_block)
    for (std::size_t t = 0; t < T; ++t) mean[t] += p[t] / M;
  std::vector<double> spectrum_squares(F), squares(T);
  const std::vector<double> mean_spectrum = to_frequencies(mean);
  for (std::size_t b = 0; b < products.of_block.size(); ++b) {
    const auto& p = products.of_block[b];
    const auto n = static_cast<double>(shape.count_of_block(static_cast<Index>(b)));
    const std::vector<double> spectrum = to_frequencies(p);
    for (std::size_t k = 0; k < F; ++k)
      spectrum_squares[k] += std::pow(spectrum[k] - n * mean_spectrum[k], 2) / n;
    for (std::size_t t = 0; t < T; ++t)
      squares[t] += std::pow(p[t].real() - n * mean[t].real(), 2) / n;
  }
  for (std::size_t k = 0; k < F; ++k) {
    result.intensity[row * F + k] = scale * M * mean_spectrum[k];
    result.error[row * F + k] = error(spectrum_squares[k]);
  }
  for (std::size_t t = 0; t < T; ++t) {
    result.intermediate[row * T + t] = scale * M * mean[t];
    result.intermediate_error[row * T + t] = error(squares[t]);
  }
  for (std::size_t a = 0; a < 3; ++a) {
    const std::vector<double> spectrum = to_frequencies(products.of_component[a]);
    for (std::size_t k = 0; k < F; ++k)
      result.components[(row * F + k) * 3 + a] = scale * spectrum[k];
  }
  double sum = 0, scatter = 0;
  for (const double x : products.equal_time) sum += x;
  for (std::size_t b = 0; b < products.equal_time.size(); ++b) {
    const auto n = static_cast<double>(shape.count_of_block(static_cast<Index>(b)));
    scatter += std::pow(products.equal_time[b] - n * sum / M, 2) / n;
  }
  result.static_value[row] = scale * sum;
  result.static_error[row] = error(scatter);
}

}  // namespace larmor::correlations
