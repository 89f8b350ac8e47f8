// Cluster updates of vector spins on a GPU equal those of a CPU, bit for bit. Skips without a GPU.
// Rooms: clusters, spins

#include <gtest/gtest.h>

#include "larmor/study/run/run.hpp"
#include "tests/clustered_spins.hpp"
#include "tests/named.hpp"

namespace larmor::gpu_spin_clusters_tests {

using testing_support::by_name;
using testing_support::ClusteredSpins;
using testing_support::Named;

Device in_precision(Device device, Precision precision) {
  device.precision = precision;
  return device;
}

struct Outcome {
  std::vector<double> first, all_clusters, of_wolff;
  std::vector<clusters::ReflectionSums> sums, sums_of_wolff;
};

Outcome outcome_on(const Device& device, const char* text, const ReplicaShare& replicas) {
  ClusteredSpins spins(text, replicas, 0.9, device);
  Outcome found;
  found.first = spins.configurations();
  for (int n = 0; n < 4; ++n) spins.sweep(false, n % 2 == 0);
  found.all_clusters = spins.configurations();
  found.sums = spins.clusters.sums();
  spins.clusters.clear_sums();
  for (int n = 0; n < 3; ++n) spins.sweep(true, true);
  found.of_wolff = spins.configurations();
  found.sums_of_wolff = spins.clusters.sums();
  return found;
}

class SpinClustersOnGpu : public testing::TestWithParam<Named<const char*>> {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  }
};

TEST_P(SpinClustersOnGpu, AreThoseOfACpu) {
  for (const ReplicaShare& replicas : {ReplicaShare(1), ReplicaShare(5, 3, 30), ReplicaShare(20)})
    for (const Precision precision :
         {Precision::double_numbers, Precision::single_numbers, Precision::mixed_numbers}) {
      SCOPED_TRACE(std::to_string(replicas.count) + " replicas, precision " +
                   std::to_string(static_cast<int>(precision)));
      // In mixed precision, which only GPUs have, spins are doubles.
      const Precision on_cpu =
          precision == Precision::mixed_numbers ? Precision::double_numbers : precision;
      const Outcome expected =
          outcome_on(in_precision(Device::cpu(2), on_cpu), GetParam().value, replicas);
      const Outcome found =
          outcome_on(in_precision(Device::cuda(), precision), GetParam().value, replicas);
      ASSERT_EQ(found.first, expected.first);
      ASSERT_EQ(found.all_clusters, expected.all_clusters);
      EXPECT_NE(found.all_clusters, found.first);
      EXPECT_EQ(found.sums, expected.sums);
      ASSERT_EQ(found.of_wolff, expected.of_wolff);
      EXPECT_EQ(found.sums_of_wolff, expected.sums_of_wolff);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Spins, SpinClustersOnGpu,
    testing::Values(
        Named<const char*>{"cube",
                           "[lattice]\ntype='sc'\nsize=[23,20,21]\n[[exchange]]\nshell=1\nJ=1\n"},
        Named<const char*>{"frustrated",
                           "[lattice]\ntype='kagome'\nsize=[9,7]\nperiodic=[true,false]\n"
                           "[[exchange]]\nshell=1\nJ=-1\n[[exchange]]\nshell=2\nJ=0.3\n"},
        Named<const char*>{"disordered",
                           "[lattice]\ntype='square'\nsize=[13,11]\n[[exchange]]\nshell=1\nJ=0.3\n"
                           "disorder=0.8\ndisorder_by_replica=true\n"},
        Named<const char*>{"diluted",
                           "[lattice]\ntype='bcc'\nsize=[5,4,6]\n[[exchange]]\nshell=1\nJ=1\n"
                           "[[alloy]]\nby='vacancy'\nfraction=0.3\n"},
        Named<const char*>{"pair",
                           "[lattice]\ntype='chain'\nsize=[2]\nperiodic=false\n"
                           "[[exchange]]\nshell=1\nJ=1.5\n"}),
    by_name);

/// The studies measure during their runs.
TEST(SpinClusterStudiesOnGpu, GoOnAlone) {
  if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  const std::string output = testing::TempDir() + "spin_clusters.h5";
  for (const char* const sampler : {"swendsen-wang", "wolff"}) {
    const study::Study study = study::parse_study(
        "replicas=9\n[device]\nbackend='cuda'\n[lattice]\ntype='sc'\nsize=[8,8,8]\n[[exchange]]\n"
        "shell=1\nJ=1\n[[stage]]\nkind='monte-carlo'\ntemperature=[1.6,1.4]\nsampler='" +
            std::string(sampler) +
            "'\nover_relaxation=2\nthermalisation=50\nsweeps=100\n"
            "measure=['cluster-sizes','improved-susceptibility']\n",
        "study.toml", "");
    study::RunOptions options;
    options.output = output;
    options.force = true;
    EXPECT_NO_THROW(study::run_study(study, options));
  }
}

}  // namespace larmor::gpu_spin_clusters_tests
