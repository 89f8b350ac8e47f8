#include "larmor/study/run/trial.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "larmor/core/error.hpp"
#include "larmor/io/files/toml.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {
namespace {

/// Replicas that are computed together.
constexpr Index side_by_side = 8;
/// Bytes of a trial: beyond caches, and enough to keep a processor or GPU busy.
constexpr double enough_on_cpu = 192.0 * 1048576, enough_on_gpu = 3072.0 * 1048576;
/// A lattice that exceeds the needed size by a smaller factor is not reduced.
constexpr double large = 2;

/// Smaller numbers of replicas that stages may take, the smallest first: whole blocks, and numbers
/// that give a ladder fewer copies.
std::vector<Index> fewer_replicas(const Study& study, Index enough) {
  const Index all = study.replicas, of_sample = study.replicas_of_sample();
  std::vector<Index> fewer;
  // A word of 64 samples takes an equal time if it has fewer samples.
  constexpr Index side_by_side_samples = 64;
  const Index unit =
      study.samples ? of_sample * std::min(*study.samples, side_by_side_samples) : side_by_side;
  const Index blocks = (enough + unit - 1) / unit * unit;
  if (blocks < all) fewer.push_back(blocks);
  for (Index parts = all / std::max<Index>(1, enough); parts > 1; --parts)
    if (all % parts == 0 && (!study.samples || all / parts % unit == 0))
      fewer.push_back(all / parts);
  return fewer;
}

/// The document with sides of its lattice halved, so that it is smaller by about `factor`.
std::optional<Value> with_smaller_lattice(Value document, double factor) {
  const Value* const lattice = document.find("lattice");
  const Value* const size = lattice != nullptr ? lattice->find("size") : nullptr;
  if (size == nullptr || !size->is_array()) return std::nullopt;
  std::vector<std::int64_t> sides;
  for (const Value& side : size->as_array()) {
    if (side.kind() != Value::Kind::integer) return std::nullopt;
    sides.push_back(side.as_integer());
  }
  for (; factor > large; factor /= 2) {
    const auto longest = std::ranges::max_element(sides);
    if (longest == sides.end() || *longest % 2 != 0) return std::nullopt;
    *longest /= 2;
  }
  Value::Array values(sides.begin(), sides.end());
  Value smaller = *lattice;
  smaller.set("size", Value(std::move(values)));
  document.set("lattice", std::move(smaller));
  return document;
}

/// A trial whose stages use the engines of the study's stages; nothing if a stage has another
/// engine.
std::unique_ptr<Trial> trial_of(const Value& document, const Study& study, System& system) {
  auto trial = std::make_unique<Trial>();
  trial->study = study_of(document, study.text, study.file, study.folder);
  trial->ranks = Ranks(trial->study.replicas);
  trial->blueprint = trial->study.tables->blueprint();
  const SystemSize size = trial->blueprint->size();
  trial->scale = static_cast<double>(study.replicas) / static_cast<double>(trial->study.replicas) *
                 static_cast<double>(system.size().movable) / static_cast<double>(size.movable);
  forecast_memory(trial->study, *trial->blueprint, system.device, trial->study.replicas);
  trial->system = trial->blueprint->make({system.device, trial->ranks.share(), nullptr});
  trial->system->begin(trial->study);
  const Ranks all(study.replicas);
  const Simulation of_study{study, system, all};
  const Simulation of_trial{trial->study, *trial->system, trial->ranks};
  for (std::size_t n = 0; n < study.stage.size(); ++n) {
    const auto large = make_stage(study, study.stage[n]);
    const auto small = make_stage(trial->study, trial->study.stage[n]);
    small->require_beginning(of_trial, n == 0);
    if (small->engine(of_trial) != large->engine(of_study)) return nullptr;
  }
  return trial;
}

}  // namespace

bool has_all_replicas(const Study& study, const System& system) {
  return study.replicas <= side_by_side || system.replicas_differ();
}

std::unique_ptr<System> preview_system(const Study& study, const Blueprint& blueprint,
                                       const Device& device) {
  const auto first = [&](Index count) {
    auto system = blueprint.make({device, ReplicaShare(0, count, study.replicas), nullptr});
    system->begin(study);
    return system;
  };
  const Index few = std::min(side_by_side, study.replicas);
  auto system = first(few);
  if (few < study.replicas && has_all_replicas(study, *system)) {
    system.reset();
    system = first(study.replicas);
  }
  return system;
}

std::unique_ptr<Trial> find_trial(const Study& study, System& system,
                                  const MemoryForecast& forecast) {
  const double enough = system.device.backend == Backend::cuda ? enough_on_gpu : enough_on_cpu;
  const double bytes = forecast.state + forecast.work + forecast.host;
  if (bytes <= enough) return nullptr;
  const double of_replica = bytes / static_cast<double>(study.replicas);
  const Value document = io::parse_toml(study.text, study.file);
  std::vector<Index> numbers =
      fewer_replicas(study, static_cast<Index>(std::ceil(enough / of_replica)));
  numbers.push_back(study.replicas);
  for (const Index replicas : numbers) {
    const double factor = static_cast<double>(replicas) * of_replica / enough;
    std::optional<Value> smaller = document;
    if (factor > large) smaller = with_smaller_lattice(document, factor);
    if (!smaller || (replicas == study.replicas && factor <= large)) continue;
    smaller->set("replicas", Value(replicas));
    if (study.samples) smaller->set("samples", Value(replicas / study.replicas_of_sample()));
    try {
      if (auto trial = trial_of(*smaller, study, system)) return trial;
    } catch (const InputError&) {
      // Stages of the study cannot run with this number of replicas, perhaps with another one.
    }
  }
  return nullptr;
}

}  // namespace larmor::study
