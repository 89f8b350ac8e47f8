#pragma once
// Errors of a fitted potential: its energies, forces and stresses against those of the training
// set.

#include <span>

#include "larmor/core/device/device.hpp"
#include "larmor/fitting/training_set.hpp"

namespace larmor::fitting {

/// Errors of the numbers of a kind, in the unit of its rows.
struct KindErrors {
  Index count = 0;
  double mean_absolute = 0, root_mean_square = 0, largest = 0;  ///< NaN if there are no numbers
};

/// [training or test][kind]
using ErrorTable = std::array<std::array<KindErrors, kinds>, 2>;

/// Targets and predictions of a kind, in the order of the configurations.
struct Parity {
  std::vector<double> target, predicted;
  std::vector<std::int32_t> group;    ///< of each number
  std::vector<std::uint8_t> is_test;  ///< of each number
};

struct Errors {
  ErrorTable all;
  std::vector<ErrorTable> of_group;
  std::array<Parity, kinds> parity;
};

/// Evaluates the potential, with the reference, for all configurations.
/// @throws the errors of evaluation::Evaluator
Errors errors_of(const atoms::snap::SnapPotential& potential, const Settings& settings,
                 std::span<const Configuration> configurations, const Device& device);

}  // namespace larmor::fitting
