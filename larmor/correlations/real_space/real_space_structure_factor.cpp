#include "larmor/correlations/real_space/real_space_structure_factor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/core/error.hpp"
#include "larmor/core/parallel.hpp"
#include "larmor/core/profile.hpp"
#include "larmor/correlations/time_transform.hpp"

namespace larmor::correlations::real_space {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
/// S(q) below this share of the largest is zero but for rounding, and has no relative error.
constexpr double vanishing = 1e-9;

/// sum_k |sum_r exp(-i q.r) a_{r,k}|^2 of each q.
std::vector<double> equal_time_sums(const std::vector<double>& a,
                                    const std::vector<Vec3<double>>& position,
                                    const std::vector<Vec3<double>>& q, int threads) {
  const std::size_t K = a.size() / position.size();
  std::vector<double> sums(q.size());
  parallel_for(threads, std::ssize(q), [&](Index n) {
    const auto of = static_cast<std::size_t>(n);
    std::vector<double> real(K), imaginary(K);
    for (std::size_t r = 0; r < position.size(); ++r) {
      const double phase = dot(q[of], position[r]);
      const double cosine = std::cos(phase), sine = std::sin(phase);
      const double* row = a.data() + r * K;
      for (std::size_t k = 0; k < K; ++k) {
        real[k] += cosine * row[k];
        imaginary[k] -= sine * row[k];
      }
    }
    for (std::size_t k = 0; k < K; ++k) sums[of] += real[k] * real[k] + imaginary[k] * imaginary[k];
  });
  return sums;
}

/// The largest relative error. @param found (q, re im) @param exact (q)
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
    : geometry_(geometry), settings_(settings), replicas_(replicas), world_(world) {
  require_method(geometry, settings);
  require_replicas(settings, replicas);
}

double RealSpaceStructureFactor::bytes(const lattice::Geometry& geometry,
                                       const StructureFactorSettings& settings, Index replicas) {
  const double matrix = 24.0 * static_cast<double>(geometry.spins() * replicas);
  const double saved = matrix + 16.0 * static_cast<double>(settings.q.size() * settings.samples);
  return saved + std::max(saved, result_bytes(settings));
}

double RealSpaceStructureFactor::working_bytes(const lattice::Geometry& geometry,
                                               const StructureFactorSettings& settings,
                                               const ReplicaShare& replicas, const Device& device) {
  require_pair_sums(device);
  return 24.0 * static_cast<double>(geometry.spins() * replicas.all) +
         pair_sums_bytes(device, {geometry.spins(), 3 * replicas.all, settings.q.size()},
                         settings.pair_precision) +
         PairRanks::bytes(geometry.sites(), replicas, device);
}

const spins::SpinState& RealSpaceStructureFactor::all_replicas(const spins::SpinState& own) {
  if (world_ == nullptr) return own;
  if (!ranks_) ranks_ = std::make_unique<PairRanks>(*world_, own.device());
  return ranks_->all_replicas(own);
}

void RealSpaceStructureFactor::begin(const spins::SpinState& state) {
  now_.emplace(state, settings_.connected ? MatrixOf::centred : MatrixOf::spins);
  std::vector<Vec3<double>> position;
  for (Index site = 0; site < now_->sites(); ++site)
    position.push_back(geometry_.position(state.canonical()[static_cast<std::size_t>(site)]));
  PairSettings settings;
  settings.sites = now_->sites();
  settings.numbers = now_->numbers();
  settings.precision = settings_.pair_precision;
  settings.ranks = ranks_.get();
  sums_ = make_pair_fourier_sums(state.device(), settings, settings_.q.cartesian, position);
  if (origin_.empty()) {
    now_->take(state);
    origin_ = now_->to_host();
    equal_time_ = equal_time_sums(origin_, position, settings_.q.cartesian, state.device().threads);
  }
  // From the host also where it was just taken: a resumed run has the same bits.
  now_->set(origin_);
  sums_->set_columns(now_->data());
}

void RealSpaceStructureFactor::add(const spins::SpinState& own) {
  const Region region("correlations in real space");
  settle();
  if (added_ == settings_.samples) throw InternalError("more samples than announced");
  if (own.layout().study_replicas() != replicas_ || own.layout().sites != geometry_.sites())
    throw InternalError("spins of another system were given to a structure factor");
  const spins::SpinState& state = all_replicas(own);
  if (!sums_) begin(state);
  now_->take(state);
  sums_->set_rows(now_->data());
  sums_->add();
  arriving_ = sums_->totals();
  ++added_;
}

Index RealSpaceStructureFactor::try_part(const spins::SpinState& own) {
  const spins::SpinState& state = all_replicas(own);
  if (!sums_) begin(state);
  now_->take(state);
  sums_->set_rows(now_->data());
  const int ranks = ranks_ ? ranks_->share().parts : 1;
  const auto sites = static_cast<double>(now_->sites());
  const double multiply_adds = sites * sites * static_cast<double>(now_->numbers());
  const Index parts =
      parts_of_pair_sums(state.device(), now_->sites(), multiply_adds / ranks, ranks);
  sums_->add({0, static_cast<int>(parts)});
  sums_->totals().take();
  return parts;
}

void RealSpaceStructureFactor::settle() {
  if (!arriving_) return;
  const std::vector<double> numbers = arriving_->take();
  arriving_.reset();
  values_.insert(values_.end(), numbers.begin(), numbers.end());
}

std::vector<double> RealSpaceStructureFactor::save() {
  settle();
  std::vector<double> saved = values_;
  saved.insert(saved.end(), equal_time_.begin(), equal_time_.end());
  saved.insert(saved.end(), origin_.begin(), origin_.end());
  saved.push_back(static_cast<double>(added_));
  return saved;
}

void RealSpaceStructureFactor::load(const std::vector<double>& saved) {
  arriving_.reset();
  sums_.reset();
  const double added = saved.empty() ? -1 : saved.back();
  if (!(added >= 0 && added <= static_cast<double>(settings_.samples)))
    throw InputError("the checkpoint's correlations do not fit the study",
                     "resume the results it belongs to");
  added_ = static_cast<Index>(added);
  const Index values = 2 * settings_.q.size() * added_;
  const Index exact = added_ == 0 ? 0 : settings_.q.size();
  const Index origin = added_ == 0 ? 0 : 3 * geometry_.spins() * replicas_;
  if (std::ssize(saved) != values + exact + origin + 1)
    throw InputError("the checkpoint's correlations do not fit the study",
                     "resume the results it belongs to");
  values_.assign(saved.begin(), saved.begin() + values);
  equal_time_.assign(saved.begin() + values, saved.begin() + values + exact);
  origin_.assign(saved.begin() + values + exact, saved.end() - 1);
}

StructureFactorResult RealSpaceStructureFactor::finish(int) {
  const Region region("structure factor");
  settle();
  const Index Q = settings_.q.size(), T = settings_.samples;
  if (added_ != T) throw InternalError("correlations finished before all samples came");
  const LagsToFrequencies to_frequencies(window_weights(settings_.window, T), settings_.interval);
  const auto M = static_cast<double>(replicas_), N = static_cast<double>(geometry_.spins());
  const double scale = 1 / (N * (settings_.connected && settings_.unbiased ? M - 1 : M));
  StructureFactorResult result;
  result.frequency = to_frequencies.frequencies();
  for (Index t = 0; t < T; ++t) result.time.push_back(settings_.interval * static_cast<double>(t));
  for (Index q = 0; q < Q; ++q) {
    std::vector<std::complex<double>> lags;
    for (Index t = 0; t < T; ++t) {
      const double* value = values_.data() + 2 * (t * Q + q);
      lags.emplace_back(scale * value[0], scale * value[1]);
    }
    const std::vector<double> spectrum = to_frequencies(lags);
    result.intensity.insert(result.intensity.end(), spectrum.begin(), spectrum.end());
    result.intermediate.insert(result.intermediate.end(), lags.begin(), lags.end());
    result.static_value.push_back(lags[0].real());
  }
  result.precision_error = largest_error(values_, equal_time_);
  result.error.assign(result.intensity.size(), unknown);
  result.intermediate_error.assign(result.intermediate.size(), unknown);
  result.static_error.assign(result.static_value.size(), unknown);
  return result;
}

}  // namespace larmor::correlations::real_space
