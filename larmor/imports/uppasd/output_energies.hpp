#pragma once
// Energies as the columns of totenergy.SIMID.out, in mRy per atom.

#include <optional>
#include <vector>

#include "larmor/imports/uppasd/measurement_phase.hpp"

namespace larmor::imports::uppasd {

/// A column of the energies, with the tables of the Hamiltonian that it adds up.
struct EnergyColumn {
  const char* word;
  std::vector<const char*> tables;
};

class OutputEnergies {
 public:
  /// @param tensor columns of do_jtensor
  OutputEnergies(const MeasurementPhase& phase, bool tensor);

  const std::vector<EnergyColumn>& columns() const { return columns_; }
  /// Do the results hold all terms?
  bool are_known() const { return unknown_.empty(); }
  const std::vector<Index>& steps() const { return total_.step; }
  Index replicas() const { return total_.replicas; }
  /// The sum of all terms, of a row of the series.
  double energy(std::size_t row, Index replica) const { return factor_ * total_.at(row, replica); }
  /// NaN if the results do not hold it.
  double column(std::size_t c, std::size_t row, Index replica) const;

 private:
  double sum(std::size_t c, std::size_t row, Index replica) const;

  PhaseSeries total_;  ///< in the unit of the results
  std::vector<EnergyColumn> columns_;
  double factor_;
  std::vector<std::vector<PhaseSeries>> terms_;  ///< of each column
  std::optional<std::size_t> rest_;              ///< the only column without series
  std::vector<std::size_t> unknown_;
};

}  // namespace larmor::imports::uppasd
