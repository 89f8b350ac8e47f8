#include "larmor/study/tempering/tempering.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/core/maths/vectors.hpp"
#include "larmor/study/measurements/ladder_measurement.hpp"
#include "larmor/study/measurements/measurements.hpp"
#include "larmor/study/sampling/monte_carlo.hpp"
#include "larmor/study/stages/configurations.hpp"
#include "larmor/study/tempering/ensemble_ladder.hpp"
#include "larmor/study/tempering/ladder_report.hpp"

namespace larmor::study {
namespace {

/// Further rounds of tuning after the thermalisation. After these rounds the stage accepts a
/// sampler with a low acceptance.
constexpr Index most_extra_rounds = 200;

TemperingKeys checked(const TemperingKeys& keys) {
  if (keys.direction && !keys.field)
    throw InputError("direction belongs to a ladder of fields", keys.where.of("direction"),
                     "give field = { from, to, points }, or remove direction");
  return keys;
}

/// The temperature that all rungs of a ladder of fields have.
double temperature_of_all_rungs(const Value& value, const ReadContext& context) {
  const std::string key = "temperature";
  if (value.is_table() || value.is_array())
    throw InputError("temperature and field are both ladders; only one of them may be a ladder",
                     value.where(), "give one temperature for all fields, or leave field out");
  const auto temperature = read_value<double>(value, key, Dimension::temperature, context);
  if (!(temperature > 0))
    throw InputError("temperature must be positive, but is " + number_text(temperature),
                     value.where(), "give a positive temperature");
  return temperature;
}

LadderMeasurement& as_on_ladder(Measurement& measurement) {
  return dynamic_cast<LadderMeasurement&>(measurement);
}

}  // namespace

std::optional<Index> replicas_of_ladders(const TemperingKeys& keys, Dimension field_dimension,
                                         const ReadContext& context) {
  const LadderChoice ladder = keys.field ? field_ladder(*keys.field, field_dimension, context)
                                         : temperature_ladder(keys.temperature, context);
  const std::optional<Index> rungs =
      ladder.values.empty() ? ladder.points : std::optional<Index>(std::ssize(ladder.values));
  if (!rungs) return {};
  const Index copies = keys.copies.value_or(1);
  constexpr Index most = std::numeric_limits<Index>::max();
  // The number is refused later if it is too large.
  return *rungs > 0 && copies > most / *rungs ? most : *rungs * copies;
}

MeasureContext measure_context(const TemperingKeys& keys, const ReadContext& context) {
  MeasureContext course = measured_sweeps(keys.kind, keys.sweeps, *keys.measure_every, keys.where,
                                          context, keys.sweep_name);
  course.differs_in_field = keys.field.has_value();
  return course;
}

TemperingStage::TemperingStage(const TemperingKeys& keys, std::unique_ptr<SamplerChoice> sampler,
                               Measurements others, LadderOfStudy ladder_of_study,
                               Dimension field_dimension, const ReadContext& context)
    : keys_(checked(keys)),
      sampler_(std::move(sampler)),
      others_(std::move(others)),
      on_ladder_(others_.take_out<LadderMeasurement>()),
      ladder_of_study_(std::move(ladder_of_study)),
      context_(context) {
  require_configuration_series(others_, keys_.kind, "rung by rung", keys_.where.of("measure"));
  if (ladder_of_study_) return;
  if (keys_.field) {
    temperature_ = temperature_of_all_rungs(keys_.temperature, context);
    own_ladder_ = field_ladder(*keys_.field, field_dimension, context);
  } else {
    own_ladder_ = temperature_ladder(keys_.temperature, context);
  }
  if (!own_ladder_->is_tuned()) return;
  const auto fault =
      tempering::fault_of_length(own_ladder_->spacing, keys_.thermalisation / keys_.exchange_every);
  if (fault)
    throw InputError(fault->problem, keys_.where.of({"thermalisation", own_ladder_->key}),
                     fault->remedy);
}

LadderChoice TemperingStage::choice_for(const Study& study) const {
  return own_ladder_ ? *own_ladder_ : ladder_of_study_(study);
}

tempering::LadderLayout TemperingStage::layout_for(const Study& study) const {
  return layout_of(choice_for(study), keys_.copies, keys_.where.of("copies"), study.replicas,
                   study.samples.value_or(1));
}

LadderPlan TemperingStage::plan_for(const Study& study) const {
  LadderPlan plan{layout_for(study), keys_.exchange_every, keys_.isoenergetic_every};
  if (temperature_)
    plan.fields = FieldRungs{context_.constants.k_B * *temperature_,
                             own_ladder_->ladder(plan.layout.rungs), own_ladder_->is_tuned(),
                             unit_vector(keys_.direction.value_or(Vec3<double>{0, 0, 1}))};
  return plan;
}

double TemperingStage::updates_per_site() const {
  return static_cast<double>(keys_.thermalisation + keys_.sweeps) * sampler_->updates_per_sweep();
}

std::string TemperingStage::plan() const {
  const std::string ladder = !own_ladder_   ? "ladder of couplings"
                             : temperature_ ? "fields: " + own_ladder_->description() +
                                                  ", temperature " + number_text(*temperature_)
                                            : "temperatures: " + own_ladder_->description();
  return ladder + ", " + std::to_string(keys_.thermalisation) + " + " +
         std::to_string(keys_.sweeps) + " " + keys_.sweep_name + " (" + sampler_->description() +
         "), exchanged every " + std::to_string(keys_.exchange_every) + ", measured every " +
         std::to_string(*keys_.measure_every);
}

void TemperingStage::validate(const Sizing& sizing) const {
  sampler_->validate(sizing);
  others_.validate(sizing);
  on_ladder_.validate(sizing);
  const tempering::LadderLayout layout = layout_for(sizing.study);
  if (!keys_.isoenergetic_every) return;
  if (!sampler_->moves_isoenergetically())
    throw InputError(
        "isoenergetic moves swap states of Ising or Potts spins, and the study has no such spins",
        keys_.where.of("isoenergetic_every"), "leave isoenergetic_every out");
  if (layout.copies < 2)
    throw InputError("isoenergetic moves need two copies of a sample, but there is only one copy",
                     keys_.where.of("isoenergetic_every"),
                     "give twice the replicas, or leave isoenergetic_every out");
}

void TemperingStage::require_beginning(const Simulation& simulation, bool) const {
  const LadderPlan plan = plan_for(simulation.study);
  if (plan.isoenergetic_every) require_whole_samples(simulation.ranks, plan.layout);
  sampler_->require_ladder(simulation, plan);
  if (!simulation.system.replicas_differ() || simulation.study.samples) return;
  throw InputError("each replica has a disorder of its own, so replicas cannot be exchanged",
                   keys_.where.of("kind"),
                   "set `samples` at the top of the study to the number of disorder samples that "
                   "the replicas share");
}

StageBytes TemperingStage::forecast(const Sizing& sizing) const {
  StageBytes bytes = sampler_->forecast(sizing);
  bytes += on_ladder_.forecast(sizing);
  Index numbers = 0;
  for (const SeriesMeasurement* const measurement : series_of(others_))
    numbers += measurement->numbers(sizing);
  bytes.host += RungSamples::bytes(layout_for(sizing.study), sampler_->order_components(sizing),
                                   numbers, keys_.sweeps / *keys_.measure_every + 1);
  if (keeps_lowest_states())
    bytes.host += LowestStates::bytes(layout_for(sizing.study), sizing.system.configuration_bytes);
  // At the end, states move between replicas: they are saved, and loaded from a copy.
  bytes.host_of_all_replicas +=
      sizing.system.configuration_bytes * static_cast<double>(sizing.all_replicas);
  return bytes;
}

double TemperingStage::seconds_per_update(Simulation& simulation) {
  prepare(simulation);
  const Device& device = simulation.system.device;
  // A whole number of exchanges.
  const Index sweeps = keys_.exchange_every;
  const double of_sweep =
      seconds_of_one(device, [&] { engine_->run(sweeps); }) / static_cast<double>(sweeps);
  const double of_measuring = seconds_of_one(device, [&] { measure_once(simulation); });
  const double measured =
      static_cast<double>(keys_.sweeps) / static_cast<double>(keys_.thermalisation + keys_.sweeps);
  const double of_others = others_.seconds_per_step(simulation, keys_.sweeps, *keys_.measure_every,
                                                    Measurements::Tried::samples);
  return (of_sweep +
          measured * (of_measuring / static_cast<double>(*keys_.measure_every) + of_others)) /
         sampler_->updates_per_sweep();
}

void TemperingStage::measure_once(const Simulation& simulation) {
  ResultsGroup nowhere(nullptr, "");
  std::vector<std::vector<double>> numbers;
  for (Pending& part : engine_->begin_measuring()) numbers.push_back(part.take());
  const EnsembleSample sample = engine_->finish_measuring(std::move(numbers));
  const RungSnapshot now{engine_->rungs().take(), sample.energy, thermal_energies()};
  for (const auto& measurement : on_ladder_.all())
    as_on_ladder(*measurement).begin(simulation, {0, 0, keys_.sweep_name}, queue_, nowhere)(now);
  finish_measurements();
}

void TemperingStage::prepare(Simulation& simulation) {
  ranks_ = &simulation.ranks;
  choice_ = choice_for(simulation.study);
  layout_ = layout_for(simulation.study);
  others_.prepare(simulation);
  for (const auto& measurement : on_ladder_.all())
    as_on_ladder(*measurement).prepare_ladder(simulation, layout_);
  const LadderPlan plan = plan_for(simulation.study);
  engine_ = sampler_->make_ladder(simulation, plan);
  if (engine_ == nullptr)
    engine_ = std::make_unique<EnsembleLadder>(
        simulation,
        plan.fields ? sampler_->make_at_fields(simulation, *plan.fields)
                    : sampler_->make(simulation),
        plan);
  queue_ = MeasurementQueue(simulation.study.device.queue_bytes());
  std::vector<RungQuantity> quantities;
  for (const SeriesMeasurement* const measurement : series_of(others_))
    for (const Observable& observable : measurement->known())
      quantities.push_back({observable.name, observable.unit, observable.components});
  samples_.begin(layout_, engine_->order_parameter(), engine_->energy_name(),
                 inner_unit(Dimension::energy, context_.units), quantities, keys_.keep_series,
                 simulation.system.device.host_threads());
  if (keeps_lowest_states()) lowest_.begin(layout_, *ranks_);
  ladder_ = choice_.ladder(layout_.rungs);
  tuning_.reset();
  if (choice_.is_tuned())
    tuning_.emplace(ladder_, choice_.scale, choice_.spacing,
                    keys_.thermalisation / keys_.exchange_every);
  engine_->set_ladder(engine_values());
}

void TemperingStage::require_whole_samples(const Ranks& ranks,
                                           const tempering::LadderLayout& layout) const {
  if (ranks.all(has_whole_samples(ranks, layout))) return;
  throw InputError(
      "ranks = " + std::to_string(ranks.size()) +
          " share the copies of a sample, but isoenergetic moves need these copies on one rank",
      keys_.where.of("isoenergetic_every"), whole_samples_remedy);
}

std::vector<double> TemperingStage::engine_values() const {
  const bool are_temperatures = own_ladder_ && !temperature_;
  return are_temperatures ? thermal_energies() : ladder_;
}

std::vector<double> TemperingStage::thermal_energies() const {
  if (!own_ladder_) return {};
  std::vector<double> values = ladder_;
  for (double& value : values) value = context_.constants.k_B * temperature_.value_or(value);
  return values;
}

StageProgress TemperingStage::advance(Simulation& simulation, ResultsGroup& results) {
  const Index sweeps = frozen_ ? sample(simulation, results) : thermalise(results);
  const double updates = static_cast<double>(sweeps) * sampler_->updates_per_sweep();
  return {updates * static_cast<double>(simulation.system.size().movable) *
              static_cast<double>(simulation.study.replicas),
          frozen_ && sweeps_done_ == keys_.sweeps, sweeps};
}

std::optional<StagePlace> TemperingStage::place() const {
  const Index done =
      frozen_ ? keys_.thermalisation + sweeps_done_ : std::min(sweeps_done_, keys_.thermalisation);
  return StagePlace{done, std::nullopt, ""};
}

Index TemperingStage::thermalise(ResultsGroup& results) {
  if (keys_.thermalisation == 0) {
    freeze(results);
    return 0;
  }
  const bool extra = sweeps_done_ >= keys_.thermalisation;
  const Index most = engine_->tuning_round();
  const Index round = extra ? most : std::min(most, next_of_tuning() - sweeps_done_);
  const bool accepts_enough = ranks_->all(engine_->tune(round));
  sweeps_done_ += round;
  if (extra) ++extra_rounds_;
  if (sweeps_done_ == next_of_tuning()) go_on_tuning();
  if (sweeps_done_ >= keys_.thermalisation &&
      (accepts_enough || extra_rounds_ >= most_extra_rounds))
    freeze(results);
  return extra ? 0 : round;
}

Index TemperingStage::next_of_tuning() const {
  const auto round = tuning_ ? tuning_->round() : std::nullopt;
  if (!round) return keys_.thermalisation;
  return round_begin_ +
         keys_.exchange_every * (round->settling + (is_counting_ ? round->counted : 0));
}

void TemperingStage::go_on_tuning() {
  if (!tuning_ || !tuning_->round()) return;
  if (is_counting_) {
    const tempering::ExchangeCounts counts = engine_->counts();
    tried_.insert(tried_.end(), ladder_.begin(), ladder_.end());
    tuning_->end_round(
        rates_of(counts, layout_.rungs, layout_.ladders()),
        tempering::flow_counts(ladder_counts(counts, ladder_, layout_.ladders(), 0)));
    ladder_ = tuning_->ladder();
    engine_->set_ladder(engine_values());
    round_begin_ = sweeps_done_;
  }
  is_counting_ = !is_counting_;
  engine_->reset_counts();
}

void TemperingStage::freeze(ResultsGroup& results) {
  if (choice_.is_tuned()) {
    const auto fault = tempering::unconnected_pair(
        ladder_, choice_.scale, rates_of(engine_->counts(), layout_.rungs, layout_.ladders()),
        choice_.key);
    if (fault) throw InputError(fault->problem, choice_.where, fault->remedy);
  }
  frozen_ = true;
  sweeps_done_ = 0;
  engine_->reset_counts();
  engine_->reset_acceptance();
  results.append(choice_.key, ladder_, {}, inner_unit(choice_.dimension, context_.units));
  // FORMAT: replica r of series is at rung r modulo this number.
  results.set_attribute("", "rungs", layout_.rungs);
}

Index TemperingStage::sample(Simulation& simulation, ResultsGroup& results) {
  const Index every = *keys_.measure_every;
  const Index stop = std::min((sweeps_done_ / every + 1) * every, keys_.sweeps);
  const Index round = stop - sweeps_done_;
  engine_->run(round);
  sweeps_done_ = stop;
  measure(simulation, results);
  record_lowest_states();
  const Index taken = (sweeps_done_ + every - 1) / every;
  const bool last = sweeps_done_ == keys_.sweeps;
  if (taken % RungSamples::block == 0 || last) {
    finish_measurements();
    samples_.gather(*ranks_, results);
  }
  if (last) write_averages(simulation, results);
  return round;
}

void TemperingStage::measure(const Simulation& simulation, ResultsGroup& results) {
  std::vector<Pending> parts = engine_->begin_measuring();
  const std::size_t of_engine = parts.size();
  std::vector<std::size_t> counts;
  for (SeriesMeasurement* const measurement : series_of(others_)) {
    std::vector<Pending> more = measurement->begin(simulation);
    counts.push_back(more.size());
    for (Pending& part : more) parts.push_back(std::move(part));
  }
  parts.push_back(engine_->rungs());
  std::vector<std::function<void(const RungSnapshot&)>> on_ladder;
  const auto sweep = static_cast<double>(sweeps_done_);
  for (const auto& measurement : on_ladder_.all())
    on_ladder.push_back(
        as_on_ladder(*measurement)
            .begin(simulation, {sweeps_done_, sweep, keys_.sweep_name}, queue_, results));
  queue_.push(std::move(parts), [this, simulation, of_engine, counts, on_ladder,
                                 step = static_cast<double>(sweeps_done_)](
                                    std::vector<std::vector<double>> numbers) {
    RungSample sample;
    sample.rungs = std::move(numbers.back());
    auto next = numbers.begin();
    const auto some = [&](std::size_t count) {
      std::vector<std::vector<double>> taken(std::make_move_iterator(next),
                                             std::make_move_iterator(next + Index(count)));
      next += Index(count);
      return taken;
    };
    EnsembleSample measured = engine_->finish_measuring(some(of_engine));
    require_finite_energies(simulation, measured.energy);
    // A field of the rungs adds to the energies of the Hamiltonian, so no k_B T is given for such
    // rungs.
    const RungSnapshot now{sample.rungs, measured.energy,
                           temperature_ ? std::vector<double>() : thermal_energies()};
    for (const auto& finish : on_ladder) finish(now);
    if (lowest_.is_enabled()) {
      energies_now_ = measured.energy;
      rungs_now_ = sample.rungs;
    }
    sample.values = {std::move(measured.energy), std::move(measured.order)};
    std::size_t n = 0;
    for (const SeriesMeasurement* const measurement : series_of(others_))
      for (std::vector<double>& values : measurement->finish(simulation, some(counts[n++])))
        sample.values.push_back(std::move(values));
    samples_.add(step, std::move(sample));
  });
}

bool TemperingStage::keeps_lowest_states() const {
  return keys_.keep_configurations > 0 && own_ladder_ && !temperature_;
}

void TemperingStage::record_lowest_states() {
  if (!lowest_.is_enabled()) return;
  // The states belong to the energies until the next sweep begins.
  finish_measurements();
  lowest_.record(energies_now_, rungs_now_, sweeps_done_,
                 [&](Index replica) { return engine_->configuration(replica); });
}

void TemperingStage::write_averages(const Simulation& simulation, ResultsGroup& results) {
  const std::vector<double> kT = thermal_energies();
  std::vector<SamplerNumber> of_sampler = engine_->sampler_numbers();
  const std::vector<double> rungs =
      ranks_->all_gathered(engine_->rungs().take(), ranks_->replicas());
  for (SamplerNumber& number : of_sampler)
    number.values = ranks_->all_gathered(number.values, ranks_->replicas());
  std::vector<ThermalUnits> units;
  for (std::size_t rung = 0; rung < ladder_.size(); ++rung)
    units.push_back({kT.empty() ? context_.constants.k_B : kT[rung],
                     simulation.system.size().movable, samples_.of_sample(),
                     inner_unit(Dimension::energy, context_.units)});
  const std::vector<std::vector<NamedEstimate>> averages = samples_.averages(units);
  for (Index rung = 0; rung < layout_.rungs; ++rung) {
    for (const NamedEstimate& average : averages[static_cast<std::size_t>(rung)])
      append_estimate(results, average.name, average.estimate, average.unit);
    std::size_t first = 0;
    for (const SeriesMeasurement* const measurement : series_of(others_)) {
      const std::size_t count = measurement->known().size();
      if (ranks_->is_root())
        measurement->write_derived(simulation, samples_.blocks_of(rung, first, count), results);
      first += count;
    }
    for (const SamplerNumber& number : of_sampler) {
      std::vector<double> own;
      for (std::size_t r = 0; r < rungs.size(); ++r)
        if (rungs[r] == static_cast<double>(rung)) own.push_back(number.values[r]);
      append_estimate(results, number.name, estimate_independent(own), number.unit);
    }
  }
  on_ladder_.write(simulation, std::nullopt, results);
  const std::string lowest =
      lowest_.write(*ranks_, ladder_, inner_unit(choice_.dimension, context_.units),
                    inner_unit(Dimension::energy, context_.units), results);
  const tempering::LadderCounts counts = ladder_counts(
      engine_->counts(), ladder_, layout_.ladders(), static_cast<double>(keys_.sweeps));
  write_ladder_report(counts, choice_.key, tried_, results);
  const std::string sweep = keys_.sweep_name.substr(0, keys_.sweep_name.size() - 1);
  note_ = note_of_ladder(counts, choice_.key, sweep);
  if (!lowest.empty()) note_ += (note_.empty() ? "" : "\n") + lowest;
}

void TemperingStage::finish(Simulation& simulation, ResultsGroup& results) {
  engine_->prepare_next_stage();
  write_configurations(simulation, keys_.keep_configurations, results);
  const Index kept = std::min(keys_.keep_configurations, layout_.replicas());
  std::vector<double> rungs;
  for (Index replica = 0; replica < kept; ++replica)
    rungs.push_back(static_cast<double>(layout_.first_rung(replica)));
  if (kept > 0) results.write("configuration_rung", std::move(rungs), {kept}, "");
}

std::vector<std::pair<std::string, std::string>> TemperingStage::latest() const {
  if (!frozen_) return {};
  const std::vector<double> energies = samples_.energies();
  if (energies.empty()) return {};
  char text[64];
  std::snprintf(text, sizeof(text), "%.4g .. %.4g", energies.front(), energies.back());
  return {{engine_->energy_name().name, text}};
}

StageMemory TemperingStage::save() const {
  StageMemory memory;
  engine_->save(memory);
  samples_.save(memory, *ranks_);
  lowest_.save(memory, *ranks_);
  on_ladder_.save(memory, *ranks_);
  memory.numbers["ladder"] = ladder_;
  memory.numbers["ladders_tried"] = tried_;
  memory.integers["phase"] = {frozen_ ? 1 : 0, sweeps_done_, extra_rounds_, round_begin_,
                              is_counting_ ? 1 : 0};
  if (!tuning_) return memory;
  const tempering::LadderTuning::State& tuning = tuning_->state();
  memory.numbers["tuning_ladder"] = tuning.ladder;
  memory.numbers["tuning_best"] = tuning.best;
  memory.numbers["tuning_best_rate"] = {tuning.best_rate};
  memory.integers["tuning_round"] = {tuning.round};
  return memory;
}

void TemperingStage::load(const StageMemory& memory) {
  ladder_ = memory.number("ladder");
  tried_ = memory.number("ladders_tried");
  const std::vector<Index>& phase = memory.integer("phase");
  frozen_ = phase.at(0) != 0;
  sweeps_done_ = phase.at(1);
  extra_rounds_ = phase.at(2);
  round_begin_ = phase.at(3);
  is_counting_ = phase.at(4) != 0;
  if (tuning_)
    tuning_->load({memory.number("tuning_ladder"), memory.number("tuning_best"),
                   memory.number("tuning_best_rate").at(0), memory.integer("tuning_round").at(0)});
  engine_->load(memory, engine_values());
  samples_.load(memory, *ranks_);
  lowest_.load(memory, *ranks_);
  on_ladder_.load(memory, *ranks_);
}

}  // namespace larmor::study
