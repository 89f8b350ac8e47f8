// The sites that ranks of a shared lattice own and read.
// Rooms: spins

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "larmor/core/simd/slots.hpp"
#include "larmor/spins/domains/domain_partition.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"
#include "tests/shared_lattice_support.hpp"

namespace larmor::spins {
namespace {

study::SpinSystem spin_system_of(const std::string& text) {
  return study::SpinSystem(study::parse_system(text, "test"), Device::cpu(1));
}

using PositionSet = std::set<std::int32_t>;

/// Positions that a rank must read: neighbours of its updated sites, and the sites of its partial
/// sums with their neighbours. A partial sum has `partial_sum_grain` positions and belongs to the
/// rank that owns the first of them.
struct Needed {
  PositionSet as_neighbours, as_sites;
};

Needed needed(const Model& model, const DomainPartition& partition, int rank,
              const std::set<Index>& updated) {
  Needed read;
  const auto add = [&](Index position, PositionSet& as) {
    if (partition.rank_of(position) != rank) as.insert(static_cast<std::int32_t>(position));
  };
  const std::vector<std::int32_t> neighbours = model.neighbours();
  const auto update = [&](Index position) {
    add(position, read.as_sites);
    for (Index bond = 0; bond < model.bonds_per_site(); ++bond) {
      const std::int32_t q = neighbours[static_cast<std::size_t>(
          (position / lane_count * model.bonds_per_site() + bond) * lane_count +
          position % lane_count)];
      if (q != position) add(q, read.as_neighbours);
    }
  };
  for (const Index position : updated) update(position);
  for (Index first = 0; first < model.spins(); first += partial_sum_grain)
    for (Index p = first; p < std::min(first + partial_sum_grain, model.spins()); ++p)
      if (partition.rank_of(first) == rank) update(p);
  return read;
}

/// A rank reads all positions that it needs, and few others. It reads as many sites as the longest
/// partial sums need, even if its own partial sums are shorter.
void expect_reads(const Model& model, const DomainPartition& partition, int rank,
                  const std::set<Index>& updated) {
  const PositionsRead read = partition.reads(rank);
  const Needed needs = needed(model, partition, rank, updated);
  const std::size_t ends = partition.owned(rank).size();
  const auto expect = [&](const std::vector<std::int32_t>& found, const PositionSet& wanted,
                          std::size_t more) {
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
    const PositionSet all(found.begin(), found.end());
    EXPECT_EQ(all.size(), found.size());
    EXPECT_TRUE(std::includes(all.begin(), all.end(), wanted.begin(), wanted.end()));
    EXPECT_LE(all.size(), wanted.size() + more);
    for (const std::int32_t position : found) EXPECT_NE(partition.rank_of(position), rank);
  };
  const std::size_t sums = ends * static_cast<std::size_t>(partial_sum_grain);
  expect(read.as_sites, needs.as_sites, sums);
  expect(read.as_neighbours, needs.as_neighbours,
         sums * static_cast<std::size_t>(model.bonds_per_site()));
  PositionSet either = needs.as_sites;
  either.insert(needs.as_neighbours.begin(), needs.as_neighbours.end());
  expect(read.all(), either, sums * static_cast<std::size_t>(model.bonds_per_site()));
}

std::set<Index> owned_positions(const DomainPartition& partition, int rank) {
  std::set<Index> positions;
  for (const SiteRange& range : partition.owned(rank))
    for (Index p = range.first; p < range.last; ++p) {
      EXPECT_EQ(partition.rank_of(p), rank);
      EXPECT_TRUE(positions.insert(p).second);
    }
  return positions;
}

struct Lattice {
  const char* name;
  const char* text;
};
const Lattice lattices[] = {
    {"sc", "[lattice]\ntype='sc'\nsize=[12,10,14]\n[[exchange]]\nshell=1\nJ=1\n"},
    {"iron",
     "[lattice]\ntype='bcc'\nsize=[10,8,24]\n[[exchange]]\nshell=1\nJ=1\n[[exchange]]\n"
     "shell=3\nJ=0.25\n"},
    {"film", "[lattice]\ntype='sc'\nsize=[8,40,4]\n[[exchange]]\nshell=1\nJ=1\n"},
    {"kagome",
     "[lattice]\ntype='kagome'\nsize=[40,28]\n[[exchange]]\nshell=1\nJ=1\n[[dmi]]\n"
     "shell=1\nstrength=0.2\ndirection='interface'\n"},
    {"chain", "[lattice]\ntype='chain'\nsize=[100]\n[[exchange]]\nshell=1\nJ=1\n"}};

TEST(PlanePartition, OwnsEachSiteOnceAndReadsWhatItNeeds) {
  for (const Lattice& lattice : lattices)
    for (const int ranks : {2, 3, 5}) {
      SCOPED_TRACE(std::string(lattice.name) + " on " + std::to_string(ranks));
      const study::SpinSystem system = spin_system_of(lattice.text);
      const Model& model = system.model;
      const auto partition =
          PlanePartition::make(model.neighbourhood().value(), model.spins(), ranks, {});
      ASSERT_NE(partition, nullptr);
      Index all = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        const std::set<Index> own = owned_positions(*partition, rank);
        all += static_cast<Index>(own.size());
        EXPECT_GT(own.size(), 0u);
        expect_reads(model, *partition, rank, own);
      }
      EXPECT_EQ(all, model.spins());
    }
}

/// Kernels update layers of three and of eight cells. A rank updates every layer that contains one
/// of its planes.
TEST(PlanePartition, ReadsWhatWholeLayersNeed) {
  const study::SpinSystem system =
      spin_system_of("[lattice]\ntype='sc'\nsize=[4,6,64]\n[[exchange]]\nshell=1\nJ=1\n");
  const auto partition = PlanePartition::make(system.model.neighbourhood().value(),
                                              system.model.spins(), 3, {{4, 6, 3}, {4, 6, 8}});
  ASSERT_NE(partition, nullptr);
  for (int rank = 0; rank < 3; ++rank) {
    const CellSlab cells = partition->cells(rank, {}).value();
    ASSERT_EQ(cells.axis, 2);
    std::set<Index> updated;
    for (Index position = 0; position < system.model.spins(); ++position) {
      const Index z = system.model.canonical()[static_cast<std::size_t>(position)] / 24;
      for (const Index layer : {3, 8}) {
        const Index first = cells.first / layer * layer;
        const Index last = (cells.last + layer - 1) / layer * layer;
        if (z >= first && z < last) updated.insert(position);
      }
    }
    const PositionsRead read = partition->reads(rank);
    const Needed needs = needed(system.model, *partition, rank, updated);
    // Kernels update the planes of a supercell together, so the rank may read more than it needs.
    for (const auto& [found, wanted] : {std::pair(&read.as_sites, &needs.as_sites),
                                        std::pair(&read.as_neighbours, &needs.as_neighbours)})
      for (const std::int32_t position : *wanted)
        EXPECT_TRUE(std::binary_search(found->begin(), found->end(), position));
  }
}

TEST(PlanePartition, CutsBetweenLayersWhereThatIsFair) {
  const study::SpinSystem system =
      spin_system_of("[lattice]\ntype='sc'\nsize=[4,4,64]\n[[exchange]]\nshell=1\nJ=1\n");
  const Stencil neighbourhood = system.model.neighbourhood().value();
  const auto first_of = [&](int rank, const std::vector<PlanePartition::Layer>& layers) {
    return PlanePartition::make(neighbourhood, system.model.spins(), 4, layers)
        ->cells(rank, {})
        ->first;
  };
  EXPECT_EQ(first_of(1, {{4, 4, 8}}), 16);
  EXPECT_EQ(first_of(2, {{4, 4, 4}, {4, 4, 8}}), 32);
  // If layers had 48 planes, some ranks would have no work.
  EXPECT_EQ(first_of(1, {{4, 4, 48}}), 16);
}

TEST(PlanePartition, TellsWhereOthersRead) {
  const study::SpinSystem system =
      spin_system_of("[lattice]\ntype='sc'\nsize=[32,32,64]\n[[exchange]]\nshell=1\nJ=1\n");
  const auto partition =
      PlanePartition::make(system.model.neighbourhood().value(), system.model.spins(), 2, {});
  const CellSlab cells = partition->cells(0, partition->reads(1).all()).value();
  EXPECT_EQ(cells.first, 0);
  EXPECT_EQ(cells.last, 32);
  // A rank reads one coarse plane, of two cells, at either end.
  EXPECT_EQ(cells.low, 2);
  EXPECT_EQ(cells.high, 2);
}

/// Positions that other ranks own within `distance` of the rank's sites, from the coordinates of
/// all sites.
PositionSet nearest_of_others(const study::SpinSystem& system, const DomainPartition& partition,
                              int rank, double distance) {
  PositionSet found;
  const auto occupied = static_cast<std::int32_t>(system.model.spins());
  const std::vector<std::int32_t>& canonical = system.model.canonical();
  for (std::int32_t p = 0; p < occupied; ++p)
    for (std::int32_t q = 0; q < occupied; ++q)
      if (partition.rank_of(p) == rank && partition.rank_of(q) != rank &&
          length(lattice::separation(system.geometry, canonical[static_cast<std::size_t>(p)],
                                     canonical[static_cast<std::size_t>(q)])) < distance)
        found.insert(q);
  return found;
}

void expect_reads_nearest(const study::SpinSystem& system, const DomainPartition& partition,
                          int ranks, double distance) {
  const lattice::NearestNeighbours sites(system.geometry);
  const NearestPositions nearest(sites, system.model);
  for (int rank = 0; rank < ranks; ++rank) {
    const std::vector<std::int32_t> read = partition.reads_nearest(rank, nearest);
    EXPECT_TRUE(std::is_sorted(read.begin(), read.end()));
    const PositionSet expected = nearest_of_others(system, partition, rank, distance);
    EXPECT_GT(expected.size(), 0u);
    EXPECT_EQ(read, std::vector<std::int32_t>(expected.begin(), expected.end()));
  }
}

TEST(DomainPartition, DerivativesReadTheNearestNeighboursWhateverBondsReach) {
  const char* const alike[] = {"[lattice]\ntype='sc'\nsize=[6,6,9]\n",
                               "[lattice]\ntype='sc'\nsize=[6,6,24]\n[[exchange]]\nshell=2\nJ=1\n",
                               "[lattice]\ntype='bcc'\nsize=[6,4,8]\n[[exchange]]\nshell=2\nJ=1\n",
                               "[lattice]\ntype='sc'\nsize=[4,16,3]\n[[exchange]]\nshell=3\nJ=1\n"};
  for (const char* text : alike)
    for (const int ranks : {2, 3}) {
      SCOPED_TRACE(std::string(text) + " on " + std::to_string(ranks));
      const study::SpinSystem system = spin_system_of(text);
      const auto partition = PlanePartition::make(system.model.neighbourhood().value(),
                                                  system.model.spins(), ranks, {});
      ASSERT_NE(partition, nullptr);
      expect_reads_nearest(system, *partition, ranks, text == alike[2] ? 0.9 : 1.1);
    }
  const PlainPositions positions({10, 15, 16});
  const study::SpinSystem plain =
      spin_system_of(positions.table() + "[[exchange]]\nshell=2\nJ=1\n");
  expect_reads_nearest(plain, BlockPartition(plain.model, 2), 2, 1.1);
}

/// If vacancies remove the neighbours in a direction, derivatives read farther sites.
TEST(DomainPartition, DerivativesReadPastVacancies) {
  const study::SpinSystem open = spin_system_of(
      "[lattice]\ntype='sc'\nsize=[8,10,24]\nperiodic=[true,false,false]\n[[alloy]]\n"
      "by='vacancy'\nfraction=0.1\n[[exchange]]\nshell=2\nJ=1\n");
  const BlockPartition partition(open.model, 2);
  const lattice::NearestNeighbours sites(open.geometry);
  const NearestPositions nearest(sites, open.model);
  for (int rank = 0; rank < 2; ++rank) {
    const std::vector<std::int32_t> read = partition.reads_nearest(rank, nearest);
    const PositionSet near = nearest_of_others(open, partition, rank, 1.1),
                      most = nearest_of_others(open, partition, rank, 3.1);
    EXPECT_TRUE(std::includes(read.begin(), read.end(), near.begin(), near.end()));
    EXPECT_TRUE(std::includes(most.begin(), most.end(), read.begin(), read.end()));
    EXPECT_GT(read.size(), near.size());
    EXPECT_LT(read.size(), near.size() + most.size() / 10);
  }
}

TEST(DomainPartition, DerivativesReadAsFarAsTheirDirectionsNeed) {
  const study::SpinSystem tetragonal = spin_system_of(
      "[lattice]\ncell=[[1,0,0],[0,1,0],[0,0,1.5]]\nsize=[6,6,24]\n[[exchange]]\nshell=1\nJ=1\n");
  const auto planes = PlanePartition::make(tetragonal.model.neighbourhood().value(),
                                           tetragonal.model.spins(), 2, {});
  ASSERT_NE(planes, nullptr);
  const lattice::NearestNeighbours sites(tetragonal.geometry);
  const NearestPositions nearest(sites, tetragonal.model);
  // The rank reads the first and the last plane of the other rank.
  EXPECT_EQ(planes->reads_nearest(0, nearest).size(), 2u * 36u);
}

TEST(PlanePartition, NeedsPlanesEnough) {
  const study::SpinSystem system =
      spin_system_of("[lattice]\ntype='sc'\nsize=[4,4,4]\n[[exchange]]\nshell=1\nJ=1\n");
  EXPECT_EQ(PlanePartition::make(system.model.neighbourhood().value(), system.model.spins(), 3, {}),
            nullptr);
}

TEST(BlockPartition, OwnsEachSiteOnceAndReadsWhatItNeeds) {
  const study::SpinSystem system = spin_system_of(
      "[lattice]\ntype='sc'\nsize=[16,16,24]\nperiodic=[true,true,false]\n[[exchange]]\nshell=1\n"
      "J=1\n");
  for (const int ranks : {2, 3, 6}) {
    const BlockPartition partition(system.model, ranks);
    Index all = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const std::set<Index> own = owned_positions(partition, rank);
      all += static_cast<Index>(own.size());
      expect_reads(system.model, partition, rank, own);
    }
    EXPECT_EQ(all, system.model.spins());
  }
  EXPECT_THROW(BlockPartition(system.model, 7), InternalError);
}

}  // namespace
}  // namespace larmor::spins
