// Phi^4 fields on a GPU equal those of a CPU, bit for bit. Skips without a GPU.
// Rooms: clusters, phi4

#include <gtest/gtest.h>

#include <limits>

#include "tests/named.hpp"
#include "tests/phi4_systems.hpp"

namespace larmor::gpu_phi4_tests {

using namespace larmor::testing_support;

constexpr double infinity = std::numeric_limits<double>::infinity();

struct FieldCase {
  const char* name;
  RegularGrid grid;
  int components;
  std::vector<double> kappa, lambda;
};
void PrintTo(const FieldCase& c, std::ostream* out) { *out << c.name; }

class FieldsOnGpu : public testing::TestWithParam<FieldCase> {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  }
};

/// All numbers that each kind of update changes.
struct Outcome {
  std::vector<float> metropolis, over_relaxed, heat_bath, swendsen_wang, wolff;
  std::vector<clusters::ReflectionSums> sums, wolff_sums;
  std::vector<double> numbers, acceptance, energies;
};

Outcome outcome_on(const Device& device, const FieldCase& c) {
  FieldSystem system(c.grid, c.components, c.kappa, c.lambda, device, 23,
                     ReplicaShare(2, std::ssize(c.kappa), 9));
  const Index replicas = std::ssize(c.kappa);
  Outcome found;
  system.local.run(system.state, phi4::LocalRule::metropolis, 4);
  found.acceptance = system.local.acceptance();
  system.local.tune();
  system.local.run(system.state, phi4::LocalRule::metropolis, 2);
  found.metropolis = system.state.fields(replicas);
  system.local.run(system.state, phi4::LocalRule::over_relaxation, 2);
  found.over_relaxed = system.state.fields(replicas);
  bool bathes = true;
  for (const double lambda : c.lambda) bathes = bathes && phi4::has_heat_bath(c.components, lambda);
  if (bathes) system.local.run(system.state, phi4::LocalRule::heat_bath, 2);
  found.heat_bath = system.state.fields(replicas);
  for (int n = 0; n < 4; ++n) system.cluster.swendsen_wang(system.state, n % 2 == 0);
  found.sums = system.cluster.sums();
  found.swendsen_wang = system.state.fields(replicas);
  system.cluster.clear_sums();
  system.cluster.wolff(system.state, 3, true);
  found.wolff_sums = system.cluster.sums();
  found.wolff = system.state.fields(replicas);
  found.numbers = system.sums.begin(system.state).take();
  Array<double> energies(device, replicas);
  system.sums.store_bond_energies(system.state, energies.data());
  found.energies = energies.to_host();
  return found;
}

TEST_P(FieldsOnGpu, AreThoseOfACpu) {
  const FieldCase& c = GetParam();
  const Outcome expected = outcome_on(Device::cpu(2), c), found = outcome_on(Device::cuda(), c);
  EXPECT_EQ(found.acceptance, expected.acceptance);
  ASSERT_EQ(found.metropolis, expected.metropolis);
  ASSERT_EQ(found.over_relaxed, expected.over_relaxed);
  ASSERT_EQ(found.heat_bath, expected.heat_bath);
  ASSERT_EQ(found.swendsen_wang, expected.swendsen_wang);
  EXPECT_EQ(found.sums, expected.sums);
  ASSERT_EQ(found.wolff, expected.wolff);
  EXPECT_EQ(found.wolff_sums, expected.wolff_sums);
  EXPECT_EQ(found.numbers, expected.numbers);
  EXPECT_EQ(found.energies, expected.energies);
}

INSTANTIATE_TEST_SUITE_P(
    Fields, FieldsOnGpu,
    testing::Values(
        FieldCase{"one_site", {{1}, {true}}, 2, {0.3}, {0.5}},
        FieldCase{"chain", {{67}, {true}}, 3, {0.3, 0.9, -0.4}, {infinity, infinity, infinity}},
        FieldCase{"long_chain", {{100003}, {false}}, 1, {0.5, 0.2}, {infinity, infinity}},
        FieldCase{"strip", {{1, 40}, {true, false}}, 1, {0.3, 0.4}, {1.0, 0.1}},
        FieldCase{"two_wide", {{2, 5}, {true, true}}, 3, {0.2, 0.3}, {0.5, infinity}},
        FieldCase{"square", {{517, 331}, {true, false}}, 2, {0.3, 0.56}, {0.4, infinity}},
        FieldCase{"gaussian", {{33, 20}, {true, true}}, 4, {0.2, 0.1}, {0, 0}},
        FieldCase{"cubic", {{65, 48, 51}, {true, true, true}}, 3, {0.3465}, {infinity}},
        FieldCase{
            "ising", {{32, 31, 30}, {true, true, true}}, 1, {0.11, 0.12}, {infinity, infinity}},
        FieldCase{"four_axes",
                  {{18, 17, 16, 9}, {true, true, true, true}},
                  4,
                  {0.304, 0.31},
                  {infinity, 1.0}},
        FieldCase{
            "four_axes_even", {{28, 28, 28, 28}, {true, true, true, true}}, 4, {0.304}, {infinity}},
        FieldCase{"small_hypercubes",
                  {{4, 4, 4, 4}, {true, true, true, true}},
                  5,
                  {0.3, 0.31, 0.32, 0.33, 0.34, 0.35},
                  {infinity, 0.1, 0.5, 1, 2, infinity}},
        FieldCase{"eight_components", {{40, 39}, {true, true}}, 8, {1.0, 0.5}, {infinity, 2}}),
    by_name);

class OrderedFieldsOnGpu : public FieldsOnGpu {};

TEST_P(OrderedFieldsOnGpu, HaveOneClusterForEachSign) {
  const FieldCase& c = GetParam();
  FieldSystem system(c.grid, c.components, c.kappa, c.lambda, Device::cuda());
  system.state.align();
  system.cluster.swendsen_wang(system.state, true);
  const auto sites = static_cast<std::uint64_t>(system.model.sites());
  for (const clusters::ReflectionSums& sums : system.cluster.sums()) {
    EXPECT_EQ(sums.clusters.clusters, 1u);
    EXPECT_EQ(sums.clusters.sites, sites);
    EXPECT_EQ(sums.clusters.largest, sites);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Fields, OrderedFieldsOnGpu,
    testing::Values(
        FieldCase{"square", {{1024, 1023}, {false, true}}, 1, {20.0}, {infinity}},
        FieldCase{
            "four_axes", {{21, 20, 19, 18}, {true, true, true, true}}, 1, {20.0}, {infinity}}),
    by_name);

/// Fields of two components on any graph. Their projection is the first component, and they are not
/// reflected.
class PlainVectors : public clusters::ReflectedField {
 public:
  explicit PlainVectors(Array<float>& vectors) : vectors_(vectors) {}
  void project(Index, Index first, Index last, float* sigma) const override {
    for (Index i = first; i < last; ++i) sigma[i] = vectors_.data()[i];
  }
  void reflect(Index, Index, Index, const float*, const std::uint8_t*) override {}
  void project_all(float* sigma) const override {
    copy_bytes(vectors_.device(), sigma, vectors_.device(), vectors_.data(),
               static_cast<std::size_t>(vectors_.size()) * sizeof(float));
  }
  void reflect_all(const clusters::ReflectionClusterView&,
                   const clusters::FoundClusters&) override {}

 private:
  Array<float>& vectors_;
};

TEST(ReflectionClustersOnGpu, OfAGraphAreThoseOfACpu) {
  if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  constexpr Index sites = 50000;
  const RandomKey key{9, 0, Stream::initial_configuration};
  std::vector<clusters::ReflectionBond> bonds;
  std::vector<float> first;
  for (std::uint64_t n = 0; n < 3 * sites; ++n) {
    const auto words = philox(key, n, std::uint64_t{0});
    const auto i = static_cast<Index>(words.w[0] % sites),
               j = static_cast<Index>(words.w[1] % sites);
    if (i != j) bonds.push_back({i, j, static_cast<float>(words.w[2]) / 4294967296.0f - 0.3f});
    if (n < sites) first.push_back(static_cast<float>(words.w[3]) / 2147483648.0f - 1.0f);
  }
  const auto sums_on = [&](const Device& device, clusters::Reflected reflected) {
    Array<float> vectors(device, first);
    const Array<double> beta(device, std::vector<double>{2.0});
    PlainVectors field(vectors);
    clusters::ReflectionClusters update(clusters::ReflectionGraph::of_bonds(sites, bonds), 1, 4,
                                        device);
    for (std::uint64_t step = 0; step < 3; ++step)
      update.update({beta.data(), 1.0}, field, step, reflected, true);
    return update.sums();
  };
  for (const auto reflected : {clusters::Reflected::half_of_all, clusters::Reflected::seed_cluster})
    EXPECT_EQ(sums_on(Device::cuda(), reflected), sums_on(Device::cpu(1), reflected));
}

}  // namespace larmor::gpu_phi4_tests
