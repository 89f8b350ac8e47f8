#pragma once
// Reports of the progress of a run to users or programs: work done, rate, time left, latest
// averages.

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor {

enum class ProgressMode {
  terminal,  ///< one line, rewritten at most 10 times a second
  plain,     ///< for log files: a line after 2 s, then every 10 s, slowing to every minute
  json,      ///< one JSON object a line: start, progress (at most one a second), end
  quiet      ///< nothing
};

struct ProgressOptions {
  ProgressMode mode = ProgressMode::quiet;
  Index total = 0;               ///< units of work in the whole run, except for open stages
  Index already_done = 0;        ///< units done before this run began (a resumed study)
  std::string unit = "updates";  ///< name of a unit of work
  int width = 80;                ///< columns of the terminal
  /// Monotonic time in seconds; the steady clock if empty.
  std::function<double()> clock;
};

/// A running stage that ends on convergence. No total counts its work.
struct OpenStage {
  double share = 0;                    ///< converged fraction, from 0 to 1
  std::string criterion;               ///< the criterion that the share measures; empty if unknown
  std::optional<double> seconds_left;  ///< empty if unknown
};

/// Name and formatted value: {"energy", "-1.4321"}.
using ShortText = std::pair<std::string, std::string>;

/// Writes the progress of one run to a stream that it does not own. Runs of under two seconds print
/// nothing, except for the start and end events of json. If an exception, for example, destroys
/// this object before `finish`, the object ends its line and reports the run as stopped. It is not
/// thread-safe.
class Progress {
 public:
  /// @throws InternalError if total < 0, or already_done is not within [0, total]
  Progress(std::ostream& out, ProgressOptions options);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Sets the name of the current stage, e.g. "2/3 monte-carlo".
  /// @param open_ones_follow does a later stage end on convergence? Then the time left is unknown
  void set_stage(std::string stage, bool open_ones_follow = false);
  /// From now on, work belongs to this open stage. If there is no value, work counts to the total
  /// again.
  void set_open_stage(std::optional<OpenStage> open);
  /// Reports time and rate of a stage that has ended. The end of the run then reports no rate.
  void stage_done(double seconds, double rate);
  /// Sets the latest averages, most important first; a narrow terminal shows the first that fit.
  void set_averages(std::vector<ShortText> averages);
  /// Will the next call of advance write? Averages that are expensive are computed only then.
  bool due() const;
  /// Counts `done` more units. Cheap; writes only if a report is due.
  void advance(Index done);

  /// All work is done. Nothing is written after this.
  void finish();
  /// The run ends before its work is done. Nothing is written after this.
  void stop();

 private:
  void report(double now);
  void update_rate(double now);
  Index all_done() const { return done_ + done_open_; }
  /// Empty if unknown.
  std::optional<double> seconds_left() const;
  std::string progress_text() const;
  void end(bool completed);
  std::string line() const;
  std::string json(const char* event, double now, double rate) const;
  void write_separate_line(const std::string& text);
  void write_line(const std::string& text);
  void rewrite_line(const std::string& text);

  std::ostream& out_;
  ProgressOptions options_;
  std::string stage_;
  std::vector<ShortText> averages_;
  double started_;
  Index done_;           ///< units of the total
  Index done_open_ = 0;  ///< units of open stages
  std::optional<OpenStage> open_;
  bool open_ones_follow_ = false;
  bool stages_reported_ = false;
  bool rate_is_new_ = true;
  double rate_ = 0;  ///< units per second, smoothed over about 15 s
  double rated_at_;  ///< time at the last update of the rate
  Index done_when_rated_;
  double next_report_;
  double interval_;       ///< seconds from the next report to the one after
  int columns_used_ = 0;  ///< columns of the terminal's line
  bool ended_ = false;
};

/// "0.42 s", "42 s", "1 min 20 s", "2 h 05 min", "3 d 4 h".
/// @param seconds finite, not negative
std::string format_duration(double seconds);

/// Three digits and an SI prefix: "52.1 M updates/s".
/// @param per_second finite, not negative
std::string format_rate(double per_second, const std::string& unit);

}  // namespace larmor
