#pragma once
// Tells a waiting person or program how far a run is: done, rate, time left, latest averages.

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor {

enum class ProgressMode {
  terminal,  ///< one line that is rewritten, at most 10 times a second
  plain,     ///< a line after 2 s, then every 10 s, growing to every minute: for log files
  json,      ///< one JSON object a line: start, progress (at most one a second), end
  quiet      ///< nothing
};

struct ProgressOptions {
  ProgressMode mode = ProgressMode::quiet;
  Index total = 0;               ///< units of work in the whole run, but for that of open stages
  Index already_done = 0;        ///< of these, done before this run began (a resumed study)
  std::string unit = "updates";  ///< what a unit of work is
  int width = 80;                ///< columns of the terminal
  /// Monotonic time in seconds; the steady clock if empty.
  std::function<double()> clock;
};

/// A stage under way that ends on convergence: its work is in no total.
struct OpenStage {
  double share = 0;                    ///< of its way, from 0 to 1
  std::string way;                     ///< what the share is of; empty: it is not known yet
  std::optional<double> seconds_left;  ///< where they can be told
};

/// Name and value, ready to be read: {"energy", "-1.4321"}.
using ShortText = std::pair<std::string, std::string>;

/// Writes the progress of one run to a stream that it does not own. Runs of under two seconds print
/// nothing, but for the start and end events of json. If destroyed before `finish`, as when an
/// error passes, it ends its line and reports the run as stopped. Not for several threads at once.
class Progress {
 public:
  /// @throws InternalError if total < 0, or already_done is not within [0, total]
  Progress(std::ostream& out, ProgressOptions options);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// What is being done now, e.g. "2/3 monte-carlo".
  /// @param open_ones_follow does a later stage end on convergence? Then nobody knows the time left
  void set_stage(std::string stage, bool open_ones_follow = false);
  /// From now on work is that of such a stage; nothing: it counts to the total again.
  void set_open_stage(std::optional<OpenStage> open);
  /// The stage has ended: its time and rate. Where stages tell them, the end of the run has no rate
  /// of its own.
  void stage_done(double seconds, double rate);
  /// The latest averages, most important first; a narrow terminal shows the first that fit.
  void set_averages(std::vector<ShortText> averages);
  /// Will the next advance write? For averages that cost something to find out.
  bool due() const;
  /// `done` more units are done. Cheap; writes if it is time to.
  void advance(Index done);

  /// All work is done. Nothing is written after this.
  void finish();
  /// The run ends before its work is done. Nothing is written after this.
  void stop();

 private:
  void report(double now);
  void update_rate(double now);
  Index all_done() const { return done_ + done_open_; }
  /// Nothing: they cannot be told.
  std::optional<double> seconds_left() const;
  std::string how_far() const;
  void end(bool completed);
  std::string line() const;
  std::string json(const char* event, double now, double rate) const;
  void tell(const std::string& text);
  void write_line(const std::string& text);
  void rewrite_line(const std::string& text);

  std::ostream& out_;
  ProgressOptions options_;
  std::string stage_;
  std::vector<ShortText> averages_;
  double started_;
  Index done_;           ///< of the total
  Index done_open_ = 0;  ///< by open stages
  std::optional<OpenStage> open_;
  bool open_ones_follow_ = false;
  bool stages_told_ = false;
  bool rate_is_new_ = true;
  double rate_ = 0;  ///< units a second, smoothed over about 15 s
  double rated_at_;  ///< time and amount at the last update of the rate
  Index done_when_rated_;
  double next_report_;
  double interval_;       ///< seconds from the next report to the one after
  int columns_used_ = 0;  ///< of the terminal's line
  bool ended_ = false;
};

/// "0.42 s", "42 s", "1 min 20 s", "2 h 05 min", "3 d 4 h".
/// @param seconds finite, not negative
std::string format_duration(double seconds);

/// Three digits and an SI prefix: "52.1 M updates/s".
/// @param per_second finite, not negative
std::string format_rate(double per_second, const std::string& unit);

}  // namespace larmor
