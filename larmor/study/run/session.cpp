#include "larmor/study/run/session.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "larmor/core/device/gpu_waits.hpp"
#include "larmor/core/device/profile.hpp"
#include "larmor/core/progress.hpp"
#include "larmor/core/text.hpp"
#include "larmor/io/files/checksum.hpp"
#include "larmor/io/results/checkpoint.hpp"
#include "larmor/study/parsplice/segments_of_run.hpp"
#include "larmor/study/run/arithmetic.hpp"
#include "larmor/study/run/provenance.hpp"
#include "larmor/study/run/study_results.hpp"
#include "larmor_version.hpp"

namespace larmor::study {
namespace {

using Clock = std::chrono::steady_clock;

/// If more bytes of results are buffered, they are written. A resumed run truncates results to its
/// checkpoint.
constexpr std::size_t most_buffered_bytes = std::size_t{64} << 20;

/// Blocks of the run that a GPU may queue, so that it never waits for the host. Few for large
/// systems, so that a stop, the progress line and an error come soon.
constexpr int blocks_ahead = 16;
constexpr int large_blocks_ahead = 2;
constexpr Index large = 1 << 20;  ///< sites of all replicas

/// Seconds between two checks of the convergence of a stage.
constexpr double follow_every = 0.1;

/// FORMAT: the layout of checkpoints: their blocks, including those of stages, and the contents.
/// Any change must raise this number; tests/reliability/test_layouts.py notices changes.
constexpr std::uint64_t checkpoint_layout = 14;
/// FORMAT: the name of the step among the blocks of a system.
constexpr const char* step_block = "step";

/// FORMAT: prefix of the names of blocks of the system.
constexpr const char* system_blocks = "system/";

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Messages that propose --from-start end with this warning.
constexpr const char* loss =
    "the study begins anew, and the stored results of its stages are dropped";

std::string convergence_text(const Residual& residual) {
  return residual.count > 1 ? "of the fields" : "converged";
}

std::uint64_t study_hash(const Study& study) { return io::checksum(study.text); }

}  // namespace

Session::Session(const Study& study, const RunOptions& options, const Ranks& ranks,
                 std::optional<io::ResultsFile> results)
    : study_(study), options_(options), ranks_(ranks), results_(std::move(results)) {
  const std::unique_ptr<Blueprint> blueprint = study.tables->blueprint();
  const Device device = device_of(study, blueprint->size(), options.device);
  const MemoryForecast forecast =
      require_memory(study, *blueprint, device, options.device.ranks_on_node, ranks);
  system_ = blueprint->make({device, ranks.share(), ranks.sharing(),
                             first_stage(study, &Stage::takes_derivatives).has_value()});
  require_working_memory(study, *system_, forecast);
  for (const Value& table : study.stage) stages_.push_back(make_stage(study, table));
}

std::string Session::stage_path(std::size_t stage) const {
  char number[24];
  std::snprintf(number, sizeof(number), "%02zu", stage + 1);
  return std::string("/stages/") + number + "-" + stages_[stage]->kind();
}

ResultsGroup Session::stage_results() const {
  return {results_ ? &*results_ : nullptr, stage_path(stage_)};
}

double Session::known_updates() const {
  double total = 0;
  for (const auto& stage : stages_)
    if (!stage->ends_on_convergence()) total += stage->work(study_, system_->size());
  return total;
}

void Session::connect() {
  if (ranks_.size() > 1) require_alike(*ranks_.world(), system_->device);
  system_->connect();
}

void Session::begin() {
  const Region region("beginning");
  system_->begin(study_);
  require_samples(simulation());
  for (const auto& stage : stages_)
    stage->require_beginning(simulation(), stage == stages_.front());
  if (results_) write_beginning();
  begins_ = true;
}

void Session::warn() {
  if (!options_.on_note || !ranks_.is_root()) return;
  if (options_.outer_results.empty())
    for (const std::string& advice : system_->advice()) options_.on_note(advice);
  for (std::size_t n = 0; n < stages_.size(); ++n)
    for (const Advice& advice : stages_[n]->advice(simulation()))
      if (advice.warns)
        options_.on_note("stage " + std::to_string(n + 1) + " " + stages_[n]->kind() + ": " +
                         advice.words);
}

void Session::write_beginning() {
  write_head(*results_, study_);
  results_->write("/study/text", study_.text);
  results_->write("/study/completed", completed_study(study_));
  write_files_read(*results_, files_read(study_));
  results_->set_attribute("/study", "file", study_.file);
  results_->set_attribute("/study", "folder", study_.folder);
  run_ = begin_provenance(*results_, study_.seed, options_.provenance);
  begin_leg();
  results_->set_attribute("/model", "kind", study_.model_kind->name());
  results_->set_attribute("/model", "sites", system_->size().sites);
  system_->write_model(study_, *results_);
  const auto replaced = options_.force ? replaced_run(options_.output) : std::nullopt;
  results_->commit();
  // The results of this run exist now, so an older run of this name may be removed.
  if (!replaced) return;
  io::remove_checkpoints(checkpoint_path(options_.output), *replaced);
  remove_segments_of(options_.output, *replaced);
}

void Session::begin_leg() {
  if (!results_) return;
  io::Attributes more = attributes_of(arithmetic_of(system_->device));
  more.emplace("device", device_text(system_->device));
  more.emplace("threads", Index{system_->device.threads});
  more.emplace("ranks", Index{ranks_.size()});
  if (const std::string exchange = system_->exchange_text(); !exchange.empty())
    more.emplace("exchange", exchange);
  leg_ = study::begin_leg(*results_, options_.command, more);
}

void Session::save_checkpoint() {
  const Region region("checkpoint");
  system_->require_finite();
  io::Blocks system = system_->save(ranks_);
  system[step_block] = std::vector<std::uint64_t>{system_->step};
  StageMemory memory;
  if (stage_begun_) {
    stages_[stage_]->finish_measurements();
    memory = stages_[stage_]->save();
  }
  if (results_ && options_.writes_checkpoints) write_checkpoint(system, memory);
}

io::CheckpointHeader Session::checkpoint_header() const {
  return {version, study_.seed, study_hash(study_), commit, run_, checkpoint_layout};
}

void Session::write_first_checkpoint() {
  if (!results_ || has_checkpoint_ || !options_.writes_checkpoints) return;
  io::CheckpointWriter(checkpoint_path(options_.output), checkpoint_header()).commit();
  has_checkpoint_ = true;
}

void Session::write_checkpoint(const io::Blocks& system, const StageMemory& memory) {
  mark_leg(*results_, leg_);
  write_first_checkpoint();
  results_->commit();
  io::CheckpointWriter writer(checkpoint_path(options_.output), checkpoint_header());
  writer.add(system_blocks, system);
  const std::vector<std::uint64_t> position{stage_, stage_begun_ ? 1u : 0u};
  writer.add("position", std::span<const std::uint64_t>(position));
  const std::vector<double> elapsed{stage_seconds_, work_done_, known_done_, stage_work_};
  writer.add("elapsed", std::span<const double>(elapsed));
  std::vector<std::string> series;
  std::vector<std::int64_t> lengths;
  for (const auto& [path, length] : results_->series_lengths()) {
    series.push_back(path);
    lengths.push_back(length);
  }
  writer.add("series", std::span<const std::string>(series));
  writer.add("lengths", std::span<const std::int64_t>(lengths));
  // FORMAT: names of blocks.
  for (const auto& [name, values] : memory.numbers)
    writer.add("numbers/" + name, std::span<const double>(values));
  for (const auto& [name, values] : memory.integers)
    writer.add("integers/" + name, std::span<const std::int64_t>(values));
  writer.commit();
}

bool Session::agree_with_ranks(bool checkpoint_is_due) {
  const double asked = options_.stop != nullptr ? options_.stop->load() : 0;
  // The root decides when, and with how many results.
  const bool due = checkpoint_is_due && ranks_.is_root();
  // If a launcher loses a rank, it sends a stop signal to all other ranks, and kills them soon
  // after.
  const std::vector<double> agreed =
      ranks_.maximum({asked, due ? 1.0 : 0.0}, options_.stop, [this] {
        if (ranks_.is_root() && options_.progress_stream != nullptr)
          *options_.progress_stream << "waiting for the other ranks; if one has ended, `larmor "
                                       "resume "
                                    << shell_word(options_.resume_path())
                                    << "` goes on from the last checkpoint" << std::endl;
      });
  stop_signal_ = static_cast<int>(agreed[0]);
  return agreed[1] != 0;
}

void Session::resume() {
  const Region region("checkpoint read");
  require_same_arithmetic(options_.continuation.value(), arithmetic_of(system_->device));
  require_same_files(files_read(study_), options_.output);
  const io::ResultsReader stored(options_.output);
  run_ = run_of(stored);
  const std::string path = checkpoint_path(options_.output);
  std::optional<io::CheckpointReader> checkpoint;
  std::string problem = "there is no checkpoint '" + path + "'";
  if (std::filesystem::exists(path) || std::filesystem::exists(path + ".prev")) {
    try {
      checkpoint.emplace(path);
    } catch (const io::DamagedCheckpoint& error) {
      problem = error.what();
      if (!options_.from_start)
        throw MachineError(problem +
                           "; put an undamaged checkpoint back, or give --from-start: " + loss);
    }
  }
  if (checkpoint) {
    if (options_.from_start && options_.outer_results.empty())
      add_note("'" + checkpoint->path() + "' exists and is undamaged: --from-start was not needed");
    restore(*checkpoint);
  } else {
    require_permission_to_restart(stored, problem);
    restart();
  }
  if (!results_) return;
  begin_leg();
  // The run will write again the results of stages after the checkpoint, so these are removed.
  for (std::size_t s = stage_ + (stage_begun_ ? 1 : 0); s < stages_.size(); ++s)
    results_->remove(stage_path(s));
}

void Session::add_note(const std::string& words) { larmor::add_note(note_, words); }

void Session::restart() {
  system_->begin(study_);
  if (results_) results_->restore_lengths({});
}

void Session::require_permission_to_restart(const io::ResultsReader& stored,
                                            const std::string& problem) {
  const bool has_stages = stored.exists("/stages");
  if (has_stages && !options_.from_start)
    throw InputError("'" + options_.output + "' cannot be resumed: " + problem,
                     std::string("put the checkpoint back, or give --from-start: ") + loss);
  add_note(has_stages
               ? problem +
                     ": the study began anew, and the stored results of its stages were dropped"
               : "the run had stopped before it stored its state: the study began anew");
}

void Session::restore(const io::CheckpointReader& reader) {
  const io::CheckpointHeader& writer = reader.header();
  const std::string writer_text = "Larmor " + writer.version + " (" + writer.commit + ")";
  const std::string own_words = std::string(version) + " (" + commit + ")";
  if (writer.layout != checkpoint_layout)
    throw InputError("'" + reader.path() + "' was written by " + writer_text +
                         ", whose checkpoints have the "
                         "layout " +
                         std::to_string(writer.layout) + "; " + own_words +
                         " goes on with the layout " + std::to_string(checkpoint_layout),
                     "resume with the version that wrote it, or run the study anew");
  if (writer.run != run_)
    throw InputError("'" + reader.path() + "' is the checkpoint of another run",
                     "put back the checkpoint of this run, or run the study anew");
  if (writer.version != version || writer.commit != commit)
    add_note("begun with " + writer_text + ", going on with " + own_words);
  if (!reader.newest_problem().empty())
    add_note("the newest checkpoint was not usable (" + reader.newest_problem() +
             "); going on from '" + reader.path() + "'");
  has_checkpoint_ = true;
  if (reader.names().empty()) {
    add_note("the run had stopped before it stored its state: the study began anew");
    restart();
    return;
  }
  try {
    const io::Blocks system = reader.blocks(system_blocks);
    system_->load(system, ranks_);
    system_->step = block<std::uint64_t>(system, step_block).at(0);
  } catch (const MachineError& error) {
    throw MachineError("the checkpoint '" + reader.path() + "' is damaged: " + error.what());
  }
  const auto require_valid = [&](bool is_sound, const char* block) {
    if (!is_sound)
      throw MachineError("the checkpoint '" + reader.path() + "' is damaged: its block '" + block +
                         "' does not fit the study");
  };
  const std::vector<std::uint64_t> position = reader.unsigned_integers("position");
  require_valid(position.size() == 2 && position[0] + position[1] <= stages_.size() &&
                    position[0] <= stages_.size() && position[1] <= 1,
                "position");
  stage_ = position[0];
  stage_begun_ = position[1] != 0;
  const std::vector<double> elapsed = reader.doubles("elapsed");
  require_valid(elapsed.size() == 4, "elapsed");
  stage_seconds_ = elapsed[0];
  work_done_ = elapsed[1];
  known_done_ = elapsed[2];
  stage_work_ = elapsed[3];
  io::SeriesLengths lengths;
  const std::vector<std::string> series = reader.texts("series");
  const std::vector<std::int64_t> rows = reader.integers("lengths");
  require_valid(series.size() == rows.size(), "lengths");
  for (std::size_t n = 0; n < series.size(); ++n) lengths[series[n]] = rows[n];
  if (results_) results_->restore_lengths(lengths);
  if (!stage_begun_) return;
  StageMemory memory;
  for (const std::string& name : reader.names()) {
    if (name.rfind("numbers/", 0) == 0) memory.numbers[name.substr(8)] = reader.doubles(name);
    if (name.rfind("integers/", 0) == 0) {
      const auto values = reader.integers(name);
      memory.integers[name.substr(9)].assign(values.begin(), values.end());
    }
  }
  Simulation simulation = this->simulation();
  stages_[stage_]->prepare(simulation);
  stages_[stage_]->load(memory);
}

void Session::require_equal_steps() const {
  if (ranks_.size() == 1) return;
  const auto step = static_cast<double>(std::uint64_t{system_->step});
  const auto stage = static_cast<double>(stage_);
  const double begun = stage_begun_ ? 1 : 0;
  const Communicator& world = *ranks_.world();
  const std::vector<double> most = world.maximum({step, -step, stage, -stage, begun, -begun});
  world.together([&] {
    if (world.is_root() && (most[0] != -most[1] || most[2] != -most[3] || most[4] != -most[5]))
      throw MachineError("ranks see different checkpoints: they would go on from steps " +
                         std::to_string(static_cast<Index>(-most[1])) + " to " +
                         std::to_string(static_cast<Index>(most[0])) + "; is the folder of '" +
                         checkpoint_path(options_.output) +
                         "' the same file system on every machine?");
  });
}

struct Session::Running {
  std::ostream none{nullptr};
  Progress progress;
  Clock::time_point started = Clock::now();
  RunOutcome outcome = {};

  Running(std::ostream* stream, ProgressOptions options)
      : progress(stream != nullptr ? *stream : none, std::move(options)) {}
};

struct Session::StageRun {
  Region region;
  Simulation simulation;
  ResultsGroup results;
  bool is_open;  ///< does the stage end on convergence?
  LaunchPace pace;
  ConvergenceEstimate estimate = {};
  double followed = 0;  ///< seconds from `begun` to the last check of the convergence
  Clock::time_point begun = Clock::now();
  Clock::time_point last_checkpoint = begun;
  Clock::time_point last_block = begun;
};

Session::~Session() = default;

template <class Work>
auto Session::reported(const Work& work) {
  const auto report = [&](const std::exception& error) {
    stage_run_.reset();
    running_->progress.stop();
    if (options_.on_error) options_.on_error(error);
  };
  try {
    return work();
  } catch (const MachineError& error) {
    std::error_code unknown;
    const std::string checkpoint = checkpoint_path(options_.output);
    const bool can_go_on = std::filesystem::exists(checkpoint, unknown) ||
                           std::filesystem::exists(checkpoint + ".prev", unknown);
    const MachineError error_with_remedy(std::string(error.what()) +
                                         (can_go_on ? "\nonce that is remedied, `larmor resume " +
                                                          shell_word(options_.resume_path()) +
                                                          "` goes on from the last checkpoint"
                                                    : ""));
    report(error_with_remedy);
    throw error_with_remedy;
  } catch (const std::exception& error) {
    report(error);
    throw;
  }
}

RunOutcome Session::run() {
  start();
  while (advance()) {
  }
  return end();
}

void Session::start() {
  ProgressOptions progress_options;
  const bool shows_progress = options_.progress_stream != nullptr && ranks_.is_root();
  progress_options.mode = shows_progress ? options_.progress : ProgressMode::quiet;
  progress_options.width = options_.width;
  progress_options.total = static_cast<Index>(std::max(known_updates(), known_done_));
  progress_options.already_done = static_cast<Index>(known_done_);
  running_ = std::make_unique<Running>(shows_progress ? options_.progress_stream : nullptr,
                                       std::move(progress_options));
  if (begins_) warn();
  running_->outcome.note = note_;
  reported([&] { agree_with_ranks(false); });
}

std::optional<StageProgress> Session::advance(Index most_steps) {
  return reported([&]() -> std::optional<StageProgress> {
    if (stage_ == stages_.size() || stop_signal_ != 0) return std::nullopt;
    if (!stage_run_) begin_stage();
    const double interval =
        options_.checkpoint_every > 0 ? options_.checkpoint_every : study_.checkpoint.every;
    const bool is_due = seconds_since(stage_run_->last_checkpoint) > interval;
    if (options_.between_blocks) options_.between_blocks(work_done_);
    const bool due = agree_with_ranks(is_due);
    if (stop_signal_ != 0) return std::nullopt;
    if (due) {
      save_checkpoint();
      stage_run_->last_checkpoint = Clock::now();
    }
    const StageProgress made = run_block(most_steps);
    if (made.done) end_stage();
    return made;
  });
}

void Session::prepare_stage() {
  if (stage_ == stages_.size() || stage_run_) return;
  reported([&] { begin_stage(); });
}

void Session::note_other_state() {
  if (stage_ < stages_.size()) stage_results().set_attribute("", "state_set", Index{1});
}

void Session::end_pause() {
  if (stage_run_) stage_run_->last_block = Clock::now();
}

RunOutcome Session::end() {
  RunOutcome& outcome = running_->outcome;
  stage_run_.reset();
  outcome.completed = stage_ == stages_.size();
  if (!outcome.completed) reported([&] { save_checkpoint(); });
  outcome.wall_seconds = seconds_since(running_->started);
  outcome.signal = stop_signal_;
  if (outcome.completed) {
    if (results_) write_end();
    running_->progress.finish();
  } else {
    running_->progress.stop();
  }
  return outcome;
}

void Session::write_end() {
  write_completed(*results_, leg_);
  io::remove_checkpoints(checkpoint_path(options_.output), run_);
}

void Session::begin_stage() {
  Stage& stage = *stages_[stage_];
  const Index updates = system_->size().movable * study_.replicas;
  stage_run_ = std::unique_ptr<StageRun>(new StageRun{
      Region("stage " + std::to_string(stage_ + 1) + " " + stage.kind()), simulation(),
      stage_results(), stage.ends_on_convergence(),
      LaunchPace(system_->device, updates > large ? large_blocks_ahead : blocks_ahead)});
  Progress& progress = running_->progress;
  const auto rest = stages_.begin() + static_cast<std::ptrdiff_t>(stage_) + 1;
  progress.set_stage(
      std::to_string(stage_ + 1) + "/" + std::to_string(stages_.size()) + " " + stage.kind(),
      std::any_of(rest, stages_.end(), [](const auto& s) { return s->ends_on_convergence(); }));
  progress.set_open_stage(stage_run_->is_open ? std::optional(OpenStage{}) : std::nullopt);
  if (!stage_begun_) {
    const Region preparing("preparing");
    stage.prepare(stage_run_->simulation);
    stage_begun_ = true;
    stage_run_->results.set_attribute("", "kind", stage.kind());
    stage_run_->results.set_attribute("", "completed", Index{0});
  }
  stage_run_->begun = stage_run_->last_checkpoint = stage_run_->last_block = Clock::now();
}

StageProgress Session::run_block(Index most_steps) {
  Stage& stage = *stages_[stage_];
  StageRun& run = *stage_run_;
  run.simulation.most_steps = most_steps;
  const StageProgress made = stage.advance(run.simulation, run.results);
  run.pace.block_launched();
  work_done_ += made.work;
  stage_work_ += made.work;
  if (!run.is_open) known_done_ += made.work;
  running_->outcome.updates += made.work;
  stage_seconds_ += seconds_since(run.last_block);
  run.last_block = Clock::now();
  if (results_ && results_->buffered_bytes() > most_buffered_bytes) {
    write_first_checkpoint();
    results_->commit();
  }
  note_progress(made);
  return made;
}

void Session::note_progress(const StageProgress& made) {
  const Stage& stage = *stages_[stage_];
  StageRun& run = *stage_run_;
  Progress& progress = running_->progress;
  if (run.is_open && (progress.due() || seconds_since(run.begun) > run.followed + follow_every)) {
    run.followed = seconds_since(run.begun);
    if (const std::optional<Residual> residual = stage.residual()) {
      run.estimate.note(*residual, run.followed);
      progress.set_open_stage(OpenStage{run.estimate.fraction(), convergence_text(*residual),
                                        run.estimate.seconds_left()});
    }
  }
  if (progress.due()) progress.set_averages(stage.latest());
  progress.advance(static_cast<Index>(made.work));
}

void Session::end_stage() {
  Stage& stage = *stages_[stage_];
  StageRun& run = *stage_run_;
  stage.finish_measurements();
  stage_seconds_ += seconds_since(run.last_block);
  {
    const Region finishing("finishing");
    system_->require_finite();
    stage.finish(run.simulation, run.results);
  }
  const std::string note = stage.note();
  if (!note.empty()) {
    larmor::add_note(running_->outcome.note, note);
    run.results.set_attribute("", "note", note);
  }
  run.results.set_attribute("", "completed", Index{1});
  run.results.set_attribute("", "wall_seconds", stage_seconds_);
  const double rate = stage_work_ / std::max(stage_seconds_, 1e-9);
  run.results.set_attribute("", "rate", rate);
  run.results.set_attribute("", "rate_unit", study_.model_kind->update_name() + "/s");
  running_->progress.stage_done(stage_seconds_, rate);
  ++stage_;
  stage_begun_ = false;
  stage_seconds_ = stage_work_ = 0;
  if (stage_ < stages_.size()) save_checkpoint();
  stage_run_.reset();
}

}  // namespace larmor::study
