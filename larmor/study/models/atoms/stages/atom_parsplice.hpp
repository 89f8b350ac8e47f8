#pragma once
// The stage `parsplice` of atoms.

#include "larmor/study/models/atoms/system/atom_motion.hpp"
#include "larmor/study/parsplice/parsplice_stage.hpp"

namespace larmor::study {

struct AtomParspliceTable : ParspliceKeys {
  static constexpr const char* doc =
      "a trajectory of atoms from minimum to minimum, spliced from segments of many workers, or by "
      "parallel replicas, or directly; Langevin dynamics in a fixed box";
  std::optional<double> thermostat_time;

  static FieldTable<AtomParspliceTable> fields();
};

class AtomParspliceStage : public ParspliceStage {
 public:
  using Table = AtomParspliceTable;
  AtomParspliceStage(const Table& table, const ReadContext& context);

  Value completed() const override { return complete(table_, context_); }
  void validate(const Sizing& sizing) const override;
  std::vector<Advice> advice(const Simulation& simulation) const override;

 protected:
  const ParspliceKeys& keys() const override { return table_; }
  Index default_check() const override { return 50; }
  std::unique_ptr<parsplice::MatterSystem> make_system(const Simulation& simulation) const override;
  parsplice::Configuration first_configuration(const Simulation& simulation) const override;
  io::Shape shape_of_places(const Simulation& simulation) const override;
  bool runs_on_gpu() const override { return true; }
  Index usual_workers(const Device& device, const SystemSize& size) const override;
  double bytes_of_worker(const Sizing& sizing) const override;

 private:
  double friction_time() const { return table_.thermostat_time.value_or(0.1); }

  Table table_;
};

}  // namespace larmor::study
