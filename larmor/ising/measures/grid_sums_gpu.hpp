#pragma once
// Loops over states of sites on a GPU, and their functors. Compiled only if CUDA is found.

#include "larmor/core/device/pending.hpp"
#include "larmor/ising/measures/grid_sums_kernel.hpp"
#include "larmor/ising/multispin/grid/lattice_view.hpp"
#include "larmor/ising/potts/potts_kernel.hpp"

namespace larmor::ising {

struct StateOfPosition {
  PottsView view;
  Index sites;
  std::uint8_t* states;  ///< (replica, site)

  LARMOR_HD void operator()(Index position, Index replica) const {
    const std::int32_t site = view.site[position];
    if (site >= 0) states[replica * sites + site] = view.state[replica * view.positions + position];
  }
};

/// 32 sites of one colour: see ising/multispin/grid/word_grid.hpp.
struct StatesOfWord {
  LatticeView view;
  Index sites;
  std::uint8_t* states;

  /// @param word colour * words + word of the colour
  LARMOR_HD void operator()(Index word, Index replica) const {
    const WordGrid& grid = view.grid;
    const int colour = word < grid.words ? 0 : 1;
    const Index own = word - colour * grid.words, row = own / grid.row_words;
    Index rest = row, parity = colour;
    for (int a = 1; a < grid.axes; ++a) {
      parity += rest % grid.size[a];
      rest /= grid.size[a];
    }
    const std::uint32_t bits = view.spins_of(replica, colour)[own];
    std::uint8_t* const first =
        states + replica * sites + row * grid.size[0] + 64 * (own % grid.row_words) + parity % 2;
    for (int k = 0; k < 32; ++k) first[2 * k] = static_cast<std::uint8_t>(bits >> k & 1u);
  }
};

void write_on_gpu(const Device& device, const StateOfPosition& write, Index positions,
                  Index replicas);
void write_on_gpu(const Device& device, const StatesOfWord& write, Index words, Index replicas);

/// As in GridSums. @param states on the device (replica, site)
Pending planes_on_gpu(const Device& device, const SummedAxes& axes, const std::uint8_t* states,
                      Index replicas);
Pending equal_pairs_on_gpu(const Device& device, const SummedAxes& axes, const std::uint8_t* states,
                           Index replicas);

}  // namespace larmor::ising
