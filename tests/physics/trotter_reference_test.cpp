// Quantum Monte Carlo against exact values: the file quantum/tfim_clusters.json in the folder that
// LARMOR_TEST_REFERENCE names, with averages of small clusters at finite M and M = infinity.
// Rooms: trotter, io

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "larmor/io/files/json.hpp"
#include "larmor/trotter/continuous_time.hpp"
#include "tests/trotter_means.hpp"

namespace larmor::trotter_reference_tests {

using namespace larmor::trotter;
using namespace larmor::testing_support;

constexpr Index copies = 512, equilibration = 100, measurements = 40;

std::vector<double> numbers_of(const Value& table, const char* key) {
  std::vector<double> numbers;
  for (const Value& value : table.find(key)->as_array()) numbers.push_back(value.as_number());
  return numbers;
}

struct Cluster {
  SystemGraph graph;
  Instance instance;

  explicit Cluster(const Value& table) {
    graph.sites = table.find("n")->as_integer();
    for (const Value& bond : table.find("bonds")->as_array())
      graph.bonds.push_back({static_cast<std::int32_t>(bond.as_array()[0].as_integer()),
                             static_cast<std::int32_t>(bond.as_array()[1].as_integer())});
    instance = {1, numbers_of(table, "J"), numbers_of(table, "Gamma"), numbers_of(table, "h")};
  }
};

void compare_table(Distances& distances, const ReplicaMeans& means, const std::string& label,
                   const Value& table, double beta) {
  const auto number = [&](const char* key) { return table.find(key)->as_number(); };
  means.compare(distances, label, "E", number("energy"));
  means.compare(distances, label, "m2", number("m2"));
  means.compare(distances, label, "m4", number("m4"));
  means.compare(distances, label, "chi_zz", number("chi_zz"));
  means.compare_binder(distances, label, "binder", "m2", "m4", number("binder"));
  if (table.find("specific_heat") != nullptr)
    means.compare_specific_heat(distances, label, beta, number("specific_heat"));
  if (table.find("mbar4") != nullptr) {
    means.compare(distances, label, "mbar4", number("mbar4"));
    means.compare(distances, label, "abs_mbar", number("abs_mbar"));
    means.compare_binder(distances, label, "mbar_binder", "mbar2", "mbar4", number("mbar_binder"));
  }
  const std::vector<double> sx = numbers_of(table, "sx"), sz = numbers_of(table, "sz");
  const Value::Array& zz = table.find("zz")->as_array();
  for (std::size_t i = 0; i < sx.size(); ++i) {
    means.compare(distances, label, "sx" + std::to_string(i), sx[i]);
    means.compare(distances, label, "sz" + std::to_string(i), sz[i]);
    for (std::size_t j = 0; j < i; ++j)
      means.compare(distances, label, "zz" + std::to_string(i) + "," + std::to_string(j),
                    zz[i].as_array()[j].as_number());
  }
  const std::vector<double> G = numbers_of(table, "G"), local = numbers_of(table, "G_local");
  for (std::size_t k = 0; k < G.size(); ++k) {
    means.compare(distances, label, "G" + std::to_string(k), G[k]);
    means.compare(distances, label, "G_local" + std::to_string(k), local[k]);
  }
}

void measure_slices(Distances& distances, const Cluster& cluster, const std::string& label,
                    const Value& table) {
  const Index slices = table.find("M")->as_integer();
  const TrotterModel model(Device::cpu(0), cluster.graph, {cluster.instance},
                           {.slices = slices, .copies = copies});
  TrotterState state(model);
  state.randomise(1);
  TrotterSampler sampler(model, 2, UpdateCounter());
  ReplicaMeans means(copies);
  const auto update = [&] {
    sampler.sweep(state, 4);
    sampler.line_sweep(state, 2);
  };
  for (Index n = 0; n < equilibration; ++n) update();
  for (Index n = 0; n < measurements; ++n) {
    update();
    const HostWords words = state.host_words();
    for (Index replica = 0; replica < copies; ++replica)
      measure(means, replica, cluster.graph, cluster.instance, ReplicaSpins(model, words, replica),
              true);
    means.count_measurement();
  }
  compare_table(distances, means, label + " M=" + std::to_string(slices), table,
                cluster.instance.beta);
}

void measure_continuous(Distances& distances, const Cluster& cluster, const std::string& label,
                        const Value& table) {
  const ContinuousModel model(cluster.graph, {cluster.instance}, copies);
  ContinuousState state(model);
  state.randomise(1);
  ContinuousSampler sampler(model, 3, UpdateCounter(), 2);
  ReplicaMeans means(copies);
  sampler.sweep(state, 5 * equilibration);
  const TimeWords time = time_words(16);
  std::vector<std::uint32_t> words;
  for (Index n = 0; n < measurements; ++n) {
    sampler.sweep(state, 3);
    for (Index replica = 0; replica < copies; ++replica) {
      state.read_slices(replica, time, 0, words);
      measure_lines(means, replica, state, replica);
      measure_slices_of_lines(means, replica, cluster.graph,
                              ReplicaSpins({words.data(), time, cluster.graph.sites, 1}, 0, 0));
    }
    means.count_measurement();
  }
  compare_table(distances, means, label + " continuous", table, cluster.instance.beta);
}

void expect_agreement(const Distances& distances, Index least) {
  std::cout << distances.text() << "\n";
  EXPECT_LT(distances.largest(), 4.6) << distances.text();
  EXPECT_GE(distances.count(), least);
  // Correlated values spread the mean square more than independent ones.
  EXPECT_NEAR(distances.mean_square(), 1, 0.3) << distances.text();
}

class TrotterReference : public testing::Test {
 protected:
  void SetUp() override {
    const char* const folder = std::getenv("LARMOR_TEST_REFERENCE");
    if (folder == nullptr) GTEST_SKIP() << "LARMOR_TEST_REFERENCE names no folder of exact values";
    const std::string path = std::string(folder) + "/quantum/tfim_clusters.json";
    std::ifstream file(path);
    ASSERT_TRUE(file) << path;
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    values_ = io::parse_json(text, path);
  }
  const Value::Array& clusters() const { return values_.find("clusters")->as_array(); }

 private:
  Value values_;
};

TEST_F(TrotterReference, EveryClusterAgreesAtEveryNumberOfSlices) {
  Distances all;
  for (const Value& table : clusters()) {
    Cluster cluster(table);
    for (const Value& values : table.find("finite_M")->as_array()) {
      cluster.instance.beta = values.find("beta")->as_number();
      measure_slices(
          all, cluster,
          table.find("name")->as_string() + " beta=" + std::to_string(cluster.instance.beta),
          values);
    }
  }
  expect_agreement(all, 200);
}

TEST_F(TrotterReference, EveryClusterAgreesInContinuousTime) {
  Distances all;
  for (const Value& table : clusters()) {
    Cluster cluster(table);
    for (const Value& values : table.find("infinite_M")->as_array()) {
      cluster.instance.beta = values.find("beta")->as_number();
      measure_continuous(
          all, cluster,
          table.find("name")->as_string() + " beta=" + std::to_string(cluster.instance.beta),
          values);
    }
  }
  expect_agreement(all, 200);
}

}  // namespace larmor::trotter_reference_tests
