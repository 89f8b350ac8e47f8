#pragma once
// Which storage positions each of several ranks updates, and which of the others' it reads.

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

/// What is in either or both, all ascending.
std::vector<std::int32_t> united(const std::vector<std::int32_t>& a,
                                 const std::vector<std::int32_t>& b);

/// Positions of other ranks that a rank reads, ascending.
struct PositionsRead {
  std::vector<std::int32_t> as_neighbours;  ///< by sums over bonds
  /// As its own: what it updates, or its partial sums cover, beyond what it owns.
  std::vector<std::int32_t> as_sites;

  std::vector<std::int32_t> all() const { return united(as_neighbours, as_sites); }
};

/// Nearest neighbours by storage position.
class NearestPositions {
 public:
  /// @param sites, and the model, must outlive this
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
  /// Ascending.
  std::vector<SiteRange> owned(int rank) const;
  /// For what kernels do by bonds alone.
  virtual PositionsRead reads(int rank) const = 0;
  /// Positions of other ranks that derivatives at a rank's own read, ascending.
  std::vector<std::int32_t> reads_nearest(int rank, const NearestPositions& nearest) const;
  /// Where the part of a rank is cells between two planes. @param read_by_others of its positions
  virtual std::optional<CellSlab> cells(int rank,
                                        std::span<const std::int32_t> read_by_others) const = 0;

 protected:
  explicit DomainPartition(Index spins) : spins_(spins) {}
  /// Positions from `first` on are of a rank, up to where the next are added.
  void add(Index first, int rank);
  /// Of a rank's positions at least those that are `nearest` of another's.
  virtual std::vector<std::int32_t> beside_others(int rank, const NearestPositions& nearest) const;

  Index spins_;

 private:
  struct Segment {
    Index first;
    int rank;
  };
  std::vector<Segment> segments_;
};

/// Any geometry: pieces of `partial_sum_grain` positions, by how far they are along the sublattice
/// (or the colour) that they are of. Each rank has the same part of space of all of them.
class BlockPartition : public DomainPartition {
 public:
  static Index pieces(Index spins) { return (spins + partial_sum_grain - 1) / partial_sum_grain; }
  /// @param ranks at most as many as there are pieces
  BlockPartition(const Model& model, int ranks);
  PositionsRead reads(int rank) const override;
  std::optional<CellSlab> cells(int, std::span<const std::int32_t>) const override { return {}; }

 private:
  int bonds_per_site_;
  std::vector<std::int32_t> neighbours_;
};

/// A lattice whose cells are alike: cells between planes, across its last side that is long enough.
class PlanePartition : public DomainPartition {
 public:
  /// Crystal cells along the lattice vectors that a kernel updates together.
  using Layer = std::array<Index, 3>;
  /// @param neighbourhood as Model::neighbourhood
  /// @param layers of the kernels: cuts lie between them where that is fair; ranks also update the
  ///        rest of those that are cut
  /// @return null where there are fewer planes than ranks, or sites lie otherwise
  static std::unique_ptr<PlanePartition> make(const Stencil& neighbourhood, Index spins, int ranks,
                                              const std::vector<Layer>& layers);

  /// Ranks that there are planes for; 0: sites lie otherwise.
  static Index most_ranks(const Stencil& neighbourhood, Index spins);

  PositionsRead reads(int rank) const override;
  std::optional<CellSlab> cells(int rank,
                                std::span<const std::int32_t> read_by_others) const override;

 protected:
  std::vector<std::int32_t> beside_others(int rank, const NearestPositions& nearest) const override;

 private:
  PlanePartition(const Stencil& neighbourhood, Index spins, std::size_t axis,
                 std::vector<Index> cuts, std::vector<Index> layers);
  /// Planes of cells of a rank.
  SiteRange planes(int rank) const {
    return {cuts_[static_cast<std::size_t>(rank)], cuts_[static_cast<std::size_t>(rank) + 1]};
  }
  /// Planes of cells that a rank updates, with the rest of layers that are cut.
  SiteRange updated(int rank) const;
  /// Cell of a position; `sublattice` is that it is of.
  std::array<Index, 3> cell_of(Index position, std::size_t& sublattice) const;
  template <class Visit>
  void for_each_of_plane(Index plane, const Visit& visit) const;

  Stencil stencil_;
  std::size_t axis_;
  std::vector<Index> cuts_;    ///< planes of cells of the stencil where ranks begin, and the end
  std::vector<Index> layers_;  ///< along the axis, crystal cells
  Index depth_ = 0;            ///< of neighbours along the axis, cells of the stencil
  std::vector<int> rank_of_plane_;
};

}  // namespace larmor::spins
