// Rooms: study
#include "larmor/study/scan/scan.hpp"

#include <gtest/gtest.h>

#include <set>

#include "larmor/study/input/scan_values.hpp"
#include "larmor/study/models/spins/system/spin_tables.hpp"
#include "larmor/study/scan/point_dispatch.hpp"
#include "larmor/study/scan/scan_check.hpp"

namespace larmor::study {
namespace {

const std::string base = R"(seed = 5
[lattice]
type = "square"
size = [4, 4]

[[exchange]]
shell = 1
J = 1.0

[[exchange]]
shell = 2
J = 0.2

[field]
B = [0, 0, 0.5]

[[stage]]
kind = "monte-carlo"
temperature = 1.0
sweeps = 20

[[stage]]
kind = "dynamics"
timestep = 0.05
steps = 20
)";

Scan scan_of(const std::string& tables) { return {base + tables, "study.toml", "."}; }

std::string scan_table(const std::string& key, const std::string& rest) {
  return "[[scan]]\nkey = \"" + key + "\"\n" + rest + "\n";
}

/// The error message for faulty [[scan]] tables, for any of their points.
std::string refusal(const std::string& tables) {
  try {
    const Scan scan = scan_of(tables);
    for (Index point = 0; point < scan.points(); ++point) static_cast<void>(scan.study(point));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

void expect_refusal(const std::string& tables, const std::string& words) {
  const std::string message = refusal(tables);
  EXPECT_NE(message.find(words), std::string::npos) << message;
  EXPECT_EQ(message.rfind("study.toml:", 0), 0U) << message;
}

double field_z(const Study& study) {
  return std::get<std::vector<spins::ZeemanField>>(spin_tables(study).terms).at(0).B.z;
}

double exchange(const Study& study, std::size_t table) {
  return std::get<std::vector<spins::Exchange>>(spin_tables(study).terms).at(table).J.value();
}

TEST(Scan, AStudyWithoutTablesIsItsOnlyPoint) {
  const Scan scan = scan_of("");
  EXPECT_FALSE(scan.is_scan());
  EXPECT_EQ(scan.points(), 1);
  EXPECT_EQ(scan.study(0).text, base);
  EXPECT_EQ(scan.study(0).seed, 5U);
}

TEST(Scan, PointsAreEveryCombinationTheLastTableFastest) {
  const Scan scan = scan_of(scan_table("exchange.2.J", "values = [0.1, 0.2]") +
                            scan_table("field.B.3", "values = [1.0, 2.0, 3.0]"));
  EXPECT_EQ(scan.shape(), (std::vector<Index>{2, 3}));
  ASSERT_EQ(scan.points(), 6);
  EXPECT_EQ(scan.indices(4), (std::vector<Index>{1, 1}));
  const Study study = scan.study(4);
  EXPECT_EQ(exchange(study, 0), 1.0);
  EXPECT_EQ(exchange(study, 1), 0.2);
  EXPECT_EQ(field_z(study), 2.0);
  EXPECT_EQ(scan.name(4), "point 4 (exchange.2.J = 0.2, field.B.3 = 2.0)");
}

TEST(Scan, ThePointsTextReadAloneIsTheSameStudy) {
  const Scan scan =
      scan_of(scan_table("stage.1.temperature", "values = [0.1, 0.30000000000000004]") +
              scan_table("stage.2.damping", "values = [0.05]"));
  const Study point = scan.study(1);
  const Study alone = parse_study(point.text, "alone.toml", ".");
  EXPECT_EQ(completed_study(alone), completed_study(point));
  EXPECT_NE(point.text.find("0.30000000000000004"), std::string::npos);
  EXPECT_EQ(point.text.find("scan"), std::string::npos);
}

TEST(Scan, SeedsOfPointsDifferUnlessTheSeedIsScanned) {
  EXPECT_EQ(seed_of_point(0, 0), 0xE220A8397B1DCDAFU);  // value published for SplitMix64
  EXPECT_EQ(seed_of_point(0, 1), 0x6E789E6AA1B965F4U);
  const Scan scan = scan_of(scan_table("stage.1.temperature", "values = [1.0, 2.0, 3.0]"));
  std::set<std::uint64_t> seeds;
  for (Index point = 0; point < 3; ++point) {
    EXPECT_EQ(scan.study(point).seed, seed_of_point(5, point));
    seeds.insert(scan.study(point).seed);
  }
  EXPECT_EQ(seeds.size(), 3U);
  EXPECT_EQ(scan_of(scan_table("seed", "values = [7, 8]")).study(1).seed, 8U);
}

TEST(Scan, KeysThatGoAlongChangeTogether) {
  const Scan scan = scan_of(scan_table("exchange.1.J",
                                       "values = [1.0, 2.0]\n"
                                       "with = [{ key = \"exchange.2.J\" },\n"
                                       "        { key = \"field.B.3\", values = [5, 6] }]"));
  ASSERT_EQ(scan.points(), 2);
  const Study study = scan.study(1);
  EXPECT_EQ(exchange(study, 0), 2.0);
  EXPECT_EQ(exchange(study, 1), 2.0);
  EXPECT_EQ(field_z(study), 6.0);
}

TEST(Scan, ARangeOfValuesHasBothEndsAndItsUnit) {
  const Scan scan = scan_of(scan_table("field.B.3", "values = { from = 1, to = 2.5, points = 4 }"));
  ASSERT_EQ(scan.points(), 4);
  EXPECT_EQ(field_z(scan.study(1)), 1.5);
  EXPECT_EQ(field_z(scan.study(3)), 2.5);
  const std::string kelvins =
      scan_table("stage.1.temperature", "values = { from = '100 K', to = '200 K', points = 3 }");
  const auto numbers = numbers_of(scan_of(kelvins).axes().at(0).keys.at(0).values);
  ASSERT_TRUE(numbers.has_value());
  EXPECT_EQ(numbers->values, (std::vector<double>{100, 150, 200}));
  EXPECT_EQ(numbers->unit, "K");
}

TEST(Scan, ARangeOfWholeNumbersIsExact) {
  // Rounding in 1 + (n / 49) 49 would miss some whole numbers, but the key `seed` takes whole
  // numbers.
  const Scan seeds = scan_of(scan_table("seed", "values = { from = 1, to = 600, points = 600 }"));
  ASSERT_EQ(seeds.points(), 600);
  for (Index n = 0; n < 600; ++n) EXPECT_EQ(seeds.study(n).seed, static_cast<std::uint64_t>(n + 1));
  const Scan down = scan_of(scan_table("seed", "values = { from = 50, to = 1, points = 50 }"));
  for (Index n = 0; n < 50; ++n) EXPECT_EQ(down.study(n).seed, static_cast<std::uint64_t>(50 - n));
  // Above 2^53, a double cannot represent every whole number.
  const Scan large = scan_of(scan_table(
      "seed", "values = { from = 9007199254740993, to = 9007199254741008, points = 6 }"));
  for (Index n = 0; n < 6; ++n) EXPECT_EQ(large.study(n).seed, 9007199254740993U + 3U * n);
  const Scan reals = scan_of(
      scan_table("seed", "values = { from = 1e15, to = 1.000000000000599e15, points = 600 }"));
  for (Index n = 0; n < 600; ++n) EXPECT_EQ(reals.study(n).seed, 1000000000000000U + n);
  const Scan kelvins = scan_of(
      scan_table("stage.1.temperature", "values = { from = '1 K', to = '600 K', points = 600 }"));
  const auto numbers = numbers_of(kelvins.axes().at(0).keys.at(0).values);
  for (std::size_t n = 0; n < 600; ++n) EXPECT_EQ(numbers->values[n], static_cast<double>(n + 1));
}

TEST(Scan, ARangeThatIsNotWholeIsRefusedWhereWholeNumbersAreAskedFor) {
  const std::string range = "values = { from = 1, to = 50, points = 49 }";
  expect_refusal(scan_table("seed", range), "49 points from 1.0 to 50.0");
  expect_refusal(scan_table("seed", range), "give points = 50");
  expect_refusal(scan_table("stage.1.sweeps", "values = { from = 10, to = 25, points = 5 }"),
                 "'stage.1.sweeps' takes whole numbers");
  expect_refusal(scan_table("exchange.1.J",
                            "values = [1, 2]\nwith = [{ key = \"seed\", "
                            "values = { from = 1, to = 2, points = 2 } }]") +
                     scan_table("stage.1.sweeps", "values = { from = 10, to = 15, points = 3 }"),
                 "'stage.1.sweeps' takes whole numbers");
  // Other errors keep their messages, and keys that take real numbers accept any range.
  expect_refusal(scan_table("seed", "values = { from = -50, to = -1, points = 49 }"), "seed");
  const Scan fields = scan_of(scan_table("field.B.3", "values = { from = 0, to = 1, points = 4 }"));
  EXPECT_EQ(field_z(fields.study(1)), 1.0 / 3);
}

TEST(Scan, AKeyThatTheStudyLeavesOutMayBeScanned) {
  const Scan scan = scan_of(scan_table("stage.2.damping", "values = [0.1, 0.2]"));
  EXPECT_NE(scan.study(1).text.find("damping = 0.2"), std::string::npos);
}

TEST(Scan, OnlyNumbersOfOneUnitAreNumbers) {
  EXPECT_FALSE(numbers_of({Value("1 K"), Value("1 meV")}).has_value());
  EXPECT_FALSE(numbers_of({Value("heun")}).has_value());
  EXPECT_FALSE(numbers_of({Value(Value::Array{1.0, 2.0})}).has_value());
}

TEST(Scan, MistakesAreToldWithTheirPlace) {
  const std::string values = "values = [1.0, 2.0]";
  expect_refusal(scan_table("stgae.1.temperature", values), "did you mean 'stage'");
  expect_refusal(scan_table("stage.1.temperatur", values), "did you mean 'temperature'");
  expect_refusal(scan_table("stage.temperature", values), "stage.1.temperature");
  expect_refusal(scan_table("stage.3.temperature", values), "list of 2");
  expect_refusal(scan_table("field.B.4", values), "list of 3");
  expect_refusal(scan_table("exchange.1.J.x", values), "is a number");
  expect_refusal(scan_table("", values), "names no key");
  expect_refusal(scan_table("exchange..J", values), "names no key");
  expect_refusal(scan_table("exchange.1.J", "values = []"), "must not be empty");
  expect_refusal(scan_table("exchange.1.J", "values = 3"), "must be a list");
  expect_refusal(scan_table("exchange.1.J", ""), "'values' is missing");
  expect_refusal(scan_table("exchange.1.J", "values = [1.0, 'strong']"), "strong");
  expect_refusal(scan_table("stage.1.sweeps", "values = [10, -5]"), "sweeps");
  expect_refusal(scan_table("exchange.1.J", values + "\ncolour = 1"), "unknown key 'colour'");
  expect_refusal(scan_table("exchange.1.J", values) + scan_table("exchange.1.J", values), "twice");
  expect_refusal(scan_table("field.B", "values = [[0, 0, 1]]") + scan_table("field.B.3", values),
                 "twice");
  expect_refusal(scan_table("field.B.3", "values = { from = 1, to = '2 T', points = 3 }"),
                 "one unit");
  expect_refusal(
      scan_table("exchange.1.J", values + "\nwith = [{ key = \"field.B.3\", values = [1] }]"),
      "with which it changes");
  expect_refusal(scan_table("exchange.1.J", "values = { from = 0, to = 1, points = 90000 }") +
                     scan_table("field.B.3", "values = [1, 2]"),
                 "180000 points");
}

TEST(Scan, AWrongValueIsPointedAtWhereItStands) {
  const std::string message = refusal(scan_table("exchange.1.J", "values = [1.0,\n  'strong']"));
  EXPECT_EQ(message.rfind("study.toml:29:3", 0), 0U) << message;
}

TEST(Scan, OneStudyIsNotMadeOfManyUnnoticed) {
  EXPECT_THROW(parse_study(base + scan_table("exchange.1.J", "values = [1, 2]"), "study.toml", "."),
               InputError);
}

TEST(PointDispatch, OneRankTakesAllPointsInTheirOrder) {
  PointDispatch dispatch(nullptr, {3, 1, 2}, nullptr);
  std::vector<Index> taken;
  while (const auto point = dispatch.next()) {
    taken.push_back(*point);
    dispatch.finished(*point, 10);
  }
  EXPECT_EQ(taken, (std::vector<Index>{3, 1, 2}));
  EXPECT_EQ(dispatch.take_done(), taken);
  EXPECT_TRUE(dispatch.take_done().empty());
  EXPECT_EQ(dispatch.work(), 30);
  dispatch.serve_until_done([] {});
}

Scan scan_of_ising(const std::string& tables) {
  return {
      "replicas = 32\n[model]\nkind = \"ising\"\n[lattice]\ngrid = [256, 256]\n[[exchange]]\n"
      "shell = 1\nJ = 1\n[[stage]]\nkind = \"monte-carlo\"\nsampler = \"metropolis\"\n"
      "temperature = 2.3\nsweeps = 100000\n" +
          tables,
      "study.toml", "."};
}

TEST(Scan, EachPointHasItsEngine) {
  const Scan scan =
      scan_of_ising(scan_table("lattice.grid", "values = [[64, 64], [40, 40], [128, 64]]") +
                    scan_table("stage.1.sampler", "values = ['metropolis', 'swendsen-wang']"));
  const ScanCheck check = check_scan(scan, {}, nullptr);
  const std::set<std::string> different(check.engines.begin(), check.engines.end());
  EXPECT_EQ(different.size(), 3u);
  EXPECT_EQ(check.engines[0], check.engines[4]);
  EXPECT_NE(check.engines[0], check.engines[2]);
  EXPECT_EQ(check.engines[1], check.engines[3]);
}

TEST(Scan, TheForecastDoesNotDependOnWhichEngineComesFirst) {
  // The engine `bits` is about ten times as fast as the engine `states`. If the forecast used one
  // speed for both, it would be wrong by this factor.
  const auto forecast = [](const std::string& first, const std::string& second) {
    return plan_scan(scan_of_ising(scan_table("stage.1.engine",
                                              "values = ['" + first + "', '" + second + "']")))
        .seconds;
  };
  const double ratio = forecast("general", "bits") / forecast("bits", "general");
  EXPECT_GT(ratio, 0.25);
  EXPECT_LT(ratio, 4);
}

TEST(Scan, WorkOfAGridOfWaveVectorsFollowsTheSize) {
  const Scan scan(
      "[lattice]\ntype = 'chain'\nsize = [4]\n[[exchange]]\nshell = 1\nJ = 1\n[initial]\nstate = "
      "'aligned'\n"
      "[[stage]]\nkind = 'spin-waves'\ngrid = true\n" +
          scan_table("lattice.size.1", "values = [4, 6]"),
      "study.toml", ".");
  EXPECT_EQ(check_scan(scan, {}, nullptr).work, (std::vector<double>{4 * 4, 6 * 6}));
}

TEST(PointDispatch, ASignalStopsThePointUnderWayAndThoseToCome) {
  std::atomic<int> asked{0};
  PointDispatch dispatch(nullptr, {0, 1}, &asked);
  ASSERT_TRUE(dispatch.next().has_value());
  dispatch.poll(4);
  EXPECT_EQ(dispatch.stop(), 0);
  asked = 15;
  dispatch.poll(5);
  EXPECT_EQ(dispatch.stop(), 15);
  EXPECT_EQ(dispatch.signal(), 15);
  EXPECT_FALSE(dispatch.next().has_value());
  EXPECT_TRUE(dispatch.take_done().empty());
}

TEST(PointDispatch, AFailureStopsWithoutASignal) {
  PointDispatch dispatch(nullptr, {0, 1}, nullptr);
  ASSERT_TRUE(dispatch.next().has_value());
  dispatch.fail();
  EXPECT_NE(dispatch.stop(), 0);
  EXPECT_EQ(dispatch.signal(), 0);
  EXPECT_FALSE(dispatch.next().has_value());
}

/// Plays the second of two ranks, which has ended without a message.
class LostRank final : public MessagePassing {
 public:
  int rank() const override { return 0; }
  int size() const override { return 2; }
  int rank_on_node() const override { return 0; }
  int size_on_node() const override { return 2; }
  const char* library() const override { return "none"; }
  void send(const void*, std::size_t, int) override {}
  void receive(void*, std::size_t, int) override {}
  void exchange(const Message*, int, const Message*, int) override {}
  void sum(double*, std::size_t) override {}
  bool maximum(double*, int, double pause, bool (*go_on)(void*), void* context) override {
    while (go_on(context)) waited += pause;
    return false;
  }
  void post(const void*, std::size_t, int) override {}
  int receive_post(void*, std::size_t) override { return -1; }
  void abort(int) override {}
  void finish() override {}

  double waited = 0;  ///< seconds that a real wait would have taken
};

TEST(PointDispatch, ARootThatIsToStopDoesNotWaitForEverForOthers) {
  LostRank lost;
  const Communicator world(lost);
  std::atomic<int> asked{15};
  PointDispatch dispatch(&world, {0}, &asked, std::chrono::milliseconds(20));
  EXPECT_FALSE(dispatch.next().has_value());
  EXPECT_THROW(dispatch.serve_until_done([] {}), MachineError);
}

TEST(Communicator, ARankThatIsToStopGivesOthersTwentySeconds) {
  LostRank lost;
  const Communicator world(lost);
  const std::atomic<int> asked{15};
  int told = 0;
  EXPECT_THROW(world.maximum({0}, &asked, [&] { ++told; }), MachineError);
  EXPECT_EQ(told, 1);
  EXPECT_GT(lost.waited, 19);
  EXPECT_LE(lost.waited, 20);
}

}  // namespace
}  // namespace larmor::study
