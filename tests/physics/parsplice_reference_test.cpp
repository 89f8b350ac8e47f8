// Spliced trajectories against exact rates: the file replicas/solvable.json in the folder that
// LARMOR_TEST_REFERENCE names, with double wells and Markov chains.
// Rooms: parsplice, io

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "larmor/io/files/json.hpp"
#include "tests/parsplice_runs.hpp"

namespace larmor::parsplice_reference_tests {

using namespace larmor::parsplice;
using namespace larmor::parsplice_testing;

class SplicedReference : public testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("LARMOR_TEST_REFERENCE");
    if (folder == nullptr) GTEST_SKIP() << "LARMOR_TEST_REFERENCE names no folder";
    const std::string path = std::string(folder) + "/replicas/solvable.json";
    std::ifstream file(path);
    ASSERT_TRUE(file) << path;
    const std::string text(std::istreambuf_iterator<char>(file), {});
    table = io::parse_json(text, path);
  }

  Value table;
};

using SplicedLangevinInDepth = SplicedReference;
using SplicedWellsInDepth = SplicedReference;
using SplicedChainsInDepth = SplicedReference;

double number(const Value& row, const char* key) { return row.find(key)->as_number(); }

TEST_F(SplicedWellsInDepth, HaveTheirRates) {
  std::uint64_t seed = 500;
  for (const Value& well : table.find("double_well")->as_array()) {
    const DiffusionOnPoints system(number(well, "h"), 0.1);
    const double exact = number(*well.find("overdamped"), "qsd_exit_rate");
    const double across = number(*well.find("overdamped"), "well_to_well_rate");
    for (const int workers : {1, 7, 64}) {
      const SegmentRule rule = rule_for(system, ++seed);
      const auto goal = static_cast<Index>(42000 / exact / system.step());
      auto found = exits_of(spliced(system, rule, system.minimum(-1), goal, workers),
                            rule.correlation_steps);
      const std::string name =
          "h " + std::to_string(number(well, "h")) + ", " + std::to_string(workers) + " workers";
      for (const StateLabel side : {left_well, right_well}) {
        const Rate rate = found[side].rate(system.step());
        EXPECT_LT(rate.error / rate.value, 0.0105);
        expect_within(3, rate, exact, name);
        expect_within(3, found[side].rate_to(left_well + right_well - side, system.step()), across,
                      name + ", across");
      }
    }
  }
}

TEST_F(SplicedLangevinInDepth, ForgetsTheWellWithItsRate) {
  std::uint64_t seed = 600;
  for (const Value& well : table.find("double_well")->as_array())
    for (const Value& row : well.find("underdamped")->as_array()) {
      const double h = number(well, "h"), friction = number(row, "gamma");
      const double exact = number(row, "lambda_1");
      // Otherwise a well is left before it settles.
      if (exact > 0.06) continue;
      const LangevinMotion system(h, friction, 0.02);
      const SegmentRule rule{.seed = ++seed,
                             .segment_steps = 2000,
                             .correlation_steps = static_cast<Index>(10 / system.step()),
                             .lanes = 128};
      const auto goal = static_cast<Index>(60000 / exact / system.step());
      const Trajectory trajectory = spliced(system, rule, {-1, 0}, goal, 7);
      const Rate rate = rate_of_forgetting(trajectory, system.step(), 0.3 / exact, 1.1 / exact);
      EXPECT_LT(rate.error / rate.value, 0.02);
      expect_within(3, rate, exact,
                    "h " + std::to_string(h) + ", friction " + std::to_string(friction));
    }
}

TEST_F(SplicedChainsInDepth, HaveTheirRatesAndCorrelations) {
  std::uint64_t seed = 700;
  for (const Value& chain : table.find("markov")->as_array()) {
    std::vector<std::vector<double>> rates;
    for (const Value& row : chain.find("rates")->as_array()) {
      rates.emplace_back();
      for (const Value& rate : row.as_array()) rates.back().push_back(rate.as_number());
    }
    const std::string name = chain.find("name")->as_string();
    const JumpChain system(rates, 1e-4);
    for (const int workers : {1, 7, 64}) {
      const SegmentRule rule{
          .seed = ++seed, .segment_steps = 50000, .correlation_steps = 0, .lanes = 128};
      const Trajectory trajectory = spliced(system, rule, {0}, 500000000, workers);
      auto found = exits_of(trajectory, 0);
      const std::vector<Trajectory> parts = trajectory.parts(40);
      const Value::Array& stationary = chain.find("stationary")->as_array();
      for (std::size_t i = 0; i < rates.size(); ++i) {
        const double waiting = chain.find("mean_waiting")->as_array()[i].as_number();
        expect_within(3, found[i].rate(system.step()), 1 / waiting, name);
        std::vector<double> shares;
        for (const Trajectory& part : parts) shares.push_back(share_of(part, i));
        expect_mean(shares, stationary[i].as_number(), name + ", share " + std::to_string(i));
        const Value::Array& jumps = chain.find("jump_probabilities")->as_array()[i].as_array();
        for (std::size_t j = 0; j < rates.size(); ++j) {
          const double exact = jumps[j].as_number();
          const auto n = static_cast<double>(found[i].exits);
          EXPECT_NEAR(static_cast<double>(found[i].next[j]) / n, exact,
                      3.5 * std::sqrt(exact * (1 - exact) / n) + 1e-12)
              << name << ", jump " << i << j;
        }
      }
      const Value::Array& times = chain.find("times")->as_array();
      for (std::size_t k = 0; k < times.size(); ++k) {
        const auto lag = static_cast<Index>(std::llround(times[k].as_number() / system.step()));
        std::vector<double> joint;
        for (const Trajectory& part : parts) joint.push_back(joint_share(part, 0, lag));
        expect_mean(joint, stationary[0].as_number() * chain.find("P00")->as_array()[k].as_number(),
                    name + ", P00 " + std::to_string(k));
      }
    }
  }
}

}  // namespace larmor::parsplice_reference_tests
