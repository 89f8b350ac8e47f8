#include "larmor/study/tempering/ladder_report.hpp"

namespace larmor::study {

using tempering::Bottleneck;
using tempering::LadderCounts;
using tempering::RoundTripReport;
using tempering::Uncertain;

LadderCounts ladder_counts(const tempering::ExchangeCounts& counts,
                           const std::vector<double>& values, Index ladders, double sweeps) {
  const std::size_t rungs = values.size(), pairs = rungs - 1;
  LadderCounts all;
  all.values = values;
  all.from_first = counts.from_first;
  all.from_last = counts.from_last;
  for (std::size_t n = 0; n < counts.accepted.size(); ++n) {
    const auto proposed = static_cast<double>(counts.proposed[n % pairs % 2]);
    all.acceptance.push_back(proposed > 0 ? counts.accepted[n] / proposed : 0);
  }
  all.round_trips.assign(static_cast<std::size_t>(ladders), 0);
  for (std::size_t replica = 0; replica < counts.round_trips.size(); ++replica)
    all.round_trips[replica / rungs] += counts.round_trips[replica];
  all.exchanges = static_cast<double>(counts.proposed[0] + counts.proposed[1]);
  all.sweeps = sweeps;
  return all;
}

tempering::PairRates rates_of(const tempering::ExchangeCounts& counts, Index rungs, Index ladders) {
  const auto pairs = static_cast<std::size_t>(rungs - 1);
  tempering::PairRates rates{std::vector<double>(pairs), {}};
  for (std::size_t n = 0; n < counts.accepted.size(); ++n)
    rates.rate[n % pairs] += counts.accepted[n];
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    rates.proposals.push_back(static_cast<double>(counts.proposed[pair % 2] * ladders));
    if (rates.proposals[pair] > 0) rates.rate[pair] /= rates.proposals[pair];
  }
  return rates;
}

void write_ladder_report(const LadderCounts& counts, const std::string& key,
                         const std::vector<double>& tried, ResultsGroup& results) {
  const RoundTripReport report = tempering::report_of(counts);
  const Index rungs = std::ssize(counts.values);
  const auto write = [&](const std::string& name, std::vector<double> values) {
    const Index count = std::ssize(values);
    results.write("ladder/" + name, std::move(values), {count}, "");
  };
  const auto write_all = [&](const std::string& name, const std::vector<Uncertain>& numbers) {
    std::vector<double> value, error;
    for (const Uncertain& number : numbers) {
      value.push_back(number.value);
      error.push_back(number.error);
    }
    write(name, std::move(value));
    write(name + "_error", std::move(error));
  };
  write_all("acceptance", report.acceptance);
  write_all("flow", report.flow);
  write("diffusivity", report.diffusivity);
  write("round_trips", counts.round_trips);
  write_all("round_trip_time", {report.time});
  write_all("round_trip_rate", {report.rate});
  write("round_trip_rate_of_acceptance", {report.rate_of_exchanges});
  std::vector<double> stuck(static_cast<std::size_t>(rungs - 1));
  for (const Bottleneck& at : report.bottlenecks)
    stuck[static_cast<std::size_t>(at.lower_rung)] = 1;
  write("stuck", std::move(stuck));
  if (!tried.empty()) results.write("ladder/tried", tried, {std::ssize(tried) / rungs, rungs}, "");
  results.set_attribute("ladder", "of", key);
  results.set_attribute("ladder", "ladders", report.ladders);
}

std::string note_of_ladder(const LadderCounts& counts, const std::string& key,
                           const std::string& sweep) {
  std::string note;
  for (const std::string& line : tempering::lines_of(tempering::report_of(counts), key, sweep))
    note += (note.empty() ? "" : "\n") + line;
  return note;
}

}  // namespace larmor::study
