#include "larmor/study/models/spins/measurements/sampled_structure_factor.hpp"

#include "larmor/core/error.hpp"
#include "larmor/study/models/spins/measurements/correlation_keys.hpp"
#include "larmor/study/models/spins/measurements/correlation_results.hpp"

namespace larmor::study {
namespace {

SampledStructureFactorTable with_rhythm(SampledStructureFactorTable table, Index every) {
  table.every = table.every.value_or(every);
  return table;
}

}  // namespace

FieldTable<SampledStructureFactorTable> SampledStructureFactorTable::fields() {
  using Table = SampledStructureFactorTable;
  FieldTable<Table> table;
  table.required("what", &Table::what, Dimension::none, "what is measured")
      .one_of({SampledStructureFactor::name})
      .selects_keys()
      .optional("every", &Table::every, Dimension::none,
                "sweeps between samples. The default is measure_every")
      .at_least(1);
  return add_wave_vector_fields(table)
      .optional("method", &Table::method, Dimension::none,
                "sum with factorised phases, or FFT on lattices")
      .one_of({"auto", "factorised", "fft"})
      .optional("components", &Table::components, Dimension::none,
                "if true, also stores all components S^ab of spin, in addition to the sum S^xx + "
                "S^yy + S^zz")
      .optional(
          "connected", &Table::connected, Dimension::none,
          "for each pair of different replicas, multiplies the means of both over samples, and "
          "subtracts the average of these products. This needs two replicas, and three for errors");
}

SampledStructureFactor::SampledStructureFactor(const Table& table, const MeasureContext& context)
    : Measurement(name, complete(with_rhythm(table, context.every), context.read),
                  table.every.value_or(context.every)),
      table_(with_rhythm(table, context.every)),
      read_(context.read),
      sweeps_(context.steps),
      label_(numbered_name(name, context.number)) {
  require_one_choice(table_, name, table_.where);
}

correlations::StaticSettings SampledStructureFactor::settings(const correlations::QList& q,
                                                              Index replicas) const {
  return {q.size(), replicas, table_.components, table_.connected};
}

void SampledStructureFactor::validate(const Sizing& sizing) const {
  const lattice::Geometry& geometry = *sizing.system.geometry;
  const correlations::QList q = wave_vectors_of(geometry, table_, table_.where);
  with_position(table_.where.of("method"), [&] {
    correlations::make_transform(geometry, q, correlations::method_by_name(table_.method));
  });
  if (!table_.connected) return;
  require_several_replicas(sizing.study, table_.where.of("connected"));
  require_replicas_alike(sizing.study, geometry, table_.where.of("connected"));
}

StageBytes SampledStructureFactor::forecast(const Sizing& sizing) const {
  const lattice::Geometry& geometry = *sizing.system.geometry;
  const correlations::QList q = wave_vectors_of(geometry, table_, table_.where);
  // Memory has the amplitudes of a sample, the results, and a copy of the results.
  const auto of_q = static_cast<double>(6 * sizing.replicas + 2 * (table_.components ? 40 : 4));
  StageBytes bytes;
  bytes.host = correlations::StaticStructureFactor::bytes(settings(q, sizing.replicas),
                                                          sweeps_ / *table_.every) +
               8 * static_cast<double>(q.size()) * of_q;
  bytes.device = correlations::StateAmplitudes::bytes(
      geometry, q, correlations::method_by_name(table_.method),
      {0, sizing.replicas, sizing.all_replicas}, sizing.device);
  return bytes;
}

void SampledStructureFactor::prepare(const Simulation& simulation) {
  const lattice::Geometry& geometry = spins_of(simulation).geometry;
  const ReplicaShare& replicas = simulation.ranks.share();
  q_ = wave_vectors_of(geometry, table_, table_.where);
  amplitudes_ = std::make_unique<correlations::StateAmplitudes>(
      geometry, q_, correlations::method_by_name(table_.method), replicas);
  sums_ = std::make_unique<correlations::StaticStructureFactor>(settings(q_, replicas.count));
}

Index SampledStructureFactor::try_share(const Simulation& simulation) {
  sums_->add(amplitudes_->transform(spins_of(simulation).state).take(),
             simulation.system.device.threads);
  sums_->clear();
  return 1;
}

void SampledStructureFactor::sample(const Simulation& simulation, const Instant&,
                                    MeasurementQueue& queue, ResultsGroup&) {
  std::vector<Pending> parts;
  parts.push_back(amplitudes_->transform(spins_of(simulation).state));
  queue.push(std::move(parts), [this, threads = simulation.system.device.threads](
                                   const std::vector<std::vector<double>>& numbers) {
    sums_->add(numbers[0], threads);
  });
}

/// The result for all replicas, on the root.
correlations::StaticResult SampledStructureFactor::result(const SpinSimulation& simulation) const {
  const Ranks& ranks = simulation.ranks;
  const auto finish = [&](const correlations::StaticStructureFactor& sums) {
    return sums.finish(static_cast<double>(simulation.model.spins()),
                       replicas_of_sample(simulation), simulation.state.device().threads);
  };
  if (ranks.replicas().own == ranks.replicas().all)
    return ranks.is_root() ? finish(*sums_) : correlations::StaticResult{};
  const std::vector<double> saved = ranks.gathered(sums_->save(), ranks.replicas());
  if (!ranks.is_root()) return {};
  correlations::StaticStructureFactor all(settings(q_, ranks.replicas().all));
  all.load(saved, sums_->samples());
  return finish(all);
}

void SampledStructureFactor::write_common(const SpinSimulation& simulation,
                                          ResultsGroup& results) const {
  const bool material = read_.units == UnitSystem::material;
  write_wave_vectors(results, label_ + "/", q_, material ? "1/Å" : "");
  results.attach_scale(label_ + "/static", 1, label_ + "/q_index");
  const auto method = correlations::chosen_method(
      simulation.geometry, q_, correlations::method_by_name(table_.method),
      simulation.state.device().backend, simulation.study.replicas);
  const auto note = [&](const std::string& attribute, io::DataArray value) {
    results.set_attribute(label_, attribute, std::move(value));
  };
  note("NX_class", "NXdata");
  note("signal", "static");
  note("axes", io::DataArray(std::vector<std::string>{"temperature", "q_index"}));
  note("every", *table_.every);
  note("method", correlations::name_of(method));
  note("connected", Index{table_.connected ? 1 : 0});
  const bool by_replicas = table_.connected || simulation.model.differs_by_replica();
  note("errors", std::string(by_replicas ? "replicas" : "samples"));
  note("normalisation",
       std::string("S(q) = (1/N) sum over components of <A conj A>") +
           (table_.connected ? " - <A> conj <A>, the last of pairs of different replicas" : ""));
}

void SampledStructureFactor::write(const Simulation& simulation,
                                   const std::optional<MeasuredPoint>& point,
                                   ResultsGroup& results) {
  const SpinSimulation spins = spins_of(simulation);
  correlations::StaticResult values = result(spins);
  sums_->clear();
  if (!simulation.ranks.is_root()) return;
  const std::string group = label_ + "/";
  const Index Q = q_.size();
  results.append(group + "temperature", {point->temperature}, {},
                 inner_unit(Dimension::temperature, read_.units));
  results.append(group + "samples", {static_cast<double>(values.samples)}, {}, "");
  results.append(group + "static", std::move(values.value), {Q}, "");
  results.append(group + "static_error", std::move(values.error), {Q}, "");
  results.append(group + "reliable", std::move(values.reliable), {Q}, "");
  if (!table_.connected)
    results.append(group + "autocorrelation_time", std::move(values.autocorrelation_time), {Q}, "");
  if (table_.components) {
    results.append(group + "tensor", complex_parts(values.tensor), {Q, 3, 3, 2}, "");
    results.append(group + "tensor_error", complex_parts(values.tensor_error), {Q, 3, 3, 2}, "");
  }
  if (point->number == 0) write_common(spins, results);
}

void SampledStructureFactor::save(StageMemory& memory, const Ranks& ranks) const {
  memory.numbers["sums"] = ranks.gathered(sums_->save(), ranks.replicas());
  memory.integers["samples"] = {sums_->samples()};
}

void SampledStructureFactor::load(const StageMemory& memory, const Ranks& ranks) {
  sums_->load(ranks.own_of(memory.number("sums"), ranks.replicas()),
              memory.integer("samples").at(0));
}

}  // namespace larmor::study
