#include "larmor/study/models/discrete/sampling/sample_ladder_engine.hpp"

#include <algorithm>

#include "larmor/ising/multispin/samples/sample_ladders.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/measurements/ladder_measurement.hpp"
#include "larmor/study/models/discrete/sampling/discrete_ensembles.hpp"
#include "larmor/study/models/discrete/system/discrete_bonds.hpp"
#include "larmor/study/models/discrete/system/discrete_engine.hpp"

namespace larmor::study {
namespace {

class SampleLadderEngine : public LadderEngine {
 public:
  SampleLadderEngine(const Simulation& simulation, const LadderPlan& plan, ising::Rule rule)
      : system_(discrete_system(simulation)),
        ranks_(simulation.ranks),
        order_(order_of(system_.tables)),
        layout_(plan.layout),
        exchange_every_(plan.exchange_every),
        ladders_(system_.sample_ladders(plan.layout, rule, simulation.study.seed)),
        before_(system_.samples_before() * plan.layout.copies) {
    ladders_.set_first_proposal(system_.step);
  }

  const OrderParameter& order_parameter() const override { return order_; }
  EnergyName energy_name() const override { return {}; }

  void set_ladder(const std::vector<double>& values) override { ladders_.set_ladder(values); }
  void run(Index sweeps) override {
    while (sweeps > 0) {
      const Index left = exchange_every_ - sweeps_ % exchange_every_;
      // After a sweep without an exchange, runs at most up to the next exchange. After an exchange,
      // runs all whole intervals between exchanges at once.
      Index some = std::min(sweeps, left), every = some < left ? 0 : some;
      if (left == exchange_every_ && sweeps >= left) {
        some = sweeps / exchange_every_ * exchange_every_;
        every = exchange_every_;
      }
      ladders_.run(some, every, system_.step);
      sweeps_ += some;
      sweeps -= some;
    }
  }
  /// The sampler has nothing to adapt, so a round is about a quarter of a second of sweeps.
  Index tuning_round() const override {
    // Equal on all ranks, because ranks wait for each other after a round.
    const double updates = ranks_.size() * (system_.device.backend == Backend::cuda ? 4e11 : 1e9);
    const double of_sweep =
        static_cast<double>(system_.sites.count) * static_cast<double>(layout_.replicas());
    return std::clamp(static_cast<Index>(updates / of_sweep), Index{10}, Index{1000});
  }
  bool tune(Index sweeps) override {
    run(sweeps);
    return true;
  }
  void reset_acceptance() override {}
  std::vector<SamplerNumber> sampler_numbers() const override { return {}; }

  Pending rungs() const override {
    const auto rungs = own(ladders_.rungs(), layout_.rungs);
    return Pending({rungs.begin(), rungs.end()});
  }
  std::vector<Pending> begin_measuring() const override {
    const ising::BitSamples::Sums sums = ladders_.samples().sums();
    const auto N = static_cast<double>(system_.sites.count);
    const double J = ladders_.samples().coupling();
    std::vector<double> energy, order;
    for (const std::int64_t sum : own_by_replica(sums.bonds))
      energy.push_back(-J * static_cast<double>(sum) / N);
    for (const std::int64_t sum : own_by_replica(sums.spins))
      order.push_back(static_cast<double>(sum) / N);
    std::vector<Pending> parts;
    parts.emplace_back(std::move(energy));
    parts.emplace_back(std::move(order));
    return parts;
  }
  EnsembleSample finish_measuring(std::vector<std::vector<double>> numbers) const override {
    return {std::move(numbers[0]), std::move(numbers[1])};
  }

  io::DataArray configuration(Index replica) const override {
    const ising::SamplePlace place = ladders_.place_of(before_ * layout_.rungs + replica);
    return ladders_.samples().spins(place.word, place.sample);
  }

  tempering::ExchangeCounts counts() const override {
    const ising::LadderExchangeCounts here = ladders_.counts();
    tempering::ExchangeCounts counts;
    counts.proposed = here.proposed;
    const auto all = [&](const std::vector<std::int64_t>& counted, Index of_ladder) {
      const std::vector<std::int64_t> of_own = own(counted, of_ladder);
      return ranks_.all_gathered({of_own.begin(), of_own.end()}, ladders_of(ranks_, layout_.rungs),
                                 of_ladder);
    };
    counts.accepted = all(here.accepted, layout_.rungs - 1);
    counts.from_first = all(here.from_first, layout_.rungs);
    counts.from_last = all(here.from_last, layout_.rungs);
    counts.round_trips = all(here.round_trips, layout_.rungs);
    return counts;
  }
  void reset_counts() override { ladders_.reset_counts(); }

  void prepare_next_stage() override { ladders_.move_to_rungs(); }
  void save(StageMemory& memory) const override {
    const ising::SampleLadderState state = ladders_.state();
    const auto keep = [&](const std::string& name, const auto& of_places) {
      const auto of_replicas = own_by_replica(of_places);
      memory.numbers["ladders_" + name] =
          ranks_.gathered({of_replicas.begin(), of_replicas.end()}, ranks_.replicas());
    };
    keep("rungs", state.rungs);
    keep("labels", state.labels);
    keep("accepted", state.accepted);
    keep("from_first", state.from_first);
    keep("from_last", state.from_last);
    keep("round_trips", state.round_trips);
    memory.integers["ladders_counted"] = {sweeps_, static_cast<Index>(state.proposals),
                                          static_cast<Index>(state.proposals_at_reset)};
  }
  void load(const StageMemory& memory, const std::vector<double>& values) override {
    ising::SampleLadderState state = ladders_.state();
    const auto take = [&]<class T>(const std::string& name, std::vector<T>& of_places) {
      const std::vector<double> saved =
          ranks_.own_of(memory.number("ladders_" + name), ranks_.replicas());
      // Samples of other processes, and unused ones, keep their initial values.
      std::vector<T> of_replicas = ladders_.by_replica(of_places);
      std::transform(saved.begin(), saved.end(), of_replicas.begin() + before_ * layout_.rungs,
                     [](double number) { return static_cast<T>(number); });
      of_places = ladders_.by_place(of_replicas);
    };
    take("rungs", state.rungs);
    take("labels", state.labels);
    take("accepted", state.accepted);
    take("from_first", state.from_first);
    take("from_last", state.from_last);
    take("round_trips", state.round_trips);
    const std::vector<Index>& counted = memory.integer("ladders_counted");
    sweeps_ = counted.at(0);
    state.proposals = static_cast<std::uint64_t>(counted.at(1));
    state.proposals_at_reset = static_cast<std::uint64_t>(counted.at(2));
    ladders_.set_state(state);
    ladders_.set_ladder(values);
  }

 private:
  /// The process's part of numbers that the ladders in words have. @param each count for a ladder
  template <class T>
  std::vector<T> own(const std::vector<T>& of_ladders, Index each) const {
    const auto begin = of_ladders.begin() + before_ * each;
    return {begin, begin + system_.replicas.count / layout_.rungs * each};
  }
  /// @param of_places in the order of SampleLadders
  template <class T>
  std::vector<T> own_by_replica(const std::vector<T>& of_places) const {
    return own(ladders_.by_replica(of_places), layout_.rungs);
  }

  DiscreteSystem& system_;
  const Ranks& ranks_;
  OrderParameter order_;
  tempering::LadderLayout layout_;  ///< that of all processes
  Index exchange_every_;
  ising::SampleLadders& ladders_;
  Index before_;  ///< ladders of samples of other processes, before the first of this one
  Index sweeps_ = 0;
};

}  // namespace

std::string reason_against_as_samples(const Study& study, bool moves_isoenergetically) {
  const DiscreteTables& tables = discrete_tables(study);
  const DiscreteSites& sites = sites_of(tables);
  if (tables.field.h != 0) return "there is a field";
  if (moves_isoenergetically) return "there are isoenergetic moves";
  if (sites.count > ising::most_sites_of_sample) return "there are more than 2^24 sites";
  return reason_against_samples(tables, sites);
}

void require_whole_ladders(const Ranks& ranks, const tempering::LadderLayout& layout,
                           const SourcePosition& where) {
  if (ranks.all(has_whole_samples(ranks, layout))) return;
  throw InputError("ranks = " + std::to_string(ranks.size()) +
                       " would split the copies and rungs of a sample, which are in one word",
                   where, std::string(whole_samples_remedy) + ", or engine = \"general\"");
}

std::unique_ptr<LadderEngine> make_sample_ladders(const Simulation& simulation,
                                                  const LadderPlan& plan, ising::Rule rule) {
  return std::make_unique<SampleLadderEngine>(simulation, plan, rule);
}

StageBytes bytes_of_sample_ladders(const DiscreteTables& tables, const DiscreteSites& sites,
                                   Index replicas, Index of_sample) {
  // At most one word at either end is only partly filled by samples.
  const Index filled =
      (ising::words_of_samples(0, replicas / of_sample, 0).count + 1) * ising::samples_of_word;
  const double spins =
      static_cast<double>(sites.count) / 8 * static_cast<double>(filled * of_sample);
  // The states with a byte for each site, which are converted into words.
  StageBytes bytes = bytes_beside_bits(tables, sites, replicas);
  // The device has the spins twice, at most a word of bond signs for each word and axis, parameters
  // of replicas, and counts.
  bytes.device += (2 + static_cast<double>(std::ssize(sites.grid.lengths))) * spins +
                  81.0 * static_cast<double>(filled * of_sample);
  bytes.host += 10 * spins + 3 * 8 * count_bonds(tables, sites);
  return bytes;
}

}  // namespace larmor::study
