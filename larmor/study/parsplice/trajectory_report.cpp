#include "larmor/study/parsplice/trajectory_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "larmor/parsplice/exits.hpp"
#include "larmor/parsplice/exponentiality.hpp"

namespace larmor::study {
namespace {

using parsplice::StateLabel;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// The test of exponential times needs as many exits to say something.
constexpr std::size_t fewest_exits = 20;
/// Most rates among the numbers of a stage.
constexpr std::size_t most_rates = 12;

std::string per(const std::string& time) { return time.empty() ? "" : "1/" + time; }

/// The states of a trajectory by their numbers.
class States {
 public:
  explicit States(const parsplice::Trajectory& trajectory) {
    for (const parsplice::Stay& stay : trajectory.stays())
      if (numbers_.emplace(stay.state, std::ssize(labels_)).second) labels_.push_back(stay.state);
  }
  const std::vector<StateLabel>& labels() const { return labels_; }
  Index count() const { return std::ssize(labels_); }
  std::int64_t number(StateLabel label) const { return numbers_.at(label); }

 private:
  std::map<StateLabel, std::int64_t> numbers_;
  std::vector<StateLabel> labels_;
};

void write_references(const TrajectoryToReport& report, const States& states,
                      const parsplice::MatterSystem& system, const ReadContext& context,
                      ResultsGroup& results) {
  const auto numbers = static_cast<std::size_t>(system.numbers_of_places());
  io::Shape shape = report.shape;
  shape.insert(shape.begin(), states.count());
  std::vector<double> places, energies;
  for (const StateLabel label : states.labels()) {
    const auto found = report.references.find(label);
    if (found == report.references.end()) {
      places.insert(places.end(), numbers, nan);
      energies.push_back(nan);
    } else {
      const parsplice::Configuration& reference = found->second;
      places.insert(places.end(), reference.begin(),
                    reference.begin() + static_cast<std::ptrdiff_t>(numbers));
      energies.push_back(system.energy(reference));
    }
  }
  results.write("states/places", std::move(places), shape,
                inner_unit(Dimension::length, context.units));
  results.write("states/energy", std::move(energies), {states.count()},
                inner_unit(Dimension::energy, context.units));
}

void write_waiting_times(const TrajectoryToReport& report, const States& states,
                         const std::string& time_unit, ResultsGroup& results) {
  std::vector<std::int64_t> state_of_time;
  std::vector<double> times, p_values;
  for (const StateLabel label : states.labels()) {
    const std::vector<double> own =
        parsplice::waiting_times(report.trajectory, report.correlation_steps, label, report.seed);
    p_values.push_back(own.size() < fewest_exits ? nan : parsplice::exponentiality(own).p_value);
    for (const double steps : own) times.push_back(steps * report.step);
    state_of_time.insert(state_of_time.end(), own.size(), states.number(label));
  }
  results.write("states/p_exponential", std::move(p_values), {states.count()}, "");
  const Index count = std::ssize(times);
  results.write("waiting_times/state", io::DataArray(std::move(state_of_time), {count}));
  results.write("waiting_times/time", std::move(times), {count}, time_unit);
}

void write_rates(const TrajectoryToReport& report, const States& states,
                 const std::string& time_unit, ResultsGroup& results) {
  const auto exits = parsplice::exits_of(report.trajectory, report.correlation_steps);
  std::vector<std::int64_t> exits_of_state, from, to, counts;
  std::vector<double> settled, rate_of_state, error_of_state, rate, error;
  for (const StateLabel label : states.labels()) {
    const auto found = exits.find(label);
    const parsplice::StateExits& own =
        found == exits.end() ? parsplice::StateExits{} : found->second;
    const parsplice::Rate of_state = own.rate(report.step);
    exits_of_state.push_back(own.exits);
    settled.push_back(static_cast<double>(own.steps) * report.step);
    rate_of_state.push_back(of_state.value);
    error_of_state.push_back(of_state.error);
    for (const auto& [next, count] : own.next) {
      const parsplice::Rate of_pair = own.rate_to(next, report.step);
      from.push_back(states.number(label));
      to.push_back(states.number(next));
      counts.push_back(count);
      rate.push_back(of_pair.value);
      error.push_back(of_pair.error);
    }
  }
  const Index count = states.count(), pairs = std::ssize(from);
  results.write("states/exits", io::DataArray(std::move(exits_of_state), {count}));
  results.write("states/settled_time", std::move(settled), {count}, time_unit);
  results.write("states/rate", std::move(rate_of_state), {count}, per(time_unit));
  results.write("states/rate_error", std::move(error_of_state), {count}, per(time_unit));
  results.write("rates/from", io::DataArray(std::move(from), {pairs}));
  results.write("rates/to", io::DataArray(std::move(to), {pairs}));
  results.write("rates/exits", io::DataArray(std::move(counts), {pairs}));
  results.write("rates/value", std::move(rate), {pairs}, per(time_unit));
  results.write("rates/error", std::move(error), {pairs}, per(time_unit));
}

}  // namespace

void write_trajectory(const TrajectoryToReport& report, const parsplice::MatterSystem& system,
                      const ReadContext& context, ResultsGroup& results) {
  const std::string time_unit = inner_unit(Dimension::time, context.units);
  const States states(report.trajectory);
  std::vector<std::int64_t> state, visits(static_cast<std::size_t>(states.count()));
  std::vector<double> duration, time(visits.size());
  for (const parsplice::Stay& stay : report.trajectory.stays()) {
    state.push_back(states.number(stay.state));
    duration.push_back(static_cast<double>(stay.steps) * report.step);
    ++visits[static_cast<std::size_t>(state.back())];
    time[static_cast<std::size_t>(state.back())] += duration.back();
  }
  const Index stays = std::ssize(state), count = states.count();
  results.write("trajectory/state", io::DataArray(std::move(state), {stays}));
  results.write("trajectory/time", std::move(duration), {stays}, time_unit);
  results.write("states/label", io::DataArray(states.labels(), {count}));
  results.write("states/visits", io::DataArray(std::move(visits), {count}));
  results.write("states/time", std::move(time), {count}, time_unit);
  write_references(report, states, system, context, results);
  write_rates(report, states, time_unit, results);
  write_waiting_times(report, states, time_unit, results);
  results.set_attribute("trajectory", "step", report.step);
  results.set_attribute("trajectory", "correlation_time",
                        static_cast<double>(report.correlation_steps) * report.step);
}

std::vector<StageNumber> numbers_of_trajectory(const io::ResultsReader& results,
                                               const std::string& path) {
  if (!results.exists(path + "/rates/value")) return {};
  const auto from = results.read<std::int64_t>(path + "/rates/from");
  const auto to = results.read<std::int64_t>(path + "/rates/to");
  const auto exits = results.read<std::int64_t>(path + "/rates/exits");
  const auto value = results.read<double>(path + "/rates/value");
  const auto error = results.read<double>(path + "/rates/error");
  const std::string unit = results.unit_of(path + "/rates/value");
  std::vector<std::size_t> pairs(from.size());
  std::iota(pairs.begin(), pairs.end(), std::size_t{0});
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](std::size_t a, std::size_t b) { return exits[a] > exits[b]; });
  pairs.resize(std::min(pairs.size(), most_rates));
  std::sort(pairs.begin(), pairs.end());
  std::vector<StageNumber> numbers;
  for (const std::size_t pair : pairs)
    numbers.push_back(
        {fmt::format("rate_{}_to_{}", from[pair], to[pair]), unit, value[pair], error[pair]});
  const io::Attributes attributes = results.attributes(path);
  if (const auto found = attributes.find("speed_up"); found != attributes.end())
    numbers.push_back({"speed_up", "", found->second.number(), nan});
  return numbers;
}

}  // namespace larmor::study
