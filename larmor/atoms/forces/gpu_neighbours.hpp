#pragma once
// Rows of neighbours on a GPU, of all replicas at once. As NeighbourList: pairs are searched within
// cutoff and skin, of each replica when one of its atoms has moved too far, and the rows have the
// bits of find_neighbours whenever that was. The GPU decides alone what it searches: kernels that
// look whether lists hold, measure pairs and find their mirrors also search where a list was
// outrun.

#include "larmor/atoms/forces/gpu_potential.hpp"
#include "larmor/atoms/neighbours/cell_grid.hpp"
#include "larmor/atoms/system/atom_state.hpp"

namespace larmor::atoms {

/// What kernels work in.
struct NeighboursView {
  AtomsView atoms;
  double cutoff, skin;
  const std::int32_t* replica_of;  ///< [atoms]

  // Searches. Cells of a replica stand from cell_first[replica] on.
  const Index* cell_first;         ///< [replicas]
  const std::int32_t* most_cells;  ///< along a direction [replicas]
  std::int32_t* is_known;          ///< were pairs of the replica ever searched? [replicas]
  std::int32_t* is_renewed;        ///< are they searched now? [replicas]
  /// Blocks that have looked whether the list holds, and 2^32 for each that found it outrun
  /// [replicas]
  unsigned long long* arrived;
  Index* searches;                ///< [replicas]
  Box* first_box;                 ///< of the last search [replicas]
  Vec3<double>* first_position;   ///< of the last search [atoms]
  CellGrid* grid;                 ///< [replicas]
  std::int32_t *in_cell, *begin;  ///< atoms of a cell, and the first one in the list [cells]
  Index* cell;                    ///< of each atom [atoms]
  std::int32_t* place_in_cell;    ///< in the order of arrival, which differs each time [atoms]
  Image* home;                    ///< how many boxes away an atom lies [atoms]
  std::int32_t* listed;           ///< atoms, cell by cell [atoms]

  // Pairs within cutoff and skin, in rows as GpuRowsView has them.
  Index found_width;
  std::int32_t *found_count, *found_neighbour, *found_mirror;
  Image* found_image;
  std::int32_t* kept;  ///< slot of a pair among those within the cutoff; -1: it is too far

  // Pairs within the cutoff: a GpuRowsView.
  Index width;
  std::int32_t *count, *neighbour, *mirror;
  Vec3<double>* displacement;

  std::int32_t* longest;  ///< row of found pairs, and of those within the cutoff, so far [2]
};

class GpuNeighbours {
 public:
  /// @param width_of_rows to begin with; 0: by the density
  /// @throws InputError unless cutoff > 0 and skin >= 0
  GpuNeighbours(double cutoff, double skin, Index width_of_rows = 0);

  /// Launches what finds the rows of the atoms where they are; does not wait. They hold until the
  /// next call. Faults are raised for positions and boxes that have no neighbours, and for rows
  /// that are too narrow.
  GpuRowsView rows(AtomState& state);

  /// After a fault of narrow rows: room for the longest ones, and some more. Waits for the GPU.
  void widen();

  /// How often pairs were searched, in all replicas together. Waits for the GPU.
  Index searches() const;

 private:
  bool is_placed(const AtomLayout& layout) const;
  void place(AtomState& state);
  void set_widths(const Device& device, Index found, Index kept);
  void guess_widths(const AtomState& state);
  NeighboursView view(AtomState& state);

  double cutoff_, skin_;
  Index first_width_, found_width_ = 0, width_ = 0, atoms_ = 0;
  std::vector<Index> first_atom_;  ///< of the replicas that are placed, and their end
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
