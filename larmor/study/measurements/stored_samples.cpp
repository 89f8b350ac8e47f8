#include "larmor/study/measurements/stored_samples.hpp"

#include <algorithm>

#include "larmor/study/measurements/averages.hpp"

namespace larmor::study {
namespace {

/// Numbers that are read back at a time.
constexpr Index numbers_at_once = 1 << 18;

std::string group_of(const std::string& name) { return "series/" + name; }

std::vector<double> tail_of(const std::vector<double>& values, Index first, Index of_sample) {
  return {values.begin() + first * of_sample, values.end()};
}

}  // namespace

void append_series(ResultsGroup& results, const std::string& name, std::vector<double> values,
                   const std::vector<Index>& row, const std::string& unit,
                   const SampleTimes& when) {
  const std::string series = group_of(name);
  results.append(series + "/value", std::move(values), row, unit);
  results.append(series + "/step", when.steps, {}, "");
  if (when.point)
    results.append(series + "/point",
                   std::vector<double>(when.steps.size(), static_cast<double>(*when.point)), {},
                   "");
  else
    results.append(series + "/time", when.times, {}, when.time_unit);
}

void StoredSamples::begin(std::vector<Column> columns, const Ranks& ranks, std::string time_unit) {
  columns_ = std::move(columns);
  ranks_ = &ranks;
  time_unit_ = std::move(time_unit);
  clear();
}

void StoredSamples::announce(double step, double time) {
  steps_.push_back(step);
  times_.push_back(time);
}

void StoredSamples::add(std::size_t column, const double* values, std::size_t count) {
  values_[column].insert(values_[column].end(), values, values + count);
}

double StoredSamples::bytes() const {
  Index numbers = 2;
  for (const Column& column : columns_) numbers += column.components * ranks_->share().all;
  return 8 * static_cast<double>(numbers) * static_cast<double>(held());
}

void StoredSamples::store(const std::optional<Index>& point, ResultsGroup& results) {
  const Index known = stored_ - left_;
  if (known == held()) return;
  const SampleTimes when{tail_of(steps_, known, 1), point, tail_of(times_, known, 1), time_unit_};
  const Index replicas = ranks_->gathered_replicas();
  for (std::size_t n = 0; n < columns_.size(); ++n) {
    const Column& column = columns_[n];
    const Index of_sample = ranks_->share().count * column.components;
    std::vector<double> values = ranks_->gathered(tail_of(values_[n], known, of_sample),
                                                  ranks_->replicas(), column.components);
    std::vector<Index> row{replicas};
    if (column.is_ratio) {
      append_series(results, column.name, ratios(values), row, column.unit, when);
      results.append(group_of(column.name) + "/parts", std::move(values), {replicas, 2}, "");
    } else {
      if (column.components > 1) row.push_back(column.components);
      append_series(results, column.name, std::move(values), row, column.unit, when);
    }
  }
  stored_ = left_ + held();
}

void StoredSamples::free_stored() {
  left_ = stored_;
  values_.assign(columns_.size(), {});
  steps_ = {};
  times_ = {};
}

std::vector<double> StoredSamples::all(std::size_t n, const ResultsGroup& results) const {
  const Column& column = columns_[n];
  std::vector<double> held = ranks_->gathered(values_[n], ranks_->replicas(), column.components);
  if (left_ == 0 || !ranks_->is_root()) return held;
  const std::string name = group_of(column.name) + (column.is_ratio ? "/parts" : "/value");
  const Index of_sample = ranks_->gathered_replicas() * column.components;
  const Index first = results.rows(name) - stored_;
  const Index at_once = std::max<Index>(1, numbers_at_once / of_sample);
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(stored_ * of_sample));
  for (Index done = 0; done < left_; done += at_once) {
    const std::vector<double> rows =
        results.read_rows(name, first + done, std::min(at_once, left_ - done));
    values.insert(values.end(), rows.begin(), rows.end());
  }
  values.insert(values.end(), held.begin(), held.end());
  return values;
}

void StoredSamples::clear() {
  stored_ = 0;
  free_stored();
}

void StoredSamples::save(StageMemory& memory) const {
  if (stored_ != left_ + held()) throw InternalError("samples are saved before they are stored");
  memory.integers["stored"] = {stored_};
}

void StoredSamples::load(const StageMemory& memory) {
  stored_ = memory.integer("stored").at(0);
  free_stored();
}

}  // namespace larmor::study
