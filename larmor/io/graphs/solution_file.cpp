#include "larmor/io/graphs/solution_file.hpp"

#include <fmt/core.h>

#include <cmath>
#include <utility>

#include "larmor/core/text.hpp"
#include "larmor/io/files/text_rows.hpp"

namespace larmor::io {
namespace {

using ground_states::Variables;

/// A number as JSON; null if it is not finite.
std::string number(double value) {
  if (!std::isfinite(value)) return "null";
  std::string text;
  append_number(text, value);
  return text;
}

template <class Values, class Text>
std::string list(const Values& values, const Text& text) {
  std::string all;
  for (const auto& value : values) all += (all.empty() ? "[" : ", ") + text(value);
  return all.empty() ? "[]" : all + "]";
}

std::string problem_json(const ProblemFile& file, const Solution& solution) {
  const bool spins = file.problem.variables == Variables::spins;
  const std::string sign = file.sign_text();
  return fmt::format(
      R"({{"file": {}, "format": "{}", {}{}"sense": "{}", "variable_type": "{}", "variables": {}, "couplings": {}}})",
      json_string(solution.path), file.format_name(),
      file.is_study() ? fmt::format("\"sample\": {}, ", file.sample) : "",
      sign.empty() ? "" : fmt::format("\"sign\": {}, ", json_string(sign)),
      file.is_maximised ? "maximise" : "minimise", spins ? "SPIN" : "BINARY", file.problem.size(),
      file.problem.couplings.size());
}

std::string state_json(const ProblemFile& file, double value, const ground_states::State& state,
                       const std::string& more) {
  const bool spins = file.problem.variables == Variables::spins;
  const auto of_variable = [&](std::int8_t s) { return std::to_string(spins ? s : (s + 1) / 2); };
  std::string text = fmt::format("{{\n    \"energy\": {},\n", number(file.reported_value(value)));
  if (file.is_cut()) text += fmt::format("    \"cut\": {},\n", number(0 - value));
  return text + fmt::format("    \"state\": {},\n    \"state_text\": \"{}\"{}\n  }}",
                            list(state, of_variable), state_text(file.problem, state), more);
}

std::string best_json(const ProblemFile& file, const Solution& solution) {
  const ground_states::BestState& best = solution.result.best;
  const auto as_it_is = [](const std::string& label) { return label; };
  return state_json(file, best.value, best.state,
                    fmt::format(",\n    \"variable_labels\": {}", list(file.labels, as_it_is)));
}

/// FORMAT: a number that a double cannot hold exactly is a string with all digits.
std::string whole_number(const std::optional<NaturalNumber>& value) {
  constexpr int bits_of_double = 53;
  if (!value) return "null";
  return value->bit_length() <= bits_of_double ? value->digits() : '"' + value->digits() + '"';
}

std::string method_json(const ground_states::Certificate& certificate) {
  if (!certificate.width) return "\"method\": \"enumeration\"";
  return fmt::format("\"method\": \"elimination\",\n    \"width\": {}", *certificate.width);
}

std::string certificate_json(const ProblemFile& file, const Solution& solution) {
  const ground_states::Certificate& found = *solution.certificate;
  return state_json(file, found.value, found.state,
                    fmt::format(",\n    {},\n    \"degeneracy\": {},\n    \"gap\": {},\n    "
                                "\"search_found_it\": {}",
                                method_json(found), whole_number(found.degeneracy),
                                number(found.gap), solution.is_ground_state(file.problem)));
}

std::string time_json(const ground_states::TimeToSolution& time) {
  return fmt::format(R"({{"value": {}, "lower": {}, "upper": {}}})", number(time.value),
                     number(time.lower), number(time.upper));
}

/// The energy of each repeat, or the number of repeats with each energy.
std::string repeats_json(const ProblemFile& file, const ground_states::RepeatRecord& repeats) {
  const auto energy = [&](double value) { return number(file.reported_value(value)); };
  if (!repeats.lists_each()) {
    const auto of_level = [&](const std::pair<const double, Index>& level) {
      return fmt::format(R"({{"energy": {}, "repeats": {}}})", energy(level.first), level.second);
    };
    return fmt::format("    \"energies\": {},\n    \"{}\": {}", list(repeats.levels(), of_level),
                       file.is_maximised ? "lower" : "higher", repeats.above_levels());
  }
  const auto of_repeat = [&](const ground_states::Repeat& repeat) {
    return fmt::format(R"({{"energy": {}, "sweeps": {}, "found_at": {}}})", energy(repeat.value),
                       repeat.sweeps, repeat.found_at);
  };
  return fmt::format("    \"each\": {}", list(repeats.each(), of_repeat));
}

std::string search_json(const ProblemFile& file, const Solution& solution) {
  const ground_states::SearchResult& result = solution.result;
  const bool tempers = solution.settings.method == ground_states::SearchMethod::tempering;
  std::string text = fmt::format(
      "{{\n    \"method\": \"{}\",\n    \"seed\": {},\n    \"repeats\": {},\n    \"unfinished\": "
      "{},\n    "
      "\"sweeps\": {},\n",
      tempers ? "tempering" : "annealing", solution.settings.seed, result.repeats.count(),
      result.unfinished, solution.settings.sweeps);
  text += fmt::format("    \"temperatures\": {},\n", list(result.temperatures, number));
  if (tempers)
    text += fmt::format("    \"exchange_rates\": {},\n", list(result.exchange_rate, number));
  text += fmt::format("    \"solved_at\": {},\n    \"found\": {},\n    \"time_to_solution\": {},\n",
                      number(file.reported_value(solution.solved_at)), solution.outcome.found,
                      time_json(solution.outcome.sweeps));
  return text + repeats_json(file, result.repeats) + "\n  }";
}

std::string timing_json(const Solution& solution) {
  const ground_states::SearchResult& result = solution.result;
  const double rate = result.seconds > 0 ? result.updates / result.seconds : 0;
  const auto found_after = [](const ground_states::Repeat& repeat) {
    return number(repeat.found_after);
  };
  const std::string each =
      result.repeats.lists_each()
          ? fmt::format("    \"found_after\": {},\n", list(result.repeats.each(), found_after))
          : "";
  return fmt::format(
      "{{\n    \"threads\": {},\n    \"seconds\": {},\n    \"ladder_seconds\": {},\n    "
      "\"updates\": {},\n    "
      "\"updates_per_second\": {},\n{}    \"time_to_solution\": {},\n    "
      "\"certificate_seconds\": {}\n  }}",
      solution.settings.threads, number(result.seconds), number(result.ladder_seconds),
      number(result.updates), number(rate), each, time_json(solution.outcome.seconds),
      solution.certificate ? number(solution.certificate->seconds) : "null");
}

}  // namespace

Solution solution_of(const ground_states::SearchSettings& settings,
                     ground_states::SearchResult result) {
  Solution solution;
  solution.settings = settings;
  solution.solved_at = settings.target.value_or(result.best.value);
  solution.outcome = result.repeats.outcome(solution.solved_at, settings.seed);
  solution.result = std::move(result);
  return solution;
}

bool Solution::is_ground_state(const ground_states::QuadraticProblem& problem) const {
  const ground_states::SpinForm form = ground_states::spin_form(problem);
  return form.energy(result.best.value) <=
         form.energy(certificate->value) + ground_states::margin_of(form);
}

std::string state_text(const ground_states::QuadraticProblem& problem,
                       const ground_states::State& state) {
  const bool spins = problem.variables == Variables::spins;
  std::string text;
  for (const std::int8_t s : state) text += s > 0 ? (spins ? '+' : '1') : (spins ? '-' : '0');
  return text;
}

std::string solution_json(const ProblemFile& file, const Solution& solution) {
  std::string text = "{\n  \"format\": \"larmor-solution\",\n  \"format_version\": 1,\n";
  text += fmt::format("  \"version\": {},\n  \"command\": {},\n", json_string(solution.version),
                      json_string(solution.command));
  text += fmt::format("  \"problem\": {},\n", problem_json(file, solution));
  text += fmt::format("  \"best\": {},\n", best_json(file, solution));
  text += fmt::format("  \"search\": {},\n", search_json(file, solution));
  if (solution.certificate)
    text += fmt::format("  \"certificate\": {},\n", certificate_json(file, solution));
  return text + fmt::format("  \"timing\": {}\n}}\n", timing_json(solution));
}

}  // namespace larmor::io
