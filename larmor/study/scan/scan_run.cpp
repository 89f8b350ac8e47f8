#include "larmor/study/scan/scan_run.hpp"

#include <chrono>
#include <exception>
#include <filesystem>
#include <limits>
#include <optional>
#include <ostream>
#include <vector>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/ranks/thread_ranks.hpp"
#include "larmor/core/text.hpp"
#include "larmor/study/run/provenance.hpp"
#include "larmor/study/run/study_results.hpp"
#include "larmor/study/scan/point_dispatch.hpp"
#include "larmor/study/scan/scan_check.hpp"
#include "larmor/study/scan/scan_results.hpp"

namespace larmor::study {
namespace {

/// One run of a scan on this rank.
class ScanRun {
 public:
  /// @param results on the root; nothing on other ranks
  ScanRun(const Scan& scan, const RunOptions& options, const Communicator& world,
          std::vector<double> work, std::optional<ScanResults> results)
      : scan_(scan),
        options_(options),
        world_(world),
        work_(std::move(work)),
        results_(std::move(results)),
        run_of_scan_(run_of(io::ResultsReader(options.output))),
        dispatch_(&world, results_ ? results_->unfinished() : std::vector<Index>{}, options.stop),
        progress_(results_ && options.progress_stream != nullptr ? *options.progress_stream : none_,
                  progress_options()) {}

  RunOutcome run();

 private:
  ProgressOptions progress_options() const;
  void run_points();
  void run_point(Index point);
  RunOptions options_of(Index point);
  /// An error on this rank stops all ranks; the first error is kept.
  void guarded(const std::function<void()>& work);
  /// Copies finished points into the results and shows the progress, on the root.
  void update_results();
  void report(const std::string& note) const;
  /// Points give equal warnings: only the first is shown, by the root if its own points warn.
  void warn(Index point, const std::string& words);
  void report_first_warning() const;

  const Scan& scan_;
  const RunOptions& options_;
  const Communicator& world_;
  std::vector<double> work_;  ///< of each point
  std::optional<ScanResults> results_;
  std::uint64_t run_of_scan_;  ///< identifier of the scan
  PointDispatch dispatch_;
  std::ostream none_{nullptr};
  Progress progress_;
  double work_shown_ = 0;
  double updates_ = 0;  ///< updates of this rank
  std::string note_;    ///< on the root, after all points are done
  std::exception_ptr failure_;
  std::optional<Index> warned_;        ///< the first point of this rank with a warning
  std::vector<std::string> warnings_;  ///< warnings of that point
};

ProgressOptions ScanRun::progress_options() const {
  ProgressOptions options;
  const bool shows_progress = results_ && options_.progress_stream != nullptr;
  options.mode = shows_progress ? options_.progress : ProgressMode::quiet;
  options.width = options_.width;
  if (!results_) return options;
  double total = 0;
  for (const double work : work_) total += work;
  options.total = static_cast<Index>(total);
  options.already_done = static_cast<Index>(results_->work_done());
  return options;
}

void ScanRun::report(const std::string& note) const {
  if (options_.on_note) options_.on_note(note);
}

void ScanRun::warn(Index point, const std::string& words) {
  if (warned_.value_or(point) != point) return;
  warned_ = point;
  warnings_.push_back(scan_.name(point) + ": " + words);
  if (world_.is_root()) report(warnings_.back());
}

/// A collective operation.
void ScanRun::report_first_warning() const {
  const double own = warned_ ? static_cast<double>(*warned_) : std::numeric_limits<double>::max();
  const std::vector<double> most = world_.maximum({world_.is_root() && warned_ ? 1.0 : 0.0, -own});
  const bool is_reported = most[0] > 0, is_first = warned_ && own == -most[1];
  if (is_reported || !is_first) return;
  for (const std::string& warning : warnings_) report(warning);
}

void ScanRun::guarded(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error&) {
    if (!failure_) failure_ = std::current_exception();
    dispatch_.fail();
  }
}

void ScanRun::update_results() {
  if (!results_) return;
  guarded([&] {
    results_->add(dispatch_.take_done());
    if (!failure_) results_->copy_in_if_due();
  });
  progress_.set_stage(std::to_string(results_->done()) + "/" + std::to_string(scan_.points()) +
                      " points");
  const double more = dispatch_.work() - work_shown_;
  work_shown_ += more;
  progress_.advance(static_cast<Index>(more));
}

RunOptions ScanRun::options_of(Index point) {
  RunOptions own = options_;
  own.output = point_file(options_.output, point);
  own.outer_results = options_.output;
  own.force = true;
  own.progress_stream = nullptr;
  own.stop = &dispatch_.stop();
  own.world = nullptr;
  own.on_error = nullptr;
  own.on_note = [this, point](const std::string& words) { warn(point, words); };
  own.provenance = {
      {"point", point}, {"rank", Index{world_.rank()}}, {scan_attribute, run_of_scan_}};
  own.between_blocks = [this](double work) {
    if (dispatch_.poll(work)) update_results();
  };
  return own;
}

void ScanRun::run_point(Index point) {
  const RunOptions own = options_of(point);
  require_point_of(run_of_scan_, own.output);
  RunOutcome outcome;
  try {
    of_point(scan_, point, [&] {
      outcome = std::filesystem::exists(own.output) ? resume_study(own)
                                                    : run_study(scan_.study(point), own);
    });
  } catch (const InputError& error) {
    // All points have the key at one position of the study.
    if (scan_.is_scan() && error.has_position())
      report(scan_.name(point) + " cannot run, and the scan stops");
    throw;
  }
  updates_ += outcome.updates;
  if (!outcome.note.empty()) report(scan_.name(point) + ": " + outcome.note);
  if (outcome.completed) dispatch_.finished(point, work_[static_cast<std::size_t>(point)]);
}

void ScanRun::run_points() {
  while (const std::optional<Index> point = dispatch_.next()) guarded([&] { run_point(*point); });
  if (!results_) return;
  try {
    dispatch_.serve_until_done([&] { update_results(); });
  } catch (const MachineError&) {
    // The error that stopped all ranks says more than a list of unfinished points.
    if (failure_) std::rethrow_exception(failure_);
    throw;
  }
  update_results();
  guarded([&] {
    results_->copy_in();
    if (results_->done() == scan_.points()) note_ = results_->complete();
  });
}

RunOutcome ScanRun::run() {
  const auto start = std::chrono::steady_clock::now();
  run_points();
  RunOutcome outcome;
  // An error on one rank ends all of them, each with its points saved.
  world_.together([&] {
    if (failure_) std::rethrow_exception(failure_);
  });
  report_first_warning();
  double numbers[] = {results_ ? static_cast<double>(results_->done()) : 0, updates_};
  world_.sum(numbers, 2);
  outcome.completed = static_cast<Index>(numbers[0]) == scan_.points();
  outcome.updates = numbers[1];
  outcome.signal = dispatch_.signal();
  outcome.note = note_;
  outcome.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (outcome.completed)
    progress_.finish();
  else
    progress_.stop();
  return outcome;
}

/// @param work updates of each point, on every rank
/// @param notes advice to print before
RunOutcome run_on_ranks(const Scan& scan, const RunOptions& options, const Communicator& world,
                        std::vector<double> work, std::optional<ScanResults> results,
                        const std::vector<std::string>& notes = {}) {
  double points = results ? static_cast<double>(results->unfinished().size()) : 0;
  world.sum(&points, 1);
  ScanRun run(scan, options, world, std::move(work), std::move(results));
  if (options.on_note)
    for (const std::string& words : notes) options.on_note(words);
  RunOutcome outcome = run.run();
  const int idle = world.size() - static_cast<int>(points);
  if (idle > 0)
    add_note(outcome.note, std::to_string(idle) + " of " + std::to_string(world.size()) +
                               " ranks had no point to run: one rank runs a whole point");
  return outcome;
}

const Communicator& world_of(const RunOptions& options) {
  static const Communicator alone;
  return options.world == nullptr ? alone : *options.world;
}

/// The scan of the results. @throws InputError if the results are complete
Scan scan_of_results(const std::string& output) {
  const io::ResultsReader reader(output);
  const io::Attributes where = reader.attributes("/study");
  require_not_completed(reader, output);
  return {reader.read("/study/text").text(), where.at("file").text(), where.at("folder").text()};
}

RunOutcome run_scan_of_rank(const Scan& scan, const RunOptions& options) {
  const Communicator& world = world_of(options);
  ScanCheck check;
  std::optional<ScanResults> results;
  world.together([&] { check = check_scan(scan, options.device, &world); });
  join(check, world);
  world.together([&] {
    if (world.is_root()) results = ScanResults::create(scan, check.work, options);
  });
  return run_on_ranks(scan, options, world, std::move(check.work), std::move(results),
                      text_of(check.notes, scan));
}

RunOutcome resume_scan_of_rank(const RunOptions& options) {
  const Communicator& world = world_of(options);
  std::optional<Scan> scan;
  std::optional<ScanResults> results;
  RunOptions own = options;
  world.together([&] {
    scan.emplace(scan_of_results(options.output));
    const io::ResultsReader reader(options.output);
    const Continuation continuation = continuation_of(reader, options.changes_arithmetic);
    own.device = as_before(continuation, options.device);
    require_same_arithmetic(continuation, arithmetic_of_scan(scan->study(0), own.device));
  });
  std::vector<double> work(static_cast<std::size_t>(scan->points()), 0.0);
  world.together([&] {
    if (!world.is_root()) return;
    results = ScanResults::open(*scan, own);
    work = results->work();
  });
  world.sum(work.data(), work.size());
  return run_on_ranks(*scan, own, world, std::move(work), std::move(results));
}

/// Runs several points at once, each in a thread that acts as a rank, if options ask for it.
/// @param run the work of a rank
RunOutcome run_at_once(const RunOptions& options,
                       const std::function<RunOutcome(const RunOptions&)>& run) {
  const int threads = options.points_at_once;
  if (threads == 1) return run(options);
  if (world_of(options).size() > 1)
    throw InputError(
        "--points-at-once is for one rank, not for " + std::to_string(world_of(options).size()),
        "leave the option out: each rank runs one point at a time");
  RunOutcome outcome;
  std::exception_ptr failure;
  on_thread_ranks(threads, [&](ThreadRank& thread) {
    const Communicator world(thread);
    RunOptions own = options;
    own.world = &world;
    own.on_error = nullptr;
    own.device.rank_on_node = thread.rank();
    own.device.ranks_on_node = threads;
    if (own.device.threads > 0)
      own.device.threads = std::max<Index>(1, own.device.threads / threads);
#if defined(LARMOR_HAS_CUDA)
    const cuda::ThreadStreams streams(thread.rank());
#endif
    try {
      const RunOutcome of_rank = run(own);
      if (world.is_root()) outcome = of_rank;
    } catch (const OtherRankFailed&) {
      // The rank that failed reports the reason.
    } catch (const Error&) {
      if (!world.failed_together()) throw;
      failure = std::current_exception();
    }
  });
  if (failure) std::rethrow_exception(failure);
  return outcome;
}

}  // namespace

RunOutcome run_scan(const Scan& scan, const RunOptions& options) {
  return run_at_once(options, [&](const RunOptions& own) { return run_scan_of_rank(scan, own); });
}

RunOutcome resume_scan(const RunOptions& options) {
  return run_at_once(options, resume_scan_of_rank);
}

bool holds_scan(const std::string& results) { return io::ResultsReader(results).exists("/scan"); }

}  // namespace larmor::study
