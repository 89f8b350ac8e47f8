#include "larmor/study/input/scan_values.hpp"

#include <charconv>
#include <cmath>

#include "larmor/core/input/units.hpp"
#include "larmor/study/input/key_path.hpp"

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
        .required("points", &ValueRange::points, Dimension::none, "number of values, evenly spaced")
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

struct ScannedValues {
  std::vector<Value> values;
  Index whole_points = 0;  ///< see ScannedKey::whole_points
};

/// A range from one whole number to another.
struct WholeRange {
  std::int64_t first;
  std::optional<std::int64_t> step;  ///< nothing if the step is not a whole number
  Index points;  ///< number of values; without a step, the nearest number with a whole step
};

/// Nothing if an end of the range is not a whole number.
std::optional<WholeRange> whole_range(const ValueRange& range, const ScannedNumbers& ends) {
  constexpr double exact = 9007199254740992.0;  // 2^53: doubles beyond it skip whole numbers
  std::int64_t end[2];
  for (std::size_t n = 0; n < 2; ++n) {
    const Value& written = n == 0 ? range.from : range.to;
    const double number = ends.values[n];
    const bool is_integer = written.kind() == Value::Kind::integer;
    if (!is_integer && !(std::abs(number) <= exact && std::trunc(number) == number))
      return std::nullopt;
    end[n] = is_integer ? written.as_integer() : static_cast<std::int64_t>(number);
  }
  std::int64_t distance = 0;
  if (__builtin_sub_overflow(end[1], end[0], &distance)) return std::nullopt;
  const auto divides = [&](Index points) { return points >= 2 && distance % (points - 1) == 0; };
  if (divides(range.points)) return WholeRange{end[0], distance / (range.points - 1), range.points};
  Index away = 1;
  while (!divides(range.points - away) && !divides(range.points + away)) ++away;
  return WholeRange{end[0], std::nullopt,
                    divides(range.points + away) ? range.points + away : range.points - away};
}

ScannedValues range_of(const Value& table) {
  const auto range = read<ValueRange>(table, ReadContext::reduced());
  const auto ends = numbers_of({range.from, range.to});
  if (!ends)
    throw InputError(
        "from and to of a range of values must be numbers of one unit", table.where(),
        "for example { from = 0.5, to = 2.0, points = 4 }, or \"100 K\" and \"300 K\"");
  const auto whole = whole_range(range, *ends);
  std::vector<Value> values;
  const auto add = [&](Value value) {
    value.mark(table.source_mark());
    values.push_back(std::move(value));
  };
  const auto with_unit = [&](double number) {
    return ends->unit.empty() ? Value(number) : Value(number_text(number) + " " + ends->unit);
  };
  const bool written_whole =
      range.from.kind() == Value::Kind::integer && range.to.kind() == Value::Kind::integer;
  const double first = ends->values[0], last = ends->values[1];
  for (Index n = 0; n < range.points; ++n) {
    if (whole && whole->step) {
      const std::int64_t number = whole->first + n * *whole->step;
      add(written_whole ? Value(number) : with_unit(static_cast<double>(number)));
      continue;
    }
    const double share = static_cast<double>(n) / static_cast<double>(range.points - 1);
    add(with_unit(n + 1 == range.points ? last : first + share * (last - first)));
  }
  return {std::move(values), whole && !whole->step ? whole->points : 0};
}

ScannedValues values_of(const Value& values) {
  if (values.is_table()) return range_of(values);
  if (!values.is_array() || values.as_array().empty())
    throw InputError(
        values.is_array()
            ? "values of a scan must not be empty"
            : std::string("values of a scan must be a list, not ") + values.kind_text(),
        values.where(), "write values = [0.5, 1.0], or { from = 0.5, to = 2.0, points = 4 }");
  return {values.as_array()};
}

ScannedKey scanned_key(const std::string& key, const Value& table, ScannedValues values) {
  const Value* const written = table.find("key");
  const SourceMark mark = written->source_mark();
  require_key_path(key, mark);
  return {key, mark, std::move(values.values), values.whole_points};
}

ScanAxis axis_of(const Value& value) {
  const auto table = read<ScanTable>(value, ReadContext::reduced());
  ScanAxis axis;
  axis.keys.push_back(scanned_key(table.key, value, values_of(table.values)));
  for (std::size_t n = 0; n < table.with.size(); ++n) {
    const Value& list = *value.find("with");
    const Value& own = list.is_array() ? list.as_array()[n] : list;
    const std::optional<Value>& values = table.with[n].values;
    ScannedKey along = scanned_key(
        table.with[n].key, own,
        values ? values_of(*values)
               : ScannedValues{axis.keys.front().values, axis.keys.front().whole_points});
    if (static_cast<Index>(along.values.size()) != axis.size())
      throw InputError(
          "'" + along.key + "' has " + std::to_string(along.values.size()) + " values, and '" +
              table.key + "', with which it changes, has " + std::to_string(axis.size()),
          values->where(), "give equal numbers of values, or write a [[scan]] table for this key");
    axis.keys.push_back(std::move(along));
  }
  return axis;
}

}  // namespace

FieldTable<ScanWithTable> ScanWithTable::fields() {
  return FieldTable<ScanWithTable>()
      .required("key", &ScanWithTable::key, Dimension::none, "another key")
      .optional("values", &ScanWithTable::values, Dimension::none,
                "its values, in a number equal to that of the scanned key. If left out, this key "
                "takes the values of the scanned key");
}

FieldTable<ScanTable> ScanTable::fields() {
  return FieldTable<ScanTable>()
      .required("key", &ScanTable::key, Dimension::none,
                "path of the key. Dots join names, and entries of lists are numbered from 1, as in "
                "\"stage.1.temperature\", \"exchange.2.J\", \"field.B.3\"")
      .required("values", &ScanTable::values, Dimension::none,
                "its values, in order: a list, or { from, to, points }")
      .with_child<ValueRange>()
      .optional(
          "with", &ScanTable::with, Dimension::none,
          "further keys that change together with this key, value by value: [{ key, values }]")
      .not_empty();
}

std::vector<ScanAxis> read_axes(const Value& tables) {
  if (!tables.is_array() && !tables.is_table())
    throw InputError(std::string("scan must be a table, not ") + tables.kind_text(), tables.where(),
                     "write [[scan]] with key = \"...\" and values = [...]");
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
