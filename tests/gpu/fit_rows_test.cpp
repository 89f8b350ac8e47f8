// Rows of fits on a GPU, compared with those on the CPU.
// Rooms: fitting

#include <gtest/gtest.h>

#include <cmath>

#include "larmor/core/error.hpp"
#include "larmor/fitting/design.hpp"

namespace larmor::gpu_fit_rows_tests {

using namespace larmor::fitting;

double number(std::size_t n) {
  const double x = std::sin(12.9898 * static_cast<double>(n + 1)) * 43758.5453;
  return 2 * (x - std::floor(x)) - 1;
}

struct Form {
  const char* name;
  int twojmax;
  bool quadratic, chem, constant, reference;
};

Settings settings_of(const Form& form) {
  Settings settings;
  settings.form.parameters.rcutfac = 4.1;
  settings.form.parameters.twojmax = form.twojmax;
  settings.form.parameters.quadraticflag = form.quadratic;
  settings.form.parameters.chemflag = form.chem;
  settings.form.elements = {{"W", 0.5, 1, {}}, {"Be", 0.42, 0.7, {}}};
  settings.has_constant = form.constant;
  complete_form(settings, {});
  settings.stress = {"bar", 1.6e6, 1};
  if (form.reference)
    settings.reference =
        Reference{2, 3.1, {{0, 0, 74, 74}, {0, 1, 74, 4}, {1, 0, 4, 74}, {1, 1, 4, 4}}};
  return settings;
}

/// Atoms near the points of a grid, in a box without a right angle.
Configuration random_configuration(int atoms, std::size_t seed) {
  Configuration configuration;
  const double side = 2.6 * std::cbrt(atoms);
  std::size_t n = 1000 * seed;
  for (int d = 0; d < 3; ++d) {
    Vec3<double> v{0.1 * number(n), 0.1 * number(n + 1), 0.1 * number(n + 2)};
    n += 3;
    (d == 0 ? v.x : d == 1 ? v.y : v.z) += side;
    configuration.frame.atoms.box.vectors[static_cast<std::size_t>(d)] = v;
  }
  configuration.frame.atoms.species = {"Be", "W"};
  const int points = static_cast<int>(std::ceil(std::cbrt(atoms)));
  for (int i = 0; i < atoms; ++i) {
    const auto place = [&](int point) { return side * (point + 0.15 * number(n++)) / points; };
    const double x = place(i % points), y = place(i / points % points);
    configuration.frame.atoms.positions.push_back({x, y, place(i / points / points)});
    configuration.frame.atoms.types.push_back(i % 3 == 1 ? 0 : 1);
    configuration.forces.push_back({number(n), number(n + 1), number(n + 2)});
  }
  configuration.energy = -3.0 * atoms;
  configuration.stress = Stress{1, 2, 3, 4, 5, 6};
  configuration.weight = {100, 1, 1e-6};
  return configuration;
}

std::vector<Configuration> random_set() {
  std::vector<Configuration> set;
  for (const int atoms : {1, 2, 5, 20, 64})
    set.push_back(random_configuration(atoms, static_cast<std::size_t>(atoms)));
  set[2].is_test = true;
  set[3].stress.reset();
  set[4].weight[static_cast<std::size_t>(Kind::force)] = 0;
  set.push_back(random_configuration(7, 9));
  set.back().energy.reset();
  return set;
}

class FitRowsOnGpu : public testing::TestWithParam<Form> {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  }
};

TEST_P(FitRowsOnGpu, AreThoseOfTheCpu) {
  const Settings settings = settings_of(GetParam());
  const Design design(settings);
  const std::vector<Configuration> set = random_set();
  RowBatch cpu, gpu;
  row_source_on(Device::cpu(4), design)->compute(set, cpu);
  const std::unique_ptr<RowSource> on_gpu = row_source_on(Device::cuda(0), design);
  for (int repeat = 0; repeat < 2; ++repeat) {
    on_gpu->compute(set, gpu);
    ASSERT_EQ(gpu.numbers().size(), cpu.numbers().size());
    for (std::size_t n = 0; n < set.size(); ++n) {
      const Rows &expected = cpu.of_configuration()[n], &found = gpu.of_configuration()[n];
      EXPECT_EQ(found.first, expected.first);
      EXPECT_EQ(found.count, expected.count);
      EXPECT_EQ(expected.numbers.empty(), set[n].is_test);
      // Errors are small compared with the numbers of the same column.
      const auto width = static_cast<std::size_t>(design.columns() + 1);
      for (std::size_t column = 0; column < width; ++column) {
        double largest = 0, error = 0;
        for (std::size_t i = column; i < expected.numbers.size(); i += width) {
          largest = std::max(largest, std::abs(expected.numbers[i]));
          error = std::max(error, std::abs(found.numbers[i] - expected.numbers[i]));
        }
        EXPECT_LE(error, 1e-11 * largest + 1e-9) << n << ", column " << column;
      }
    }
  }
}

std::ostream& operator<<(std::ostream& out, const Form& form) { return out << form.name; }

INSTANTIATE_TEST_SUITE_P(Forms, FitRowsOnGpu,
                         testing::Values(Form{"linear", 8, false, false, true, true},
                                         Form{"linear_without_constant", 4, false, false, false,
                                              false},
                                         Form{"quadratic", 3, true, false, true, false},
                                         Form{"channels", 4, false, true, true, true},
                                         Form{"quadratic_channels", 2, true, true, true, false}),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(FitRowsOnGpuErrors, AtomsAtOnePlaceAreNamed) {
  if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  const Settings settings = settings_of({"", 2, false, false, true, false});
  const Design design(settings);
  std::vector<Configuration> set = random_set();
  set[1].frame.atoms.positions[1] = set[1].frame.atoms.positions[0];
  for (Configuration& configuration : set)
    configuration.frame.line.assign(static_cast<std::size_t>(configuration.atoms()), 7);
  RowBatch batch;
  EXPECT_THROW(row_source_on(Device::cuda(0), design)->compute(set, batch), InputError);
}

}  // namespace larmor::gpu_fit_rows_tests
