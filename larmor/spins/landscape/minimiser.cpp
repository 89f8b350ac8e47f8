#include "larmor/spins/landscape/minimiser.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/core/device/pending.hpp"
#include "larmor/core/device/profile.hpp"
#include "larmor/core/saved_numbers.hpp"
#include "larmor/spins/landscape/conjugate_gradient.hpp"
#include "larmor/spins/landscape/damped.hpp"
#include "larmor/spins/landscape/lbfgs.hpp"

namespace larmor::spins {
namespace {

/// Rows of the sums of a step.
constexpr int longest_row = 0, trial_row = 1, history_row = trial_row + trial_sums,
              all_rows = history_row + history_sums;
/// Rows of the numbers of a step.
constexpr int length_row = 0, advance_row = 1, number_rows = advance_row + advance_numbers;

std::unique_ptr<Direction> direction_of(Method method) {
  if (method == Method::lbfgs) return std::make_unique<Lbfgs>();
  if (method == Method::damped) return std::make_unique<Damped>();
  return std::make_unique<ConjugateGradient>();
}

/// Conjugate directions need a search close to the minimum; the other methods give good lengths.
double flattest_of(Method method) {
  return method == Method::conjugate_gradient ? 0.3 : std::numeric_limits<double>::infinity();
}

}  // namespace

Minimiser::Minimiser(const Model& model, const SpinLayout& layout,
                     const MinimiserSettings& settings, const Device& device)
    : device_(device_for(device, layout)),
      max_rotation_(settings.max_rotation),
      point_(model, layout, device_, settings.method == Method::lbfgs),
      trial_(std::make_unique<SpinState>(device_, layout, model.canonical())),
      trial_axes_(device_, layout.numbers(), false),
      numbers_(device_, number_rows * layout.padded_replicas()),
      sums_(device_, all_rows * layout.padded_replicas()) {
  for (Index r = 0; r < layout.replicas; ++r)
    descent_.emplace_back(direction_of(settings.method), flattest_of(settings.method),
                          settings.tolerance, settings.max_rotation,
                          energy_rounding(device.precision, layout.spins()));
}

void Minimiser::set_tolerance(double tolerance) {
  for (Descent& d : descent_) d.set_tolerance(tolerance);
}

void Minimiser::start(const SpinState& state) {
  const Extent all = Extent::all(point_.layout());
  landscape_kernels(device_).copy_vectors(device_, all, state.reals(), point_.spins().reals());
  point_.set_axes();
  for (Descent& d : descent_) d.start();
  steps_ = 0;
  upload_lengths();
  step();
}

/// The blocks of replicas from the first unfinished replica to the last.
Extent Minimiser::active() const {
  Extent extent = Extent::all(point_.layout());
  const auto moves = [](const Descent& d) { return !d.done(); };
  const auto first = std::find_if(descent_.begin(), descent_.end(), moves);
  const auto last = std::find_if(descent_.rbegin(), descent_.rend(), moves);
  if (first == descent_.end() || extent.layout.one_replica()) return extent;
  extent.first_block = (first - descent_.begin()) / lane_count;
  extent.last_block = (descent_.rend() - last - 1) / lane_count + 1;
  return extent;
}

/// Uploads the lengths of the next turns. After a step this is not needed, because `step` does it.
void Minimiser::upload_lengths() {
  std::vector<double> lengths(static_cast<std::size_t>(point_.layout().padded_replicas()));
  for (std::size_t r = 0; r < descent_.size(); ++r) lengths[r] = descent_[r].length();
  numbers_.copy_range_from(lengths, 0);
}

void Minimiser::step() {
  const Region region("minimiser step");
  const LandscapeKernels& kernels = landscape_kernels(device_);
  const Extent extent = active();
  const auto padded = static_cast<std::size_t>(extent.layout.padded_replicas());
  const PointView point = point_.view();
  const TrialView trial{trial_->reals(), trial_axes_.reals()};
  double* const sums = sums_.data();
  const auto row = [&](int first) { return sums + static_cast<std::size_t>(first) * padded; };
  const TurnLength length{numbers_.data() + length_row * padded, row(longest_row), max_rotation_};
  kernels.turn(device_, extent, point, length, trial);
  kernels.evaluate_trial(device_, extent, point_.surface_at(*trial_, uniform_), point, trial,
                         row(trial_row));
  if (point_.remembers) kernels.multiply_history(device_, extent, point, row(history_row));
  const std::vector<double> found = numbers_async(sums_).take();
  const int place = static_cast<int>(steps_ % history_length);
  std::vector<double> of_replica(advance_numbers);
  sent_.assign(number_rows * padded, 0);
  bool all_accept = true;
  for (std::size_t r = 0; r < descent_.size(); ++r) {
    if (descent_[r].done()) {
      all_accept = false;
      continue;
    }
    const auto at = [&](int n) { return found[static_cast<std::size_t>(n) * padded + r]; };
    const auto of_trial = [&](int n) { return at(trial_row + n); };
    const auto of_history = [&](int n) { return at(history_row + n); };
    // The maximum ignores NaN, but the sum does not.
    const double square = of_trial(turn_square);
    const Trial outcome{
        of_trial(trial_energy), products_of(of_trial, of_history, point_.remembers),
        std::sqrt(std::isfinite(square) ? of_trial(trial_largest_gradient) : square),
        std::sqrt(of_trial(trial_largest_field)), std::sqrt(at(longest_row))};
    descent_[r].receive(outcome, place, of_replica);
    all_accept = all_accept && of_replica[advance_accepts] > 0;
    for (std::size_t n = 0; n < advance_numbers; ++n)
      sent_[(advance_row + n) * padded + r] = of_replica[n];
    sent_[length_row * padded + r] = descent_[r].length();
  }
  numbers_.send_range(sent_, 0);
  if (all_accept) adopt_trial();
  kernels.advance(device_, extent, point_.view(), all_accept ? TrialView{} : trial,
                  numbers_.data() + advance_row * padded, place, point_.remembers,
                  row(longest_row));
  ++steps_;
}

/// Makes the trial the current state of all replicas.
void Minimiser::adopt_trial() {
  point_.exchange_spins(trial_);
  std::swap(point_.axes, trial_axes_);
  std::swap(point_.gradient, point_.new_gradient);
}

Index Minimiser::run(SpinState& state, Index iterations) {
  Index iteration = 0;
  for (; iteration < iterations && !done(); ++iteration) {
    step();
    ++state.step;
  }
  landscape_kernels(device_).copy_vectors(device_, Extent::all(point_.layout()),
                                          point_.spins().reals(), state.reals());
  return iteration;
}

bool Minimiser::done() const {
  return std::all_of(descent_.begin(), descent_.end(), [](const Descent& d) { return d.done(); });
}

Index Minimiser::converged() const {
  return std::count_if(descent_.begin(), descent_.end(),
                       [](const Descent& d) { return d.converged(); });
}

std::vector<double> Minimiser::energies() const {
  std::vector<double> energy;
  for (const Descent& d : descent_)
    energy.push_back(d.energy() / static_cast<double>(point_.layout().spins()));
  return energy;
}

std::vector<double> Minimiser::torques() const {
  std::vector<double> torque;
  for (const Descent& d : descent_) torque.push_back(d.torque());
  return torque;
}

std::vector<double> Minimiser::save() const {
  const std::vector<double> sums = sums_.to_host();
  const std::size_t of_replica = point_.numbers_of_replica();
  constexpr std::size_t of_descent = 256;
  std::vector<double> numbers;
  numbers.reserve((of_replica + of_descent) * descent_.size());
  std::vector<std::size_t> first;
  for (std::size_t r = 0; r < descent_.size(); ++r) {
    descent_[r].save(numbers);
    save_numbers(numbers, {static_cast<double>(steps_), sums[r]});
    first.push_back(numbers.size());
    numbers.resize(numbers.size() + of_replica);
  }
  point_.save(numbers, first);
  return numbers;
}

void Minimiser::load(std::span<const double> saved) {
  const std::span<const double> all = saved;
  std::vector<double> sums = sums_.to_host();
  std::vector<std::size_t> first;
  steps_ = 0;
  for (std::size_t r = 0; r < descent_.size(); ++r) {
    descent_[r].load(saved);
    steps_ = std::max(steps_, static_cast<Index>(take_number(saved)));
    sums[r] = take_number(saved);
    first.push_back(all.size() - saved.size());
    take_numbers(saved, point_.numbers_of_replica());
  }
  point_.load(all, first);
  sums_.copy_from(sums);
  upload_lengths();
}

double minimiser_bytes(const MinimiserSettings& settings, const SpinLayout& layout,
                       Precision precision) {
  return point_bytes(layout, settings.method == Method::lbfgs, precision) +
         static_cast<double>(bytes_of_reals(precision, layout.numbers()) + 8 * layout.numbers());
}

double minimiser_host_bytes(const MinimiserSettings& settings, const SpinLayout& layout) {
  return saved_point_bytes(layout, settings.method == Method::lbfgs) +
         8.0 * static_cast<double>(layout.numbers());
}

}  // namespace larmor::spins
