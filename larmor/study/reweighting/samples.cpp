#include "larmor/study/reweighting/samples.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>

#include "larmor/core/input/suggest.hpp"
#include "larmor/io/files/toml.hpp"
#include "larmor/io/results/results_reader.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/measurements/averages.hpp"

namespace larmor::study {
namespace {

namespace fs = std::filesystem;

using Keys = std::map<std::string, std::string>;

/// Tables and keys at the top of a study that say how it runs, and do not define the system.
bool is_of_the_run(const std::string& key) {
  static const std::set<std::string> keys{"title",  "seed",       "replicas", "initial",
                                          "device", "checkpoint", "stage"};
  return keys.contains(key);
}

/// Every key below a table with its value, "exchange.1.J".
void add_keys(const Value& value, const std::string& path, Keys& keys) {
  const auto is_table = [](const Value& entry) { return entry.is_table(); };
  if (value.is_table()) {
    for (const Value::Entry& entry : value.as_table())
      add_keys(entry.value, path + "." + entry.key, keys);
  } else if (value.is_array() &&
             std::any_of(value.as_array().begin(), value.as_array().end(), is_table)) {
    Index number = 0;
    for (const Value& entry : value.as_array())
      add_keys(entry, path + "." + std::to_string(++number), keys);
  } else {
    keys[path] = to_toml_value(value);
  }
}

/// FORMAT: the attributes in `/model` of a coupling that replaces temperatures.
struct CoupledModel {
  std::string coupling;   ///< name of the coupling, and of its values in a stage
  std::string key;        ///< key of the coupling in the study
  std::string conjugate;  ///< the series that the coupling multiplies in the exponent
  std::string measure;    ///< the entry of `measure` that stores this series
  std::string exponent;   ///< series of the exponent itself, per site
  double scale;           ///< factor: the coupling multiplies the series times this factor
};

/// One study among the files.
struct Source {
  std::string name;  ///< "'runs.h5', point 3"
  io::ResultsReader file;
};

std::vector<Source> sources_of(const std::string& path) {
  io::ResultsReader file(path);
  std::vector<Source> sources;
  if (file.exists("/reweighted"))
    throw InputError("'" + path + "' holds reweighted curves and no samples",
                     "name the results from which they were computed");
  if (!file.exists("/scan")) {
    sources.push_back({"'" + path + "'", std::move(file)});
    return sources;
  }
  if (file.exists("/points"))
    for (const std::string& point : file.list("/points"))
      sources.push_back(
          {"'" + path + "', point " +
               std::to_string(io::number_of_group(point, file.place("/points/" + point))),
           io::ResultsReader(path, "/points/" + point)});
  if (sources.empty())
    throw InputError("no point of '" + path + "' is done yet", "wait, or resume the run");
  return sources;
}

Value completed_of(const Source& source) {
  return io::parse_toml(source.file.read("/study/completed").text(), source.name);
}

ReadContext context_of(const Value& study) {
  StudyHead head;
  if (const Value* units = study.find("units")) head.units = units->as_string();
  if (const Value* year = study.find("constants")) head.constants = year->as_integer();
  return head.context();
}

/// The coupling that replaces temperatures in the results.
/// @return nothing if the results have temperatures
std::optional<CoupledModel> coupled_model_of(const io::ResultsReader& file) {
  const io::Attributes attributes = file.attributes("/model");
  const auto text = [&](const char* name) { return attributes.at(name).text(); };
  if (!attributes.contains("coupling")) return {};
  return CoupledModel{text("coupling"),  text("coupling_key"),
                      text("conjugate"), text("conjugate_measure"),
                      text("exponent"),  attributes.at("conjugate_scale").number()};
}

/// The keys of the Hamiltonian, except for the coupling of reweighting.
Keys model_of(const Value& study, const Source& source) {
  Keys keys;
  for (const Value::Entry& entry : study.as_table())
    if (!is_of_the_run(entry.key)) {
      Keys below;
      add_keys(entry.value, entry.key, below);
      keys.merge(below);
    }
  for (const auto& [key, value] : keys)
    if (key.ends_with("by_replica") && value == "true")
      throw InputError(
          "each replica of " + source.name + " has a disorder of its own (" + key + ")",
          "reweighting treats replicas as samples of one Hamiltonian");
  if (source.file.exists("/study/file_checksums")) {
    Index number = 0;
    for (const std::uint64_t sum : source.file.read<std::uint64_t>("/study/file_checksums"))
      keys["contents of file " + std::to_string(++number)] = std::to_string(sum);
  }
  if (const auto coupled = coupled_model_of(source.file)) keys.erase(coupled->key);
  return keys;
}

/// The stage with the samples, "/stages/02-monte-carlo".
std::string stage_of(const Source& source, const Parameter& parameter, Index number) {
  const std::vector<std::string> stages =
      source.file.exists("/stages") ? source.file.list("/stages") : std::vector<std::string>{};
  const std::string series = "series of the " + parameter.energy + " at " + parameter.description();
  const auto coupled = coupled_model_of(source.file);
  const std::string remedy =
      coupled
          ? "put \"" + coupled->measure + "\" into `measure` of the stage, or leave `measure` out"
          : "stages of kind \"monte-carlo\" store this series. Stages of kind \"tempering\" with a "
            "ladder of temperatures store it unless keep_series = false. Stages of kind \"anneal\" "
            "never store it";
  for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
    const std::string path = "/stages/" + *stage;
    if (number > 0 && io::number_of_group(*stage, source.file.place(path)) != number) continue;
    if (source.file.exists(path + "/series/" + parameter.energy + "/point") &&
        source.file.exists(path + "/" + parameter.name))
      return path;
    if (number > 0)
      throw InputError("stage " + *stage + " of " + source.name + " has no " + series, remedy);
  }
  if (number > 0)
    throw InputError("there is no stage " + std::to_string(number) + " in " + source.name,
                     stages.empty() ? "no stage has begun" : "there are " + comma_list(stages));
  throw InputError("no stage of " + source.name + " has " + series, remedy);
}

struct StoredSeries {
  std::vector<double> values;  ///< [sample][replica]
  std::vector<double> step, point;
  Index replicas = 1;
  std::string unit;
};

/// @param lengths also take magnitudes of numbers; vectors always give lengths
StoredSeries read_series(const Source& source, const std::string& stage, const std::string& name,
                         bool lengths) {
  const std::string path = stage + "/series/" + name;
  const io::ResultsReader& file = source.file;
  const auto shape = file.shape(path + "/value");
  const auto samples = static_cast<std::size_t>(shape[0]);
  StoredSeries series{
      file.read<double>(path + "/value"), file.read<double>(path + "/step").require(samples),
      file.read<double>(path + "/point").require(samples), shape[1], file.unit_of(path + "/value")};
  const std::size_t components = shape.size() > 2 ? static_cast<std::size_t>(shape[2]) : 1;
  if (components == 0) io::refuse_count(file.place(path + "/value"), 0, samples);
  if (components == 1 && !lengths) return series;
  std::vector<double> length;
  length.reserve(series.values.size() / components);
  for (std::size_t i = 0; i < series.values.size(); i += components) {
    double squares = 0;
    for (std::size_t c = 0; c < components; ++c)
      squares += series.values[i + c] * series.values[i + c];
    length.push_back(std::sqrt(squares));
  }
  series.values = std::move(length);
  return series;
}

/// @throws InputError that says how to get the series into the results
void require_series(const Source& source, const std::string& stage, const std::string& name) {
  if (source.file.exists(stage + "/series/" + name + "/point")) return;
  const std::vector<std::string> known = source.file.list(stage + "/series");
  throw InputError("stage " + fs::path(stage).filename().string() + " of " + source.name +
                       " has no series '" + name + "'",
                   hint_and_list(name, known, "it has") +
                       "; an entry of the key `measure` of the stage stores a series");
}

/// @throws InputError for a series that is not a function of the configuration, so that it cannot
/// be reweighted
void require_of_configurations(const std::string& name) {
  if (name.starts_with("improved_") || name.starts_with("cluster") || name == "largest_cluster")
    throw InputError("'" + name +
                         "' is a property of clusters, but reweighting holds only for properties "
                         "of configurations",
                     "name a property of configurations, such as the magnetisation");
  for (const char* const of_velocities :
       {"kinetic_energy", "total_energy", "temperature", "pressure"})
    if (name == of_velocities)
      throw InputError("'" + name +
                           "' depends on the velocities of atoms, but reweighting holds only for "
                           "properties of configurations",
                       "name a property of configurations, such as potential_energy");
}

void require_same_samples(const Source& source, const std::string& name, const StoredSeries& series,
                          const StoredSeries& energy) {
  if (series.step == energy.step && series.point == energy.point &&
      series.replicas == energy.replicas)
    return;
  throw InputError(
      "'" + name + "' of " + source.name + " is not measured at the times of the energy",
      "leave `every` of its entry in `measure` out");
}

Index spins_of(const io::ResultsReader& file) {
  if (file.exists("/model/occupied")) {
    const auto occupied = file.read<std::uint8_t>("/model/occupied");
    return std::count(occupied.begin(), occupied.end(), std::uint8_t{1});
  }
  return file.attributes("/model").at("sites").integer();
}

SampledSystem begin_system(Keys model, const Source& source) {
  const io::ResultsReader& file = source.file;
  SampledSystem system;
  system.model = std::move(model);
  system.sites = spins_of(file);
  const auto coupled = coupled_model_of(file);
  system.energy_scale = coupled ? coupled->scale : static_cast<double>(system.sites);
  if (system.energy_scale == 0)
    throw InputError("the lattice of " + source.name + " has no bonds",
                     coupled->coupling + " changes nothing on this lattice");
  const io::Attributes attributes = file.attributes("/model");
  if (file.exists("/model/size") && attributes.contains("dimensions")) {
    system.size = file.read<Index>("/model/size");
    system.dimensions = attributes.at("dimensions").integer();
  }
  return system;
}

constexpr const char* of_axes = "structure_factor";

/// Series of S(k) along each axis, at the smallest k.
std::vector<std::string> axes_with_structure_factor(const Source& source,
                                                    const std::string& stage) {
  std::vector<std::string> names;
  for (const std::string axis : {"_x", "_y", "_z", "_w"})
    if (source.file.exists(stage + "/series/" + of_axes + axis)) names.push_back(of_axes + axis);
  return names;
}

/// S(k) at the smallest k, as the mean over the axes.
StoredSeries read_structure_factor(const Source& source, const std::string& stage) {
  const std::vector<std::string> names = axes_with_structure_factor(source, stage);
  const auto axes = static_cast<double>(names.size());
  StoredSeries mean = read_series(source, stage, names.front(), false);
  for (std::size_t n = 1; n < names.size(); ++n) {
    const StoredSeries other = read_series(source, stage, names[n], false);
    for (std::size_t i = 0; i < mean.values.size(); ++i) mean.values[i] += other.values[i];
  }
  for (double& S : mean.values) S /= axes;
  return mean;
}

/// Averages of the run itself at all its temperatures or rungs: name, values, errors.
struct RawCurve {
  std::string name;
  std::vector<double> value, error;
};

std::vector<RawCurve> read_raw(const Source& source, const std::string& stage) {
  const std::string group = stage + "/averages";
  std::vector<RawCurve> all;
  if (!source.file.exists(group)) return all;
  for (const std::string& name : source.file.list(group)) {
    const std::string path = group + "/" + name;
    if (source.file.shape(path + "/value").size() != 1) continue;
    std::vector<double> value = source.file.read<double>(path + "/value");
    std::vector<double> error = source.file.read<double>(path + "/error").require(value.size());
    all.push_back({name, std::move(value), std::move(error)});
  }
  return all;
}

/// Adds the states of one study to its system.
void add_states(const Source& source, const std::string& stage, const Samples& samples,
                SampledSystem& system) {
  const Parameter& parameter = samples.parameter;
  const StoredSeries energy = read_series(source, stage, parameter.energy, false);
  std::vector<StoredSeries> all;
  for (std::size_t n = 0; n < samples.series.size(); ++n) {
    const std::string& name = samples.series[n].name;
    if (n > 0 && n == samples.structure_factor) {
      all.push_back(read_structure_factor(source, stage));
    } else {
      require_series(source, stage, name);
      all.push_back(read_series(source, stage, name, n == 0));
    }
    require_same_samples(source, name, all.back(), energy);
  }
  const auto values = source.file.read<double>(stage + "/" + parameter.name);
  const auto seed = source.file.attributes("/provenance").at("seed").one<std::uint64_t>();
  const auto replicas = static_cast<std::size_t>(energy.replicas);
  const auto sites = static_cast<double>(system.sites);
  // Each temperature is a point of the stage, unless temperatures form a ladder. On a ladder, which
  // couplings always form, replica r has the value of rung r modulo the number of rungs.
  const bool is_ladder =
      !parameter.is_temperature() || source.file.attributes(stage).contains("rungs");
  const std::size_t rungs = is_ladder ? values.size() : 1;
  const std::vector<RawCurve> raw = read_raw(source, stage);
  for (std::size_t v = 0; v < values.size(); ++v) {
    const std::size_t rung = v % rungs;
    const double b = parameter.b(values[v]);
    SampledState state{
        source.name,
        seed,
        values[v],
        b,
        replicas_at_rung(energy.replicas, static_cast<Index>(rung), static_cast<Index>(rungs)),
        {},
        std::vector<std::vector<double>>(all.size())};
    for (std::size_t n = 0; n < energy.point.size(); ++n) {
      if (energy.point[n] != static_cast<double>(v / rungs)) continue;
      for (std::size_t r = rung; r < replicas; r += rungs) {
        const std::size_t i = n * replicas + r;
        state.energy.push_back(energy.values[i] * system.energy_scale);
        for (std::size_t s = 0; s < all.size(); ++s) state.series[s].push_back(all[s].values[i]);
        if (samples.exponent > 0)
          state.series[samples.exponent].back() -= b * state.energy.back() / sites;
      }
    }
    if (state.energy.empty()) continue;
    for (const RawCurve& curve : raw)
      if (v < curve.value.size())
        state.averages.push_back({curve.name, curve.value[v], curve.error[v]});
    system.states.push_back(std::move(state));
  }
}

/// Names each system by its differences from the other systems.
void name_systems(std::vector<SampledSystem>& systems) {
  std::set<std::string> differing;
  for (const SampledSystem& one : systems)
    for (const SampledSystem& other : systems)
      for (const auto& [key, value] : one.model)
        if (const auto found = other.model.find(key);
            found == other.model.end() || found->second != value)
          differing.insert(key);
  for (const std::string key : {"lattice.size", "lattice.grid"})
    if (systems.size() == 1 && systems[0].model.contains(key)) differing.insert(key);
  for (SampledSystem& system : systems)
    for (const std::string& key : differing) {
      const auto found = system.model.find(key);
      system.name += (system.name.empty() ? "" : ", ") + key +
                     (found == system.model.end() ? " left out" : " = " + found->second);
    }
}

/// If two runs had an equal seed and temperature, samples would count twice.
void require_different_runs(const SampledSystem& system, const Parameter& parameter) {
  std::map<std::pair<std::uint64_t, double>, std::string> known;
  for (const SampledState& state : system.states) {
    const auto [found, is_new] = known.try_emplace({state.seed, state.parameter}, state.source);
    if (!is_new)
      throw InputError(found->second + " and " + state.source + " both have the seed " +
                           std::to_string(state.seed) + " and the " + parameter.name + " " +
                           number_text(state.parameter) + ", so they hold equal samples",
                       "name each file once, and give runs different seeds");
  }
}

/// @throws InputError for results that cannot be reweighted together
void require_alike(const Keys& first, const std::string& first_name, const Keys& other,
                   const std::string& other_name) {
  for (const std::string key : {"model.kind", "units", "constants"}) {
    const auto one = first.find(key), two = other.find(key);
    if (one == first.end() || two == other.end() || one->second == two->second) continue;
    throw InputError(first_name + " has " + key + " = " + one->second + ", " + other_name +
                         " has " + two->second,
                     "reweight these files one by one");
  }
}

/// Properties that all sources share, from the first one.
Samples begin_samples(const std::vector<Source>& sources, const SampleChoice& choice) {
  const Source& first = sources.front();
  const ReadContext context = context_of(completed_of(first));
  const auto coupled = coupled_model_of(first.file);
  Samples samples;
  samples.parameter =
      coupled ? Parameter{coupled->coupling, "", coupled->conjugate, 0}
              : Parameter{"temperature", inner_unit(Dimension::temperature, context.units),
                          "energy", context.constants.k_B};
  const std::string stage = stage_of(first, samples.parameter, choice.stage);
  const io::Attributes top = first.file.attributes("/");
  samples.title = top.at("title").text();
  samples.units = top.at("units").text();
  samples.energy_unit = inner_unit(Dimension::energy, context.units);
  require_of_configurations(choice.order);
  if (coupled && choice.order == coupled->exponent)
    throw InputError(
        "'" + choice.order + "' is not an order parameter",
        "name it in --observables: observables account for its explicit dependence on " +
            coupled->coupling);
  samples.series.push_back({choice.order, ""});
  for (const std::string& name : choice.observables) {
    require_of_configurations(name);
    if (coupled && name == coupled->exponent) samples.exponent = samples.series.size();
    samples.series.push_back({name, ""});
  }
  for (SampledSeries& series : samples.series) {
    require_series(first, stage, series.name);
    series.unit = first.file.unit_of(stage + "/series/" + series.name + "/value");
  }
  if (std::all_of(sources.begin(), sources.end(), [&](const Source& source) {
        return !axes_with_structure_factor(source,
                                           stage_of(source, samples.parameter, choice.stage))
                    .empty();
      })) {
    samples.structure_factor = samples.series.size();
    samples.series.push_back({of_axes, ""});
  }
  const std::string& unit = samples.series.front().unit;
  const std::string per_energy = context.units == UnitSystem::material ? "/eV" : "";
  const bool is_moment = unit == inner_unit(Dimension::magnetic_moment, context.units);
  samples.susceptibility_factor = is_moment ? context.constants.mu_B : 1;
  samples.susceptibility_unit = unit.empty() ? (per_energy.empty() ? "" : "1" + per_energy)
                                : is_moment  ? unit + "/T"
                                             : unit + "^2" + per_energy;
  return samples;
}

}  // namespace

Samples read_samples(const SampleChoice& choice) {
  std::vector<Source> sources;
  for (const std::string& path : choice.files)
    for (Source& source : sources_of(path)) sources.push_back(std::move(source));
  Samples samples = begin_samples(sources, choice);
  std::map<Keys, SampledSystem> systems;
  Keys first_model;
  for (const Source& source : sources) {
    const Value study = completed_of(source);
    Keys model = model_of(study, source);
    if (first_model.empty()) first_model = model;
    require_alike(first_model, sources.front().name, model, source.name);
    auto found = systems.find(model);
    if (found == systems.end()) found = systems.emplace(model, begin_system(model, source)).first;
    add_states(source, stage_of(source, samples.parameter, choice.stage), samples, found->second);
  }
  for (auto& [model, system] : systems) {
    if (system.states.empty()) continue;
    std::stable_sort(system.states.begin(), system.states.end(),
                     [](const SampledState& one, const SampledState& other) {
                       return one.parameter < other.parameter;
                     });
    require_different_runs(system, samples.parameter);
    samples.systems.push_back(std::move(system));
  }
  if (samples.systems.empty())
    throw InputError("there are no samples yet in " + comma_list(choice.files),
                     "wait until a stage has finished a point, or resume the run");
  std::stable_sort(
      samples.systems.begin(), samples.systems.end(),
      [](const SampledSystem& one, const SampledSystem& other) { return one.sites < other.sites; });
  for (std::size_t n = 1; n < samples.systems.size(); ++n)
    if (samples.systems[n].sites == samples.systems[n - 1].sites)
      samples.systems[n].twin = samples.systems[n - 1].twin + 1;
  name_systems(samples.systems);
  return samples;
}

}  // namespace larmor::study
