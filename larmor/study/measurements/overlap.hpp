#pragma once
// Overlaps of copies: pairs of replicas of one sample at one rung or temperature. Measures averages
// and the distribution P(q) over all samples in time. Averages over sweeps (2^n, 2^(n+1)] show
// whether equilibrium was reached. See larmor/overlaps.

#include <array>
#include <memory>

#include "larmor/core/input/fields.hpp"
#include "larmor/overlaps/copy_pairs.hpp"
#include "larmor/overlaps/overlap_averages.hpp"
#include "larmor/overlaps/overlap_bins.hpp"
#include "larmor/overlaps/overlap_estimates.hpp"
#include "larmor/study/measurements/ladder_measurement.hpp"

namespace larmor::study {

struct OverlapTable {
  static constexpr const char* name = "measure";
  std::string what;
  Index bins = 101;
  TablePosition where;

  static FieldTable<OverlapTable> fields();
};

/// Two copies of a sample at one rung, both on this process.
struct ComparedPair {
  Index rung;
  std::array<Index, 2> ladders, replicas;
};

/// The states of the copies at one moment.
class CopiesSnapshot {
 public:
  virtual ~CopiesSnapshot() = default;
  /// As overlaps::SumOfCopies, without the energy. Several threads may call it.
  virtual void sum(const ComparedPair& pair, double* sums) const = 0;
};

/// The interface of the copies of a model kind.
class ComparedCopies {
 public:
  virtual ~ComparedCopies() = default;
  /// The scale of the estimates, without known energies.
  virtual overlaps::GlassParameters scale() const = 0;
  /// Bins of the distribution P(q). @param bins largest number of bins
  virtual overlaps::OverlapBins bins(Index bins) const = 0;
  /// The present states, valid until the states or this object are gone.
  virtual std::unique_ptr<const CopiesSnapshot> snapshot() const = 0;
};

class Overlap : public LadderMeasurement {
 public:
  using Table = OverlapTable;
  static constexpr const char* name = "overlap";
  static constexpr const char* doc =
      "overlaps of copies, which are replicas of one sample at one temperature: P(q), link "
      "overlap, spin-glass susceptibility and correlation length";

  Overlap(const Table& table, const MeasureContext& context);

  void prepare(const Simulation& simulation) override;
  void prepare_ladder(const Simulation& simulation, const tempering::LadderLayout& layout) override;
  void sample(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
              ResultsGroup& results) override;
  std::function<void(const RungSnapshot&)> begin(const Simulation& simulation, const Instant& now,
                                                 MeasurementQueue& queue,
                                                 ResultsGroup& results) override;
  void write(const Simulation& simulation, const std::optional<MeasuredPoint>& point,
             ResultsGroup& results) override;
  void save(StageMemory& memory, const Ranks& ranks) const override;
  void load(const StageMemory& memory, const Ranks& ranks) override;

 protected:
  virtual std::unique_ptr<const ComparedCopies> copies_of(const Simulation& simulation) const = 0;
  /// @param axes waves of the system @param configuration_bytes bytes of a replica
  StageBytes bytes_for(const Sizing& sizing, Index axes, double configuration_bytes) const;
  const Table& table() const { return table_; }

 private:
  void begin_block(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
                   ResultsGroup& results);
  void add(const CopiesSnapshot& copies, const RungSnapshot& now);
  /// The estimates from sums of samples at a rung, on the root.
  /// @param gathered sums of all ranks
  std::vector<overlaps::UnitEstimate> at_rung(const std::vector<double>& gathered, Index samples,
                                              Index rung) const;
  std::vector<std::vector<overlaps::UnitEstimate>> at_rungs(const std::vector<double>& gathered,
                                                            Index samples) const;
  void write_block(const Ranks& ranks, ResultsGroup& results);
  void write_averages(const Ranks& ranks, ResultsGroup& results);
  void write_distribution(const Ranks& ranks, ResultsGroup& results);
  RankShare units(const Ranks& ranks) const;

  Table table_;

  // Set by `prepare_ladder`.
  int threads_ = 1;
  std::unique_ptr<const ComparedCopies> copies_;
  overlaps::CopyUnits units_;  ///< units of the process
  overlaps::GlassParameters scale_;
  std::optional<overlaps::OverlapBins> bins_;
  overlaps::OverlapAverages all_, block_, in_bins_;
  Index block_end_ = 1;  ///< the last sweep of the block
  Index last_step_ = 0;
  Index point_ = 0;
  std::vector<double> kT_;  ///< one for each rung; empty if unknown
};

}  // namespace larmor::study
