#pragma once
// The storage positions that each rank updates, and the positions of other ranks that it reads.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "larmor/core/simd/domain.hpp"
#include "larmor/lattice/nearest_neighbours.hpp"
#include "larmor/spins/hamiltonian/stencil.hpp"

namespace larmor::spins {

class Model;

/// The union of two ascending lists, ascending.
std::vector<std::int32_t> united(const std::vector<std::int32_t>& a,
                                 const std::vector<std::int32_t>& b);

/// Positions of other ranks that a rank reads. Both lists are ascending.
struct PositionsRead {
  std::vector<std::int32_t> as_neighbours;  ///< read by sums over bonds
  /// Positions that the rank does not own, but treats as its own: it updates them, or they are in
  /// its partial sums.
  std::vector<std::int32_t> as_sites;

  std::vector<std::int32_t> all() const { return united(as_neighbours, as_sites); }
};

/// Nearest neighbours by storage position.
class NearestPositions {
 public:
  /// @param sites, model must outlive this object
  NearestPositions(const lattice::NearestNeighbours& sites, const Model& model);
  std::vector<std::int32_t> of(std::int32_t position) const;
  Index reach(std::size_t d) const { return sites_.reach(d); }

 private:
  const lattice::NearestNeighbours& sites_;
  const std::vector<std::int32_t>& canonical_;
  std::vector<std::int32_t> storage_;
};

class DomainPartition {
 public:
  virtual ~DomainPartition() = default;

  int rank_of(Index position) const;
  /// Owned ranges of a rank, ascending.
  std::vector<SiteRange> owned(int rank) const;
  /// Positions of other ranks that the kernels of a rank read, except for those that only
  /// derivatives read.
  virtual PositionsRead reads(int rank) const = 0;
  /// Positions of other ranks that derivatives at the rank's own positions read, ascending.
  std::vector<std::int32_t> reads_nearest(int rank, const NearestPositions& nearest) const;
  /// The cells of a rank, if they lie between two planes.
  /// @param read_by_others positions of the rank that other ranks read
  virtual std::optional<CellSlab> cells(int rank,
                                        std::span<const std::int32_t> read_by_others) const = 0;

 protected:
  explicit DomainPartition(Index spins) : spins_(spins) {}
  /// Assigns positions to a rank: from `first` up to the `first` of the next call.
  void add(Index first, int rank);
  /// A superset of the rank's positions that are `nearest` neighbours of another rank's positions.
  virtual std::vector<std::int32_t> near_other_ranks(int rank,
                                                     const NearestPositions& nearest) const;

  Index spins_;

 private:
  struct Segment {
    Index first;
    int rank;
  };
  std::vector<Segment> segments_;
};

/// Partition of any geometry into blocks of `partial_sum_grain` positions. Ranks get blocks in the
/// order of their relative position within their sublattice (or colour). So a rank has one region
/// of space in all sublattices.
class BlockPartition : public DomainPartition {
 public:
  static Index blocks(Index spins) { return (spins + partial_sum_grain - 1) / partial_sum_grain; }
  /// @param ranks at most the number of blocks
  BlockPartition(const Model& model, int ranks);
  PositionsRead reads(int rank) const override;
  std::optional<CellSlab> cells(int, std::span<const std::int32_t>) const override { return {}; }

 private:
  int bonds_per_site_;
  std::vector<std::int32_t> neighbours_;
};

/// Partition of a lattice whose cells are alike, into slabs between planes. The planes are
/// perpendicular to the last axis that is long enough.
class PlanePartition : public DomainPartition {
 public:
  /// Crystal cells along the lattice vectors that a kernel updates together.
  using Layer = std::array<Index, 3>;
  /// @param neighbourhood result of Model::neighbourhood
  /// @param layers layers of the kernels. Cuts lie between layers if the slabs stay nearly equal.
  ///        Otherwise a rank also updates the rest of each layer that is cut.
  /// @return null if there are fewer planes than ranks, or sites have another order
  static std::unique_ptr<PlanePartition> make(const Stencil& neighbourhood, Index spins, int ranks,
                                              const std::vector<Layer>& layers);

  /// Largest number of ranks that the planes allow; 0 if sites have another order.
  static Index most_ranks(const Stencil& neighbourhood, Index spins);

  PositionsRead reads(int rank) const override;
  std::optional<CellSlab> cells(int rank,
                                std::span<const std::int32_t> read_by_others) const override;

 protected:
  std::vector<std::int32_t> near_other_ranks(int rank,
                                             const NearestPositions& nearest) const override;

 private:
  PlanePartition(const Stencil& neighbourhood, Index spins, std::size_t axis,
                 std::vector<Index> cuts, std::vector<Index> layers);
  /// Planes of cells that a rank owns.
  SiteRange planes(int rank) const {
    return {cuts_[static_cast<std::size_t>(rank)], cuts_[static_cast<std::size_t>(rank) + 1]};
  }
  /// Planes of cells that a rank updates, with the rest of layers that are cut.
  SiteRange updated(int rank) const;
  /// Cell of a position. Sets `sublattice` to the sublattice of the position.
  std::array<Index, 3> cell_of(Index position, std::size_t& sublattice) const;
  template <class Visit>
  void for_each_of_plane(Index plane, const Visit& visit) const;

  Stencil stencil_;
  std::size_t axis_;
  std::vector<Index> cuts_;    ///< first plane of stencil cells of each rank, and the end
  std::vector<Index> layers_;  ///< thickness of layers along the axis, in crystal cells
  Index depth_ = 0;  ///< largest distance of neighbours along the axis, in cells of the stencil
  std::vector<int> rank_of_plane_;
};

}  // namespace larmor::spins
