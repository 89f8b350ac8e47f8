#include "larmor/study/models/spins/stages/pair_correlations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/core/statistics/replicas.hpp"
#include "larmor/study/models/spins/measurements/correlation_results.hpp"
#include "larmor/study/models/spins/measurements/pair_bins.hpp"
#include "larmor/study/stages/configurations.hpp"

namespace larmor::study {

using correlations::real_space::CorrelationBins;
using correlations::real_space::DisplacementBins;
using correlations::real_space::least_replicas;
using correlations::real_space::LeftOut;
using correlations::real_space::PairCorrelations;
using correlations::real_space::PairCorrelationsSettings;
using correlations::real_space::PairRanks;

PairCorrelationsStage::PairCorrelationsStage(const Table& table, const ReadContext& context)
    : table_(table),
      context_(context),
      displacement_(table.displacement, context),
      groups_(table.groups, context) {
  require_one_choice(table, Table::name, table.where,
                     {!table.distance.empty() || displacement_.asked() ||
                          groups_.asks_for_groups() || !table.distribution.empty(),
                      "distance = { width = 1.0, bins = 20 }, displacement = true, groups = "
                      "\"species\" or distribution = {}"});
  if (table.distance.size() > 1)
    throw InputError("pair-correlations has several tables of distance", table.distance[1].where,
                     "give one");
  if (table.distribution.size() > 1)
    throw InputError("pair-correlations has several tables of distribution",
                     table.distribution[1].where, "give one");
  for (const CorrelationBinsTable& bins : table.distribution)
    if (!(bins.least < bins.greatest) ||
        !std::isnormal((bins.greatest - bins.least) / static_cast<double>(bins.bins)))
      throw InputError(
          "distribution has no room for bins between least = " + to_toml_value(Value(bins.least)) +
              " and greatest = " + to_toml_value(Value(bins.greatest)),
          bins.where.of({"least", "greatest"}),
          "give least < greatest, such as least = -1.0, greatest = 1.0");
}

PairCorrelationsSettings PairCorrelationsStage::settings_of(
    const lattice::Geometry& geometry) const {
  PairCorrelationsSettings settings;
  settings.q = wave_vectors_of(geometry, table_, table_.where);
  choose_bins(geometry, table_.distance, displacement_, groups_, settings);
  if (!table_.distribution.empty()) {
    const CorrelationBinsTable& bins = table_.distribution[0];
    settings.distribution = CorrelationBins{bins.least, bins.greatest, bins.bins};
  }
  settings.connected = table_.connected;
  settings.precision = correlations::real_space::pair_precision_by_name(table_.precision);
  return settings;
}

double PairCorrelationsStage::work(const Study& study, const SystemSize& system) const {
  const lattice::Geometry& geometry = *system.geometry;
  // A spin update takes as long as about this number of multiply-adds, on a CPU and on a GPU.
  constexpr double multiply_adds_of_update = 1e3;
  const double of_sum =
      PairCorrelations::multiply_adds(geometry, settings_of(geometry), study.replicas) /
      multiply_adds_of_update;
  const auto spins = static_cast<double>(geometry.spins() * study.replicas);
  return updates_per_site() * std::max(spins, of_sum);
}

std::string PairCorrelationsStage::plan() const {
  // There may be fewer replicas than blocks.
  return std::string(table_.connected ? "connected" : "plain") + " correlations of all pairs, " +
         (table_.error_blocks < 2
              ? "no errors"
              : "errors by " + std::to_string(table_.error_blocks) + " blocks of replicas at most");
}

void PairCorrelationsStage::validate(const Sizing& sizing,
                                     const lattice::Geometry& geometry) const {
  const Study& study = sizing.study;
  const PairCorrelationsSettings settings = settings_of(geometry);
  if (study.replicas < 2)
    throw InputError("correlations over replicas need two of them or more", table_.where,
                     "set replicas = 2 or more");
  if (study.replicas < least_replicas(table_.connected))
    throw InputError("squares of connected correlations need three replicas or more",
                     table_.where.of("connected"),
                     "set replicas = 3 or more, or connected = false");
  if (numbers_by_replica(spin_tables(study), geometry) > 0)
    throw InputError(
        "pair-correlations: these sums need a mean over replicas, but the replicas have different "
        "couplings",
        table_.where, "give disorder that does not differ by replica");
  require_pair_bins(sizing.device,
                    {settings.groups, settings.displacement ? settings.displacement->bins() : 0,
                     settings.precision, table_.where.of("groups"), table_.displacement.where()});
}

StageBytes PairCorrelationsStage::forecast(const Sizing& sizing,
                                           const lattice::Geometry& geometry) const {
  const PairCorrelationsSettings settings = settings_of(geometry);
  const Index numbers = 2 * settings.q.size() + 3 * settings.bins +
                        2 * settings.groups * settings.groups +
                        (settings.displacement ? 3 * settings.displacement->bins() : 0) +
                        (settings.distribution ? totals_of(*settings.distribution) : 0);
  StageBytes bytes;
  bytes.host = 8.0 * static_cast<double>(numbers * (table_.error_blocks + 1));
  bytes.host_of_all_replicas =
      PairCorrelations::host_bytes(geometry, settings, sizing.all_replicas);
  bytes.device =
      PairCorrelations::bytes(geometry, settings, sizing.all_replicas, sizing.device) +
      PairRanks::bytes(geometry.sites(), {0, sizing.replicas, sizing.all_replicas}, sizing.device);
  return bytes;
}

double PairCorrelationsStage::seconds_per_update(SpinSimulation& simulation) {
  prepare(simulation);
  begin(simulation);
  const double seconds = seconds_of_one(simulation.state.device(), [&] {
    correlations_->begin({});
    correlations_->add({0, static_cast<int>(shares_)});
    correlations_->finish();
  });
  return seconds * static_cast<double>(shares_ * sums()) / updates_per_site();
}

void PairCorrelationsStage::prepare(SpinSimulation& simulation) {
  settings_ = settings_of(simulation.geometry);
  replicas_ = simulation.study.replicas;
  blocks_ = jackknife_blocks(table_.error_blocks, replicas_, least_replicas(table_.connected));
  // If there are few replicas, there may be fewer sums than the study asks for.
  work_of_sum_ = work(simulation.study, simulation.system.size()) / static_cast<double>(sums());
  correlations_.reset();
  ranks_.reset();
  of_sum_.clear();
  precision_error_.reset();
  counted_ = 0;
}

/// Makes the collective operations of ranks. `prepare` has no such operations, because one rank may
/// fail in `prepare`.
void PairCorrelationsStage::begin(const SpinSimulation& simulation) {
  if (simulation.ranks.world() != nullptr)
    ranks_ = std::make_unique<PairRanks>(*simulation.ranks.world(), simulation.state.device());
  settings_.ranks = ranks_.get();
  correlations_ =
      std::make_unique<PairCorrelations>(simulation.geometry, settings_, all_replicas(simulation));
  correlations_->copy_spins(all_replicas(simulation));
  shares_ = simulation.ranks.minimum(correlations_->share_count());
  share_ = 0;
}

const spins::SpinState& PairCorrelationsStage::all_replicas(
    const SpinSimulation& simulation) const {
  return ranks_ ? ranks_->all_replicas(simulation.state) : simulation.state;
}

/// The block that the current sum leaves out.
LeftOut PairCorrelationsStage::left_out() const {
  const Index block = std::ssize(of_sum_) - 1;
  LeftOut replicas;
  if (block < 0) return replicas;
  replicas.first = block * replicas_ / blocks_;
  replicas.count = (block + 1) * replicas_ / blocks_ - replicas.first;
  return replicas;
}

StageProgress PairCorrelationsStage::advance(SpinSimulation& simulation, ResultsGroup&) {
  if (std::ssize(of_sum_) == sums()) return {0, true};
  if (!correlations_) begin(simulation);
  if (share_ == 0) correlations_->begin(left_out());
  correlations_->add({static_cast<int>(share_), static_cast<int>(shares_)});
  ++share_;
  const double fraction = static_cast<double>(share_) / static_cast<double>(shares_);
  const double work = std::max(0.0, fraction - counted_) * work_of_sum_;
  counted_ = std::max(fraction, counted_);
  if (share_ < shares_) return {work, false};
  const auto values = correlations_->finish();
  if (values.precision_error) precision_error_ = values.precision_error;
  std::vector<double>& numbers = of_sum_.emplace_back();
  for (const auto* values_of_kind :
       {&values.structure, &values.spin_glass, &values.mean, &values.mean_square, &values.pairs,
        &values.displaced_mean, &values.displaced_square, &values.displaced_pairs, &values.groups,
        &values.groups_square, &values.distribution, &values.extremes})
    numbers.insert(numbers.end(), values_of_kind->begin(), values_of_kind->end());
  share_ = 0;
  counted_ = 0;
  return {work, std::ssize(of_sum_) == sums()};
}

std::vector<double> PairCorrelationsStage::jackknife_errors() const {
  std::vector<double> errors;
  for (std::size_t n = 0; n < of_sum_[0].size(); ++n) {
    std::vector<double> left;
    for (std::size_t b = 1; b < of_sum_.size(); ++b) left.push_back(of_sum_[b][n]);
    errors.push_back(jackknife_error(left));
  }
  return errors;
}

void PairCorrelationsStage::finish(SpinSimulation& simulation, ResultsGroup& results) {
  const bool material = simulation.study.context.units == UnitSystem::material;
  const std::vector<double> errors = jackknife_errors();
  Index next = 0;
  const auto next_numbers = [&](const std::vector<double>& numbers, Index count) {
    return std::vector<double>(numbers.begin() + next, numbers.begin() + next + count);
  };
  const auto write = [&](const std::string& name, Index count, const std::vector<Index>& shape) {
    results.write(name + "/value", next_numbers(of_sum_[0], count), shape, "");
    results.write(name + "/error", next_numbers(errors, count), shape, "");
    next += count;
  };
  const auto write_pairs = [&](const std::string& name, Index count,
                               const std::vector<Index>& shape) {
    results.write(name, next_numbers(of_sum_[0], count), shape, "");
    next += count;
  };
  if (const Index Q = settings_.q.size(); Q > 0) {
    write_wave_vectors(results, "wave-vectors/", settings_.q, material ? "1/Å" : "");
    write("structure", Q, {Q});
    write("spin-glass-susceptibility", Q, {Q});
  }
  if (const Index bins = settings_.bins; bins > 0) {
    write_distances(results, "by-distance/", settings_.width, bins, material ? "Å" : "");
    write("by-distance/correlation", bins, {bins});
    write("by-distance/square", bins, {bins});
    write_pairs("by-distance/pairs", bins, {bins});
  }
  if (settings_.displacement) {
    const DisplacementBins& bins = *settings_.displacement;
    const std::vector<Index> shape{bins.atoms, bins.atoms, bins.count[0], bins.count[1],
                                   bins.count[2]};
    write_displacements(results, "by-displacement/", bins);
    write("by-displacement/correlation", bins.bins(), shape);
    write("by-displacement/square", bins.bins(), shape);
    write_pairs("by-displacement/pairs", bins.bins(), shape);
  }
  if (const Index G = settings_.groups; G > 0) {
    results.write_strings("between-groups/names", groups_.of(simulation.geometry).names);
    write("between-groups/correlation", G * G, {G, G});
    write("between-groups/square", G * G, {G, G});
  }
  if (const auto& bins = settings_.distribution) {
    std::vector<double> edges;
    for (Index n = 0; n <= bins->bins; ++n) {
      const double place = static_cast<double>(n) / static_cast<double>(bins->bins);
      edges.push_back((1 - place) * bins->least + place * bins->greatest);
    }
    results.write("distribution/edges", edges, {bins->bins + 1}, "");
    write("distribution/below", 1, {});
    write("distribution/pairs", bins->bins, {bins->bins});
    write("distribution/above", 1, {});
    for (const std::string pair : {"distribution/largest", "distribution/smallest"}) {
      results.write(pair + "/value", next_numbers(of_sum_[0], 1), {}, "");
      ++next;
      results.write(pair + "/sites", next_numbers(of_sum_[0], 2), {2}, "");
      next += 2;
    }
  }
  results.set_attribute("", "connected", Index{settings_.connected ? 1 : 0});
  results.set_attribute("", "replicas", replicas_);
  results.set_attribute("", "error_blocks", blocks_);
  if (precision_error_) results.set_attribute("", "precision_error", *precision_error_);
}

std::string PairCorrelationsStage::note() const {
  return precision_error_ ? precision_note(kind(), *precision_error_, replicas_) : "";
}

std::vector<std::pair<std::string, std::string>> PairCorrelationsStage::latest() const {
  return {{"sum", std::to_string(of_sum_.size()) + "/" + std::to_string(sums())}};
}

StageMemory PairCorrelationsStage::save() const {
  StageMemory memory;
  // An incomplete sum is begun anew.
  memory.integers["sums"] = {std::ssize(of_sum_)};
  memory.numbers["counted"] = {counted_};
  memory.numbers["precision_error"] = {
      precision_error_.value_or(std::numeric_limits<double>::quiet_NaN())};
  for (std::size_t n = 0; n < of_sum_.size(); ++n)
    memory.numbers["sum_" + std::to_string(n)] = of_sum_[n];
  return memory;
}

void PairCorrelationsStage::load(const StageMemory& memory) {
  const Index count = memory.integer("sums").at(0);
  counted_ = memory.number("counted").at(0);
  const double error = memory.number("precision_error").at(0);
  if (!std::isnan(error)) precision_error_ = error;
  of_sum_.clear();
  for (Index n = 0; n < count; ++n) of_sum_.push_back(memory.number("sum_" + std::to_string(n)));
}

}  // namespace larmor::study
