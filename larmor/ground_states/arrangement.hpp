#pragma once
// The spins of a problem in the order of sweeps: by colour where couplings are few, so that the
// spins of a block seldom see one another.

#include <vector>

#include "larmor/ground_states/quadratic_problem.hpp"
#include "larmor/ground_states/sweep_view.hpp"

namespace larmor::ground_states {

/// Whole numbers up to it are exact in float, 2^24.
inline constexpr double exact_in_float = 16777216.0;

/// Are h and J, and all sums of them that a spin can see, exact in float?
bool fits_float(const SpinForm& form);

template <class Number>
class Arrangement {
 public:
  explicit Arrangement(const SpinForm& form);

  RowsView<Number> rows() const;
  /// Numbers of a spin or a field of a replica.
  Index positions() const { return positions_; }
  Index spins() const { return static_cast<Index>(position_.size()); }
  bool has_fields() const { return has_fields_; }

  /// Spins in the order of the problem.
  void load(const State& state, const ReplicaView<Number>& replica) const;
  State state_of(const ReplicaView<Number>& replica) const;
  /// All spins turned round, where there are no fields: the energy stays.
  void mirror(const ReplicaView<Number>& replica) const;
  /// Fields anew, from the spins alone. @return the energy
  double renew_fields(const ReplicaView<Number>& replica) const;

 private:
  Index positions_;
  bool has_fields_;
  std::vector<std::int32_t> position_;  ///< of each spin
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
