// Studies of Ising and Potts models on a GPU give the bits of a CPU, for every update and
// measurement. Skips without a GPU.
// Rooms: ising, study

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "larmor/core/device/device.hpp"
#include "larmor/io/results/results_reader.hpp"
#include "larmor/study/run/run.hpp"
#include "tests/named.hpp"

namespace larmor::gpu_discrete_studies_tests {

using testing_support::Named;

const std::string signs =
    "J=0\ndisorder=1\ndisorder_distribution='bimodal'\ndisorder_by_replica=true\n";
const std::string measured = "measure=['correlation-length','axis-correlations']\n";
const std::string by_clusters =
    "measure=['correlation-length','axis-correlations','cluster-sizes']\n";

std::string ising(const std::string& lattice, const std::string& exchange,
                  const std::string& stage) {
  return "[model]\nkind='ising'\n[lattice]\n" + lattice + "[[exchange]]\nshell=1\n" + exchange +
         "[[stage]]\nkind='anneal'\ntemperature={from=4,to=2,points=3}\nsweeps=20\n"
         "sampler='glauber'\n[[stage]]\nkind='monte-carlo'\ntemperature=[2.0,2.6]\n"
         "thermalisation=20\nsweeps=60\nmeasure_every=6\nkeep_configurations=11\n" +
         stage;
}

class DiscreteStudiesOnGpu : public testing::TestWithParam<Named<std::string>> {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
    std::string pattern = (std::filesystem::temp_directory_path() / "larmor-gpu-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }
  io::ResultsReader results_on(const std::string& backend, int replicas = 11) const {
    const study::Study study =
        study::parse_study("replicas=" + std::to_string(replicas) +
                               "\nseed=4\n[device]\nbackend='" + backend + "'\n" + GetParam().value,
                           "study.toml", folder_.string());
    study::RunOptions options;
    options.output = (folder_ / (backend + ".h5")).string();
    study::run_study(study, options);
    return io::ResultsReader(options.output);
  }

 private:
  std::filesystem::path folder_;
};

TEST_P(DiscreteStudiesOnGpu, HaveTheBitsOfACpu) {
  const io::ResultsReader cpu = results_on("cpu"), gpu = results_on("cuda");
  for (const char* name :
       {"configuration", "series/energy/value", "series/magnetisation/value",
        "averages/correlation_length_x/value", "averages/structure_factor_x/error",
        "averages/magnetisation_fourth/value", "axis-correlations/x/value",
        "axis-correlations/x/error", "cluster-sizes/value"}) {
    const std::string path = std::string("/stages/02-monte-carlo/") + name;
    ASSERT_EQ(cpu.exists(path), gpu.exists(path)) << name;
    if (!cpu.exists(path)) continue;
    EXPECT_EQ(cpu.read<double>(path), gpu.read<double>(path)) << name;
  }
}

class PopulationsOnGpu : public DiscreteStudiesOnGpu {};

TEST_P(PopulationsOnGpu, HaveTheBitsOfACpu) {
  const io::ResultsReader cpu = results_on("cpu", 187), gpu = results_on("cuda", 187);
  for (const char* name :
       {"temperature", "population/size", "population/families", "averages/energy/error",
        "averages/free_energy/value", "lowest-state/configuration", "configuration"}) {
    const std::string path = std::string("/stages/01-population-annealing/") + name;
    EXPECT_EQ(cpu.read<double>(path), gpu.read<double>(path)) << name;
  }
}

std::string population(const std::string& lattice, const std::string& sampler) {
  return "[model]\nkind='ising'\n[lattice]\n" + lattice +
         "[[exchange]]\nshell=1\nJ=1\n[[stage]]\nkind='population-annealing'\n"
         "temperature={to=1.5,overlap=0.8}\nkeep_configurations=187\nsampler='" +
         sampler + "'\n";
}

INSTANTIATE_TEST_SUITE_P(
    Studies, PopulationsOnGpu,
    testing::Values(Named<std::string>{"bits", population("grid=[64,4]\n", "metropolis")},
                    Named<std::string>{"bytes", population("grid=[7,6]\n", "heat-bath")},
                    Named<std::string>{"clusters", population("grid=[7,6]\n", "swendsen-wang")}),
    testing_support::by_name);

INSTANTIATE_TEST_SUITE_P(
    Studies, DiscreteStudiesOnGpu,
    testing::Values(
        Named<std::string>{"bits", ising("grid=[64,6]\n", "J=1\n", measured)},
        Named<std::string>{"bits_heat_bath",
                           ising("grid=[128,6,4]\n", "J=-1\n", "sampler='heat-bath'\n" + measured)},
        Named<std::string>{"bits_signs", ising("grid=[64,4,2,2]\nperiodic=[true,true,false,true]\n",
                                               signs, "sampler='heat-bath'\n" + measured)},
        Named<std::string>{"general", ising("grid=[9,7]\n", "J=1\n", measured)},
        Named<std::string>{"swendsen_wang", ising("grid=[64,6]\n", "J=1\n",
                                                  "sampler='swendsen-wang'\n" + by_clusters)},
        Named<std::string>{"swendsen_wang_signs", ising("grid=[64,6]\n", signs,
                                                        "sampler='swendsen-wang'\n" + by_clusters)},
        Named<std::string>{"wolff", ising("grid=[9,8,7]\n", "J=1\n",
                                          "sampler='wolff'\nclusters=3\n" + by_clusters)},
        Named<std::string>{"wolff_of_samples",
                           ising("grid=[9,8]\n", "J=1\ndisorder=0.4\ndisorder_by_replica=true\n",
                                 "sampler='wolff'\nclusters=3\n" + by_clusters)},
        Named<std::string>{"clusters_of_a_graph",
                           ising("type='honeycomb'\nsize=[6,5]\n", "J=1\n",
                                 "sampler='swendsen-wang'\nmeasure=['cluster-sizes',"
                                 "'magnetisation-moments']\n")},
        Named<std::string>{"potts",
                           "[model]\nkind='potts'\n[potts]\nstates=5\n[lattice]\n"
                           "grid=[12,9]\n[[exchange]]\nshell=1\nJ=1\n[[stage]]\n"
                           "kind='anneal'\ntemperature={from=2,to=1,points=2}\nsweeps=20\n"
                           "sampler='heat-bath'\n[[stage]]\nkind='monte-carlo'\n"
                           "temperature=[0.8,1.0]\nthermalisation=20\nsweeps=60\n"
                           "measure_every=6\nkeep_configurations=11\nsampler="
                           "'swendsen-wang'\n" +
                               by_clusters}),
    testing_support::by_name);

}  // namespace larmor::gpu_discrete_studies_tests
