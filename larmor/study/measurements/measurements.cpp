#include "larmor/study/measurements/measurements.hpp"

#include "larmor/core/text.hpp"
#include "larmor/study/stages/configurations.hpp"

namespace larmor::study {
namespace {

/// FORMAT: prefix of the names of a measurement's blocks. Several measurements of a stage use equal
/// names, so each has a prefix of its own.
std::string prefix_of(std::size_t n) { return "measured_" + std::to_string(n) + "_"; }

template <class Entries>
void add_prefixed(const Entries& own, const std::string& prefix, Entries& all) {
  for (const auto& [name, values] : own) all[prefix + name] = values;
}

template <class Entries>
void read_prefixed(const Entries& all, const std::string& prefix, Entries& own) {
  for (const auto& [name, values] : all)
    if (name.starts_with(prefix)) own[name.substr(prefix.size())] = values;
}

}  // namespace

std::string Measurements::plan() const {
  std::string words;
  for (const auto& m : all_)
    if (m->every()) words += ", " + m->name() + " every " + std::to_string(*m->every());
  return words;
}

bool Measurements::reads_tables() const {
  return std::any_of(all_.begin(), all_.end(), [](const auto& m) { return m->reads_tables(); });
}

void Measurements::validate(const Sizing& sizing) const {
  for (const auto& m : all_) m->validate(sizing);
}

StageBytes Measurements::forecast(const Sizing& sizing) const {
  StageBytes bytes;
  for (const auto& m : all_) bytes += m->forecast(sizing);
  return bytes;
}

void Measurements::prepare(const Simulation& simulation) {
  for (const auto& m : all_) m->prepare(simulation);
}

namespace {

/// Takes a sample and writes nothing.
void sample_once(Measurement& measurement, const Simulation& simulation) {
  MeasurementQueue queue;
  ResultsGroup nowhere(nullptr, "");
  measurement.sample(simulation, {0, 0, ""}, queue, nowhere);
  queue.drain();
}

}  // namespace

double Measurements::seconds_per_step(const Simulation& simulation, Index steps, Index stage_every,
                                      Tried tried) {
  double seconds = 0;
  for (const auto& m : all_) {
    const Index shares = m->try_share(simulation);
    if (shares == 0 && tried == Tried::shares) continue;
    const double of_share = seconds_of_one(simulation.system.device, [&] {
      if (m->try_share(simulation) == 0) sample_once(*m, simulation);
    });
    const Index samples = steps / m->every().value_or(stage_every) + 1;
    seconds += of_share * static_cast<double>(std::max<Index>(shares, 1) * samples) /
               static_cast<double>(steps);
  }
  return seconds;
}

void Measurements::sample_with_stage(const Simulation& simulation, const Instant& now,
                                     MeasurementQueue& queue, ResultsGroup& results) {
  for (const auto& m : all_)
    if (!m->every()) m->sample(simulation, now, queue, results);
}

void Measurements::join_samples() {
  for (const auto& m : all_) m->join_samples();
}

double Measurements::kept_bytes() const {
  double bytes = 0;
  for (const auto& m : all_) bytes += m->kept_bytes();
  return bytes;
}

void Measurements::store(const std::optional<Index>& point, ResultsGroup& results) {
  for (const auto& m : all_) m->store(point, results);
}

void Measurements::free_stored() {
  for (const auto& m : all_) m->free_stored();
}

void Measurements::write(const Simulation& simulation, const std::optional<MeasuredPoint>& point,
                         ResultsGroup& results) {
  for (const auto& m : all_) m->write(simulation, point, results);
}

std::string Measurements::note() const {
  std::string notes;
  for (const auto& m : all_) add_note(notes, m->note());
  return notes;
}

void Measurements::save(StageMemory& memory, const Ranks& ranks) const {
  for (std::size_t n = 0; n < all_.size(); ++n) {
    StageMemory own;
    all_[n]->save(own, ranks);
    add_prefixed(own.numbers, prefix_of(n), memory.numbers);
    add_prefixed(own.integers, prefix_of(n), memory.integers);
  }
}

void Measurements::load(const StageMemory& memory, const Ranks& ranks) {
  for (std::size_t n = 0; n < all_.size(); ++n) {
    StageMemory own;
    read_prefixed(memory.numbers, prefix_of(n), own.numbers);
    read_prefixed(memory.integers, prefix_of(n), own.integers);
    all_[n]->load(own, ranks);
  }
}

void require_configuration_series(const Measurements& measurements, const std::string& stage,
                                  const std::string& how, const SourcePosition& where) {
  for (const auto& measurement : measurements.all()) {
    const auto* const series = dynamic_cast<const SeriesMeasurement*>(measurement.get());
    if (series != nullptr && series->of_configurations() && !measurement->every()) continue;
    throw InputError(stage + " cannot measure " + measurement->name() +
                         (measurement->every() ? " at times of its own" : " " + how),
                     where,
                     measurement->every()
                         ? "leave the key `every` of this measurement out"
                         : "put this measurement into a monte-carlo stage that follows");
  }
}

std::vector<SeriesMeasurement*> series_of(const Measurements& measurements) {
  std::vector<SeriesMeasurement*> all;
  for (const auto& measurement : measurements.all())
    all.push_back(dynamic_cast<SeriesMeasurement*>(measurement.get()));
  return all;
}

}  // namespace larmor::study
