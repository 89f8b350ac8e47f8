#pragma once
// The rows of the least-squares problem. A SNAP potential is linear in its coefficients x, so the
// energy, a force and a stress of a configuration are each a row times x. A row has a column for
// each coefficient of each element, in the order of .snapcoeff files, and last the target:
//
//   energy   sum_i B_i / N                       (E - E_reference) / N, eV
//   force    sum of dB/dr of the pairs of an atom  F - F_reference, eV/Angstrom
//   stress   W / V of each coefficient           stress - reference, unit of the set
//
// with W = -dE/d(strain) of pair_gradients.hpp. Products B_k B_l follow in quadratic potentials.

#include <memory>
#include <span>

#include "larmor/atoms/potentials/snap/snap.hpp"
#include "larmor/fitting/column.hpp"
#include "larmor/fitting/training_set.hpp"

namespace larmor::fitting {

/// Rows of one configuration, not multiplied by weights: a row of the energy, then those of the
/// forces, (atom, 3), then those of the stress.
struct Rows {
  std::span<double> numbers;                  ///< (row, columns + 1), the target last
  std::span<double> weight;                   ///< [rows]
  std::array<Index, kinds> first{}, count{};  ///< first row and number of rows of each kind

  Index first_of(Kind of) const { return first[static_cast<std::size_t>(of)]; }
  bool has(Kind of) const { return count[static_cast<std::size_t>(of)] > 0; }
};

class Design;

/// The rows of some configurations, one after the other. The memory serves many batches, because
/// fresh memory would take longer than the copies.
class RowBatch {
 public:
  /// Makes room for the rows of the configurations. Configurations that are only tested have none.
  /// The numbers are undefined.
  void lay_out(const Design& design, std::span<const Configuration> configurations);

  const std::vector<Rows>& of_configuration() const { return rows_; }
  std::span<double> numbers() const { return {numbers_.get(), used_}; }
  std::span<const double> weight() const { return weight_; }

 private:
  std::vector<Rows> rows_;
  std::vector<double> weight_;
  std::unique_ptr<double[]> numbers_;
  std::size_t used_ = 0, capacity_ = 0;
};

/// Energy, forces and virial of a configuration by the reference.
struct ReferenceValues {
  double energy = 0;
  std::vector<Vec3<double>> forces;  ///< [atoms]
  atoms::SymmetricTensor virial{};
};

/// The columns of the problem, and the targets.
class Design {
 public:
  explicit Design(const Settings& settings);

  /// Number of the coefficients of all elements that are fitted.
  Index columns() const { return columns_; }
  /// Number of columns of each element.
  Index coefficients_of_element() const { return of_element_; }
  /// The functions of an atom, one for each column of its element after the constant.
  const std::vector<Column>& functions() const { return functions_; }
  /// The column of the first of these functions.
  Index first_column(std::int32_t element) const {
    return element * of_element_ + (settings_.has_constant ? 1 : 0);
  }
  const Settings& settings() const { return settings_; }

  /// Number of the rows of a kind, if it is used, has a weight, and has a target.
  Index row_count(const Configuration& configuration, Kind kind) const;
  /// Adds the constants to the row of the energy.
  void add_constants(const Configuration& configuration, const Rows& rows) const;
  /// Fills in the targets.
  void set_targets(const Configuration& configuration, const ReferenceValues& reference,
                   const Rows& rows) const;
  /// The factor from virials to the stresses of the set.
  double stress_of_virial(const Configuration& configuration) const;

  /// The potential with these coefficients. @param x [columns]
  atoms::snap::SnapPotential potential(std::span<const double> x) const;

 private:
  const Settings& settings_;
  std::vector<Column> functions_;
  Index of_element_, columns_;
};

/// Computes rows on a device.
class RowSource {
 public:
  RowSource() = default;
  RowSource(const RowSource&) = delete;
  RowSource& operator=(const RowSource&) = delete;
  virtual ~RowSource() = default;

  /// The share of a batch that a configuration takes.
  virtual double share_of_batch(const Configuration& configuration) const = 0;
  /// Computes the rows of all configurations.
  /// @throws InputError with file and line for atoms at one place, or a box that is too small
  virtual void compute(std::span<const Configuration> configurations, RowBatch& batch) = 0;
};

/// @param design must outlive the source
/// @throws InputError for single precision; MachineError if there is no such device
std::unique_ptr<RowSource> row_source_on(const Device& device, const Design& design);

/// The reference as a potential for atoms with the kinds of the fit.
std::optional<atoms::Zbl> reference_of(const Settings& settings);

/// Elements of the atoms, by their numbers in the fit.
std::vector<std::int32_t> elements_of(const Settings& settings, const io::AtomFrame& frame);

}  // namespace larmor::fitting
