#pragma once
// Rows of neighbours on a GPU, for all replicas at once. As in NeighbourList, pairs are searched
// within cutoff plus skin. The search of a replica is repeated if one of its atoms has moved too
// far. Rows have the bits of find_neighbours at every step. They do not depend on the step of the
// last search. The GPU decides without the host which replicas it searches. There are no separate
// kernels for searches: the kernels that test lists, measure pairs and find mirrors also renew
// outdated lists.

#include "larmor/atoms/forces/gpu_potential.hpp"
#include "larmor/atoms/neighbours/cell_grid.hpp"
#include "larmor/atoms/system/atom_state.hpp"

namespace larmor::atoms {

/// Pointers to the arrays that kernels use.
struct NeighboursView {
  AtomsView atoms;
  double cutoff, skin;
  const std::int32_t* replica_of;  ///< [atoms]

  // Arrays of the searches. The cells of a replica begin at cell_first[replica].
  const Index* cell_first;         ///< [replicas]
  const std::int32_t* most_cells;  ///< most cells along a direction [replicas]
  std::int32_t* is_known;          ///< has this replica been searched? [replicas]
  std::int32_t* is_renewed;        ///< is this replica searched now? [replicas]
  /// Blocks that have tested the list, plus 2^32 for each block that found it invalid [replicas]
  unsigned long long* arrived;
  Index* searches;                ///< [replicas]
  Box* first_box;                 ///< box of the last search [replicas]
  Vec3<double>* first_position;   ///< positions of the last search [atoms]
  CellGrid* grid;                 ///< [replicas]
  std::int32_t *in_cell, *begin;  ///< number of atoms in a cell, its place in `listed` [cells]
  Index* cell;                    ///< cell of each atom [atoms]
  std::int32_t* place_in_cell;    ///< number of the atom in its cell, may vary [atoms]
  Image* home;                    ///< the image of the box in which an atom lies [atoms]
  std::int32_t* listed;           ///< atoms, cell by cell [atoms]

  // All found pairs: those within cutoff plus skin, in rows of the form of GpuRowsView.
  Index found_width;
  std::int32_t *found_count, *found_neighbour, *found_mirror;
  Image* found_image;
  std::int32_t* kept;  ///< slot of a found pair in its row of near pairs; -1 if it is too far

  // Near pairs: those within the cutoff. They form a GpuRowsView.
  Index width;
  std::int32_t *count, *neighbour, *mirror;
  Vec3<double>* displacement;

  std::int32_t* longest;  ///< longest rows so far: found pairs, near pairs [2]
};

class GpuNeighbours {
 public:
  /// @param width_of_rows initial width of rows; 0: estimated from the density
  /// @throws InputError unless cutoff > 0 and skin >= 0
  GpuNeighbours(double cutoff, double skin, Index width_of_rows = 0);

  /// Launches the search for the rows of the atoms; does not wait. Rows are valid until the next
  /// call. Faults are raised for positions or boxes for which no neighbours can be found, and for
  /// rows that are too narrow.
  GpuRowsView rows(AtomState& state);

  /// Makes the rows wider than the longest ones, after the fault `narrow_rows`. Waits for the GPU.
  void widen();

  /// Number of searches, summed over all replicas. Waits for the GPU.
  Index searches() const;

 private:
  /// Do the arrays fit this layout?
  bool has_arrays_for(const AtomLayout& layout) const;
  void allocate(AtomState& state);
  void set_widths(const Device& device, Index found, Index kept);
  void guess_widths(const AtomState& state);
  NeighboursView view(AtomState& state);

  double cutoff_, skin_;
  Index first_width_, found_width_ = 0, width_ = 0, atoms_ = 0;
  std::vector<Index> first_atom_;  ///< first atoms of the replicas, and the end of the last one
  AtomArray<Index> cell_first_, searches_, cell_;
  AtomArray<std::int32_t> replica_of_, most_cells_, is_known_, is_renewed_, in_cell_, begin_,
      place_in_cell_, listed_, longest_;
  AtomArray<Box> first_box_;
  AtomArray<Vec3<double>> first_position_;
  AtomArray<unsigned long long> arrived_;
  AtomArray<CellGrid> grid_;
  AtomArray<Image> home_;
  AtomArray<std::int32_t> found_count_, found_neighbour_, found_mirror_, kept_;
  AtomArray<Image> found_image_;
  AtomArray<std::int32_t> count_, neighbour_, mirror_;
  AtomArray<Vec3<double>> displacement_;
};

}  // namespace larmor::atoms
