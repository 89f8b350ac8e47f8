#include "larmor/study/models/atoms/stages/minimum_energy_path.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "larmor/atoms/paths/harmonic_rate.hpp"
#include "larmor/core/maths/vectors.hpp"
#include "larmor/core/text.hpp"
#include "larmor/paths/interpolation.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/input/temperature.hpp"
#include "larmor/study/stages/configurations.hpp"
#include "larmor/study/stages/escape_rates.hpp"

namespace larmor::study {
namespace {

/// The number of past steps of L-BFGS for the ends.
constexpr int history_of_ends = 8;
/// Ratio of the tolerance of the ends to that of the path.
constexpr double finer_ends = 1e-2;
/// Structures are equal if no atom differs by more, Angstrom.
constexpr double same_structure = 1e-2;
/// Largest difference of box vectors, as a share of their length: files round their numbers.
constexpr double same_box = 1e-6;
/// If Newton's method moves an atom farther than this, it has left the saddle of the path,
/// Angstrom.
constexpr double near_saddle = 0.3;
/// A path that rises above the climbing image by this share of its height needs more images.
constexpr double clear_rise_of_atoms = 0.01;

atoms::Surface surface_of(AtomSystem& system) {
  return {system.host_state(), system.host_forces()};
}

atoms::Positions positions_of(const AtomSystem& system, Index replica) {
  const auto positions = system.on_host().positions_of(replica);
  return {positions.begin(), positions.end()};
}

void place_atoms(const std::vector<atoms::Positions>& structures, AtomSystem& system) {
  atoms::AtomState& state = system.host_state();
  auto next = state.position.begin();
  for (const atoms::Positions& positions : structures)
    next = std::ranges::copy(positions, next).out;
  system.use_host();
}

/// @throws InputError if a structure does not have the atoms of the first one
void require_same_atoms(const io::AtomFrame& frame, const StructureTable& table,
                        const AtomSetup& setup) {
  const atoms::NamedStructure &first = setup.structures.front(), &other = frame.atoms;
  if (other.atoms() != first.atoms())
    throw InputError(fmt::format("the structure of {} has {} atoms, and the first one has {}",
                                 table.file, other.atoms(), first.atoms()),
                     table.where.of("file"),
                     "give a structure with the same atoms in the same order");
  for (std::size_t i = 0; i < other.types.size(); ++i) {
    const std::string& is = other.species[static_cast<std::size_t>(other.types[i])];
    const std::string& was = first.species[static_cast<std::size_t>(first.types[i])];
    if (is != was)
      throw InputError(
          fmt::format("atom {} is {} in {}, and {} in the first structure", i, is, table.file, was),
          frame.where_atom(static_cast<Index>(i)),
          "list the atoms of both structures in the same order");
  }
}

/// @throws InputError if the boxes differ
void require_same_box(const io::AtomFrame& frame, const StructureTable& table,
                      const atoms::Box& box) {
  for (std::size_t d = 0; d < 3; ++d) {
    const Vec3<double>&is = frame.atoms.box.vectors[d], &was = box.vectors[d];
    if (frame.atoms.box.periodic[d] != box.periodic[d])
      throw InputError(fmt::format("the box of {} is {} along its vector {}, and the box of the "
                                   "first structure is not",
                                   table.file, box.periodic[d] ? "open" : "periodic", d),
                       table.where.of("file"), "give a structure in the same box");
    if (length(is - was) > same_box * length(was))
      throw InputError(
          fmt::format("the box of {} has the vector ({:.7g}, {:.7g}, {:.7g}) Angstrom, and the box "
                      "of the first structure has ({:.7g}, {:.7g}, {:.7g})",
                      table.file, is.x, is.y, is.z, was.x, was.y, was.z),
          table.where.of("file"), "give a structure in the same box: the box of a path is fixed");
  }
}

/// Calls visit(table) for each structure of a path after the first one, in order.
template <class Visit>
void for_each_structure(const AtomPathTable& table, const Visit& visit) {
  for (const StructureTable& structure : table.through) visit(structure);
  visit(table.final_structure);
}

}  // namespace

AtomPathStage::AtomPathStage(const Table& table, const ReadContext& context)
    : table_(table), context_(context) {
  table.check_keys();
  if (table.lifetime)
    temperature_ = read_temperatures(table.lifetime->temperature, context,
                                     "thermal rates need a positive temperature of the heat bath");
}

/// Updates of an atom of the single replica. A step is one update of both ends, and of every image.
/// A Hessian is computed once or more for each refined structure.
double AtomPathStage::updates_on(const SystemSize& system) const {
  const Index states = table_.images + (table_.relax ? 2 : 0);
  const Index refined = !refines() ? 0 : table_.lifetime ? 3 : 1;
  return static_cast<double>(table_.steps) * static_cast<double>(states) +
         static_cast<double>(2 * refined * 6 * system.sites);
}

std::optional<Residual> AtomPathStage::residual() const {
  // The residual of a path tells nothing about the time of Newton's method afterwards.
  if (phase_ != Phase::path || refines()) return std::nullopt;
  return Residual{band_->largest_force(), table_.tolerance};
}

std::string AtomPathStage::plan() const {
  std::string words =
      fmt::format("{} images{}, at most {} steps, to forces of {} {}", table_.images,
                  table_.climb ? ", one climbing" : "", table_.steps, number_text(table_.tolerance),
                  inner_unit(Dimension::force, context_.units));
  if (refines()) words += "; the saddle refined";
  if (table_.lifetime) words += fmt::format("; rates at {} temperature(s)", temperature_.size());
  return words;
}

void AtomPathStage::validate(const Sizing& sizing) const {
  require_precision(sizing);
  if (sizing.study.replicas != 1)
    throw InputError("minimum-energy-path follows one copy of the system, but replicas = " +
                         std::to_string(sizing.study.replicas),
                     table_.where, "set replicas = 1");
  if (refines() && sizing.device.precision != Precision::double_numbers)
    throw InputError("the saddle of a path is refined to forces that need double precision",
                     table_.where.of("refine"), "use precision = \"double\", or refine = false");
  const AtomTables& tables = atom_tables(sizing.study);
  const AtomSetup& setup = setup_of(tables);
  for_each_structure(table_, [&](const StructureTable& structure) {
    require_same_atoms(read_structure(structure, tables.folder), structure, setup);
  });
}

StageBytes AtomPathStage::forecast(const Sizing& sizing) const {
  const AtomBlueprint blueprint(atom_tables(sizing.study));
  const Index atoms = sizing.system.sites;
  const auto of_states = [&](Index replicas) {
    const SystemBytes bytes = blueprint.bytes(sizing.device, replicas, replicas);
    return bytes.state + bytes.device;
  };
  StageBytes bytes;
  bytes.device = of_states(table_.images) + of_states(2);
  bytes.host = 2 * atoms::band_bytes(atoms * table_.images) +
               2 * atoms::minimiser_bytes(2 * atoms, history_of_ends);
  if (!refines()) return bytes;
  bytes.device += of_states(atoms::copies_for_hessian(atoms, sizing.device.backend));
  bytes.host += atoms::stationary_bytes(atoms);
  return bytes;
}

std::vector<std::string> AtomPathStage::files(const std::string& folder) const {
  std::vector<std::string> files;
  for_each_structure(table_, [&](const StructureTable& structure) {
    files.push_back(path_in(folder, structure.file));
  });
  return files;
}

std::vector<atoms::Positions> AtomPathStage::stops(const AtomSystem& system) const {
  const atoms::Box box = system.on_host().box[0];
  std::vector<atoms::Positions> stops{positions_of(system, 0)};
  for_each_structure(table_, [&](const StructureTable& structure) {
    const io::AtomFrame frame = read_structure(structure, system.tables.folder);
    require_same_box(frame, structure, box);
    stops.push_back(atoms::nearest_image(box, stops.back(), frame.atoms.positions));
  });
  return stops;
}

void AtomPathStage::require_beginning(const Simulation& simulation, bool is_first) const {
  if (!is_first) return;
  const std::vector<atoms::Positions> path = stops(atom_system(simulation));
  if (atoms::largest_displacement(path.front(), path.back()) < same_structure)
    throw InputError(
        fmt::format("both ends of the path are the same structure: no atom differs by more than "
                    "{:g} Angstrom",
                    same_structure),
        table_.where.of("final"), "give another final structure");
}

std::unique_ptr<AtomSystem> AtomPathStage::make_copies(Index replicas) const {
  auto copies = std::make_unique<AtomSystem>(
      system_->tables, SystemChoice{system_->device, ReplicaShare(replicas), nullptr});
  copies->state.step.count_with(system_->state.step);
  atoms::AtomState& state = copies->host_state();
  const atoms::Box box = system_->on_host().box[0];
  std::ranges::fill(state.box, box);
  copies->use_host();
  return copies;
}

double AtomPathStage::seconds_per_update(Simulation& simulation) {
  prepare(simulation);
  return seconds_of_one(system_->device,
                        [&] { images_->host_forces().evaluate(images_->host_state()); }) /
         static_cast<double>(table_.images);
}

void AtomPathStage::prepare(Simulation& simulation) {
  system_ = &atom_system(simulation);
  const int threads = system_->device.threads;
  ends_ = make_copies(2);
  images_ = make_copies(table_.images);
  atoms::MinimiserSettings of_ends;
  of_ends.tolerance = finer_ends * table_.tolerance;
  of_ends.max_step = table_.max_step;
  minimiser_ =
      std::make_unique<atoms::Lbfgs>(ends_->state.layout, of_ends, history_of_ends, threads);
  atoms::BandSettings settings;
  settings.spring_ratio = table_.spring_ratio;
  settings.tolerance = table_.tolerance;
  settings.max_step = table_.max_step;
  settings.climb = table_.climb;
  band_ = std::make_unique<atoms::NudgedBand>(images_->state.layout, settings, threads);
  phase_ = Phase::start;
  step_ = ends_steps_ = 0;
  many_.reset();
  search_.reset();
  refined_.clear();
  failure_.clear();
  note_.clear();
}

void AtomPathStage::begin_ends() {
  const std::vector<atoms::Positions> path = stops(*system_);
  place_atoms({path.front(), path.back()}, *ends_);
  if (table_.relax) {
    minimiser_->start(ends_->host_state(), ends_->host_forces());
    ends_->use_host();
  }
  phase_ = Phase::ends;
}

void AtomPathStage::begin_path(ResultsGroup& results) {
  const atoms::Box box = system_->on_host().box[0];
  std::vector<atoms::Positions> path = stops(*system_);
  path.front() = positions_of(*ends_, 0);
  path.back() = positions_of(*ends_, 1);
  for (std::size_t n = 1; n < path.size(); ++n)
    path[n] = atoms::nearest_image(box, path[n - 1], path[n]);
  if (atoms::largest_displacement(path.front(), path.back()) < same_structure)
    throw InputError(
        fmt::format(
            "both ends of the path {} the same structure: no atom differs by more than {:g} "
            "Angstrom",
            table_.relax ? "have converged to" : "are", same_structure),
        table_.where.of("final"), "give another final structure");
  place_atoms(atoms::straight_path(path, static_cast<std::size_t>(table_.images)), *images_);
  band_->start(images_->host_state(), images_->host_forces());
  images_->use_host();
  phase_ = Phase::path;
  append_series(results);
}

StageProgress AtomPathStage::relax_ends(ResultsGroup& results) {
  const Index atoms = system_->size().sites;
  const Index block = steps_of_block(2 * atoms, system_->device.backend);
  Index made = 0;
  if (table_.relax) {
    made = minimiser_->run(ends_->host_state(), ends_->host_forces(),
                           std::min(block, table_.steps - ends_steps_));
    ends_->use_host();
    ends_steps_ += made;
  }
  if (!table_.relax || minimiser_->done() || ends_steps_ == table_.steps) begin_path(results);
  return {static_cast<double>(2 * made * atoms), false};
}

StageProgress AtomPathStage::move_images(ResultsGroup& results) {
  const Index updates = system_->size().sites * table_.images;
  const Index next_entry = (step_ / table_.measure_every + 1) * table_.measure_every;
  const Index stop = std::min(
      {step_ + steps_of_block(updates, system_->device.backend), next_entry, table_.steps});
  const Index made = band_->run(images_->host_state(), images_->host_forces(), stop - step_);
  images_->use_host();
  step_ += made;
  const bool ends = step_ == table_.steps || band_->converged();
  if (made > 0 && (ends || step_ % table_.measure_every == 0)) append_series(results);
  return {static_cast<double>(made * updates), ends && !begin_refinement(Phase::saddle)};
}

StageProgress AtomPathStage::advance(Simulation&, ResultsGroup& results) {
  if (phase_ == Phase::start) begin_ends();
  if (phase_ == Phase::ends) return relax_ends(results);
  return is_refining() ? refine() : move_images(results);
}

bool AtomPathStage::begin_refinement(Phase phase) {
  if (!refines() || !ends_converged() || !band_->saddle_converged()) return false;
  if (phase != Phase::saddle && (!table_.lifetime || !why_no_rates().empty())) return false;
  const Index atoms = system_->size().sites;
  if (!many_) many_ = make_copies(atoms::copies_for_hessian(atoms, system_->device.backend));
  const auto begin = [&](Index image, const char* what) {
    search_.emplace(positions_of(*images_, image), what);
  };
  if (phase == Phase::saddle) begin(static_cast<Index>(band_->path().climbing), "the saddle");
  if (phase == Phase::first) begin(0, "the first structure");
  if (phase == Phase::last) begin(table_.images - 1, "the last structure");
  phase_ = phase;
  return true;
}

StageProgress AtomPathStage::refine() {
  const double work = static_cast<double>(many_->replicas.count * system_->size().sites);
  try {
    search_->advance(surface_of(*system_), surface_of(*many_));
    if (!search_->done()) return {work, false};
    if (phase_ == Phase::saddle) require_near(search_->found());
    refined_.insert_or_assign(phase_, search_->found());
  } catch (const UnphysicalError& error) {
    failure_ = error.what();
    return {work, true};
  }
  const bool is_last = phase_ == Phase::last;
  return {work, is_last || !begin_refinement(phase_ == Phase::saddle ? Phase::first : Phase::last)};
}

/// @throws UnphysicalError if Newton's method has left the saddle of the path
void AtomPathStage::require_near(const atoms::StationaryStructure& saddle) const {
  const auto image = static_cast<Index>(band_->path().climbing);
  const double moved = atoms::largest_displacement(positions_of(*images_, image), saddle.positions);
  if (moved > near_saddle)
    throw UnphysicalError(fmt::format(
        "from the climbing image, Newton's method leads to another structure: an atom has moved by "
        "{:.2g} Angstrom",
        moved));
}

void AtomPathStage::append_series(ResultsGroup& results) const {
  const auto append = [&](const std::string& name, double value, Dimension dimension) {
    results.append("series/" + name + "/value", {value}, {1},
                   inner_unit(dimension, context_.units));
    results.append("series/" + name + "/step", {static_cast<double>(step_)}, {}, "");
  };
  const paths::NebPath& path = band_->path();
  append("barrier", path.height() - path.energy.front(), Dimension::energy);
  append("largest_force", band_->largest_force(), Dimension::force);
}

PathNumbers AtomPathStage::path_numbers() const {
  const paths::NebPath& path = band_->path();
  return {path.coordinates(),
          path.energy,
          path.slope,
          band_->forces(),
          inner_unit(Dimension::length, context_.units),
          inner_unit(Dimension::energy, context_.units),
          inner_unit(Dimension::force, context_.units),
          static_cast<Index>(path.climbing > 0 ? path.climbing : path.highest()),
          static_cast<Index>(path.climbing)};
}

/// FORMAT: the images as replicas of a configuration, so that `export` writes them.
void AtomPathStage::write_images(ResultsGroup& results) const {
  AtomNumbers numbers = numbers_of(images_->state, table_.images);
  const Index atoms = system_->size().sites;
  results.write("configuration", {std::move(numbers.positions), {table_.images, atoms, 3}});
  results.write("velocities", {std::move(numbers.velocities), {table_.images, atoms, 3}});
  results.write("box", {std::move(numbers.boxes), {table_.images, 3, 3}});
}

bool AtomPathStage::ends_converged() const { return !table_.relax || minimiser_->converged() == 2; }

void AtomPathStage::finish(Simulation&, ResultsGroup& results) {
  const bool converged = ends_converged() && band_->converged(),
             has_saddle = ends_converged() && band_->saddle_converged();
  note_ = note_of_path();
  add_note(note_, note_of_saddle());
  if (refined_.contains(Phase::saddle)) {
    use_saddle();
    write_saddle(results);
  }
  if (table_.lifetime) {
    const std::string why = why_no_rates();
    add_note(note_, why.empty() ? write_lifetime(results) : "lifetime: there are no rates: " + why);
  }
  write_path(path_numbers(), table_.interpolation, results);
  write_images(results);
  results.set_attribute("", "converged", Index{converged});
  results.set_attribute("", "saddle_converged", Index{has_saddle});
  results.set_attribute("", "steps", step_);
  results.set_attribute("", "tolerance", table_.tolerance);
  place_atoms({positions_of(*images_, table_.images - 1)}, *system_);
}

std::string AtomPathStage::note_of_saddle() const {
  const auto saddle = refined_.find(Phase::saddle);
  if (saddle == refined_.end())
    return failure_.empty() ? "" : "minimum-energy-path: the saddle is not refined: " + failure_;
  const Index unstable = saddle->second.modes.unstable();
  if (unstable == 1) return "";
  return fmt::format(
      "minimum-energy-path: the highest image has {} unstable modes, and a saddle has one: the "
      "path may keep a symmetry. Give a structure without this symmetry in `through`",
      unstable);
}

std::string AtomPathStage::why_no_rates() const {
  if (!failure_.empty()) return failure_;
  if (!refined_.contains(Phase::saddle)) return "no saddle has been found";
  if (const Index unstable = refined_.at(Phase::saddle).modes.unstable(); unstable != 1)
    return fmt::format("the saddle has {} unstable modes", unstable);
  if (const std::optional<Index> image = paths::minimum_between_ends(band_->path().energy))
    return "the path has another minimum, at image " + std::to_string(*image) +
           "; let the path end at this image";
  for (const auto& [phase, what] : {std::pair{Phase::first, "first"}, {Phase::last, "last"}}) {
    const auto found = refined_.find(phase);
    if (found == refined_.end()) continue;
    if (const Index unstable = found->second.modes.unstable(); unstable > 0)
      return fmt::format("the {} structure is not a minimum: it has {} unstable mode(s)", what,
                         unstable);
  }
  return "";
}

void AtomPathStage::use_saddle() {
  atoms::AtomState& images = images_->host_state();
  const auto image = static_cast<Index>(band_->path().climbing);
  std::ranges::copy(refined_.at(Phase::saddle).positions,
                    images.position.begin() + images.layout.first(image));
  band_->evaluate(images, images_->host_forces());
  images_->use_host();
}

void AtomPathStage::write_saddle(ResultsGroup& results) const {
  const atoms::StationaryStructure& saddle = refined_.at(Phase::saddle);
  const Index atoms = system_->size().sites;
  const std::vector<double> frequencies = saddle.modes.frequencies();
  results.write("saddle/frequency", frequencies, {std::ssize(frequencies)}, "THz");
  results.write("saddle/lowest_mode", saddle.modes.lowest, {atoms, 3}, "");
  results.write("saddle/configuration", flattened(saddle.positions), {atoms, 3},
                inner_unit(Dimension::length, context_.units));
  results.set_attribute("saddle", "energy", saddle.energy);
  results.set_attribute("saddle", "largest_force", saddle.largest_force);
  results.set_attribute("saddle", "steps", saddle.steps);
  results.set_attribute("saddle", "unstable_modes", saddle.modes.unstable());
}

std::string AtomPathStage::write_lifetime(ResultsGroup& results) const {
  const atoms::StationaryStructure& saddle = refined_.at(Phase::saddle);
  const auto saddles = static_cast<double>(table_.lifetime->equivalent_saddles);
  try {
    const EscapesOfPath escapes{atoms::escape_of_atoms(refined_.at(Phase::first), saddle, saddles),
                                atoms::escape_of_atoms(refined_.at(Phase::last), saddle, saddles),
                                atoms::dynamical_factor(saddle)};
    write_states(results);
    std::string note = write_escapes(escapes, temperature_, context_, results);
    results.set_attribute("lifetime", "equivalent_saddles", table_.lifetime->equivalent_saddles);
    for (const auto& [escape, name] :
         {std::pair{&escapes.forward, "forward"}, {&escapes.backward, "backward"}})
      // The prefactor of one saddle does not depend on the temperature, because minimum and saddle
      // have equally many rigid motions.
      results.set_attribute(std::string("lifetime/") + name, "attempt_frequency",
                            escape->prefactor(escapes.dynamical_factor, 1) / saddles);
    return note;
  } catch (const UnphysicalError& error) {
    return "lifetime: there are no rates: " + std::string(error.what());
  }
}

void AtomPathStage::write_states(ResultsGroup& results) const {
  for (const auto& [phase, name] :
       {std::pair{Phase::first, "first"}, {Phase::saddle, "saddle"}, {Phase::last, "last"}}) {
    const atoms::StationaryStructure& state = refined_.at(phase);
    const std::string path = std::string("lifetime/") + name;
    const std::vector<double> frequencies = state.modes.frequencies();
    results.write(path + "/frequency", frequencies, {std::ssize(frequencies)}, "THz");
    results.set_attribute(path, "energy", state.energy);
    results.set_attribute(path, "largest_force", state.largest_force);
    results.set_attribute(path, "steps", state.steps);
    results.set_attribute(path, "unstable_modes", state.modes.unstable());
    results.set_attribute(path, "rigid_motions", state.modes.rigid_motions);
    results.set_attribute(path, "log_volume", state.modes.log_volume);
    results.set_attribute(path, "log_determinant", state.modes.log_determinant());
  }
}

std::string AtomPathStage::note_of_path() const {
  const std::string name = "minimum-energy-path: ";
  const std::string force = inner_unit(Dimension::force, context_.units);
  if (!ends_converged())
    return name + fmt::format(
                      "the ends have not converged after {} steps: the largest forces on "
                      "them are {:.3g} and {:.3g} {}, and the tolerance is {:.3g} {}",
                      ends_steps_, minimiser_->largest_forces()[0], minimiser_->largest_forces()[1],
                      force, finer_ends * table_.tolerance, force);
  const paths::NebPath& path = band_->path();
  if (!band_->converged())
    return name +
           fmt::format(
               "the path has not converged after {} steps: the largest force is "
               "{:.3g} {}, and the tolerance is {:.3g} {}",
               step_, band_->largest_force(), force, table_.tolerance, force) +
           (band_->saddle_converged() ? "; the saddle has converged, so the barrier is right" : "");
  if (table_.climb && path.climbing == 0)
    return name + fmt::format("no image climbs: the path is highest at its {} image",
                              path.highest() == 0 ? "first" : "last");
  const paths::PathCurve curve =
      paths::interpolate_path(path.coordinates(), path.energy, path.slope, table_.interpolation);
  const double rise = *std::ranges::max_element(curve.energy) - path.height();
  if (table_.climb && rise > clear_rise_of_atoms * (path.height() - path.higher_end()))
    return name + fmt::format(
                      "between its images the path is higher than the climbing image by "
                      "{:.2g} {}: give more images",
                      rise, inner_unit(Dimension::energy, context_.units));
  return "";
}

std::vector<std::pair<std::string, std::string>> AtomPathStage::latest() const {
  if (phase_ == Phase::start || phase_ == Phase::ends) return {};
  return {{"step", std::to_string(step_)},
          {"force", fmt::format("{:.2g}", band_->largest_force())}};
}

StageMemory AtomPathStage::save() const {
  StageMemory memory;
  memory.integers["position"] = {static_cast<Index>(phase_), step_, ends_steps_};
  memory.numbers["ends"] = numbers_of(ends_->state, 2).positions;
  memory.numbers["images"] = numbers_of(images_->state, table_.images).positions;
  memory.numbers["minimiser"] = minimiser_->save();
  memory.numbers["band"] = band_->save();
  for (const auto& [phase, structure] : refined_)
    memory.numbers["refined_" + std::to_string(static_cast<int>(phase))] = atoms::saved(structure);
  return memory;
}

void AtomPathStage::load(const StageMemory& memory) {
  phase_ = static_cast<Phase>(memory.integer("position").at(0));
  step_ = memory.integer("position").at(1);
  ends_steps_ = memory.integer("position").at(2);
  const auto set_positions = [](AtomSystem& system, const std::vector<double>& positions) {
    AtomNumbers numbers = numbers_of(system.state, system.replicas.count);
    numbers.positions = positions;
    set_numbers(system.state, numbers);
  };
  set_positions(*ends_, memory.number("ends"));
  set_positions(*images_, memory.number("images"));
  minimiser_->load(memory.number("minimiser"));
  if (phase_ < Phase::path) return;
  band_->load(memory.number("band"), images_->host_state(), images_->host_forces());
  images_->use_host();
  for (const Phase phase : {Phase::saddle, Phase::first, Phase::last}) {
    const std::string name = "refined_" + std::to_string(static_cast<int>(phase));
    if (memory.numbers.contains(name))
      refined_.insert_or_assign(phase, atoms::loaded(memory.number(name), system_->size().sites));
  }
  // An interrupted search begins again.
  if (is_refining()) begin_refinement(phase_);
}

}  // namespace larmor::study
