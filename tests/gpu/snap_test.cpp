// SNAP on a GPU agrees with a CPU. Skips without a GPU.
// Rooms: atoms

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "larmor/atoms/potentials/snap/gpu_snap.hpp"
#include "larmor/core/device/array.hpp"
#include "larmor/core/device/cuda_backend.hpp"
#include "tests/physics/snap_support.hpp"

namespace larmor::gpu_snap_tests {

using namespace larmor::testing_support;
using snap::GpuSnap;
using snap::Snap;

/// Neighbour rows of a CPU, copied to a GPU.
class RowsOnGpu {
 public:
  RowsOnGpu(const NeighbourRows& rows, std::span<const std::int32_t> types, const Device& device) {
    const Index atoms = rows.atoms();
    Index width = 0;
    for (Index i = 0; i < atoms; ++i) width = std::max(width, size(rows, i));
    std::vector<std::int32_t> count, neighbour(static_cast<std::size_t>(atoms * width)),
        mirror(neighbour.size());
    std::vector<Vec3<double>> displacement(neighbour.size());
    for (Index i = 0; i < atoms; ++i) {
      count.push_back(static_cast<std::int32_t>(size(rows, i)));
      for (Index slot = 0; slot < size(rows, i); ++slot) {
        const auto from = static_cast<std::size_t>(rows.first[static_cast<std::size_t>(i)] + slot);
        const auto to = static_cast<std::size_t>(i * width + slot);
        neighbour[to] = rows.neighbour[from];
        displacement[to] = rows.displacement[from];
        mirror[to] = static_cast<std::int32_t>(
            rows.mirror[from] - rows.first[static_cast<std::size_t>(rows.neighbour[from])]);
      }
    }
    count_ = on(device, count);
    neighbour_ = on(device, neighbour);
    mirror_ = on(device, mirror);
    displacement_ = on(device, displacement);
    type_ = Array<std::int32_t>(device, types);
    view_ = {atoms, width, count_.data(), neighbour_.data(), displacement_.data(), mirror_.data()};
  }

  const GpuRowsView& view() const { return view_; }
  const std::int32_t* types() const { return type_.data(); }

 private:
  static Index size(const NeighbourRows& rows, Index i) {
    const auto row = static_cast<std::size_t>(i);
    return rows.first[row + 1] - rows.first[row];
  }
  template <class T>
  static Array<T> on(const Device& device, const std::vector<T>& numbers) {
    return Array<T>(device, std::span<const T>(numbers));
  }

  Array<std::int32_t> count_, neighbour_, mirror_, type_;
  Array<Vec3<double>> displacement_;
  GpuRowsView view_;
};

PairGradients on_gpu(const snap::SnapPotential& potential, const AtomsInBox& atoms,
                     const NeighbourRows& rows, const Device& device, double most_bytes = 1 << 30) {
  std::vector<std::int32_t> same(potential.elements.size());
  for (std::size_t e = 0; e < same.size(); ++e) same[e] = static_cast<std::int32_t>(e);
  GpuSnap snap(potential, same, device, most_bytes);
  const RowsOnGpu there(rows, atoms.elements, device);
  Array<double> energy(device, rows.atoms());
  Array<Vec3<double>> gradient(device, there.view().entries());
  snap.evaluate(there.view(), there.types(), energy.data(), gradient.data(), false,
                cuda::stream(device.ordinal));
  PairGradients found{energy.to_host(), {}};
  const std::vector<Vec3<double>> all = gradient.to_host();
  for (Index i = 0; i < rows.atoms(); ++i)
    for (Index n = rows.first[static_cast<std::size_t>(i)];
         n < rows.first[static_cast<std::size_t>(i) + 1]; ++n)
      found.gradient.push_back(all[static_cast<std::size_t>(
          i * there.view().width + n - rows.first[static_cast<std::size_t>(i)])]);
  return found;
}

struct Differences {
  double energy = 0, gradient = 0;
};

/// Differences of energies relative to the largest energy, and of gradients relative to the
/// steepest gradient.
Differences differences(const PairGradients& found, const PairGradients& expected) {
  Differences d;
  double steepest = 0, largest = 0;
  for (const Vec3<double>& g : expected.gradient) steepest = std::max(steepest, length(g));
  for (const double E : expected.energy) largest = std::max(largest, std::abs(E));
  for (std::size_t i = 0; i < expected.energy.size(); ++i)
    d.energy = std::max(d.energy, std::abs(found.energy[i] - expected.energy[i]) / largest);
  for (std::size_t n = 0; n < expected.gradient.size(); ++n)
    d.gradient = std::max(d.gradient, length(found.gradient[n] - expected.gradient[n]) / steepest);
  return d;
}

class SnapOnGpu : public testing::TestWithParam<Named<TestedSnap>> {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  }
  const TestedSnap& tested_ = GetParam().value;
};

TEST_P(SnapOnGpu, IsThatOfACpu) {
  const snap::SnapPotential potential = random_potential(tested_.parameters, tested_.elements);
  const AtomsInBox atoms = disordered_crystal(2, tested_.elements);
  const Snap snap(potential);
  const NeighbourRows rows = atoms.rows(1.1 * snap.cutoff());
  const PairGradients expected = snap.evaluate(rows, atoms.elements);
  const Device device = Device::cuda(0);
  const PairGradients found = on_gpu(potential, atoms, rows, device);
  const Differences d = differences(found, expected);
  EXPECT_LT(d.energy, 1e-12);
  EXPECT_LT(d.gradient, 1e-12);
  const PairGradients in_blocks = on_gpu(potential, atoms, rows, device, 1);
  EXPECT_EQ(in_blocks.energy, found.energy);
  EXPECT_TRUE(in_blocks.gradient == found.gradient);
}

TEST_P(SnapOnGpu, HasTheBispectrumOfACpu) {
  const snap::SnapPotential potential = random_potential(tested_.parameters, tested_.elements);
  const AtomsInBox atoms = disordered_crystal(2, tested_.elements);
  const Snap snap(potential);
  const NeighbourRows rows = atoms.rows(snap.cutoff());
  const std::vector<double> expected = snap.bispectrum(rows, atoms.elements);
  const Device device = Device::cuda(0);
  const std::int32_t same[] = {0, 1, 2};
  GpuSnap there(potential, std::span(same).first(potential.elements.size()), device);
  const RowsOnGpu rows_there(rows, atoms.elements, device);
  Array<double> found(device, static_cast<Index>(expected.size()));
  there.bispectrum(rows_there.view(), rows_there.types(), found.data(),
                   cuda::stream(device.ordinal));
  const std::vector<double> result = found.to_host();
  double largest = 0;
  for (const double B : expected) largest = std::max(largest, std::abs(B));
  for (std::size_t n = 0; n < expected.size(); ++n)
    ASSERT_NEAR(result[n], expected[n], 1e-12 * largest) << n;
}

INSTANTIATE_TEST_SUITE_P(Flags, SnapOnGpu, testing::ValuesIn(every_flag), by_name);

/// Compares a GPU with a CPU. It also compares them in blocks, of which the last has fewer atoms.
void expect_that_of_a_cpu(const snap::SnapPotential& potential, const AtomsInBox& atoms) {
  const Snap snap(potential);
  const NeighbourRows rows = atoms.rows(snap.cutoff());
  const PairGradients expected = snap.evaluate(rows, atoms.elements);
  const PairGradients found = on_gpu(potential, atoms, rows, Device::cuda(0));
  const Differences d = differences(found, expected);
  EXPECT_LT(d.energy, 1e-12);
  EXPECT_LT(d.gradient, 1e-12);
  const double third = GpuSnap::work_bytes(potential, rows.atoms()) / 3;
  const PairGradients in_blocks = on_gpu(potential, atoms, rows, Device::cuda(0), third);
  EXPECT_EQ(in_blocks.energy, found.energy);
  EXPECT_TRUE(in_blocks.gradient == found.gradient);
}

TEST(SnapOfManyAtomsOnGpu, IsThatOfACpu) {
  if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  AtomsInBox atoms = disordered_crystal(16, 1);
  // The last tile is not full, and the number of tiles is odd.
  atoms.positions.resize(atoms.positions.size() - 11);
  atoms.elements.resize(atoms.positions.size());
  expect_that_of_a_cpu(random_potential(parameters_of(8), 1), atoms);
}

TEST(SnapOfManyNeighboursOnGpu, IsThatOfACpu) {
  if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  snap::SnapParameters parameters = parameters_of(6);
  parameters.rcutfac = 6.5;
  expect_that_of_a_cpu(random_potential(parameters, 1), disordered_crystal(3, 1));
}

TEST(SnapOfLonelyAtomsOnGpu, IsThatOfACpu) {
  if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  AtomsInBox atoms{{{{{40, 0, 0}, {0, 40, 0}, {0, 0, 40}}}}, {{1, 2, 3}}, {0}};
  expect_that_of_a_cpu(random_potential(parameters_of(8), 1), atoms);
  // A pair of atoms, and an atom without neighbours.
  atoms.positions.insert(atoms.positions.end(), {{3, 3, 3}, {20, 20, 20}});
  atoms.elements = {0, 1, 0};
  expect_that_of_a_cpu(random_potential(parameters_of(4), 2), atoms);
}

TEST(SnapWithoutRoomInSharedMemoryOnGpu, IsThatOfACpu) {
  if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  snap::SnapParameters parameters = parameters_of(12);
  parameters.chemflag = true;
  expect_that_of_a_cpu(random_potential(parameters, 3), disordered_crystal(1, 3));
}

class SnapPrecisionOnGpu : public testing::TestWithParam<int> {};

TEST_P(SnapPrecisionOnGpu, HasTheDigitsOfItsNumbers) {
  if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  const snap::SnapPotential potential = random_potential(parameters_of(GetParam()), 1);
  const AtomsInBox atoms = disordered_crystal(4, 1);
  const NeighbourRows rows = atoms.rows(Snap(potential).cutoff());
  const PairGradients expected = Snap(potential).evaluate(rows, atoms.elements);
  Device device = Device::cuda(0);
  const auto of = [&](Precision precision) {
    device.precision = precision;
    const Differences d = differences(on_gpu(potential, atoms, rows, device), expected);
    std::cout << "2J = " << GetParam() << ": energy " << d.energy << ", gradient " << d.gradient
              << '\n';
    return std::max(d.energy, d.gradient);
  };
  EXPECT_LT(of(Precision::double_numbers), 1e-13);
  const double mixed = of(Precision::mixed_numbers), single = of(Precision::single_numbers);
  EXPECT_LT(mixed, 2e-5);
  EXPECT_LT(single, 2e-4);
  EXPECT_GT(mixed, 1e-9);
  EXPECT_GT(single, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Sizes, SnapPrecisionOnGpu, testing::Values(8, 14),
                         testing::PrintToStringParamName());

Named<TestedSnap> of_2J(const char* name, int twojmax) {
  return {name, {parameters_of(twojmax), 1}};
}
INSTANTIATE_TEST_SUITE_P(Sizes, SnapOnGpu,
                         testing::Values(of_2J("2J_8", 8), of_2J("2J_9", 9), of_2J("2J_10", 10),
                                         of_2J("2J_11", 11), of_2J("2J_14", 14)),
                         by_name);

}  // namespace larmor::gpu_snap_tests
