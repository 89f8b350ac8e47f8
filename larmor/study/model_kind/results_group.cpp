#include "larmor/study/model_kind/results_group.hpp"

namespace larmor::study {

std::string ResultsGroup::full(const std::string& name) const {
  return name.empty() ? path_ : path_ + "/" + name;
}

void ResultsGroup::write(const std::string& name, std::vector<double> values,
                         const std::vector<Index>& shape, const std::string& unit) {
  if (file_ == nullptr) return;
  io::Attributes attributes;
  if (!unit.empty()) attributes.emplace("unit", unit);
  file_->write(full(name), io::DataArray(std::move(values), shape), attributes);
}

void ResultsGroup::append(const std::string& name, std::vector<double> values,
                          const std::vector<Index>& row, const std::string& unit) {
  if (file_ == nullptr) return;
  Index per_row = 1;
  for (const Index extent : row) per_row *= extent;
  io::Shape shape{static_cast<Index>(values.size()) / per_row};
  shape.insert(shape.end(), row.begin(), row.end());
  io::Attributes attributes;
  if (!unit.empty()) attributes.emplace("unit", unit);
  file_->append(full(name), io::DataArray(std::move(values), shape), attributes);
}

void ResultsGroup::write(const std::string& name, io::DataArray values) {
  if (file_ != nullptr) file_->write(full(name), std::move(values));
}

void ResultsGroup::append(const std::string& name, io::DataArray row) {
  if (file_ == nullptr) return;
  io::Shape shape{1};
  shape.insert(shape.end(), row.shape().begin(), row.shape().end());
  file_->append(full(name), std::move(row).reshaped(std::move(shape)));
}

void ResultsGroup::write_strings(const std::string& name, const std::vector<std::string>& values) {
  if (file_ != nullptr) file_->write(full(name), io::DataArray(values));
}

void ResultsGroup::set_attribute(const std::string& name, const std::string& attribute,
                                 io::DataArray value) {
  if (file_ != nullptr) file_->set_attribute(full(name), attribute, std::move(value));
}

void ResultsGroup::attach_scale(const std::string& name, Index axis, const std::string& scale) {
  if (file_ != nullptr) file_->attach_scale(full(name), axis, full(scale));
}

Index ResultsGroup::rows(const std::string& name) const {
  return file_ == nullptr ? 0 : file_->series_lengths().at(full(name));
}

std::vector<double> ResultsGroup::read_rows(const std::string& name, Index first,
                                            Index count) const {
  if (file_ == nullptr) return {};
  file_->commit();
  return io::ResultsReader(file_->path()).read_rows<double>(full(name), first, count);
}

void append_estimate(ResultsGroup& results, const std::string& name, const Estimate& estimate,
                     const std::string& unit) {
  const std::string group = "averages/" + name + "/";
  results.append(group + "value", {estimate.value}, {}, unit);
  results.append(group + "error", {estimate.error}, {}, unit);
  results.append(group + "autocorrelation_time", {estimate.autocorrelation_time}, {}, "");
  results.append(group + "samples", {static_cast<double>(estimate.samples)}, {}, "");
  results.append(group + "reliable", {estimate.reliable ? 1.0 : 0.0}, {}, "");
}

}  // namespace larmor::study
