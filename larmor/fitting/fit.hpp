#pragma once
// The fit of a SNAP potential to a training set: rows, solution, errors, cross-validation.

#include <functional>

#include "larmor/fitting/errors.hpp"
#include "larmor/fitting/solution.hpp"

namespace larmor::fitting {

/// Errors of configurations that a fit has left out.
struct LeftOut {
  std::string name;                   ///< the group, or "fold 1", ..
  std::array<Index, kinds> count{};   ///< rows of the left-out configurations
  std::array<double, kinds> error{};  ///< root mean squares; NaN if there are no rows
};

struct Fit {
  atoms::snap::SnapPotential potential;
  Solution solution;
  Errors errors;
  std::vector<LeftOut> groups_left_out, folds;  ///< cross-validation; empty if not requested
  Index configurations = 0, tests = 0, atoms = 0, rows = 0, columns = 0;
  Index coefficients_of_element = 0;  ///< columns of each element
  double seconds_of_rows = 0, seconds_of_solution = 0, seconds_of_errors = 0;
};

/// @param device computes rows and errors. Its threads reduce the rows
/// @param advance called with the number of atoms whose rows are complete; may be empty
/// @throws InputError for mistakes in the set, and if the set does not determine the coefficients;
/// MachineError if rows that the method keeps do not fit into memory; UnphysicalError if a
/// predicted number is not finite
Fit fit(const Settings& settings, std::span<const Configuration> configurations,
        const Device& device, const std::function<void(Index)>& advance);

}  // namespace larmor::fitting
