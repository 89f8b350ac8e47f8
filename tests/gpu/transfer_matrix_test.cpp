// Transfer matrices on a GPU, compared with those on the CPU.
// Rooms: transfer

#include <gtest/gtest.h>

#include <cmath>

#include "larmor/core/ranks/thread_ranks.hpp"
#include "larmor/transfer/strip.hpp"

namespace larmor::gpu_transfer_matrix_tests {

using namespace larmor::transfer;

/// A ring of spins whose couplings all differ.
RowModel uneven_ring(int sites, bool has_field) {
  RowModel row;
  row.sites = sites;
  for (int i = 0; i < sites; ++i) {
    if (sites > 1) row.bonds.push_back({i, (i + 1) % sites, 0.5 * std::sin(3.1 * i + 1)});
    row.h.push_back(has_field ? 0.2 * std::cos(1.7 * i) : 0);
    row.K_next.push_back(0.6 * std::cos(2.3 * i));
  }
  return row;
}

class TransferMatrixOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  }
};

std::vector<double> product(const Device& device, const RowModel& row, Sector sector) {
  const SiteBits bits(row, sector);
  const VectorSpace space(device, bits.states());
  TransferMatrix matrix = TransferMatrix::of_equal_rows(space, row, bits);
  Vector in(device, bits.states()), out(device, bits.states());
  randomise(in, {3, 0, Stream::lanczos});
  matrix.multiply(in, out);
  return out.to_host();
}

TEST_F(TransferMatrixOnGpu, HasTheProductsOfTheCpu) {
  for (const int sites : {1, 2, 5, 11, 12, 13, 14, 18, 22, 25})
    for (const Sector sector : {Sector::all, Sector::even, Sector::odd}) {
      const RowModel row = uneven_ring(sites, sector == Sector::all);
      const std::vector<double> cpu = product(Device::cpu(4), row, sector);
      const std::vector<double> gpu = product(Device::cuda(0), row, sector);
      double largest = 0, error = 0;
      for (std::size_t x = 0; x < cpu.size(); ++x) {
        largest = std::max(largest, std::abs(cpu[x]));
        error = std::max(error, std::abs(cpu[x] - gpu[x]));
      }
      EXPECT_LT(error, 4e-15 * largest) << sites;
    }
}

TEST_F(TransferMatrixOnGpu, HasTheSpectraAndAveragesOfTheCpu) {
  for (const int sites : {3, 10, 16})
    for (const bool has_field : {false, true}) {
      const RowModel row = uneven_ring(sites, has_field);
      const Sector sector = has_field ? Sector::all : Sector::even;
      StripSpectrum cpu(Device::cpu(4), row, sector, {.wanted = 3});
      StripSpectrum gpu(Device::cuda(0), row, sector, {.wanted = 3});
      while (!cpu.step()) {
      }
      while (!gpu.step()) {
      }
      for (std::size_t n = 0; n < 3; ++n)
        EXPECT_NEAR(cpu.levels()[n].ln_value, gpu.levels()[n].ln_value,
                    1e-12 * std::abs(cpu.levels()[0].ln_value));
      EXPECT_NEAR(cpu.averages().bonds, gpu.averages().bonds, 1e-9);
      EXPECT_NEAR(cpu.averages().next, gpu.averages().next, 1e-9);
      EXPECT_NEAR(cpu.averages().m4, gpu.averages().m4, 1e-9);
    }
}

TEST_F(TransferMatrixOnGpu, HasEqualBitsForAnyNumberOfRanks) {
  for (const bool has_field : {false, true}) {
    const RowModel row = uneven_ring(18, has_field);
    const Sector sector = has_field ? Sector::all : Sector::even;
    const auto numbers = [&](const Communicator* world) {
      const int rank = world != nullptr ? world->rank() : 0;
      const Device device = Device::cuda(rank % gpu_count());
      StripSpectrum spectrum(device, row, sector, {.wanted = 2, .basis = 6}, world);
      while (!spectrum.step()) {
      }
      const RowAverages a = spectrum.averages();
      return std::vector<double>{spectrum.levels()[0].ln_value,
                                 spectrum.levels()[1].ln_value,
                                 a.bonds,
                                 a.next,
                                 a.m,
                                 a.abs_m,
                                 a.m2,
                                 a.m4};
    };
    const std::vector<double> alone = numbers(nullptr);
    for (const int ranks : {2, 4})
      on_thread_ranks(ranks, [&](ThreadRank& thread) {
        const Communicator world(thread);
        EXPECT_EQ(numbers(&world), alone) << ranks << " ranks";
      });
  }
}

TEST_F(TransferMatrixOnGpu, HasTheStripsOfTheCpu) {
  const RowModel row = uneven_ring(14, true);
  double ln_Z[2];
  for (int n = 0; n < 2; ++n) {
    StripProduct product(n == 0 ? Device::cpu(4) : Device::cuda(0), row, row);
    for (int r = 1; r < 20; ++r) product.add(row, row.K_next);
    ln_Z[n] = product.ln_Z();
  }
  EXPECT_NEAR(ln_Z[0], ln_Z[1], 1e-12 * std::abs(ln_Z[0]));
}

}  // namespace larmor::gpu_transfer_matrix_tests
