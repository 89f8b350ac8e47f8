#pragma once
// The order in which sweeps visit the spins of a problem. If couplings are few, spins are sorted by
// colour, so that two spins of a block seldom have a coupling.

#include <vector>

#include "larmor/ground_states/quadratic_problem.hpp"
#include "larmor/ground_states/sweep_view.hpp"

namespace larmor::ground_states {

/// All whole numbers up to 2^24 are exact in float.
inline constexpr double exact_in_float = 16777216.0;

/// Are h and J exact in float, and also all sums of them that can be the field of a spin?
bool fits_float(const SpinForm& form);

template <class Number>
class Arrangement {
 public:
  explicit Arrangement(const SpinForm& form);

  RowsView<Number> rows() const;
  /// Number of positions. A replica stores a spin and a field for each of them.
  Index positions() const { return positions_; }
  Index spins() const { return static_cast<Index>(position_.size()); }
  bool has_fields() const { return has_fields_; }

  /// `load` copies a state to a replica, and `state_of` copies a replica to a state. A state has
  /// the order of the problem.
  void load(const State& state, const ReplicaView<Number>& replica) const;
  State state_of(const ReplicaView<Number>& replica) const;
  /// Reverses all spins and stored fields. The problem must have no h, so the energy does not
  /// change.
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
