#include "larmor/study/run/live_session.hpp"

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "larmor/core/input/suggest.hpp"
#include "larmor/study/run/opened_results.hpp"

namespace larmor::study {

/// A folder for results that nobody keeps. They hold samples that would fill the memory.
struct LiveSession::TemporaryFolder {
  std::string path;

  TemporaryFolder() {
    path = (std::filesystem::temp_directory_path() / "larmor-XXXXXX").string();
    if (::mkdtemp(path.data()) == nullptr)
      throw MachineError("cannot make a folder for temporary results, '" + path +
                         "': " + std::generic_category().message(errno));
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
};

LiveSession::LiveSession(const Study& study, const RunOptions& options)
    : options_(options), study_(study), ranks_(study.replicas) {
  if (options_.output.empty()) {
    folder_ = std::make_unique<TemporaryFolder>();
    options_.output = folder_->path + "/results.h5";
    options_.writes_checkpoints = false;
  }
  start(create_results(options_));
  session_->begin();
  session_->start();
  is_open_ = true;
}

LiveSession::LiveSession(const RunOptions& options)
    : options_(options), study_(study_to_resume(options_)), ranks_(study_.replicas) {
  start(open_results(options_));
  session_->resume();
  session_->start();
  is_open_ = true;
}

LiveSession::~LiveSession() = default;

void LiveSession::start(std::optional<io::ResultsFile> results) {
  options_.on_note = [this](const std::string& words) { notes_.push_back(words); };
  session_ = std::make_unique<Session>(study_, options_, ranks_, std::move(results));
  session_->connect();
}

void LiveSession::require_open() const {
  if (!is_open_)
    throw InputError(is_complete() ? "the study is complete" : "the simulation is closed",
                     "start the study again, or resume its results");
}

Chunk LiveSession::run(Index steps, const std::function<bool()>& wants_stop) {
  require_open();
  session_->end_pause();
  is_open_ = false;  // Until this call returns.
  const std::size_t stage = session_->stage_number();
  const bool counts_steps = session_->stage()->place().has_value();
  Chunk chunk;
  while (chunk.steps < steps && session_->stage_number() == stage) {
    chunk.was_stopped = wants_stop();
    if (chunk.was_stopped) break;
    const StageProgress made = session_->advance(steps - chunk.steps).value();
    chunk.steps += made.steps;
    chunk.updates += made.work;
    if (!counts_steps && steps != any_number_of_steps) break;
  }
  if (is_complete()) {
    const RunOutcome outcome = session_->end();
    if (!outcome.note.empty()) notes_.push_back(outcome.note);
  } else {
    is_open_ = true;
  }
  // Readers of views do not know the stream of the engine.
  if (has_views_) synchronise(device());
  return chunk;
}

void LiveSession::save() {
  require_open();
  if (folder_ != nullptr)
    throw InputError("the simulation has no results file for a checkpoint",
                     "start it with output=\"results.h5\"");
  session_->save_checkpoint();
}

void LiveSession::close() {
  if (!is_open_) return;
  is_open_ = false;
  const RunOutcome outcome = session_->end();
  if (!outcome.note.empty()) notes_.push_back(outcome.note);
}

std::size_t LiveSession::stage_number() const {
  return std::min(session_->stage_number(), session_->stages() - 1);
}

std::optional<StagePlace> LiveSession::place() const {
  return session_->stage_at(stage_number()).place();
}

double LiveSession::fraction_done() const {
  if (is_complete()) return 1;
  const double all = session_->known_updates();
  return all > 0 ? std::min(session_->known_done() / all, 1.0) : 0;
}

std::vector<std::string> LiveSession::take_notes() { return std::exchange(notes_, {}); }

bool LiveSession::stage_measures_energies() const {
  const std::vector<LiveArray> own = session_->system().live_arrays();
  return std::ranges::none_of(own, [](const LiveArray& a) { return a.name == "energies"; }) &&
         session_->has_begun_stage() && session_->stage()->measures_energies();
}

std::vector<LiveArray> LiveSession::arrays() const {
  std::vector<LiveArray> all = session_->system().live_arrays();
  if (stage_measures_energies())
    all.push_back({"energies", inner_unit(Dimension::energy, study_.context.units), "replica"});
  return all;
}

const LiveArray& LiveSession::known_array(const std::string& name,
                                          const std::vector<LiveArray>& all) const {
  std::vector<std::string> names;
  for (const LiveArray& known : all) {
    if (known.name == name) return known;
    names.push_back(known.name);
  }
  throw InputError("a " + stage_kind() + " stage of " + study_.model_kind->name() +
                       " has no array \"" + name + "\"",
                   hint_and_list(name, names));
}

io::DataArray LiveSession::array(const std::string& name) {
  const std::vector<LiveArray> all = arrays();
  const LiveArray& known = known_array(name, all);
  if (known.needs_stage && is_open_) session_->prepare_stage();
  if (name == "energies" && stage_measures_energies())
    return session_->stage()->energies(session_->simulation());
  return session_->system().live_array(name);
}

MemoryView LiveSession::view(const std::string& name) {
  const std::vector<LiveArray> all = arrays();
  const LiveArray& known = known_array(name, all);
  if (!known.is_held)
    throw InputError("the engine does not hold the array \"" + name + "\" in this form",
                     "take a copy with array(\"" + name + "\")");
  if (known.needs_stage && is_open_) session_->prepare_stage();
  MemoryView view = session_->system().live_view(name);
  has_views_ = true;
  synchronise(device());
  return view;
}

std::vector<std::int32_t> LiveSession::order_of_views() const {
  return session_->system().order_of_views();
}

void LiveSession::set_array(const std::string& name, std::span<const double> values,
                            const io::Shape& shape) {
  require_open();
  const std::vector<LiveArray> all = arrays();
  if (!known_array(name, all).can_be_set)
    throw InputError("the array \"" + name + "\" cannot be set", "spins of vectors can be set");
  const io::Shape wanted = session_->system().live_array(name).shape();
  if (shape != wanted)
    throw InputError("\"" + name + "\" has the shape " + io::shape_text(wanted) + ", not " +
                         io::shape_text(shape),
                     "give one vector for each replica and site");
  if (session_->has_begun_stage() && !session_->stage()->allows_other_state())
    throw InputError("a " + stage_kind() + " stage keeps numbers that depend on the " + name,
                     "set them before the stage begins, or in a stage of dynamics or Monte Carlo");
  session_->system().set_live_array(name, values);
  session_->note_other_state();
}

}  // namespace larmor::study
