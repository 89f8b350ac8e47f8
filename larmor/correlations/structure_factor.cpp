#include "larmor/correlations/structure_factor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/core/error.hpp"
#include "larmor/core/parallel.hpp"
#include "larmor/core/profile.hpp"
#include "larmor/correlations/time_transform.hpp"

namespace larmor::correlations {
namespace {

using Complex = std::complex<double>;

/// Standard error of a mean over replicas whose terms scatter by `squares` = sum (p_m - mean)^2.
/// Connected: the jackknife, which for this covariance is linear in the terms.
double replica_error(double squares, double M, double sites, bool connected, bool unbiased) {
  if (!connected)
    return M < 2 ? std::numeric_limits<double>::quiet_NaN()
                 : std::sqrt(squares / (M * (M - 1))) / sites;
  if (M < 3) return std::numeric_limits<double>::quiet_NaN();
  const double jackknife = std::sqrt((M - 1) / M * squares) * M / ((M - 1) * (M - 2)) / sites;
  return unbiased ? jackknife : jackknife * (M - 1) / M;
}

}  // namespace

/// Lagged products of one wave vector.
struct StructureFactor::OneQ {
  std::vector<std::vector<Complex>> replica;  ///< summed over components, [M][T]
  std::vector<Complex> component[3];          ///< summed over replicas, [T]
  std::vector<double> equal_time;             ///< averaged over samples, [M]
};

StructureFactor::StructureFactor(const lattice::Geometry& geometry,
                                 const StructureFactorSettings& settings,
                                 const ReplicaShare& replicas)
    : settings_(settings),
      sites_(geometry.sites()),
      spins_(geometry.spins()),
      replicas_(replicas.count),
      transform_(geometry, settings.q, settings.method, replicas) {
  require_replicas(settings, replicas_);
  amplitude_.resize(static_cast<std::size_t>(settings.samples * settings.q.size() * replicas_ * 3));
}

double StructureFactor::bytes(const StructureFactorSettings& settings, Index replicas) {
  const double amplitudes = 48.0 * static_cast<double>(settings.q.size()) *
                            static_cast<double>(settings.samples) * static_cast<double>(replicas);
  return amplitudes + std::max(amplitudes, result_bytes(settings));
}

double StructureFactor::working_bytes(const lattice::Geometry& geometry,
                                      const StructureFactorSettings& settings,
                                      const ReplicaShare& replicas, const Device& device) {
  return StateAmplitudes::bytes(geometry, settings.q, settings.method, replicas, device);
}

void StructureFactor::require_next_sample(Index sites, Index replicas) const {
  if (added_ == settings_.samples) throw InternalError("more samples than announced");
  if (replicas != replicas_ || sites != sites_)
    throw InternalError("spins of another system were given to a structure factor");
}

void StructureFactor::add(const StridedVectors& spins, int threads) {
  settle();
  require_next_sample(spins.sites, spins.replicas);
  transform_.transform(spins, threads,
                       amplitude_.data() + added_ * settings_.q.size() * replicas_ * 3);
  ++added_;
}

void StructureFactor::add(const spins::SpinState& state) {
  // By now a GPU has begun the steps since the last sample: it does not idle meanwhile.
  settle();
  require_next_sample(state.layout().sites, state.layout().replicas);
  arriving_ = transform_.transform(state);
  ++added_;
}

void StructureFactor::settle() {
  if (!arriving_) return;
  const std::vector<double> numbers = arriving_->take();
  arriving_.reset();
  std::copy(numbers.begin(), numbers.end(),
            reinterpret_cast<double*>(amplitude_.data()) + (added_ - 1) * std::ssize(numbers));
}

std::vector<double> StructureFactor::save() {
  settle();
  const std::size_t used = static_cast<std::size_t>(added_ * settings_.q.size() * replicas_ * 3);
  const auto* first = reinterpret_cast<const double*>(amplitude_.data());
  return {first, first + 2 * used};
}

void StructureFactor::load(const std::vector<double>& saved) {
  const auto per_sample = static_cast<std::size_t>(settings_.q.size() * replicas_ * 3) * 2;
  if (saved.size() % per_sample != 0 || saved.size() > 2 * amplitude_.size())
    throw InputError("the checkpoint's correlations do not fit the study",
                     "resume the results it belongs to");
  arriving_.reset();
  std::copy(saved.begin(), saved.end(), reinterpret_cast<double*>(amplitude_.data()));
  added_ = static_cast<Index>(saved.size() / per_sample);
}

StructureFactorResult StructureFactor::finish(int threads) {
  const Region region("structure factor");
  settle();
  const Index Q = settings_.q.size(), T = settings_.samples;
  if (added_ != T) throw InternalError("correlations finished before all samples came");
  const std::vector<double> weights = window_weights(settings_.window, T, settings_.window_width);
  const auto F = static_cast<std::size_t>(2 * T - 1);
  const auto rows = static_cast<std::size_t>(Q);
  StructureFactorResult result;
  result.frequency = LagsToFrequencies(weights, settings_.interval).frequencies();
  for (Index t = 0; t < T; ++t) result.time.push_back(settings_.interval * static_cast<double>(t));
  result.intensity.resize(rows * F);
  result.error.resize(rows * F);
  result.components.resize(rows * F * 3);
  result.intermediate.resize(rows * static_cast<std::size_t>(T));
  result.intermediate_error.resize(rows * static_cast<std::size_t>(T));
  result.static_value.resize(rows);
  result.static_error.resize(rows);
  // FFTW's planner is not for several threads at once; its plans are.
  const LagsToFrequencies to_frequencies(weights, settings_.interval);
  const Autocorrelation autocorrelation(T);
  parallel_for(threads, Q, [&](Index q) { finish_q(q, to_frequencies, autocorrelation, result); });
  return result;
}

StructureFactor::OneQ StructureFactor::products(Index q,
                                                const Autocorrelation& autocorrelation) const {
  const Index T = settings_.samples, M = replicas_;
  OneQ one;
  one.replica.assign(static_cast<std::size_t>(M),
                     std::vector<Complex>(static_cast<std::size_t>(T)));
  one.equal_time.assign(static_cast<std::size_t>(M), 0.0);
  std::vector<Complex> mean(static_cast<std::size_t>(T)), d(mean.size());
  for (Index a = 0; a < 3; ++a) {
    one.component[a].assign(static_cast<std::size_t>(T), 0.0);
    std::fill(mean.begin(), mean.end(), Complex(0));
    for (Index t = 0; settings_.connected && t < T; ++t) {
      for (Index m = 0; m < M; ++m) mean[static_cast<std::size_t>(t)] += amplitude(t, q, m, a);
      mean[static_cast<std::size_t>(t)] /= static_cast<double>(M);
    }
    for (Index m = 0; m < M; ++m) {
      for (Index t = 0; t < T; ++t)
        d[static_cast<std::size_t>(t)] = amplitude(t, q, m, a) - mean[static_cast<std::size_t>(t)];
      std::vector<Complex> lagged;
      if (settings_.all_origins) {
        lagged = autocorrelation(d);
      } else {
        for (const Complex& x : d) lagged.push_back(x * std::conj(d[0]));
      }
      for (std::size_t t = 0; t < d.size(); ++t) {
        one.replica[static_cast<std::size_t>(m)][t] += lagged[t];
        one.component[a][t] += lagged[t];
        one.equal_time[static_cast<std::size_t>(m)] += std::norm(d[t]) / static_cast<double>(T);
      }
    }
  }
  return one;
}

void StructureFactor::finish_q(Index q, const LagsToFrequencies& to_frequencies,
                               const Autocorrelation& autocorrelation,
                               StructureFactorResult& result) const {
  const auto T = static_cast<std::size_t>(settings_.samples);
  const std::size_t F = 2 * T - 1, row = static_cast<std::size_t>(q);
  const auto M = static_cast<double>(replicas_), N = static_cast<double>(spins_);
  const OneQ one = products(q, autocorrelation);
  const double scale = 1 / (N * (settings_.connected && settings_.unbiased ? M - 1 : M));
  const auto error = [&](double squares) {
    return replica_error(squares, M, N, settings_.connected, settings_.unbiased);
  };

  std::vector<Complex> mean(T);
  for (const auto& p : one.replica)
    for (std::size_t t = 0; t < T; ++t) mean[t] += p[t] / M;
  std::vector<double> spectrum_squares(F), squares(T);
  const std::vector<double> mean_spectrum = to_frequencies(mean);
  for (const auto& p : one.replica) {
    const std::vector<double> spectrum = to_frequencies(p);
    for (std::size_t k = 0; k < F; ++k)
      spectrum_squares[k] += std::pow(spectrum[k] - mean_spectrum[k], 2);
    for (std::size_t t = 0; t < T; ++t) squares[t] += std::pow(p[t].real() - mean[t].real(), 2);
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
    const std::vector<double> spectrum = to_frequencies(one.component[a]);
    for (std::size_t k = 0; k < F; ++k)
      result.components[(row * F + k) * 3 + a] = scale * spectrum[k];
  }
  double sum = 0, scatter = 0;
  for (const double x : one.equal_time) sum += x;
  for (const double x : one.equal_time) scatter += (x - sum / M) * (x - sum / M);
  result.static_value[row] = scale * sum;
  result.static_error[row] = error(scatter);
}

}  // namespace larmor::correlations
