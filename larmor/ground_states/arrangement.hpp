#pragma once
// Order of the spins of a problem in sweeps: by colour if couplings are few, so that the spins of a
// block are seldom coupled.

#include <vector>

#include "larmor/ground_states/quadratic_problem.hpp"
#include "larmor/ground_states/sweep_view.hpp"

namespace larmor::ground_states {

/// Whole numbers up to this one, 2^24, are exact in float.
inline constexpr double exact_in_float = 16777216.0;

/// Are h and J, and all sums of them in the field of a spin, exact in float?
bool fits_float(const SpinForm& form);

template <class Number>
class Arrangement {
 public:
  explicit Arrangement(const SpinForm& form);

  RowsView<Number> rows() const;
  /// Numbers of spins, or of fields, that a replica stores.
  Index positions() const { return positions_; }
  Index spins() const { return static_cast<Index>(position_.size()); }
  bool has_fields() const { return has_fields_; }

  /// Copies spins between a replica and a state, which has the order of the problem.
  void load(const State& state, const ReplicaView<Number>& replica) const;
  State state_of(const ReplicaView<Number>& replica) const;
  /// Reverses all spins. The energy stays if there are no fields.
  void mirror(const ReplicaView<Number>& replica) const;
  /// Recomputes all fields from the spins. @return the energy
  double renew_fields(const ReplicaView<Number>& replica) const;

 private:
  Index positions_;
  bool has_fields_;
  std::vector<std::int32_t> position_;  ///< position of each spin
  std::vector<Number> h_;               ///< [positions]
  std::vector<Number> dense_;
  std::vector<std::int64_t> begin_;
  std::vector<std::int32_t> column_;
  std::vector<Number> coupling_;
  std::vector<std::uint8_t> is_independent_;

  bool is_dense() const { return !dense_.empty(); }
  void make_dense(const SpinForm& form);
  void make_sparse(const SpinForm& form);
};

}  // namespace larmor::ground_states
