#include "larmor/study/scan_summary.hpp"

#include <limits>

namespace larmor::study {

ScanSummary::Column& ScanSummary::column(const std::string& name) {
  const auto found = columns_.find(name);
  if (found != columns_.end()) return found->second;
  const std::vector<double> nothing(static_cast<std::size_t>(io::element_count(shape_)),
                                    std::numeric_limits<double>::quiet_NaN());
  return columns_.emplace(name, Column{nothing, nothing, ""}).first->second;
}

void ScanSummary::add(Index point, const io::ResultsReader& results) {
  if (!results.exists("/stages")) return;
  const auto at = static_cast<std::size_t>(point);
  for (const std::string& stage : results.list("/stages")) {
    const std::string averages = "/stages/" + stage + "/averages";
    if (!results.exists(averages)) continue;
    for (const std::string& name : results.list(averages)) {
      const std::string path = averages + "/" + name;
      const Index points = results.shape(path + "/value").front();
      if (points == 0) continue;
      Column& of = column(stage + "/" + name);
      of.value[at] = results.read_rows<double>(path + "/value", points - 1, 1).front();
      of.error[at] = results.read_rows<double>(path + "/error", points - 1, 1).front();
      const io::Attributes attributes = results.attributes(path + "/value");
      const auto unit = attributes.find("unit");
      if (unit != attributes.end()) of.unit = unit->second.text();
    }
  }
}

void ScanSummary::write(io::ResultsFile& results) const {
  for (const auto& [name, of] : columns_) {
    const std::string path = "/scan/summary/" + name;
    const io::Attributes unit =
        of.unit.empty() ? io::Attributes{} : io::Attributes{{"unit", of.unit}};
    results.write(path + "/value", io::DataArray(of.value, shape_), unit);
    results.write(path + "/error", io::DataArray(of.error, shape_), unit);
  }
}

}  // namespace larmor::study
