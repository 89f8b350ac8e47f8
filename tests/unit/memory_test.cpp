// Rooms: core, study
#include "larmor/core/device/memory.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "larmor/core/error.hpp"
#include "larmor/study/run/memory_forecast.hpp"

namespace larmor::study {
namespace {

TEST(MemoryText, HasReadableUnits) {
  EXPECT_EQ(memory_text(0), "0 bytes");
  EXPECT_EQ(memory_text(1023), "1023 bytes");
  EXPECT_EQ(memory_text(1024), "1 KiB");
  EXPECT_EQ(memory_text(640.0 * 1048576), "640 MiB");
  EXPECT_EQ(memory_text(3.25 * 1073741824), "3.2 GiB");
  EXPECT_EQ(memory_text(139.8 * 1073741824), "140 GiB");
}

/// A folder of control groups.
class ControlGroups : public testing::Test {
 protected:
  ControlGroups() { std::filesystem::remove_all(root_); }
  ~ControlGroups() override { std::filesystem::remove_all(root_); }

  void write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text << "\n";
  }
  std::optional<FreeMemory> free(const std::string& membership) const {
    return free_in_control_groups(root_.string(), membership);
  }

 private:
  std::filesystem::path root_ = std::filesystem::path(testing::TempDir()) / "control-groups";
};

TEST_F(ControlGroups, TheTightestOfAGroupAndThoseAboveItDecides) {
  EXPECT_FALSE(free("0::/job/step\n").has_value());
  write("job/step/memory.max", "max");
  write("job/step/memory.high", "max");
  write("job/step/memory.current", "1000");
  EXPECT_FALSE(free("0::/job/step\n").has_value());
  write("job/memory.max", "9000");
  write("job/memory.current", "4000");
  EXPECT_EQ(free("0::/job/step\n")->bytes, 5000);
  EXPECT_EQ(free("0::/job/step\n")->limit, "the limit of its control group (memory.max)");
  write("job/step/memory.high", "3000");
  EXPECT_EQ(free("0::/job/step\n")->bytes, 2000);
  EXPECT_EQ(free("0::/job/step\n")->description(),
            "2 KiB are free under the limit of its control group (memory.high)");
  // If more is used than the limit allows, 0 bytes are free, not a negative number.
  write("job/step/memory.current", "5000");
  EXPECT_EQ(free("0::/job/step\n")->bytes, 0);
}

TEST_F(ControlGroups, CachedFilesCountAsFree) {
  write("memory.max", "9000");
  write("memory.current", "8000");
  write("memory.stat", "anon 3000\ninactive_file 4000\nactive_file 1000");
  EXPECT_EQ(free("0::/\n")->bytes, 5000);
  // The name of this control group is valid only outside the container.
  EXPECT_EQ(free("0::/../../docker/0815\n")->bytes, 5000);
}

TEST_F(ControlGroups, ThoseOfVersionOneCountToo) {
  write("memory/job/memory.limit_in_bytes", "7000");
  write("memory/job/memory.usage_in_bytes", "6000");
  write("memory/memory.limit_in_bytes", "9223372036854771712");
  write("memory/memory.usage_in_bytes", "6000");
  EXPECT_EQ(free("4:cpu,memory:/job\n0::/job\n")->bytes, 1000);
  EXPECT_FALSE(free("4:cpu:/job\n").has_value());
  EXPECT_FALSE(free("4:memory:/\n").has_value());
}

TEST(FreeMemoryWords, NameTheLimit) {
  EXPECT_EQ((FreeMemory{120 * 1048576.0, ""}).description(), "120 MiB are free");
  EXPECT_EQ((FreeMemory{120 * 1048576.0, "the limit of address space (ulimit -v)"}).description(),
            "120 MiB are free under the limit of address space (ulimit -v)");
  EXPECT_GT(free_memory().bytes, 0);
}

Study dynamics(const std::string& integrator, const std::string& measured = "'spin-temperature'") {
  return parse_study(
      "replicas = 16\n[lattice]\ntype = 'sc'\nsize = [10, 10, 10]\n[[exchange]]\nshell = 1\nJ = 1\n"
      "[[stage]]\nkind = 'dynamics'\ntimestep = 0.01\nsteps = 10\nintegrator = '" +
          integrator + "'\nmeasure = [{ what = " + measured + ", every = 5 }]\n",
      "study.toml", ".");
}

/// A GPU that the machine need not have.
Device gpu(Precision precision) {
  Device device;
  device.backend = Backend::cuda;
  device.precision = precision;
  return device;
}

constexpr double numbers = 3.0 * 1000 * 16;

MemoryForecast forecast_of(const Study& study, const Device& device) {
  return forecast_memory(study, *study.tables->blueprint(), device, study.replicas);
}

TEST(MemoryForecast, CountsTheBytesOfThePrecision) {
  const Study study = dynamics("rk4");
  const std::pair<Precision, double> cases[] = {{Precision::double_numbers, 8},
                                                {Precision::single_numbers, 4},
                                                {Precision::mixed_numbers, 12}};
  for (const auto& [precision, bytes] : cases) {
    const MemoryForecast forecast = forecast_of(study, gpu(precision));
    EXPECT_EQ(forecast.state, bytes * numbers);
    EXPECT_EQ(forecast.work, 3 * bytes * numbers);
    // Checkpoints store double precision.
    EXPECT_GE(forecast.host, 2 * 8 * numbers);
    EXPECT_EQ(forecast.on_host(gpu(precision)), forecast.host);
  }
  const Device cpu = Device::cpu(1);
  const MemoryForecast forecast = forecast_of(study, cpu);
  EXPECT_EQ(forecast.on_host(cpu), forecast.host + forecast.state + forecast.work);
}

TEST(MemoryForecast, HasWhatAStageWorksIn) {
  const Study two = dynamics("depondt"), with_sites = dynamics("depondt", "'site-energy'");
  const Device device = gpu(Precision::double_numbers);
  EXPECT_EQ(forecast_of(two, device).work, 2 * 8 * numbers);
  EXPECT_EQ(forecast_of(with_sites, device).work, 3 * 8 * numbers);
}

/// A row of the table has seven weights: for six neighbours and for the site itself.
TEST(MemoryForecast, CountsTheTableOfDerivatives) {
  const std::string study =
      "replicas = 16\n[lattice]\ntype = 'sc'\nsize = [10, 10, 10]\n[[exchange]]\nshell = 1\n"
      "J = 1\n[[stage]]\nkind = 'dynamics'\ntimestep = 0.01\nsteps = 10\n";
  const Study without = parse_study(study, "study.toml", ".");
  const Study with = parse_study(
      study + "torque = [{ kind = 'spin-transfer', velocity = [0.1, 0, 0], beta = 0.2 }]\n",
      "study.toml", ".");
  const Device device = gpu(Precision::double_numbers);
  const MemoryForecast bare = forecast_of(without, device);
  const MemoryForecast full = forecast_of(with, device);
  EXPECT_EQ(full.work - bare.work, 1000 * (7 + 1) * 4);
  EXPECT_GE(full.host - bare.host, 1000 * 450);
  EXPECT_LE(full.host - bare.host, 1000 * 600);
}

/// The forecast for a process that has one block of replicas.
MemoryForecast of_a_share(const Study& study) {
  return forecast_memory(study, *study.tables->blueprint(), Device::cpu(1), 8);
}

TEST(MemoryForecast, CountsSumsOfAllReplicasInEachProcess) {
  const std::string bins = ", displacement = true, connected = false";
  const Study pairs = dynamics("rk4", "'pair-correlations'" + bins),
              of_blocks = dynamics("rk4", "'pair-correlations'" + bins + ", error_blocks = 8"),
              real_space =
                  dynamics("rk4", "'structure-factor', method = 'real-space', grid = true"),
              none = dynamics("rk4", "'energy'");
  const double without = of_a_share(none).host;
  // The stage keeps the spins of all replicas at the time origin, and a checkpoint copies them.
  EXPECT_GE(of_a_share(pairs).host - without, 2 * 8 * numbers);
  EXPECT_GE(of_a_share(real_space).host - without, 2 * 8 * numbers);
  // The sums have 1000 displacements, three samples and eight blocks.
  EXPECT_GE(of_a_share(of_blocks).host - without, 2 * 8 * (numbers + 1000 * 3 * 8));
}

/// A process needs the amplitudes of all replicas, not only those of its own replicas.
TEST(MemoryForecast, ConnectedCorrelationsAreOfAllReplicas) {
  for (const char* measured : {"'pair-correlations', groups = 'basis', error_blocks = 2",
                               "'structure-factor', grid = true"}) {
    Study study = dynamics("rk4", measured);
    const auto of_one = [&] {
      return forecast_memory(study, *study.tables->blueprint(), Device::cpu(1), 1);
    };
    EXPECT_NO_THROW(of_one());
    study.replicas = 1;
    EXPECT_THROW(of_one(), InputError);
  }
}

TEST(GpuMemory, TooLittleOfItIsToldWithTheRemedy) {
  constexpr double GiB = 1073741824;
  const GpuInfo card{1, "a card", 9, 0, std::size_t(140 * GiB), std::size_t(30 * GiB), ""};
  const MemoryForecast forecast{10 * GiB, 20 * GiB, 0};
  require_gpu_memory(forecast, "spins", 0, 31 * GiB, card, Precision::double_numbers);
  try {
    require_gpu_memory(forecast, "spins", 5 * GiB, 30 * GiB, card, Precision::double_numbers);
    FAIL();
  } catch (const MachineError& error) {
    EXPECT_STREQ(error.what(),
                 "the study needs 35.1 GiB on GPU 1 (10.0 GiB for the spins, 20.0 GiB "
                 "to work in, 5.0 GiB for tables), but 30.0 GiB of its 140 GiB are free; use fewer "
                 "replicas or sites, precision = \"single\" or backend = \"cpu\", or wait for "
                 "other programs on the GPU");
  }
  try {
    require_gpu_memory(forecast, "spins", 0, 30 * GiB, card, Precision::single_numbers);
    FAIL();
  } catch (const MachineError& error) {
    EXPECT_EQ(std::string(error.what()).find("precision"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace larmor::study
