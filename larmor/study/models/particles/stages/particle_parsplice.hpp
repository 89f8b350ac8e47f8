#pragma once
// The stage `parsplice` of particles.

#include "larmor/study/parsplice/parsplice_stage.hpp"

namespace larmor::study {

struct ParticleParspliceTable : ParspliceKeys {
  static constexpr const char* doc =
      "a trajectory from state to state, spliced from segments of many workers, or by parallel "
      "replicas, or directly";

  static FieldTable<ParticleParspliceTable> fields();
};

class ParticleParspliceStage : public ParspliceStage {
 public:
  using Table = ParticleParspliceTable;
  ParticleParspliceStage(const Table& table, const ReadContext& context);

  Value completed() const override { return complete(table_, context_); }
  void validate(const Sizing& sizing) const override;

 protected:
  const ParspliceKeys& keys() const override { return table_; }
  Index default_check() const override { return 20; }
  std::unique_ptr<parsplice::MatterSystem> make_system(const Simulation& simulation) const override;
  parsplice::Configuration first_configuration(const Simulation& simulation) const override;
  io::Shape shape_of_places(const Simulation& simulation) const override;
  double bytes_of_worker(const Sizing&) const override { return 1e5; }

 private:
  Table table_;
};

}  // namespace larmor::study
