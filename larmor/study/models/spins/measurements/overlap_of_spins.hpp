#pragma once
// Overlaps of copies of vector spins.

#include "larmor/study/measurements/overlap.hpp"

namespace larmor::study {

class OverlapOfSpins : public Overlap {
 public:
  using Overlap::Overlap;
  StageBytes forecast(const Sizing& sizing) const override;

 protected:
  std::unique_ptr<const ComparedCopies> copies_of(const Simulation& simulation) const override;
};

}  // namespace larmor::study
