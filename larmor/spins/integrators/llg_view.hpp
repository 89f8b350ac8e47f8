#pragma once
// The data of a step of the Landau-Lifshitz-Gilbert equation: plain data, equal for every
// instruction set.

#include "larmor/core/maths/philox.hpp"
#include "larmor/spins/hamiltonian/canonical_forms.hpp"

namespace larmor {
struct Device;
}

namespace larmor::spins {

/// Columns of the rows of site numbers.
enum LlgNumber : int {
  llg_field_turn,  ///< gamma dt / (mu (1 + alpha^2)), factor of a field -dH/de
  llg_drive_turn,  ///< gamma dt / (1 + alpha^2), factor of a field mu_B B
  llg_noise_turn,  ///< sqrt(2 alpha gamma dt / mu) / (1 + alpha^2), factor of sqrt(k_B T)
  llg_damping,     ///< alpha
  llg_width
};

/// Time-dependent quantities.
struct Drive {
  Vec3<double> field{0, 0, 0};  ///< mu_B B in energy units, equal on all sites
  double drift = 1;             ///< factor on the spin-transfer torque
  double polarised = 1;         ///< factor on the torque of a polarisation

  friend bool operator==(const Drive&, const Drive&) = default;
};

/// The drive at the beginning, in the middle and at the end of a step.
struct StepDrive {
  Drive begin, middle, end;
  double noise = 1;  ///< factor on sqrt(k_B T)

  friend bool operator==(const StepDrive&, const StepDrive&) = default;
};

/// Largest number of work fields of a scheme, in addition to the spins.
inline constexpr int most_work_fields = 3;

/// Torques of currents (integrators/torques.hpp).
struct TorqueView {
  ModelView drift;  ///< its bilinear field is (u.grad) e mu_B / gamma; absent if it has no bonds
  double nonadiabaticity = 0;
  bool polarised = false;
  Vec3<double> polarisation{0, 0, 1};
  double damping_like = 0, field_like = 0, asymmetry = 0;

  friend bool operator==(const TorqueView&, const TorqueView&) = default;
};

/// Computes the field of a long-range interaction for some blocks, at the spins that a kernel
/// reads.
struct LongRangeSource {
  void (*store)(const void* interaction, const Device&, const SpinLayout&, const Reals& spins,
                Index first_block, Index last_block,
                const Reals& field) = nullptr;  ///< null if there is none
  const void* interaction = nullptr;

  friend bool operator==(const LongRangeSource&, const LongRangeSource&) = default;
};

struct LlgView {
  ModelView model;
  LongRangeSource long_range;
  TorqueView torque;
  Reals spins;
  Reals work[most_work_fields];                 ///< in the layout of the spins
  RowTable site;                                ///< width llg_width
  const double* root_thermal_energy = nullptr;  ///< sqrt(k_B T) [padded replicas]; null: no noise
  bool driven = false;                          ///< do the field of `drive` or torques act?
  StepDrive drive;
  RandomKey key{};

  friend bool operator==(const LlgView&, const LlgView&) = default;
};

}  // namespace larmor::spins
