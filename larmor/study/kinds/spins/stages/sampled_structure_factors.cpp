#include "larmor/study/kinds/spins/stages/sampled_structure_factors.hpp"

#include <algorithm>

#include "larmor/study/kinds/spins/stages/complex_parts.hpp"
#include "larmor/study/kinds/spins/stages/connected_replicas.hpp"
#include "larmor/study/kinds/spins/stages/numbered_name.hpp"
#include "larmor/study/kinds/spins/stages/wave_vector_results.hpp"
#include "larmor/study/stages/configurations.hpp"

namespace larmor::study {
namespace {

void check(const SampledTable& table, Index sweeps) {
  require_one_choice(table, table.what, table.where);
  if (table.every.value_or(1) > sweeps)
    throw InputError("structure-factor is measured every " + std::to_string(*table.every) +
                         " sweeps, but the stage makes only " + std::to_string(sweeps),
                     table.where.of("every"), "give an every of at most sweeps, or more sweeps");
}

/// As the results name it, from 0.
std::string name_of(std::size_t n) {
  return numbered_name(SampledTable::structure_factor, static_cast<Index>(n) + 1);
}

}  // namespace

SampledStructureFactors::SampledStructureFactors(const std::vector<SampledTable>& measure,
                                                 Index sweeps)
    : sweeps_(sweeps) {
  for (const SampledTable& table : measure) {
    if (!table.is_structure_factor()) continue;
    check(table, sweeps);
    sampled_.emplace_back().table = table;
  }
}

std::string SampledStructureFactors::plan() const {
  std::string words;
  for (const Sampled& s : sampled_) words += ", S(q) every " + std::to_string(*s.table.every);
  return words;
}

Index SampledStructureFactors::next(Index sweep, Index otherwise) const {
  for (const Sampled& s : sampled_)
    otherwise = std::min(otherwise, (sweep / *s.table.every + 1) * *s.table.every);
  return otherwise;
}

correlations::StaticSettings SampledStructureFactors::settings(const Sampled& sampled,
                                                               Index replicas) const {
  return {sampled.q.size(), replicas, sampled.table.components, sampled.table.connected};
}

void SampledStructureFactors::require_replicas(const Study& study,
                                               const lattice::Geometry& geometry) const {
  for (const Sampled& s : sampled_) {
    if (!s.table.connected) continue;
    require_several_replicas(study, s.table.where.of("connected"));
    require_replicas_alike(study, geometry, s.table.where.of("connected"));
  }
}

double SampledStructureFactors::extra_bytes(const lattice::Geometry& geometry,
                                            Index replicas) const {
  double bytes = 0;
  for (const Sampled& s : sampled_) {
    const SampledTable& table = s.table;
    Sampled known;
    known.table = table;
    known.q = wave_vectors_of(geometry, table, table.where);
    try {
      correlations::make_transform(geometry, known.q, correlations::method_by_name(table.method));
    } catch (const InputError& error) {
      throw InputError(error.problem(), table.where.of("method"), error.remedy());
    }
    const Index samples = sweeps_ / *table.every;
    // A sample's amplitudes, and the results with their copy.
    const auto of_q = static_cast<double>(6 * replicas + 2 * (table.components ? 40 : 4));
    bytes += correlations::StaticStructureFactor::bytes(settings(known, replicas), samples) +
             8 * static_cast<double>(known.q.size()) * of_q;
  }
  return bytes;
}

double SampledStructureFactors::device_bytes(const lattice::Geometry& geometry,
                                             const ReplicaShare& replicas,
                                             const Device& device) const {
  double bytes = 0;
  for (const Sampled& s : sampled_)
    bytes += correlations::StateAmplitudes::bytes(
        geometry, wave_vectors_of(geometry, s.table, s.table.where),
        correlations::method_by_name(s.table.method), replicas, device);
  return bytes;
}

void SampledStructureFactors::prepare(const SpinSimulation& simulation) {
  const ReplicaShare& replicas = simulation.ranks.share();
  for (Sampled& s : sampled_) {
    s.q = wave_vectors_of(simulation.geometry, s.table, s.table.where);
    s.amplitudes = std::make_unique<correlations::StateAmplitudes>(
        simulation.geometry, s.q, correlations::method_by_name(s.table.method), replicas);
    s.sums = std::make_unique<correlations::StaticStructureFactor>(settings(s, replicas.count));
  }
}

void SampledStructureFactors::take(const SpinSimulation& simulation, Index sweep,
                                   MeasurementQueue& queue) {
  for (Sampled& s : sampled_) {
    if (sweep % *s.table.every != 0) continue;
    std::vector<Pending> parts;
    parts.push_back(s.amplitudes->transform(simulation.state));
    queue.push(std::move(parts), [&sums = *s.sums, threads = simulation.state.device().threads](
                                     const std::vector<std::vector<double>>& numbers) {
      sums.add(numbers[0], threads);
    });
  }
}

double SampledStructureFactors::seconds_per_sweep(const SpinSimulation& simulation) {
  const Device& device = simulation.state.device();
  double seconds = 0;
  for (Sampled& s : sampled_) {
    const double of_one = seconds_of_one(device, [&] {
      s.sums->add(s.amplitudes->transform(simulation.state).take(), device.threads);
    });
    seconds += of_one / static_cast<double>(*s.table.every);
    s.sums->clear();
  }
  return seconds;
}

/// On the root, of all replicas.
correlations::StaticResult SampledStructureFactors::result_of(
    const Sampled& s, const SpinSimulation& simulation) const {
  const Ranks& ranks = simulation.ranks;
  const auto finish = [&](const correlations::StaticStructureFactor& sums) {
    return sums.finish(static_cast<double>(simulation.model.spins()),
                       simulation.model.differs_by_replica(), simulation.state.device().threads);
  };
  if (ranks.replicas().own == ranks.replicas().all)
    return ranks.is_root() ? finish(*s.sums) : correlations::StaticResult{};
  const std::vector<double> saved = ranks.gathered(s.sums->save(), ranks.replicas());
  if (!ranks.is_root()) return {};
  correlations::StaticStructureFactor all(settings(s, ranks.replicas().all));
  all.load(saved, s.sums->samples());
  return finish(all);
}

/// What all temperatures have in common.
void SampledStructureFactors::write(const Sampled& s, const std::string& name,
                                    const SpinSimulation& simulation, ResultsGroup& results) {
  const bool material = simulation.study.context.units == UnitSystem::material;
  write_wave_vectors(results, name + "/", s.q, material ? "1/Å" : "");
  results.attach_scale(name + "/static", 1, name + "/q_index");
  const auto method = correlations::chosen_method(
      simulation.geometry, s.q, correlations::method_by_name(s.table.method),
      simulation.state.device().backend, simulation.study.replicas);
  results.set_attribute(name, "NX_class", "NXdata");
  results.set_attribute(name, "signal", "static");
  results.set_attribute(name, "axes",
                        io::DataArray(std::vector<std::string>{"temperature", "q_index"}));
  results.set_attribute(name, "every", *s.table.every);
  results.set_attribute(name, "method", correlations::name_of(method));
  results.set_attribute(name, "connected", Index{s.table.connected ? 1 : 0});
  const bool by_replicas = s.table.connected || simulation.model.differs_by_replica();
  results.set_attribute(name, "errors", std::string(by_replicas ? "replicas" : "samples"));
  results.set_attribute(
      name, "normalisation",
      std::string("S(q) = (1/N) sum over components of <A conj A>") +
          (s.table.connected ? " - <A> conj <A>, the last of pairs of different replicas" : ""));
}

void SampledStructureFactors::append(const SpinSimulation& simulation, ResultsGroup& results,
                                     Index point, double temperature) {
  for (std::size_t n = 0; n < sampled_.size(); ++n) {
    Sampled& s = sampled_[n];
    const std::string name = name_of(n), group = name + "/";
    correlations::StaticResult values = result_of(s, simulation);
    s.sums->clear();
    if (!simulation.ranks.is_root()) continue;
    const Index Q = s.q.size();
    results.append(group + "temperature", {temperature}, {},
                   inner_unit(Dimension::temperature, simulation.study.context.units));
    results.append(group + "samples", {static_cast<double>(values.samples)}, {}, "");
    results.append(group + "static", std::move(values.value), {Q}, "");
    results.append(group + "static_error", std::move(values.error), {Q}, "");
    results.append(group + "reliable", std::move(values.reliable), {Q}, "");
    if (!s.table.connected)
      results.append(group + "autocorrelation_time", std::move(values.autocorrelation_time), {Q},
                     "");
    if (s.table.components) {
      results.append(group + "tensor", complex_parts(values.tensor), {Q, 3, 3, 2}, "");
      results.append(group + "tensor_error", complex_parts(values.tensor_error), {Q, 3, 3, 2}, "");
    }
    if (point == 0) write(s, name, simulation, results);
  }
}

void SampledStructureFactors::save(StageMemory& memory, const Ranks& ranks) const {
  for (std::size_t n = 0; n < sampled_.size(); ++n) {
    const correlations::StaticStructureFactor& sums = *sampled_[n].sums;
    memory.numbers[name_of(n)] = ranks.gathered(sums.save(), ranks.replicas());
    memory.integers[name_of(n)] = {sums.samples()};
  }
}

void SampledStructureFactors::load(const StageMemory& memory, const Ranks& ranks) {
  for (std::size_t n = 0; n < sampled_.size(); ++n)
    sampled_[n].sums->load(ranks.own_of(memory.number(name_of(n)), ranks.replicas()),
                           memory.integer(name_of(n)).at(0));
}

}  // namespace larmor::study
