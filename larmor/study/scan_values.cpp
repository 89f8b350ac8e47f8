#include "larmor/study/scan_values.hpp"

#include <charconv>

#include "larmor/core/units.hpp"
#include "larmor/study/key_path.hpp"

namespace larmor::study {
namespace {

/// `values = { from = 0.5, to = 2.0, points = 4 }`
struct ValueRange {
  static constexpr const char* name = "values";
  Value from, to;
  Index points = 2;

  static FieldTable<ValueRange> fields() {
    return FieldTable<ValueRange>()
        .required("from", &ValueRange::from, Dimension::none, "the first value")
        .required("to", &ValueRange::to, Dimension::none, "the last value")
        .required("points", &ValueRange::points, Dimension::none, "how many values, evenly spaced")
        .at_least(2)
        .at_most(100000);
  }
};

struct Quantity {
  double number = 0;
  std::string unit;
};

/// A number, or a text of a number and a unit.
std::optional<Quantity> quantity_of(const Value& value) {
  if (value.is_number()) return Quantity{value.as_number(), ""};
  if (!value.is_string()) return std::nullopt;
  const std::string& text = value.as_string();
  const char* const end = text.data() + text.size();
  Quantity quantity;
  const auto [stop, error] = std::from_chars(text.data(), end, quantity.number);
  if (error != std::errc{}) return std::nullopt;
  quantity.unit.assign(stop, end);
  quantity.unit.erase(0, quantity.unit.find_first_not_of(' '));
  return quantity;
}

std::vector<Value> range_of(const Value& table) {
  const auto range = read<ValueRange>(table, ReadContext::reduced());
  const auto ends = numbers_of({range.from, range.to});
  if (!ends)
    throw InputError(
        "from and to of a range of values must be numbers of one unit", table.where(),
        "for example { from = 0.5, to = 2.0, points = 4 }, or \"100 K\" and \"300 K\"");
  const double first = ends->values[0], last = ends->values[1];
  std::vector<Value> values;
  for (Index n = 0; n < range.points; ++n) {
    const double share = static_cast<double>(n) / static_cast<double>(range.points - 1);
    const double number = n + 1 == range.points ? last : first + share * (last - first);
    Value value =
        ends->unit.empty() ? Value(number) : Value(number_text(number) + " " + ends->unit);
    value.mark(table.source_mark());
    values.push_back(std::move(value));
  }
  return values;
}

std::vector<Value> values_of(const Value& values) {
  if (values.is_table()) return range_of(values);
  if (!values.is_array() || values.as_array().empty())
    throw InputError(
        values.is_array()
            ? "values of a scan must not be empty"
            : std::string("values of a scan must be a list, not ") + values.kind_words(),
        values.where(), "write values = [0.5, 1.0], or { from = 0.5, to = 2.0, points = 4 }");
  return values.as_array();
}

ScannedKey scanned_key(const std::string& key, const Value& table, std::vector<Value> values) {
  const Value* const written = table.find("key");
  const SourceMark mark = written->source_mark();
  require_key_path(key, mark);
  return {key, mark, std::move(values)};
}

ScanAxis axis_of(const Value& value) {
  const auto table = read<ScanTable>(value, ReadContext::reduced());
  ScanAxis axis;
  axis.keys.push_back(scanned_key(table.key, value, values_of(table.values)));
  for (std::size_t n = 0; n < table.with.size(); ++n) {
    const Value& list = *value.find("with");
    const Value& own = list.is_array() ? list.as_array()[n] : list;
    const std::optional<Value>& values = table.with[n].values;
    ScannedKey along =
        scanned_key(table.with[n].key, own, values ? values_of(*values) : axis.keys.front().values);
    if (static_cast<Index>(along.values.size()) != axis.size())
      throw InputError("'" + along.key + "' has " + std::to_string(along.values.size()) +
                           " values, '" + table.key + "', which it goes along with, has " +
                           std::to_string(axis.size()),
                       values->where(), "give as many, or a [[scan]] table of its own");
    axis.keys.push_back(std::move(along));
  }
  return axis;
}

}  // namespace

FieldTable<ScanWithTable> ScanWithTable::fields() {
  return FieldTable<ScanWithTable>()
      .required("key", &ScanWithTable::key, Dimension::none, "another key")
      .optional("values", &ScanWithTable::values, Dimension::none,
                "its values, as many; the same if left out");
}

FieldTable<ScanTable> ScanTable::fields() {
  return FieldTable<ScanTable>()
      .required("key", &ScanTable::key, Dimension::none,
                "the way to the key, joined by dots, entries of lists by their number from 1: "
                "\"stage.1.temperature\", \"exchange.2.J\", \"field.B.3\"")
      .required("values", &ScanTable::values, Dimension::none,
                "what it takes in turn: a list, or { from, to, points }")
      .optional("with", &ScanTable::with, Dimension::none,
                "keys that change along with it, value by value: [{ key, values }]")
      .not_empty();
}

std::vector<ScanAxis> read_axes(const Value& tables) {
  if (!tables.is_array() && !tables.is_table())
    throw InputError(std::string("scan must be a table, not ") + tables.kind_words(),
                     tables.where(), "write [[scan]] with key = \"...\" and values = [...]");
  if (tables.is_table()) return {axis_of(tables)};
  std::vector<ScanAxis> axes;
  for (const Value& table : tables.as_array()) axes.push_back(axis_of(table));
  return axes;
}

std::optional<ScannedNumbers> numbers_of(const std::vector<Value>& values) {
  ScannedNumbers numbers;
  for (const Value& value : values) {
    const std::optional<Quantity> quantity = quantity_of(value);
    const bool first = numbers.values.empty();
    if (!quantity || (!first && quantity->unit != numbers.unit)) return std::nullopt;
    numbers.unit = quantity->unit;
    numbers.values.push_back(quantity->number);
  }
  return numbers;
}

std::optional<ScannedLists> lists_of(const std::vector<Value>& values) {
  std::vector<Value> entries;
  for (const Value& value : values) {
    if (!value.is_array() || value.as_array().empty() ||
        value.as_array().size() != values.front().as_array().size())
      return std::nullopt;
    entries.insert(entries.end(), value.as_array().begin(), value.as_array().end());
  }
  auto numbers = numbers_of(entries);
  if (!numbers) return std::nullopt;
  return ScannedLists{std::move(numbers->values),
                      static_cast<Index>(values.front().as_array().size()),
                      std::move(numbers->unit)};
}

}  // namespace larmor::study
