// Planes of cells: their direction, their owners, and the columns of wave vectors.
// Rooms: correlations

#include "larmor/correlations/fourier/planes.hpp"

#include <gtest/gtest.h>

#include <set>

#include "correlations_support.hpp"

namespace {

using namespace larmor;
using namespace larmor::correlations;

TEST(PlanesOfCells, AreAcrossTheLastVectorThatHasEnough) {
  EXPECT_EQ(PlanesOfCells({64, 64, 64}).across, 2u);
  EXPECT_EQ(PlanesOfCells({64, 64, 16}).across, 1u);
  EXPECT_EQ(PlanesOfCells({64, 16, 16}).across, 0u);
  EXPECT_EQ(PlanesOfCells({20, 20, 24}).across, 2u);
  EXPECT_EQ(PlanesOfCells({100, 100, 1}).across, 1u);
  // A chain is one plane. If each cell were a plane, a plane of one cell would have no transform.
  EXPECT_EQ(PlanesOfCells({100, 1, 1}).count(), 1);
  EXPECT_EQ(PlanesOfCells({100, 1, 1}).fast, 0u);
}

TEST(PlanesOfCells, HaveEveryCellOnce) {
  for (const std::array<Index, 3> size : {std::array<Index, 3>{3, 4, 5}, {7, 6, 2}, {9, 2, 3}}) {
    const PlanesOfCells planes(size);
    std::set<Index> cells;
    for (Index plane = 0; plane < planes.count(); ++plane)
      for (Index row = 0; row < planes.size[planes.slow]; ++row)
        for (Index n = 0; n < planes.size[planes.fast]; ++n)
          cells.insert(planes.cell(plane, row, n));
    EXPECT_EQ(std::ssize(cells), size[0] * size[1] * size[2]);
    EXPECT_EQ(*cells.begin(), 0);
    EXPECT_EQ(*cells.rbegin(), size[0] * size[1] * size[2] - 1);
  }
}

/// Two ranks own the positions. The positions are given as cells between planes or as ranges.
TEST(PlanesOfCells, HaveOneOwnerEach) {
  const PlanesOfCells planes({4, 4, 10});
  constexpr Index spins = 160;
  const SiteRange low{0, 64}, high{64, spins};
  for (const int axis : {-1, 1, 2}) {
    const CellSlab cells[2] = {{axis, 0, 3, 1, 1}, {axis, 3, 10, 1, 1}};
    std::set<Index> all;
    Index count = 0;
    for (const int rank : {0, 1}) {
      Domain domain{};
      domain.owned = {rank == 0 ? &low : &high, 1};
      domain.cells = axis < 0 ? nullptr : &cells[rank];
      EXPECT_EQ(planes.are_whole(&domain), axis == 2);
      const std::vector<Index> own = planes.own(&domain, spins);
      EXPECT_EQ(std::ssize(own), axis == 2 ? (rank == 0 ? 3 : 7) : (rank == 0 ? 4 : 6));
      all.insert(own.begin(), own.end());
      count += std::ssize(own);
    }
    EXPECT_EQ(count, planes.count());
    EXPECT_EQ(std::ssize(all), planes.count());
  }
}

TEST(PlanesOfCells, ColumnsJoinWaveVectorsThatDifferAcrossThePlanes) {
  const lattice::Geometry geometry = testing_support::periodic_lattice("sc", {6, 5, 8});
  const PlanesOfCells planes(geometry.size);
  const QList q = q_explicit(
      geometry, {{0.5, 0.2, 0.25}, {0.5, 0.2, 0.5}, {0, 0, 0}, {5. / 6, 0, 0.25}, {1. / 6, 0, 0}});
  const std::vector<SpectrumColumn> columns =
      columns_of(planes, HalfSpectrum(geometry, q, planes.fast));
  ASSERT_EQ(columns.size(), 3u);
  EXPECT_EQ(columns[0].place, 0);
  EXPECT_EQ(columns[0].wanted.size(), 1u);
  // The amplitude at (-1/6, 0, 1/4) is the conjugate of the amplitude at (1/6, 0, -1/4).
  EXPECT_EQ(columns[1].place, 1);
  ASSERT_EQ(columns[1].wanted.size(), 2u);
  EXPECT_EQ(columns[1].wanted[0].q, 3);
  EXPECT_EQ(columns[1].wanted[0].k, 6);
  EXPECT_TRUE(columns[1].wanted[0].conjugated);
  EXPECT_EQ(columns[1].wanted[1].k, 0);
  EXPECT_EQ(columns[2].place, 3 + 4 * 1);
  ASSERT_EQ(columns[2].wanted.size(), 2u);
  EXPECT_EQ(columns[2].wanted[0].k, 2);
  EXPECT_EQ(columns[2].wanted[1].k, 4);
}

}  // namespace
