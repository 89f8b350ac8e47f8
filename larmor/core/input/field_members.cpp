#include "larmor/core/input/field_members.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "larmor/core/input/suggest.hpp"

namespace larmor {

bool is_key_of(const FieldInfo& info, const std::string& kind) {
  return info.kinds.empty() ||
         std::find(info.kinds.begin(), info.kinds.end(), kind) != info.kinds.end();
}

}  // namespace larmor

namespace larmor::fields_detail {
namespace {

std::string label(const Reader& reader) {
  const std::string& key = reader.spec.info.key;
  const std::string name = key.empty() ? "the value" : key;
  if (reader.element == 0) return name;
  return "element " + std::to_string(reader.element) + " of " + name;
}

/// If there is no remedy, the help is the doc string of the key, if it has one.
[[noreturn]] void refuse(const Reader& reader, const Value& value, const std::string& problem,
                         const std::string& remedy = "") {
  const FieldInfo& info = reader.spec.info;
  const std::string meaning =
      info.doc.empty() ? "correct the value, or remove the key" : info.key + ": " + info.doc;
  throw InputError(label(reader) + " " + problem, value.where(), remedy.empty() ? meaning : remedy);
}

[[noreturn]] void refuse_kind(const Reader& reader, const Value& value, const std::string& needed,
                              const std::string& remedy = "") {
  const bool has_help = !remedy.empty() || !reader.spec.info.doc.empty();
  refuse(reader, value, "must be " + needed + ", not " + value.kind_text(),
         has_help ? remedy : "write " + needed);
}

/// "key = text", for remedies.
std::string assignment(const Reader& reader, const std::string& text) {
  const std::string& key = reader.spec.info.key;
  return "write " + (key.empty() || reader.element != 0 ? text : key + " = " + text);
}

bool needs_unit(Dimension dimension, const ReadContext& context) {
  return dimension != Dimension::none && context.units == UnitSystem::material;
}

/// A quantity for a message, as "0.5 ps" or "0.5".
std::string bound_text(const Reader& reader, double bound) {
  const Dimension dimension = reader.spec.info.dimension;
  const std::string number = number_text(bound);
  if (!needs_unit(dimension, reader.context)) return number;
  return number + " " + inner_unit(dimension, reader.context.units);
}

void check_limits(const Reader& reader, const Value& value, double number) {
  const Limits& limits = reader.spec.limits;
  const std::string given = ", not " + to_toml_value(value);
  if (limits.positive && !(number > 0)) refuse(reader, value, "must be positive" + given);
  if (limits.not_zero && number == 0) refuse(reader, value, "must not be zero");
  if (number < limits.lowest) {
    refuse(reader, value, "must be at least " + bound_text(reader, limits.lowest) + given);
  }
  if (number > limits.highest) {
    refuse(reader, value, "must be at most " + bound_text(reader, limits.highest) + given);
  }
}

double quantity_from_text(const Reader& reader, const Value& value) {
  const Dimension dimension = reader.spec.info.dimension;
  const std::string& text = value.as_string();
  if (dimension == Dimension::none) {
    double number = 0;
    const auto* end = text.data() + text.size();
    const auto [stop, failure] = std::from_chars(text.data(), end, number);
    const bool only_quotes_wrong = failure == std::errc{} && stop == end && std::isfinite(number);
    refuse_kind(reader, value, "a number",
                only_quotes_wrong ? assignment(reader, text) + " without quotes" : "");
  }
  return parse_quantity(text, dimension, reader.context, label(reader), value.where());
}

double plain_number(const Reader& reader, const Value& value) {
  const Dimension dimension = reader.spec.info.dimension;
  const double number = value.as_number();
  if (!std::isfinite(number)) {
    refuse(reader, value, "must be a finite number, not " + to_toml_value(value));
  }
  if (needs_unit(dimension, reader.context)) {
    const std::string text = "\"" + to_toml_value(value) + " " + usual_unit(dimension) + "\"";
    refuse(reader, value, std::string("needs a unit of ") + dimension_name(dimension),
           assignment(reader, text) + ", or another of " + accepted_units(dimension));
  }
  return number;
}

/// Reads a number of the field's dimension. Limits are not checked here.
double read_number(const Reader& reader, const Value& value) {
  if (value.is_string()) return quantity_from_text(reader, value);
  if (value.is_number()) return plain_number(reader, value);
  const Dimension dimension = reader.spec.info.dimension;
  if (!needs_unit(dimension, reader.context)) refuse_kind(reader, value, "a number");
  refuse_kind(reader, value, a_dimension(dimension),
              assignment(reader, std::string("for example \"1 ") + usual_unit(dimension) + "\""));
}

/// Reads a whole number. A real number without a fraction (1e6) is one.
std::int64_t whole_number(const Reader& reader, const Value& value) {
  if (value.kind() == Value::Kind::integer) return value.as_integer();
  if (value.kind() != Value::Kind::real) refuse_kind(reader, value, "a whole number");
  constexpr double exact = 9007199254740992.0;  // 2^53: beyond it reals skip whole numbers
  const double number = value.as_number();
  if (!(std::abs(number) <= exact) || std::trunc(number) != number) {
    refuse(reader, value, "must be a whole number, not " + to_toml_value(value));
  }
  return static_cast<std::int64_t>(number);
}

/// Has the unit vector of v finite components?
bool has_direction(const Vec3<double>& v) {
  constexpr double shortest = 1e-300;
  return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}) >= shortest;
}

void check_choice(const Reader& reader, const Value& value, const std::string& text) {
  const auto& choices = reader.spec.info.choices;
  if (choices.empty() || std::find(choices.begin(), choices.end(), text) != choices.end()) return;
  const std::string guess = did_you_mean(text, choices);
  refuse(reader, value, "cannot be '" + text + "'",
         (guess.empty() ? "" : guess + " ") + "choices: " + comma_list(choices));
}

}  // namespace

void read_member(const Reader& reader, const Value& value, bool& out) {
  if (value.kind() != Value::Kind::boolean) refuse_kind(reader, value, "true or false");
  out = value.as_boolean();
}

void read_member(const Reader& reader, const Value& value, int& out) {
  const std::int64_t number = whole_number(reader, value);
  check_limits(reader, value, static_cast<double>(number));
  if (number < std::numeric_limits<int>::min() || number > std::numeric_limits<int>::max()) {
    refuse(reader, value, "must be from -2147483648 to 2147483647, not " + to_toml_value(value));
  }
  out = static_cast<int>(number);
}

void read_member(const Reader& reader, const Value& value, Index& out) {
  out = whole_number(reader, value);
  check_limits(reader, value, static_cast<double>(out));
}

void read_member(const Reader& reader, const Value& value, std::uint64_t& out) {
  if (value.is_string()) {  // TOML's integers end at 2^63 - 1: larger ones are strings of digits
    const std::string& text = value.as_string();
    const auto* end = text.data() + text.size();
    const auto [stop, failure] = std::from_chars(text.data(), end, out);
    if (failure != std::errc{} || stop != end) {
      refuse_kind(reader, value, "a whole number from 0 to 18446744073709551615");
    }
  } else {
    const std::int64_t number = whole_number(reader, value);
    if (number < 0) refuse(reader, value, "must not be negative");
    out = static_cast<std::uint64_t>(number);
  }
  check_limits(reader, value, static_cast<double>(out));
}

void read_member(const Reader& reader, const Value& value, double& out) {
  out = read_number(reader, value);
  check_limits(reader, value, out);
}

void read_member(const Reader& reader, const Value& value, std::string& out) {
  if (!value.is_string()) {
    const bool scalar = !value.is_array() && !value.is_table();
    refuse_kind(reader, value, "a string",
                scalar ? assignment(reader, "\"" + to_toml_value(value) + "\"") : "");
  }
  const std::string& text = value.as_string();
  if (reader.spec.limits.not_empty && text.empty()) refuse(reader, value, "must not be empty");
  check_choice(reader, value, text);
  out = text;
}

void read_member(const Reader& reader, const Value& value, Vec3<double>& out) {
  const auto& elements = fixed_list(reader, value, 3);
  Spec component = reader.spec;
  component.limits.not_zero = false;  // this holds for the vector, not for its components
  const Reader inner{component, reader.context, reader.element};
  read_member(inner.at(0), elements[0], out.x);
  read_member(inner.at(1), elements[1], out.y);
  read_member(inner.at(2), elements[2], out.z);
  if (reader.spec.limits.not_zero && !has_direction(out)) {
    refuse(reader, value, "must not be the zero vector, or shorter than 1e-300");
  }
}

void read_member(const Reader& reader, const Value& value, Mat3<double>& out) {
  const auto& rows = fixed_list(reader, value, 3);
  for (std::size_t i = 0; i < 3; ++i) read_member(reader.at(i), rows[i], out.row[i]);
}

void read_member(const Reader&, const Value& value, Value& out) { out = value; }

Value write_member(bool member, const Writer&) { return member; }
Value write_member(int member, const Writer&) { return member; }
Value write_member(Index member, const Writer&) { return member; }
Value write_member(const std::string& member, const Writer&) { return member; }
Value write_member(const Value& member, const Writer&) { return member; }

Value write_member(std::uint64_t member, const Writer&) {
  constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
  if (member > largest) return std::to_string(member);
  return static_cast<std::int64_t>(member);
}

Value write_member(double member, const Writer& writer) {
  if (!needs_unit(writer.dimension, writer.context)) return member;
  return number_text(member) + " " + inner_unit(writer.dimension, writer.context.units);
}

Value write_member(const Vec3<double>& member, const Writer& writer) {
  return Value(Value::Array{write_member(member.x, writer), write_member(member.y, writer),
                            write_member(member.z, writer)});
}

Value write_member(const Mat3<double>& member, const Writer& writer) {
  return Value(Value::Array{write_member(member.row[0], writer),
                            write_member(member.row[1], writer),
                            write_member(member.row[2], writer)});
}

TypeName type_name(Tag<bool>) { return {"true or false", "true or false"}; }
TypeName type_name(Tag<int>) { return {"whole number", "whole numbers"}; }
TypeName type_name(Tag<Index>) { return {"whole number", "whole numbers"}; }
TypeName type_name(Tag<std::uint64_t>) { return {"whole number", "whole numbers"}; }
TypeName type_name(Tag<double>) { return {"number", "numbers"}; }
TypeName type_name(Tag<std::string>) { return {"string", "strings"}; }
TypeName type_name(Tag<Vec3<double>>) { return list_name("3 numbers"); }
TypeName type_name(Tag<Mat3<double>>) { return list_name("3 lists of 3 numbers"); }
TypeName type_name(Tag<Value>) { return {"any value", "any values"}; }
TypeName table_name() { return {"table", "tables"}; }
TypeName list_name(const std::string& elements) {
  return {"list of " + elements, "lists of " + elements};
}

std::vector<const Value*> list_elements(const Reader& reader, const Value& value,
                                        bool elements_are_lists) {
  std::vector<const Value*> elements;
  if (!value.is_array()) {
    if (elements_are_lists) refuse_kind(reader, value, "a list of lists");
    elements.push_back(&value);
    return elements;
  }
  const auto& list = value.as_array();
  if (list.empty() && reader.spec.limits.not_empty) refuse(reader, value, "must not be empty");
  if (!list.empty() && elements_are_lists && !list.front().is_array()) {
    refuse(reader, value,
           "must be a list of lists, but its first element is " +
               std::string(list.front().kind_text()),
           assignment(reader, "[" + to_toml_value(value) + "]"));
  }
  elements.reserve(list.size());
  for (const Value& element : list) elements.push_back(&element);
  return elements;
}

const Value::Array& fixed_list(const Reader& reader, const Value& value, std::size_t size) {
  const std::string needed = "a list of " + std::to_string(size);
  if (!value.is_array()) refuse_kind(reader, value, needed);
  const auto& list = value.as_array();
  if (list.size() != size) {
    refuse(reader, value, "must be " + needed + ", not of " + std::to_string(list.size()));
  }
  return list;
}

}  // namespace larmor::fields_detail
