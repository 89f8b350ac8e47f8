#include "larmor/imports/uppasd/output_energies.hpp"

#include <algorithm>
#include <cmath>

namespace larmor::imports::uppasd {
namespace {

const std::vector<EnergyColumn>& energy_columns(bool tensor) {
  static const std::vector<EnergyColumn> of_scalars{{"Exc", {"exchange", "exchange-tensor"}},
                                                    {"Ani", {"anisotropy", "cubic-anisotropy"}},
                                                    {"DM", {"dmi"}},
                                                    {"PD", {}},
                                                    {"BiqDM", {}},
                                                    {"BQ", {"biquadratic"}},
                                                    {"Dip", {"dipolar"}},
                                                    {"Zeeman", {"field"}},
                                                    {"LSF", {}},
                                                    {"Chir", {}},
                                                    {"Ring", {}},
                                                    {"SA", {}}};
  static const std::vector<EnergyColumn> of_tensors{
      {"Heis-Tens", {"exchange", "exchange-tensor", "dmi"}},
      {"Ani", {"anisotropy", "cubic-anisotropy"}},
      {"PD", {}},
      {"BiqDM", {}},
      {"BQ", {"biquadratic"}},
      {"Dip", {"dipolar"}},
      {"Zeeman", {"field"}},
      {"LSF", {}},
      {"Chir", {}},
      {"Ring", {}}};
  return tensor ? of_tensors : of_scalars;
}

/// The series of the energy of a table: energy_TABLE or energy_TABLE_N.
bool is_energy_of(const std::string& series, const std::string& table) {
  const std::string name = "energy_" + table;
  if (!series.starts_with(name)) return false;
  const std::string rest = series.substr(name.size());
  return rest.empty() || (rest.size() > 1 && rest[0] == '_' &&
                          rest.find_first_not_of("0123456789", 1) == std::string::npos);
}

}  // namespace

OutputEnergies::OutputEnergies(const MeasurementPhase& phase, bool tensor)
    : total_(phase.series("energy")),
      columns_(energy_columns(tensor)),
      factor_(phase.to_mRy()),
      terms_(columns_.size()) {
  const std::vector<std::string> names = phase.series_names();
  std::vector<std::size_t> present;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    bool found = false, in_study = false;
    for (const char* table : columns_[c].tables) {
      in_study = in_study || phase.has_table(table);
      for (const std::string& name : names)
        if (is_energy_of(name, table)) {
          terms_[c].push_back(phase.series(name));
          found = true;
        }
    }
    if (in_study && !found) present.push_back(c);
  }
  // One column without series of its own has the rest of the energy.
  if (present.size() == 1) rest_ = present[0];
  if (present.size() > 1) unknown_ = present;
}

double OutputEnergies::column(std::size_t c, std::size_t row, Index replica) const {
  if (std::ranges::find(unknown_, c) != unknown_.end()) return std::nan("");
  if (rest_ != c) return sum(c, row, replica);
  double others = 0;
  for (std::size_t other = 0; other < columns_.size(); ++other) others += sum(other, row, replica);
  return energy(row, replica) - others;
}

double OutputEnergies::sum(std::size_t c, std::size_t row, Index replica) const {
  double sum = 0;
  for (const PhaseSeries& term : terms_[c])
    if (row < term.step.size()) sum += factor_ * term.at(row, replica);
  return sum;
}

}  // namespace larmor::imports::uppasd
