#include "larmor/study/scan/scan_summary.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "larmor/study/model_kind/model_kind.hpp"
#include "larmor/study/scan/binder_crossing.hpp"

namespace larmor::study {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

io::Attributes unit_attribute(const std::string& unit) {
  return unit.empty() ? io::Attributes{} : io::Attributes{{"unit", unit}};
}

/// Is this key the temperature of the stage "01-monte-carlo"?
bool is_temperature_of(const std::string& key, const std::string& stage) {
  Index number = 0;
  std::from_chars(stage.data(), stage.data() + stage.size(), number);
  return key == "stage." + std::to_string(number) + ".temperature";
}

bool is_size(const std::string& key) {
  return key == "lattice.size" || key.starts_with("lattice.size.");
}

template <class Says>
bool any_key(const std::vector<std::string>& keys, const Says& says) {
  return std::any_of(keys.begin(), keys.end(), says);
}

}  // namespace

ScanSummary::ScanSummary(const Scan& scan)
    : shape_(scan.shape()), cells_(static_cast<std::size_t>(scan.points()), 0) {
  for (Index point = 0; point < scan.points(); ++point) indices_.push_back(scan.indices(point));
  for (const ScanAxis& axis : scan.axes()) {
    keys_.emplace_back();
    for (const ScannedKey& scanned : axis.keys) keys_.back().push_back(scanned.key);
  }
}

ScanSummary::Quantity& ScanSummary::quantity(StageSummary& stage, const std::string& name,
                                             const std::string& unit) {
  const auto [found, is_new] = stage.quantities.try_emplace(name);
  const Rows none(cells_.size());
  if (is_new) found->second = {none, none, none, none, unit};
  return found->second;
}

void ScanSummary::add_stage(std::size_t point, const std::string& name,
                            const io::ResultsReader& results) {
  const std::string path = "/stages/" + name;
  StageSummary& stage = stages_[name];
  for (const std::string points : {"temperature", "field", "kappa"})
    if (results.exists(path + "/" + points)) {
      stage.points_name = points;
      stage.points_unit = results.unit_of(path + "/" + points);
      stage.points.resize(cells_.size());
      stage.points[point] = results.read<double>(path + "/" + points);
    }
  if (results.exists(path + "/averages"))
    for (const std::string& average : results.list(path + "/averages")) {
      const std::string group = path + "/averages/" + average;
      Quantity& entry = quantity(stage, average, results.unit_of(group + "/value"));
      entry.value[point] = results.read<double>(group + "/value");
      entry.error[point] = results.read<double>(group + "/error");
      entry.autocorrelation_time[point] = results.read<double>(group + "/autocorrelation_time");
      entry.reliable[point] = results.read<double>(group + "/reliable");
    }
  if (results.exists(path + "/overlap"))
    for (const std::string& overlap : results.list(path + "/overlap")) {
      const std::string group = path + "/overlap/" + overlap;
      if (stage.quantities.contains(overlap) && results.exists(path + "/averages/" + overlap))
        continue;
      if (overlap == "distribution" || !results.exists(group + "/value")) continue;
      Quantity& entry = quantity(stage, overlap, results.unit_of(group + "/value"));
      entry.value[point] = results.read<double>(group + "/value");
      entry.error[point] = results.read<double>(group + "/error");
      entry.autocorrelation_time[point].assign(entry.value[point].size(), nan);
      entry.reliable[point].assign(entry.value[point].size(), 1);
    }
  const std::vector<StageNumber> numbers = stage_numbers(results, path);
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    const StageNumber& number = numbers[n];
    Quantity& entry = quantity(stage, number.name, number.unit);
    if (n == 0 || numbers[n - 1].name != number.name)
      for (auto* const of_point : {&entry.value[point], &entry.error[point],
                                   &entry.autocorrelation_time[point], &entry.reliable[point]})
        of_point->clear();
    entry.value[point].push_back(number.value);
    entry.error[point].push_back(number.error);
    entry.autocorrelation_time[point].push_back(nan);
    entry.reliable[point].push_back(1);
  }
}

void ScanSummary::add(Index point, const io::ResultsReader& results) {
  if (!results.exists("/stages")) return;
  const auto at = static_cast<std::size_t>(point);
  if (results.exists("/model/size")) {
    cells_[at] = 1;
    for (const std::int64_t cells : results.read<std::int64_t>("/model/size")) cells_[at] *= cells;
  }
  for (const std::string& stage : results.list("/stages")) add_stage(at, stage, results);
}

void ScanSummary::write_rows(io::ResultsFile& results, const std::string& path, const Rows& rows,
                             const std::string& unit) const {
  std::size_t width = 1;
  for (const std::vector<double>& row : rows) width = std::max(width, row.size());
  std::vector<double> numbers;
  numbers.reserve(rows.size() * width);
  for (const std::vector<double>& row : rows) {
    numbers.insert(numbers.end(), row.begin(), row.end());
    numbers.insert(numbers.end(), width - row.size(), nan);
  }
  io::Shape shape = shape_;
  if (width > 1) shape.push_back(static_cast<Index>(width));
  results.write(path, io::DataArray(std::move(numbers), shape), unit_attribute(unit));
}

/// The crossings of every two lattices that differ only in size. A curve has the temperatures of
/// the stage, in all points that differ only in temperature.
std::vector<ScanSummary::Crossing> ScanSummary::crossings(const std::string& stage,
                                                          const StageSummary& summary) const {
  const auto found = summary.quantities.find("binder_cumulant");
  if (summary.points_name != "temperature" || found == summary.quantities.end()) return {};
  struct Lattice {
    Index cells = 0;
    std::vector<Index> indices;
    BinderCurve curve;
  };
  // The lattices by the other keys, then by their sizes.
  std::map<std::vector<Index>, std::map<std::vector<Index>, Lattice>> lattices;
  for (std::size_t point = 0; point < cells_.size(); ++point) {
    std::vector<Index> others = indices_[point], sizes;
    for (std::size_t axis = 0; axis < keys_.size(); ++axis) {
      const bool size = any_key(keys_[axis], is_size);
      if (size) sizes.push_back(others[axis]);
      if (size || any_key(keys_[axis],
                          [&](const std::string& key) { return is_temperature_of(key, stage); }))
        others[axis] = -1;
    }
    const std::vector<double>& value = found->second.value[point];
    const std::vector<double>& temperature = summary.points[point];
    if (sizes.empty() || cells_[point] == 0 || value.size() != temperature.size()) continue;
    Lattice& lattice = lattices[others][sizes];
    lattice.cells = cells_[point];
    lattice.indices = others;
    for (std::size_t axis = 0, n = 0; axis < keys_.size(); ++axis)
      if (any_key(keys_[axis], is_size)) lattice.indices[axis] = sizes[n++];
    BinderCurve& curve = lattice.curve;
    const std::vector<double>& error = found->second.error[point];
    curve.temperature.insert(curve.temperature.end(), temperature.begin(), temperature.end());
    curve.value.insert(curve.value.end(), value.begin(), value.end());
    curve.error.insert(curve.error.end(), error.begin(), error.end());
  }
  std::vector<Crossing> all;
  for (const auto& [others, of_size] : lattices) {
    std::vector<const Lattice*> sorted;
    for (const auto& [sizes, lattice] : of_size) sorted.push_back(&lattice);
    std::stable_sort(sorted.begin(), sorted.end(), [](const Lattice* one, const Lattice* other) {
      return one->cells < other->cells;
    });
    for (std::size_t b = 1; b < sorted.size(); ++b)
      for (std::size_t a = 0; a < b; ++a) {
        if (sorted[a]->cells == sorted[b]->cells) continue;
        if (const auto crossing = binder_crossing(sorted[a]->curve, sorted[b]->curve))
          all.push_back(
              {sorted[a]->indices, sorted[b]->indices, crossing->temperature, crossing->error});
      }
  }
  return all;
}

void ScanSummary::write_crossings(io::ResultsFile& results, const std::string& stage,
                                  const StageSummary& summary) const {
  const std::string path = "/scan/stages/" + stage + "/binder_crossings";
  const std::vector<Crossing> all = crossings(stage, summary);
  // If later points remove a crossing, its group goes too.
  results.remove(path);
  if (all.empty()) return;
  std::vector<std::int64_t> first, second;
  std::vector<double> value, error;
  for (const Crossing& crossing : all) {
    first.insert(first.end(), crossing.first.begin(), crossing.first.end());
    second.insert(second.end(), crossing.second.begin(), crossing.second.end());
    value.push_back(crossing.temperature);
    error.push_back(crossing.error);
  }
  const io::Shape shape{static_cast<Index>(all.size()), static_cast<Index>(shape_.size())};
  results.write(path + "/first", io::DataArray(std::move(first), shape));
  results.write(path + "/second", io::DataArray(std::move(second), shape));
  results.write(path + "/value", std::move(value), unit_attribute(summary.points_unit));
  results.write(path + "/error", std::move(error), unit_attribute(summary.points_unit));
}

void ScanSummary::write(io::ResultsFile& results) const {
  for (const auto& [stage, summary] : stages_) {
    for (const auto& [name, measured] : summary.quantities) {
      const std::string path = "/scan/summary/" + stage + "/" + name;
      write_rows(results, path + "/value", measured.value, measured.unit);
      write_rows(results, path + "/error", measured.error, measured.unit);
      write_rows(results, path + "/autocorrelation_time", measured.autocorrelation_time, "");
      write_rows(results, path + "/reliable", measured.reliable, "");
    }
    if (!summary.points_name.empty())
      write_rows(results, "/scan/stages/" + stage + "/" + summary.points_name, summary.points,
                 summary.points_unit);
    write_crossings(results, stage, summary);
  }
}

}  // namespace larmor::study
