// Rooms: core
#include "larmor/core/progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "larmor/core/error.hpp"

namespace larmor {
namespace {

/// The progress display of a run whose clock the test sets.
struct Rehearsal {
  double now = 100;
  std::ostringstream out;

  ProgressOptions options(ProgressMode mode, Index total) {
    ProgressOptions o;
    o.mode = mode;
    o.total = total;
    o.clock = [this] { return now; };
    return o;
  }
  /// Advances `units` of work evenly over `seconds`.
  void work(Progress& progress, double seconds, Index units) {
    for (Index i = 0; i < units; ++i) {
      now += seconds / static_cast<double>(units);
      progress.advance(1);
    }
  }
  std::vector<std::string> lines() const {
    std::istringstream in(out.str());
    std::vector<std::string> result;
    for (std::string line; std::getline(in, line);) result.push_back(line);
    return result;
  }
};

TEST(progress, durations_read_as_people_say_them) {
  EXPECT_EQ(format_duration(0), "0.00 s");
  EXPECT_EQ(format_duration(0.42), "0.42 s");
  EXPECT_EQ(format_duration(4.24), "4.2 s");
  EXPECT_EQ(format_duration(9.96), "10 s");
  EXPECT_EQ(format_duration(59.6), "1 min 00 s");
  EXPECT_EQ(format_duration(80), "1 min 20 s");
  EXPECT_EQ(format_duration(3599.7), "1 h 00 min");
  EXPECT_EQ(format_duration(7510), "2 h 05 min");
  EXPECT_EQ(format_duration(86399), "1 d 0 h");
  EXPECT_EQ(format_duration(1e30), "over 30 years");
  EXPECT_EQ(format_duration(3 * 86400 + 4 * 3600), "3 d 4 h");
}

TEST(progress, rates_have_three_digits_and_a_prefix) {
  EXPECT_EQ(format_rate(0, "steps"), "0 steps/s");
  EXPECT_EQ(format_rate(0.034, "steps"), "0.034 steps/s");
  EXPECT_EQ(format_rate(3.14159, "steps"), "3.14 steps/s");
  EXPECT_EQ(format_rate(812, "updates"), "812 updates/s");
  EXPECT_EQ(format_rate(999.7, "updates"), "1.00 k updates/s");
  EXPECT_EQ(format_rate(52.1e6, "updates"), "52.1 M updates/s");
  EXPECT_EQ(format_rate(1.234e9, "updates"), "1.23 G updates/s");
  EXPECT_EQ(format_rate(5e18, "updates"), "5000 P updates/s");
}

TEST(progress, short_runs_are_silent) {
  for (const auto mode : {ProgressMode::terminal, ProgressMode::plain, ProgressMode::quiet}) {
    Rehearsal run;
    Progress progress(run.out, run.options(mode, 100));
    run.work(progress, 1.9, 100);
    progress.finish();
    EXPECT_EQ(run.out.str(), "");
  }
}

TEST(progress, quiet_is_silent_however_long) {
  Rehearsal run;
  Progress progress(run.out, run.options(ProgressMode::quiet, 100));
  run.work(progress, 1000, 100);
  progress.finish();
  EXPECT_EQ(run.out.str(), "");
}

TEST(progress, plain_tells_share_rate_time_left_and_averages) {
  Rehearsal run;
  Progress progress(run.out, run.options(ProgressMode::plain, 1000));
  progress.set_stage("1/2 anneal");
  progress.set_averages({{"energy", "-1.4321"}, {"|m|", "0.71"}});
  run.work(progress, 2.5, 25);
  EXPECT_EQ(run.out.str(),
            "1/2 anneal    2 %  10.0 updates/s  1 min 38 s left  energy -1.4321  |m| 0.71\n");
}

TEST(progress, plain_lines_grow_sparse) {
  Rehearsal run;
  Progress progress(run.out, run.options(ProgressMode::plain, 20000));
  std::vector<double> times;
  for (std::size_t count = 0; times.size() < 9;) {
    run.now += 1;
    progress.advance(1);
    const std::size_t seen = run.lines().size();
    if (seen > count) times.push_back(run.now - 100);
    count = seen;
  }
  // A line comes after 2 s. The next come 10, 15, 22.5, 33.75, 50.6, 60, 60, ... s later, rounded
  // here.
  EXPECT_EQ(times, (std::vector<double>{2, 12, 27, 50, 84, 135, 195, 255, 315}));
}

TEST(progress, terminal_rewrites_one_line_at_most_ten_times_a_second) {
  Rehearsal run;
  Progress progress(run.out, run.options(ProgressMode::terminal, 10000));
  run.work(progress, 10, 10000);
  const std::string text = run.out.str();
  const auto rewrites = std::count(text.begin(), text.end(), '\r');
  EXPECT_GE(rewrites, 70);
  EXPECT_LE(rewrites, 81);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  progress.finish();
  const std::string ended = run.out.str();
  EXPECT_NE(ended.find("\rdone in 10 s  1.00 k updates/s"), std::string::npos);
  EXPECT_EQ(ended.find('\n'), ended.size() - 1);
}

TEST(progress, terminal_lines_fit_and_cover_the_last_one) {
  Rehearsal run;
  ProgressOptions options = run.options(ProgressMode::terminal, 4);
  options.width = 40;
  Progress progress(run.out, options);
  progress.set_averages({{"energy", "-1"}, {"magnetisation", "0.123456"}});
  run.work(progress, 2.5, 1);
  EXPECT_EQ(run.out.str(), "\r 25 %  0.40 updates/s  7.5 s left");
  run.out.str("");
  progress.set_averages({});
  progress.set_stage("μ: a stage with a very long name that fills everything");
  run.work(progress, 0.2, 1);
  EXPECT_EQ(run.out.str(), "\rμ: a stage with a very long name that f");
  run.out.str("");
  progress.set_stage("b");
  run.work(progress, 0.2, 1);
  ASSERT_EQ(run.out.str().size(), 1u + 39u);
  EXPECT_EQ(run.out.str().back(), ' ');
}

TEST(progress, json_writes_start_progress_and_end) {
  Rehearsal run;
  Progress progress(run.out, run.options(ProgressMode::json, 40));
  progress.set_stage("a \"b\"\n");
  progress.set_averages({{"energy", "-1.5"}});
  run.work(progress, 4, 40);
  progress.finish();
  const auto lines = run.lines();
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0],
            R"({"event":"start","stage":"","done":0,"total":40,"unit":"updates","elapsed":0.000,)"
            R"("rate":0,"left":null,"averages":{}})");
  EXPECT_EQ(lines[1].find(R"({"event":"progress","stage":"a \"b\"\u000a","done":2)"), 0u);
  EXPECT_EQ(lines[3],
            R"({"event":"end","stage":"a \"b\"\u000a","done":40,"total":40,"unit":"updates",)"
            R"("elapsed":4.000,"rate":10,"left":0.000,"averages":{"energy":"-1.5"}})");
}

TEST(progress, json_of_a_short_run_has_only_its_ends) {
  Rehearsal run;
  Progress progress(run.out, run.options(ProgressMode::json, 10));
  run.work(progress, 1, 10);
  progress.finish();
  EXPECT_EQ(run.lines().size(), 2u);
}

TEST(progress, nothing_is_written_after_the_end) {
  for (const auto mode : {ProgressMode::terminal, ProgressMode::plain, ProgressMode::json}) {
    Rehearsal run;
    {
      Progress progress(run.out, run.options(mode, 100));
      run.work(progress, 50, 100);
      progress.finish();
      run.out.str("");
      run.work(progress, 50, 100);
      progress.stop();
      progress.finish();
    }
    EXPECT_EQ(run.out.str(), "");
  }
}

TEST(progress, an_abandoned_run_is_reported_as_stopped) {
  Rehearsal run;
  {
    Progress progress(run.out, run.options(ProgressMode::terminal, 100));
    run.work(progress, 5, 50);
  }
  EXPECT_NE(run.out.str().find("\rstopped after 5.0 s  10.0 updates/s"), std::string::npos);
  EXPECT_EQ(run.out.str().back(), '\n');
}

TEST(progress, work_done_before_a_resume_counts_for_the_share_not_the_rate) {
  Rehearsal run;
  ProgressOptions options = run.options(ProgressMode::plain, 100);
  options.already_done = 50;
  Progress progress(run.out, options);
  run.work(progress, 2.5, 25);
  EXPECT_EQ(run.lines()[0].find(" 7"), 0u);
  EXPECT_NE(run.lines()[0].find("10.0 updates/s"), std::string::npos);
}

TEST(progress, a_stage_that_ends_on_convergence_tells_its_way_and_no_time_left) {
  Rehearsal run;
  Progress progress(run.out, run.options(ProgressMode::plain, 100));
  progress.set_stage("1/2 minimise");
  progress.set_open_stage(OpenStage{});
  run.work(progress, 2.5, 25);
  progress.set_open_stage(OpenStage{.share = 0.467, .criterion = "converged", .seconds_left = {}});
  run.work(progress, 10, 100);
  progress.set_open_stage(OpenStage{.share = 0.99, .criterion = "converged", .seconds_left = 7});
  run.work(progress, 20, 200);
  progress.stage_done(32.6, 10);
  // The 325 updates of the first stage do not count towards the 100 of the second.
  progress.set_stage("2/2 dynamics");
  progress.set_open_stage({});
  run.work(progress, 25, 50);
  progress.finish();
  const std::vector<std::string> expected{
      "1/2 minimise  10.0 updates/s",
      "1/2 minimise   46 % converged  10.0 updates/s",
      "1/2 minimise   99 % converged  10.0 updates/s  about 7.0 s left",
      "1/2 minimise  done in 33 s  10.0 updates/s",
      "2/2 dynamics   35 %  2.00 updates/s  33 s left",
      "done in 57 s"};
  EXPECT_EQ(run.lines(), expected);
}

TEST(progress, before_stages_that_end_on_convergence_the_time_left_is_a_bound) {
  Rehearsal run;
  Progress progress(run.out, run.options(ProgressMode::plain, 100));
  progress.set_stage("1/2 dynamics", true);
  run.work(progress, 2, 10);
  EXPECT_EQ(run.out.str(), "1/2 dynamics   10 %  5.00 updates/s  at least 18 s left\n");
  Rehearsal as_json;
  Progress told(as_json.out, as_json.options(ProgressMode::json, 100));
  told.set_stage("1/2 dynamics", true);
  as_json.work(told, 2, 10);
  told.stage_done(2, 5);
  told.set_open_stage(OpenStage{.share = 0.25, .criterion = "converged", .seconds_left = {}});
  as_json.work(told, 2, 10);
  const auto lines = as_json.lines();
  ASSERT_GE(lines.size(), 4u);
  EXPECT_NE(lines[1].find(R"("left":null,"averages")"), std::string::npos) << lines[1];
  EXPECT_EQ(lines[2], R"({"event":"stage","stage":"1/2 dynamics","unit":"updates","elapsed":2.000,)"
                      R"("seconds":2.000,"rate":5})");
  EXPECT_NE(lines[3].find(R"("left":null,"converged":0.2500)"), std::string::npos) << lines[3];
}

TEST(progress, what_has_done_its_work_but_runs_has_no_time_left_to_tell) {
  Rehearsal run;
  Progress progress(run.out, run.options(ProgressMode::plain, 4));
  run.work(progress, 4, 4);
  run.out.str("");
  run.now += 10;
  progress.advance(0);
  EXPECT_EQ(run.out.str().find("left"), std::string::npos) << run.out.str();
}

TEST(progress, impossible_totals_are_errors) {
  Rehearsal run;
  ProgressOptions options = run.options(ProgressMode::plain, 10);
  options.already_done = 11;
  EXPECT_THROW(Progress(run.out, options), InternalError);
  EXPECT_THROW(Progress(run.out, run.options(ProgressMode::plain, -1)), InternalError);
}

}  // namespace
}  // namespace larmor
