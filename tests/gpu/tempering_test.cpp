// A tempering stage on a GPU gives the bits of a CPU if updates and energies have equal bits.
// Energies of vector spins are summed in another order, so only their averages agree. Skips without
// a GPU.
// Rooms: tempering, study

#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>

#include "larmor/core/device/device.hpp"
#include "larmor/io/results/results_reader.hpp"
#include "larmor/study/run/run.hpp"
#include "tests/named.hpp"

namespace larmor::gpu_tempering_tests {

using testing_support::Named;

class LaddersOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
    std::string pattern = (std::filesystem::temp_directory_path() / "larmor-gpu-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }
  io::ResultsReader results_on(const std::string& backend, const std::string& tables) const {
    const study::Study study =
        study::parse_study("seed=4\n" + tables + "[device]\nbackend='" + backend + "'\n",
                           "study.toml", folder_.string());
    study::RunOptions options;
    options.output = (folder_ / (backend + ".h5")).string();
    study::run_study(study, options);
    return io::ResultsReader(options.output);
  }

 private:
  std::filesystem::path folder_;
};

class TemperingOnGpu : public LaddersOnGpu,
                       public testing::WithParamInterface<Named<std::string>> {};

constexpr const char* stage = "/stages/01-tempering/";

TEST_P(TemperingOnGpu, HasTheBitsOfACpu) {
  const io::ResultsReader cpu = results_on("cpu", GetParam().value),
                          gpu = results_on("cuda", GetParam().value);
  for (const std::string name :
       {"temperature", "kappa", "configuration", "series/energy/value", "series/action/value",
        "series/magnetisation/value", "averages/energy/error", "averages/binder_cumulant/value",
        "averages/acceptance/value", "ladder/acceptance", "ladder/flow", "ladder/round_trips",
        "ladder/tried", "overlap/overlap_square/value", "overlap/link_overlap/error",
        "overlap/distribution/value", "overlap/blocks/energy/value"}) {
    const std::string path = stage + name;
    ASSERT_EQ(cpu.exists(path), gpu.exists(path)) << name;
    if (!cpu.exists(path)) continue;
    // If there is a single pair of copies, the error is NaN.
    const std::vector<double> expected = cpu.read<double>(path), found = gpu.read<double>(path);
    ASSERT_EQ(found.size(), expected.size()) << name;
    for (std::size_t n = 0; n < found.size(); ++n)
      EXPECT_EQ(std::bit_cast<std::uint64_t>(found[n]), std::bit_cast<std::uint64_t>(expected[n]))
          << name << " " << n << ": " << found[n] << ", not " << expected[n];
  }
}

std::string tempering(const std::string& tables, const std::string& keys) {
  return tables +
         "[[stage]]\nkind='tempering'\nexchange_every=2\nthermalisation=1000\n"
         "sweeps=1200\nmeasure_every=3\nkeep_configurations=12\n" +
         keys;
}

/// A study of 64 samples, each with two copies and six rungs.
std::string glass_of(const std::string& grid) {
  return "replicas=768\nsamples=64\n[model]\nkind='ising'\n[lattice]\ngrid=" + grid +
         "\n[[exchange]]\nshell=1\nJ=0\ndisorder=1\ndisorder_distribution='bimodal'\n"
         "disorder_by_replica=true\n";
}

const std::string flow = "temperature={from=1.5,to=4.0,points=6,spacing='flow'}\n";
const std::string kappas = "kappa=[0.2,0.25,0.3,0.35]\n";

INSTANTIATE_TEST_SUITE_P(
    Studies, TemperingOnGpu,
    testing::Values(
        Named<std::string>{"ising", tempering("replicas=12\n[model]\nkind='ising'\n[lattice]\n"
                                              "grid=[9,8]\n[[exchange]]\nshell=1\nJ=1\n",
                                              flow + "sampler='glauber'\n")},
        Named<std::string>{"bits", tempering("replicas=12\n[model]\nkind='ising'\n[lattice]\n"
                                             "grid=[64,6]\n[[exchange]]\nshell=1\nJ=1\n",
                                             flow + "measure=['overlap']\nisoenergetic_every=3\n")},
        Named<std::string>{
            "samples",
            tempering("replicas=24\nsamples=2\n[model]\nkind='ising'\n[lattice]\ngrid=[9,8]\n"
                      "[[exchange]]\nshell=1\nJ=0\ndisorder=1\ndisorder_by_replica=true\n",
                      flow + "measure=['overlap']\nisoenergetic_every=3\n")},
        Named<std::string>{"bits_of_samples",
                           tempering(glass_of("[4,4,6]"), flow + "measure=['overlap']\n")},
        Named<std::string>{"bits_of_samples_by_colours",
                           tempering(glass_of("[4,3,5]"), flow + "sampler='heat-bath'\n"
                                                                 "measure=['overlap']\n")},
        Named<std::string>{"fields", tempering("replicas=12\n[model]\nkind='ising'\n[lattice]\n"
                                               "grid=[9,8]\n[[exchange]]\nshell=1\nJ=1\n",
                                               "temperature=2.0\nfield={from=-0.3,to=0.3,"
                                               "points=6}\n")},
        Named<std::string>{"clusters", tempering("replicas=12\n[model]\nkind='ising'\n[lattice]\n"
                                                 "grid=[9,8]\n[[exchange]]\nshell=1\nJ=1\n",
                                                 flow + "sampler='swendsen-wang'\n")},
        Named<std::string>{"potts", tempering("replicas=12\n[model]\nkind='potts'\n[potts]\n"
                                              "states=3\n[lattice]\ngrid=[8,8]\n[[exchange]]\n"
                                              "shell=1\nJ=1\n",
                                              "temperature={from=0.8,to=2.0,points=6}\n")},
        Named<std::string>{"phi4", tempering("replicas=12\n[model]\nkind='phi4'\n[lattice]\n"
                                             "size=[6,4,4]\n[phi4]\ncomponents=3\nlambda=0.5\n" +
                                                 kappas,
                                             "")}),
    testing_support::by_name);

class SpinLaddersOnGpu : public LaddersOnGpu,
                         public testing::WithParamInterface<Named<std::string>> {};

INSTANTIATE_TEST_SUITE_P(
    Rungs, SpinLaddersOnGpu,
    testing::Values(
        Named<std::string>{
            "temperatures",
            "temperature={from=0.4,to=2.0,points=6,spacing='constant-acceptance'}\n"},
        Named<std::string>{"fields", "temperature=0.8\nfield={from=0.0,to=1.5,points=6}\n"}),
    testing_support::by_name);

TEST_P(SpinLaddersOnGpu, HaveTheEnergiesOfACpu) {
  const std::string tables =
      tempering("replicas=18\n[lattice]\ntype='square'\nsize=[6,6]\n[[exchange]]\nshell=1\nJ=1\n",
                GetParam().value);
  const io::ResultsReader cpu = results_on("cpu", tables), gpu = results_on("cuda", tables);
  const auto of = [&](const io::ResultsReader& results, const std::string& name) {
    return results.read<double>(stage + ("averages/energy/" + name));
  };
  const auto value = of(cpu, "value"), other = of(gpu, "value"), error = of(cpu, "error");
  for (std::size_t rung = 0; rung < value.size(); ++rung)
    EXPECT_NEAR(other[rung], value[rung], 6 * error[rung] + 0.02) << rung;
}

}  // namespace larmor::gpu_tempering_tests
