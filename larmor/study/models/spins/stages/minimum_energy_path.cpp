#include "larmor/study/models/spins/stages/minimum_energy_path.hpp"

#include <algorithm>

#include "larmor/core/text.hpp"
#include "larmor/spins/landscape/path_start.hpp"
#include "larmor/study/models/spins/system/initial.hpp"
#include "larmor/study/stages/configurations.hpp"

namespace larmor::study {
namespace {

/// Steps of one block: few enough to react to Ctrl-C.
constexpr Index longest_block_of_path = 20;

constexpr double default_tolerance = 1e-6;
/// Ratio of the tolerance of the ends to that of the path.
constexpr double ends_finer = 1e-2;
/// Ratio of the tolerance of a first path to that of the path.
constexpr double first_path_rougher = 100;
/// Ends are equal if no spin differs by more (rad): far less than in any texture, far more than the
/// tolerance allows.
constexpr double same_state = 1e-3;

constexpr RankShare both_ends{0, 2, 2};

std::string rounded(double x) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g", x);
  return text;
}

}  // namespace

/// Updates of a site in the single replica. A step is one update of both ends, and of every image.
double MinimumEnergyPathStage::updates_per_site() const {
  const Index states = most_images() + (table_.relax ? 2 : 0);
  return static_cast<double>(table_.steps) * static_cast<double>(states);
}

std::optional<Residual> MinimumEnergyPathStage::residual() const {
  if (phase_ != Phase::path) return std::nullopt;
  return Residual{band_->largest_force(), settings_.tolerance};
}

Index MinimumEnergyPathStage::most_images() const {
  constexpr Index usual_most = 101;
  return table_.max_distance ? table_.max_images.value_or(std::max(table_.images, usual_most))
                             : table_.images;
}

std::string MinimumEnergyPathStage::plan() const {
  std::string text = std::to_string(table_.images) + " images";
  if (table_.first_images) text += " after " + std::to_string(*table_.first_images);
  if (table_.max_distance)
    text += ", up to " + std::to_string(most_images()) + " to fill large gaps";
  return text + (table_.climb ? ", one climbing" : "") + ", " + table_.method + ", at most " +
         std::to_string(table_.steps) + " steps";
}

void MinimumEnergyPathStage::validate(const Sizing& sizing,
                                      const lattice::Geometry& geometry) const {
  const Study& study = sizing.study;
  if (study.replicas != 1)
    throw InputError("minimum-energy-path follows one copy of the system, but replicas = " +
                         std::to_string(study.replicas),
                     table_.where, "set replicas = 1");
  if (table_.first_images && *table_.first_images >= table_.images)
    throw InputError("first_images = " + std::to_string(*table_.first_images) +
                         " are not fewer than images = " + std::to_string(table_.images),
                     table_.where.of("first_images"),
                     "give fewer first_images, or leave this key out");
  if (table_.max_images && *table_.max_images < table_.images)
    throw InputError("max_images = " + std::to_string(*table_.max_images) +
                         " are fewer than images = " + std::to_string(table_.images),
                     table_.where.of("max_images"), "give max_images that are at least images");
  if (table_.lifetime && !table_.climb)
    throw InputError("lifetime needs the saddle, and no image climbs to it", table_.lifetime->where,
                     "set climb = true");
  const StateSetting setting{geometry, spin_tables(study), sizing.device.threads};
  initial_directions(table_.final_state, setting);
  for (const InitialTable& state : table_.through) initial_directions(state, setting);
}

StageBytes MinimumEnergyPathStage::forecast(const Sizing& sizing,
                                            const lattice::Geometry& geometry) const {
  spins::NebSettings settings;
  settings.images = most_images();
  settings.climb = table_.climb;
  if (table_.method == "lbfgs") settings.method = spins::NebMethod::lbfgs;
  StageBytes bytes;
  const Precision precision = sizing.device.precision;
  const SpinLayout ends{geometry.sites(), 2};
  bytes.device = spins::band_bytes(settings, geometry.sites(), precision) +
                 spins::path_ends_bytes(ends, precision);
  bytes.host = spins::band_host_bytes(settings, geometry.sites());
  return bytes;
}

std::vector<std::string> MinimumEnergyPathStage::files(const std::string& folder) const {
  std::vector<std::string> files;
  const auto add = [&](const InitialTable& state) {
    if (state.file) files.push_back(state_file(state, folder));
  };
  add(table_.final_state);
  for (const InitialTable& state : table_.through) add(state);
  return files;
}

double MinimumEnergyPathStage::seconds_per_update(SpinSimulation& simulation) {
  prepare(simulation);
  spins::SiteVectors spins;
  spins::copy_spins(simulation.state, 0, spins);
  const std::vector<spins::SiteVectors> path(static_cast<std::size_t>(settings_.images), spins);
  // The path begins far from convergence, so that there are steps to measure.
  constexpr double angle = 0.3;
  const auto begin = [&] {
    band_->start(path);
    band_->perturb(simulation.study.seed, 0, angle);
  };
  begin();
  return seconds_of_one(simulation.state.device(),
                        [&] {
                          if (band_->done()) begin();
                          band_->run(1);
                        }) /
         static_cast<double>(settings_.images);
}

void MinimumEnergyPathStage::prepare(SpinSimulation& simulation) {
  const spins::Model& model = simulation.model;
  const Device& device = simulation.state.device();
  if (model.differs_by_replica())
    throw InputError("minimum-energy-path: couplings that differ by replica would differ by image",
                     table_.where, "give disorder that does not differ by replica");
  if (lifetime_) lifetime_->require_fits(model);
  const double largest = model.largest_derivative();
  model_ = &model;
  device_ = device;
  settings_.spring_ratio = table_.spring_ratio;
  if (table_.method == "lbfgs") settings_.method = spins::NebMethod::lbfgs;
  settings_.tolerance = tolerance_in(device.precision, table_.tolerance, default_tolerance, largest,
                                     table_.where.of("tolerance"));
  settings_.max_rotation = table_.max_rotation;
  ends_.reset();
  make_band(table_.first_images.value_or(table_.images));

  spins::MinimiserSettings ends;
  ends.tolerance = std::max(ends_finer * settings_.tolerance,
                            spins::finest_tolerance(device.precision) * largest);
  ends.max_rotation = table_.max_rotation;
  ends_ = std::make_unique<spins::PathEnds>(model, ends, device);
  phase_ = Phase::start;
  step_ = 0;
  note_.clear();
}

spins::SiteVectors MinimumEnergyPathStage::spins_of(const InitialTable& state,
                                                    const SpinSimulation& simulation) const {
  const std::vector<Vec3<double>> direction = initial_directions(
      state, {simulation.geometry, simulation.tables, simulation.state.device().threads});
  spins::SiteVectors now;
  spins::copy_spins(simulation.state, 0, now);
  const std::size_t n = now.size() / 3;
  for (std::size_t i = 0; i < n; ++i) {
    // Sites without a spin have none in any state.
    if (now[i] == 0 && now[n + i] == 0 && now[2 * n + i] == 0) continue;
    const Vec3<double>& e = direction[static_cast<std::size_t>(simulation.model.canonical()[i])];
    now[i] = e.x;
    now[n + i] = e.y;
    now[2 * n + i] = e.z;
  }
  return now;
}

void MinimumEnergyPathStage::begin_ends(const SpinSimulation& simulation) {
  spins::SiteVectors first;
  spins::copy_spins(simulation.state, 0, first);
  ends_->start(first, spins_of(table_.final_state, simulation));
  charge_.begin(simulation, ends_->states(), both_ends,
                {&simulation.tables.initial, &table_.final_state});
  phase_ = Phase::ends;
}

void MinimumEnergyPathStage::begin_path(SpinSimulation& simulation, ResultsGroup& results) {
  std::vector<spins::SiteVectors> stops(1);
  spins::copy_spins(ends_->states(), 0, stops[0]);
  for (const InitialTable& state : table_.through) stops.push_back(spins_of(state, simulation));
  stops.emplace_back();
  spins::copy_spins(ends_->states(), 1, stops.back());
  require_different_ends(simulation);
  band_->start(spins::geodesic_path(stops, settings_.images, table_.axis));
  if (table_.perturbation > 0)
    band_->perturb(simulation.study.seed, simulation.state.step++, table_.perturbation);
  require_finite_energies(simulation, band_->energies());
  phase_ = settings_.images < table_.images ? Phase::first_path : Phase::path;
  append_series(results);
}

void MinimumEnergyPathStage::make_band(Index images) {
  settings_.images = images;
  spins::NebSettings settings = settings_;
  const bool rough = images < table_.images;
  settings.climb = table_.climb && !rough;
  if (rough) settings.tolerance *= first_path_rougher;
  // Frees the memory of the previous band first.
  band_.reset();
  band_ = std::make_unique<spins::GeodesicNeb>(*model_, settings, device_);
}

void MinimumEnergyPathStage::require_different_ends(const SpinSimulation& simulation) const {
  spins::SiteVectors first, last;
  spins::copy_spins(ends_->states(), 0, first);
  spins::copy_spins(ends_->states(), 1, last);
  if (spins::largest_turn(first, last) > same_state) return;
  const bool relaxed = table_.relax && ends_->steps() > 0;
  std::string reasons;
  for (const std::string& words :
       {charge_.text_of_ends(simulation, ends_->states()), unstable_ends_text()})
    if (!words.empty()) reasons += "; " + words;
  throw InputError(std::string("minimum-energy-path: both ends ") +
                       (relaxed ? "have converged to the same state" : "are the same state") +
                       ": no spin differs by more than " + number_text(same_state) + " rad" +
                       reasons,
                   table_.where,
                   relaxed ? "start from spins that keep their texture (`minimise` shows their "
                             "final state), or give another final state"
                           : "start from other spins, or give another final state");
}

bool MinimumEnergyPathStage::refine(ResultsGroup& results) {
  std::vector<spins::SiteVectors> path;
  if (phase_ == Phase::first_path) {
    path = spins::geodesic_path(spins::copy_all_spins(band_->images()), table_.images, table_.axis);
  } else if (table_.max_distance && settings_.images < most_images()) {
    path = spins::divided_path(spins::copy_all_spins(band_->images()), *table_.max_distance,
                               most_images());
    if (std::ssize(path) == settings_.images) return false;
  } else {
    return false;
  }
  make_band(std::ssize(path));
  band_->start(path);
  phase_ = Phase::path;
  append_series(results);
  return true;
}

StageProgress MinimumEnergyPathStage::relax_ends(SpinSimulation& simulation,
                                                 ResultsGroup& results) {
  const Index made =
      table_.relax ? ends_->run(std::min(longest_block_of_path, table_.steps - ends_->steps()),
                                simulation.study.seed)
                   : 0;
  if (!table_.relax || ends_->steps() == table_.steps) ends_->stop();
  if (ends_->done()) begin_path(simulation, results);
  return {work_of(simulation, 2 * made), false};
}

StageProgress MinimumEnergyPathStage::advance(SpinSimulation& simulation, ResultsGroup& results) {
  if (phase_ == Phase::start) begin_ends(simulation);
  if (phase_ == Phase::ends) return relax_ends(simulation, results);
  const Index images = settings_.images;
  const Index next_entry = (step_ / table_.measure_every + 1) * table_.measure_every;
  const Index stop = std::min({step_ + longest_block_of_path, next_entry, table_.steps});
  const Index made = band_->run(stop - step_);
  step_ += made;
  const bool done =
      step_ == table_.steps || (band_->done() && (!band_->converged() || !refine(results)));
  if (made > 0 && (done || step_ % table_.measure_every == 0)) append_series(results);
  return {work_of(simulation, made * images), done};
}

void MinimumEnergyPathStage::append_series(ResultsGroup& results) const {
  const auto append = [&](const std::string& name, double value) {
    results.append("series/" + name + "/value", {value}, {1},
                   inner_unit(Dimension::energy, context_.units));
    results.append("series/" + name + "/step", {static_cast<double>(step_)}, {}, "");
  };
  const std::vector<double>& energy = band_->energies();
  append("barrier", energy[static_cast<std::size_t>(band_->highest())] - energy.front());
  append("largest_force", band_->largest_force());
}

PathNumbers MinimumEnergyPathStage::path_numbers() const {
  const std::string energy = inner_unit(Dimension::energy, context_.units);
  return {band_->coordinates(),
          band_->energies(),
          band_->slopes(),
          band_->forces(),
          "rad",
          energy,
          energy,
          band_->highest(),
          band_->climbing()};
}

void MinimumEnergyPathStage::write_images(const SpinSimulation& simulation,
                                          ResultsGroup& results) const {
  std::vector<double> numbers;
  for (Index image = 0; image < settings_.images; ++image)
    for (const Vec3<double>& e : band_->images().configuration(image))
      numbers.insert(numbers.end(), {e.x, e.y, e.z});
  results.write("configuration", numbers, {settings_.images, simulation.model.sites(), 3}, "");
}

std::string MinimumEnergyPathStage::write_lifetime(const SpinSimulation& simulation,
                                                   ResultsGroup& results) const {
  const spins::SpinState& images = band_->images();
  return lifetime_->write(simulation,
                          {images.configuration(0), images.configuration(band_->highest()),
                           images.configuration(images.layout().replicas - 1)},
                          results);
}

void MinimumEnergyPathStage::finish(SpinSimulation& simulation, ResultsGroup& results) {
  write_path(path_numbers(), table_.interpolation, results);
  write_images(simulation, results);
  const bool on_path = phase_ == Phase::path && ends_converged();
  const bool has_saddle = on_path && band_->saddle_converged();
  results.set_attribute("", "converged", Index{on_path && band_->converged()});
  results.set_attribute("", "saddle_converged", Index{has_saddle});
  results.set_attribute("", "steps", step_);
  results.set_attribute("", "tolerance", settings_.tolerance);
  note_ = note_of_path(has_saddle);
  add_note(note_, note_of_ends());
  if (const std::string falls = unstable_ends_text(); !falls.empty())
    add_note(note_, "minimum-energy-path: " + falls);
  charge_.note_ends(simulation, ends_->states(), kind(), note_);
  if (lifetime_) {
    std::string why;
    if (!ends_converged())
      why = "the ends have not converged";
    else if (!has_saddle)
      why = "no saddle has been found";
    else if (const std::optional<Index> image = paths::minimum_between_ends(band_->energies()))
      why = "the path has another minimum, at image " + std::to_string(*image) +
            "; let the path end at this image";
    add_note(note_, why.empty() ? write_lifetime(simulation, results)
                                : "lifetime: there are no rates: " + why);
  }
  spins::SiteVectors last;
  spins::copy_spins(band_->images(), settings_.images - 1, last);
  spins::store_spins({&last, 1}, 0, simulation.state);
}

std::string MinimumEnergyPathStage::unstable_ends_text() const {
  std::string words;
  for (std::size_t end = 0; end < 2; ++end) {
    const double fall = ends_->fall()[end];
    if (fall == 0) continue;
    if (!words.empty()) words += "; ";
    words += std::string(end == 0 ? "the first" : "the final") +
             " state was not a minimum: after a random turn of its spins by up to " +
             number_text(spins::PathEnds::disturbance) + " rad it converged to a state that lies " +
             rounded(fall) + " lower, where the path " + (end == 0 ? "begins" : "ends");
  }
  return words;
}

bool MinimumEnergyPathStage::ends_converged() const {
  return !table_.relax || std::max(ends_->torques()[0], ends_->torques()[1]) <= settings_.tolerance;
}

std::string MinimumEnergyPathStage::note_of_ends() const {
  if (!table_.relax || ends_->converged()) return "";
  std::string words = "minimum-energy-path: the ends have not converged after " +
                      std::to_string(ends_->steps()) + " steps: the largest torques on them are " +
                      rounded(ends_->torques()[0]) + " and " + rounded(ends_->torques()[1]) +
                      ", and the tolerance is " + rounded(ends_->tolerance());
  if (ends_converged())
    words +=
        "; these torques are within the tolerance of the path, " + rounded(settings_.tolerance);
  return words;
}

std::string MinimumEnergyPathStage::note_of_path(bool has_saddle) const {
  const std::string name = "minimum-energy-path: ";
  if (phase_ == Phase::path && band_->converged()) {
    if (!table_.climb || band_->climbing() > 0) return "";
    const bool first = band_->highest() == 0;
    return name + "no image climbs: the path is highest at its " + (first ? "first" : "last") +
           " image" +
           (table_.relax ? "" : ", which need not be a minimum, because relax = false keeps it");
  }
  if (band_->has_failed()) {
    const double first = band_->energies().front();
    return name + "the path has diverged after " + std::to_string(step_) + " steps: it is " +
           rounded(band_->coordinates().back()) + " rad long and rises " +
           rounded(band_->height() - first) + " above its first image; at the start it was " +
           rounded(band_->start_length()) + " rad long and rose " +
           rounded(band_->start_height() - first) +
           ". Give more images, a smaller max_rotation, or states in `through`";
  }
  const std::string higher_between =
      "between its images the path is higher than the climbing image: give more images, or states "
      "in `through`";
  if (band_->needs_images()) return name + higher_between;
  const bool first = phase_ == Phase::first_path;
  std::string words =
      name +
      (first ? "the first path, of " + std::to_string(settings_.images) + " images," : "the path") +
      " has not converged after " + std::to_string(step_) + " steps: the largest force is " +
      rounded(band_->largest_force()) + ", and the tolerance is " +
      rounded((first ? first_path_rougher : 1) * settings_.tolerance);
  if (first) return words + "; the other images have not been inserted. Give more steps";
  if (has_saddle)
    words += "; the saddle has converged, so the barrier is right";
  else if (band_->rises_between_images())
    words += "; " + higher_between;
  if (band_->has_lengthened())
    words += "; the path is " + rounded(band_->coordinates().back()) +
             " rad long, and at the start it was " + rounded(band_->start_length()) + " rad long";
  return words;
}

std::vector<std::pair<std::string, std::string>> MinimumEnergyPathStage::latest() const {
  if (phase_ == Phase::start || phase_ == Phase::ends) return {};
  char force[32];
  std::snprintf(force, sizeof(force), "%.2g", band_->largest_force());
  return {{"step", std::to_string(step_)}, {"force", force}};
}

StageMemory MinimumEnergyPathStage::save() const {
  StageMemory memory;
  memory.integers["position"] = {static_cast<Index>(phase_), step_, settings_.images};
  memory.numbers["ends"] = ends_->save();
  memory.numbers["band"] = band_->save();
  charge_.save(Ranks(2), memory);
  return memory;
}

void MinimumEnergyPathStage::load(const StageMemory& memory) {
  phase_ = static_cast<Phase>(memory.integer("position").at(0));
  step_ = memory.integer("position").at(1);
  if (const Index images = memory.integer("position").at(2); images != settings_.images)
    make_band(images);
  ends_->load(memory.number("ends"));
  band_->load(memory.number("band"));
  charge_.load(Ranks(2), both_ends, memory);
}

}  // namespace larmor::study
