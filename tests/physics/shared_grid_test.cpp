// Several ranks that share a grid of bits give the results of one rank, bit for bit. The ranks are
// threads here, and each rank has a slab of the grid.
// Rooms: ising

#include "larmor/core/error.hpp"
#include "larmor/ising/multispin/grid/update_kernel.hpp"
#include "tests/named.hpp"
#include "tests/shared_grid_support.hpp"

namespace larmor::ising::shared_grid_tests {
namespace {

using Case = testing_support::Named<GridShape>;

class SharedGrid : public testing::TestWithParam<Case> {};

TEST_P(SharedGrid, HasTheBitsOfOneRank) {
  expect_grid_of_one_rank(GetParam().value, Device::cpu(1), {1, 2, 3, 5});
}

// The grids have rows of whole vectors and of parts of vectors. Some ranks have one plane, and in
// some cases two ranks are neighbours on both sides. Numbers of planes may be odd, with odd numbers
// of words.
INSTANTIATE_TEST_SUITE_P(
    Grids, SharedGrid,
    testing::Values(Case{"torus_64_2", {{64, 2}, {}}}, Case{"torus_64_6", {{64, 6}, {}}},
                    Case{"torus_192_64", {{192, 64}, {}}}, Case{"torus_1024_6", {{1024, 6}, {}}},
                    Case{"sheet_64_5", {{64, 5}, {false, false}}},
                    Case{"tube_320_7", {{320, 7}, {true, false}}},
                    Case{"tube_1024_5", {{1024, 5}, {true, false}}},
                    Case{"ribbon_128_6", {{128, 6}, {false, true}}},
                    Case{"bulk_64_4_6", {{64, 4, 6}, {}}},
                    Case{"film_128_2_5", {{128, 2, 5}, {true, true, false}}},
                    Case{"block_1024_3_7", {{1024, 3, 7}, {false, false, false}}},
                    Case{"slab_64_3_8", {{64, 3, 8}, {true, false, true}}},
                    Case{"four_axes_64_2_4_6", {{64, 2, 4, 6}, {}}},
                    Case{"four_axes_open", {{1024, 3, 1, 5}, {false, false, false, false}}}),
    testing_support::by_name);

TEST(SharedGrid, IsUpdatedByThreadsOfEveryRank) {
  expect_grid_of_one_rank({{1088, 24}, {}}, Device::cpu(2), {2});
}

TEST(SharedGrid, AColourSendsThePlanesAtItsBordersOnce) {
  constexpr Index replicas = 3, sweeps = 4, plane_words = 2 * 3;
  const GridShape shape{{128, 3, 12}, {true, false, true}};
  for (const int ranks : {2, 3})
    testing_support::on_ranks(ranks, [&](const Communicator& world, auto& thread) {
      BitLattice lattice(shape, {}, replicas, 20, Device::cpu(1), {}, &world);
      thread.bytes_sent();
      UpdateCounter steps;
      lattice.sweep(sweeps, steps);
      EXPECT_EQ(thread.bytes_sent(), 2 * sweeps * replicas * 2 * plane_words * 4);
    });
}

/// A GPU draws the signs of bonds to the previous plane. For the first rank, the previous plane is
/// the last plane.
TEST(SharedGrid, SignsDrawnInPlaceAreThoseInMemory) {
  testing_support::on_ranks(3, [&](const Communicator& world, auto&) {
    const BitLattice lattice({{192, 6}, {}}, {1, true, 8, {7, 2}}, 2, 20, Device::cpu(1), {},
                             &world);
    const LatticeView view = lattice.view();
    for (int colour = 0; colour < 2; ++colour)
      for (Index word = view.grid.first; word < view.grid.last; ++word) {
        const RowPlace<std::uint32_t, 2, std::int32_t> place(view.grid, nullptr, colour, word);
        for (int axis = 0; axis < 2; ++axis) {
          const SignWords<std::uint32_t> drawn{view.sign_key, view.sample[1], 1 - colour, axis,
                                               view.grid.words};
          const StoredWords<std::uint32_t> stored{view.signs_of(1, axis, 1 - colour)};
          ASSERT_EQ(place.previous(drawn, axis), place.previous(stored, axis)) << word;
        }
      }
  });
}

TEST(SharedGrid, OfFewerPlanesThanRanksIsRefused) {
  const auto make = [](const GridShape& shape, int ranks) {
    testing_support::on_ranks(ranks, [&](const Communicator& world, auto&) {
      BitLattice(shape, {}, 1, 20, Device::cpu(1), Rule::heat_bath, &world);
    });
  };
  EXPECT_THROW(make({{64, 2}, {}}, 3), InputError);
  EXPECT_THROW(make({{640}, {}}, 2), InputError);
  EXPECT_NO_THROW(make({{640}, {}}, 1));
  EXPECT_NO_THROW(make({{64, 3}, {true, false}}, 3));
}

}  // namespace
}  // namespace larmor::ising::shared_grid_tests
