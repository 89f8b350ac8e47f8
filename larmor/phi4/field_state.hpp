#pragma once
// The fields of all replicas of a process.

#include <vector>

#include "larmor/core/device/replica_copies.hpp"
#include "larmor/core/update_counter.hpp"
#include "larmor/phi4/field_model.hpp"

namespace larmor::phi4 {

class FieldState {
 public:
  /// All (1, 0, ...). @param model outlives it @param step counts updates
  FieldState(const FieldModel& model, const UpdateCounter& step);

  /// Every site (1, 0, ...).
  void align();
  /// Every site a direction of its own, of length 1, by random numbers of the current step, which
  /// it uses up.
  void randomise(std::uint64_t seed);

  /// (replica, site, component). @param count of replicas, from `first` on
  std::vector<float> fields(Index count, Index first = 0) const;
  /// @param fields of all replicas, as above @throws InternalError for another number of them
  void load(const std::vector<float>& fields);

  /// Replicas become copies of others: see larmor::copy_replicas.
  void copy_replicas(std::span<const ReplicaCopy> copies);

  const FieldModel& model() const { return *model_; }
  /// The model's view with these fields, which kernels may change.
  FieldView view();

  UpdateCounter step;

 private:
  const FieldModel* model_;
  Array<float> field_;  ///< (replica, component, site)
};

}  // namespace larmor::phi4
