#pragma once
// The fields of all replicas of a process.

#include <vector>

#include "larmor/core/device/replica_copies.hpp"
#include "larmor/core/update_counter.hpp"
#include "larmor/phi4/field_model.hpp"

namespace larmor::phi4 {

class FieldState {
 public:
  /// Sets all fields to (1, 0, ...). @param model must outlive the state @param step counter of
  /// updates, which keys random numbers
  FieldState(const FieldModel& model, const UpdateCounter& step);

  /// Sets every site to (1, 0, ...).
  void align();
  /// Draws an independent direction of length 1 for every site, and advances `step` by one.
  void randomise(std::uint64_t seed);

  /// Fields (replica, site, component) of replicas [first, first + count).
  std::vector<float> fields(Index count, Index first = 0) const;
  /// @param fields (replica, site, component) of all replicas
  /// @throws InternalError for another size
  void load(const std::vector<float>& fields);

  /// Overwrites replicas with copies of other replicas: see larmor::copy_replicas.
  void copy_replicas(std::span<const ReplicaCopy> copies);

  const FieldModel& model() const { return *model_; }
  /// The model's view with the fields of this state, which kernels may change.
  FieldView view();

  UpdateCounter step;

 private:
  const FieldModel* model_;
  Array<float> field_;  ///< (replica, component, site)
};

}  // namespace larmor::phi4
