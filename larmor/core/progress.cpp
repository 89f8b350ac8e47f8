#include "larmor/core/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <exception>
#include <ostream>

#include "larmor/core/error.hpp"
#include "larmor/core/text.hpp"

namespace larmor {
namespace {

constexpr double silent_seconds = 2;  // shorter runs print nothing
constexpr double smoothing_seconds = 15;

double steady_seconds() {
  using std::chrono::duration;
  return duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double first_interval(ProgressMode mode) {
  if (mode == ProgressMode::terminal) return 0.1;
  return mode == ProgressMode::plain ? 10 : 1;
}

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Columns of UTF-8 text without wide or combining characters.
int columns_of(const std::string& text) {
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues_character(c); }));
}

std::string cut_to_columns(const std::string& text, int columns) {
  std::size_t end = 0;
  for (; end < text.size(); ++end)
    if (!continues_character(text[end]) && columns-- <= 0) break;
  return text.substr(0, end);
}

/// Three significant digits without exponent, for 0.1 <= x < 999.5.
std::string three_digits(double x) {
  return fmt::format("{:.{}f}", x, x < 9.995 ? 2 : x < 99.95 ? 1 : 0);
}

}  // namespace

std::string format_duration(double seconds) {
  if (seconds < 0.995) return fmt::format("{:.2f} s", seconds);
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  if (seconds > 1e9) return "over 30 years";
  const auto whole = std::llround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  const auto minutes = std::llround(seconds / 60);
  if (minutes < 24 * 60) return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
  const auto hours = std::llround(seconds / 3600);
  return fmt::format("{} d {} h", hours / 24, hours % 24);
}

std::string format_rate(double per_second, const std::string& unit) {
  static constexpr std::array<const char*, 6> prefixes{"", "k ", "M ", "G ", "T ", "P "};
  std::size_t power = 0;
  while (per_second >= 999.5 && power + 1 < prefixes.size()) {
    per_second /= 1000;
    ++power;
  }
  const std::string number =
      per_second < 0.1 ? fmt::format("{:.2g}", per_second) : three_digits(per_second);
  return fmt::format("{} {}{}/s", number, prefixes[power], unit);
}

Progress::Progress(std::ostream& out, ProgressOptions options)
    : out_(out), options_(std::move(options)) {
  if (options_.total < 0 || options_.already_done < 0 || options_.already_done > options_.total)
    throw InternalError(fmt::format("progress: {} of {} units of work done at the start",
                                    options_.already_done, options_.total));
  if (!options_.clock) options_.clock = steady_seconds;
  started_ = rated_at_ = options_.clock();
  done_ = done_when_rated_ = options_.already_done;
  next_report_ = started_ + silent_seconds;
  interval_ = first_interval(options_.mode);
  if (options_.mode == ProgressMode::json) write_line(json("start", started_, 0));
}

Progress::~Progress() {
  try {
    stop();
  } catch (const std::exception&) {
    // A stream that throws must not end the program while another exception propagates.
  }
}

void Progress::set_stage(std::string stage, bool open_ones_follow) {
  stage_ = std::move(stage);
  open_ones_follow_ = open_ones_follow;
}

void Progress::set_open_stage(std::optional<OpenStage> open) {
  // The rate of an open stage does not predict that of other stages.
  if (open.has_value() != open_.has_value()) {
    rated_at_ = options_.clock();
    done_when_rated_ = all_done();
    rate_is_new_ = true;
  }
  open_ = std::move(open);
}

void Progress::stage_done(double seconds, double rate) {
  if (ended_ || options_.mode == ProgressMode::quiet) return;
  const double now = options_.clock();
  if (options_.mode == ProgressMode::json) {
    write_line(fmt::format(
        R"({{"event":"stage","stage":{},"unit":{},"elapsed":{:.3f},"seconds":{:.3f},"rate":{:.6g}}})",
        json_string(stage_), json_string(options_.unit), now - started_, seconds, rate));
    return;
  }
  if (now - started_ < silent_seconds) return;
  stages_reported_ = true;
  write_separate_line(fmt::format("{}  done in {}  {}", stage_, format_duration(seconds),
                                  format_rate(rate, options_.unit)));
}

void Progress::set_averages(std::vector<ShortText> averages) { averages_ = std::move(averages); }

void Progress::advance(Index done) {
  (open_ ? done_open_ : done_) += done;
  if (ended_ || options_.mode == ProgressMode::quiet) return;
  const double now = options_.clock();
  if (now >= next_report_) report(now);
}

bool Progress::due() const {
  return !ended_ && options_.mode != ProgressMode::quiet && options_.clock() >= next_report_;
}

void Progress::finish() { end(true); }

void Progress::stop() { end(false); }

void Progress::report(double now) {
  update_rate(now);
  next_report_ = now + interval_;
  if (options_.mode == ProgressMode::terminal) return rewrite_line(line());
  if (options_.mode == ProgressMode::json) return write_line(json("progress", now, rate_));
  interval_ = std::min(60.0, interval_ * 1.5);
  write_line(line());
}

/// The rate is an exponential average, so that the time left adapts to a stage of another speed.
void Progress::update_rate(double now) {
  const double elapsed = now - rated_at_;
  if (elapsed <= 0) return;
  const double latest = static_cast<double>(all_done() - done_when_rated_) / elapsed;
  const double weight = rate_is_new_ ? 1 : 1 - std::exp(-elapsed / smoothing_seconds);
  rate_is_new_ = false;
  rate_ += weight * (latest - rate_);
  rated_at_ = now;
  done_when_rated_ = all_done();
}

std::optional<double> Progress::seconds_left() const {
  if (open_) return open_->seconds_left;
  if (!(rate_ > 0)) return std::nullopt;
  return static_cast<double>(std::max<Index>(0, options_.total - done_)) / rate_;
}

void Progress::end(bool completed) {
  if (ended_) return;
  ended_ = true;
  if (options_.mode == ProgressMode::quiet) return;
  const double now = options_.clock();
  const double elapsed = now - started_;
  const double rate =
      elapsed > 0 ? static_cast<double>(all_done() - options_.already_done) / elapsed : 0;
  if (options_.mode == ProgressMode::json)
    return write_line(json(completed ? "end" : "stopped", now, rate));
  if (elapsed < silent_seconds) return;
  std::string text =
      fmt::format("{} {}", completed ? "done in" : "stopped after", format_duration(elapsed));
  if (!stages_reported_) text += "  " + format_rate(rate, options_.unit);
  write_separate_line(text);
}

/// Writes a separate line.
void Progress::write_separate_line(const std::string& text) {
  if (options_.mode == ProgressMode::plain) return write_line(text);
  rewrite_line(text);
  write_line("");
  columns_used_ = 0;
}

/// "46 %"; for an open stage also its criterion.
std::string Progress::progress_text() const {
  if (open_)
    return open_->criterion.empty()
               ? ""
               : fmt::format("{:3.0f} % {}", std::floor(100 * open_->share), open_->criterion);
  const double share =
      options_.total > 0 ? static_cast<double>(done_) / static_cast<double>(options_.total) : 1;
  // Rounded down: 100 % only when all is done.
  return fmt::format("{:3.0f} %", std::floor(100 * std::min(share, 1.0)));
}

std::string Progress::line() const {
  std::string text = stage_.empty() ? "" : stage_ + "  ";
  if (const std::string done = progress_text(); !done.empty()) text += done + "  ";
  text += format_rate(rate_, options_.unit);
  // A running stage always has some time left.
  if (const std::optional<double> left = seconds_left(); left && *left > 0)
    text += fmt::format("  {}{} left",
                        open_               ? "about "
                        : open_ones_follow_ ? "at least "
                                            : "",
                        format_duration(*left));
  for (const auto& [name, value] : averages_) {
    const std::string more = fmt::format("  {} {}", name, value);
    const bool fits = columns_of(text) + columns_of(more) < options_.width;
    if (options_.mode == ProgressMode::terminal && !fits) break;
    text += more;
  }
  return text;
}

std::string Progress::json(const char* event, double now, double rate) const {
  std::string text = fmt::format(
      R"({{"event":"{}","stage":{},"done":{},"total":{},"unit":{},"elapsed":{:.3f})", event,
      json_string(stage_), done_, options_.total, json_string(options_.unit), now - started_);
  text += fmt::format(R"(,"rate":{:.6g},"left":)", rate);
  const std::optional<double> left = open_ones_follow_ ? std::nullopt : seconds_left();
  text += left ? fmt::format("{:.3f}", *left) : "null";
  if (open_ && !open_->criterion.empty())
    text += fmt::format(R"(,"converged":{:.4f})", open_->share);
  text += R"(,"averages":{)";
  const char* separator = "";
  for (const auto& [name, value] : averages_) {
    text += fmt::format("{}{}:{}", separator, json_string(name), json_string(value));
    separator = ",";
  }
  return text + "}}";
}

void Progress::write_line(const std::string& text) { out_ << text << '\n' << std::flush; }

/// Blanks overwrite the end of a longer previous line. The last column stays free, since many
/// terminals wrap there.
void Progress::rewrite_line(const std::string& text) {
  const std::string visible = cut_to_columns(text, std::max(0, options_.width - 1));
  const int columns = columns_of(visible);
  const std::string blanks(static_cast<std::size_t>(std::max(0, columns_used_ - columns)), ' ');
  out_ << '\r' << visible << blanks << std::flush;
  columns_used_ = columns;
}

}  // namespace larmor
