#include "larmor/imports/uppasd/output_energies.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace larmor::imports::uppasd {
namespace {

std::vector<EnergyColumn> energy_columns(bool tensor) {
  std::vector<EnergyColumn> columns;
  // Tensors hold the Dzyaloshinskii-Moriya vectors, too.
  if (tensor)
    columns.push_back({"Heis-Tens", {"exchange", "exchange-tensor", "dmi"}});
  else
    columns.push_back({"Exc", {"exchange", "exchange-tensor"}});
  columns.push_back({"Ani", {"anisotropy", "cubic-anisotropy"}});
  if (!tensor) columns.push_back({"DM", {"dmi"}});
  const EnergyColumn others[] = {
      {"PD", {}},           {"BiqDM", {}},         {"BQ", {"biquadratic"}},
      {"Dip", {"dipolar"}}, {"Zeeman", {"field"}}, {"LSF", {}},
      {"Chir", {}},         {"Ring", {}}};
  columns.insert(columns.end(), std::begin(others), std::end(others));
  if (!tensor) columns.push_back({"SA", {}});
  return columns;
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
