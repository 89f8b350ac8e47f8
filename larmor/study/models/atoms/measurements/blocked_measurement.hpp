#pragma once
// Base class of measurements of atoms that average each block of frames separately.

#include "larmor/atoms/observables/blocked_means.hpp"
#include "larmor/study/measurements/measurement_keys.hpp"
#include "larmor/study/models/atoms/measurements/atom_measurements.hpp"
#include "larmor/study/models/atoms/system/atom_system.hpp"

namespace larmor::study {

struct BlockedKeys : MeasurementKeys {
  Index blocks = 4;
};

template <class Table>
FieldTable<Table> blocked_fields(const std::string& name) {
  FieldTable<Table> table = measurement_fields<Table>(name);
  table
      .optional("blocks", &BlockedKeys::blocks, Dimension::none,
                "number of blocks of the stage. Each block is averaged separately. Errors come "
                "from the scatter between blocks and replicas")
      .at_least(1);
  return table;
}

class BlockedMeasurement : public Measurement {
 public:
  /// @throws InputError if the structures of the replicas have different atoms
  void validate(const Sizing& sizing) const override;
  void sample(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
              ResultsGroup& results) override;
  void write(const Simulation& simulation, const std::optional<MeasuredPoint>& point,
             ResultsGroup& results) override;
  void save(StageMemory& memory, const Ranks& ranks) const override;
  void load(const StageMemory& memory, const Ranks& ranks) override;

 protected:
  /// @throws InputError for more blocks than samples
  BlockedMeasurement(const std::string& name, Value completed, const BlockedKeys& keys,
                     const MdContext& course);

  virtual void add(const atoms::AtomState& state) = 0;
  virtual const atoms::BlockedMeans& means() const = 0;
  /// The numbers to save, equally many for every replica.
  virtual std::vector<double> save_numbers() const = 0;
  virtual void load_numbers(std::span<const double> numbers) = 0;
  /// Writes the means, on the root. @param means those of all replicas
  virtual void write_means(const atoms::BlockedMeans& means, const AtomSystem& system,
                           ResultsGroup& results) const = 0;

  const MdContext& course() const { return course_; }
  /// Group of the results, without a `/` at its end.
  const std::string& group() const { return group_; }
  Index frames_of_block() const { return frames_of_block_; }
  /// Time between samples, ps.
  double interval() const { return course_.timestep * static_cast<double>(*every()); }

 private:
  MdContext course_;
  std::string group_;
  TablePosition where_;
  Index frames_of_block_;
};

/// Number of types of the atoms of the system.
Index types_of(const AtomSystem& system);

}  // namespace larmor::study
