#pragma once
// A system of spins of which only the lattice is known.

#include "larmor/study/models/spins/system/spin_system.hpp"

namespace larmor::study {

class SpinBlueprint : public Blueprint {
 public:
  /// @param tables outlive this @throws InputError as build_geometry
  explicit SpinBlueprint(const SystemTables& tables)
      : tables_(tables), geometry_(build_geometry(tables)) {}

  SystemSize size() const override { return size_of(geometry_); }
  SystemBytes bytes(const Device& device, Index replicas, Index copies) const override;
  std::unique_ptr<System> make(const SystemChoice& choice) const override;

 private:
  const SystemTables& tables_;
  lattice::Geometry geometry_;
};

}  // namespace larmor::study
