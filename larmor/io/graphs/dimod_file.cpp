#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>

#include "larmor/core/text.hpp"
#include "larmor/io/files/input_file.hpp"
#include "larmor/io/files/json.hpp"
#include "larmor/io/files/text_rows.hpp"
#include "larmor/io/graphs/problem_entries.hpp"
#include "larmor/io/graphs/problem_file.hpp"

namespace larmor::io {
namespace {

using ground_states::QuadraticProblem;
using ground_states::Variables;

static_assert(std::endian::native == std::endian::little, "bytes of models are little-endian");

const Value& required(const Value& table, const char* key) {
  if (const Value* value = table.find(key)) return *value;
  throw InputError(fmt::format("the key \"{}\" is missing", key), table.where(),
                   "write the file with dimod's BinaryQuadraticModel");
}

/// A label as JSON: a text, a number, or a list of these (dimod writes tuples as lists).
std::string label_text(const Value& label) {
  switch (label.kind()) {
    case Value::Kind::string:
      return json_string(label.as_string());
    case Value::Kind::integer:
      return std::to_string(label.as_integer());
    case Value::Kind::real: {
      std::string text;
      append_number(text, label.as_number());
      return text;
    }
    case Value::Kind::array: {
      std::string text;
      for (const Value& element : label.as_array())
        text += (text.empty() ? "[" : ",") + label_text(element);
      return text.empty() ? "[]" : text + "]";
    }
    default:
      throw InputError("a variable's label is " + std::string(label.kind_text()), label.where(),
                       "write a text, a number, or a list of these");
  }
}

void require_length(const Value& list, Index length, const char* counted_by) {
  if (static_cast<Index>(list.as_array().size()) == length) return;
  throw InputError(fmt::format("the list has {} entries, but {} is {}", list.as_array().size(),
                               counted_by, length),
                   list.where(), "correct the list, or the number");
}

void read_couplings(const Value& root, const std::string& path, QuadraticProblem& problem) {
  const Value &head = required(root, "quadratic_head"), &tail = required(root, "quadratic_tail");
  const Value& bias = required(root, "quadratic_biases");
  const Index count = required(root, "num_interactions").as_integer();
  for (const Value* list : {&head, &tail, &bias}) require_length(*list, count, "num_interactions");
  const auto variable = [&](const Value& index) {
    const Index i = index.as_integer();
    if (i < 0 || i >= problem.size())
      throw InputError(fmt::format("there is no variable {}", i), index.where(),
                       fmt::format("according to num_variables, variables are counted from 0 to {}",
                                   problem.size() - 1));
    return i;
  };
  std::vector<Coefficient> entries;
  for (std::size_t n = 0; n < static_cast<std::size_t>(count); ++n) {
    const Value &of_head = head.as_array()[n], &of_tail = tail.as_array()[n];
    const Value& value = bias.as_array()[n];
    const Index i = variable(of_head), j = variable(of_tail);
    if (i == j)
      throw InputError(fmt::format("variable {} is coupled with itself", i), of_tail.where(),
                       "write the bias of one variable in linear_biases");
    entries.push_back(
        {i, j, coefficient(value.as_number(), "the bias", value.where()), of_tail.where().line});
  }
  refuse_doubled(path, entries);
  add_entries(problem, entries, 0, 1);
}

Variables variables_of(const Value& root, const char* key) {
  const Value& type = required(root, key);
  if (type.as_string() == "SPIN") return Variables::spins;
  if (type.as_string() == "BINARY") return Variables::bits;
  throw InputError(fmt::format("{} is \"{}\"", key, type.as_string()), type.where(),
                   "write SPIN or BINARY");
}

ProblemFile read_document(const Value& root, const std::string& path) {
  ProblemFile file{ProblemFormat::bqm, {}, {}};
  const Value* const bytes = root.find("use_bytes");
  if (bytes != nullptr && bytes->as_boolean())
    throw InputError("the biases are bytes", bytes->where(),
                     "write the file with to_serializable(use_bytes=False)");
  file.problem.variables = variables_of(root, "variable_type");
  const Value& size = required(root, "num_variables");
  if (size.as_integer() < 1)
    throw InputError("the problem has no variables", size.where(), "give at least one variable");
  const Value& linear = required(root, "linear_biases");
  require_length(linear, size.as_integer(), "num_variables");
  for (const Value& bias : linear.as_array())
    file.problem.linear.push_back(coefficient(bias.as_number(), "the bias", bias.where()));
  if (const Value* offset = root.find("offset"))
    file.problem.offset = coefficient(offset->as_number(), "the offset", offset->where());
  const Value& labels = required(root, "variable_labels");
  require_length(labels, size.as_integer(), "num_variables");
  for (const Value& label : labels.as_array()) file.labels.push_back(label_text(label));
  read_couplings(root, path, file.problem);
  return file;
}

/// The bytes of a file, from first to last.
class Bytes {
 public:
  Bytes(std::string_view bytes, std::string path) : bytes_(bytes), path_(std::move(path)) {}

  /// @param what name of the data, for the message
  std::string_view read(std::uint64_t size, const char* what) {
    if (size > bytes_.size() - at_)
      refuse(fmt::format("the file ends within {}, after {} of {} bytes", what, bytes_.size() - at_,
                         size));
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }

  template <class Number>
  Number number(const char* what) {
    Number value;
    std::memcpy(&value, read(sizeof value, what).data(), sizeof value);
    return value;
  }

  std::size_t at() const { return at_; }
  bool are_read() const { return at_ == bytes_.size(); }
  SourcePosition where() const { return {path_, 0, 0, ""}; }

  [[noreturn]] void refuse(const std::string& problem) const {
    throw InputError(problem, where(), "write the file anew with dimod's to_file()");
  }

 private:
  std::string_view bytes_;
  std::string path_;
  std::size_t at_ = 0;
};

/// A number type of NumPy, by its name.
struct NumberType {
  enum class Kind { real, integer, natural };
  Kind kind;
  std::size_t size;
};

NumberType number_type(const Value& header, const char* key, bool is_real) {
  const Value& name = required(header, key);
  using Kind = NumberType::Kind;
  static const std::map<std::string, NumberType> types{
      {"float32", {Kind::real, 4}},   {"float64", {Kind::real, 8}},  {"int16", {Kind::integer, 2}},
      {"int32", {Kind::integer, 4}},  {"int64", {Kind::integer, 8}}, {"uint16", {Kind::natural, 2}},
      {"uint32", {Kind::natural, 4}}, {"uint64", {Kind::natural, 8}}};
  const auto found = types.find(name.as_string());
  if (found == types.end() || (found->second.kind == Kind::real) != is_real)
    throw InputError(fmt::format("the number type is \"{}\"", name.as_string()), name.where(),
                     is_real ? "write float64 or float32" : "write int32 or int64");
  return found->second;
}

double real_at(std::string_view bytes, std::size_t at, const NumberType& type) {
  if (type.size == sizeof(float)) {
    float value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  }
  double value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// The whole number at byte `at`; -1 if it is negative or too large for Index.
Index index_at(std::string_view bytes, std::size_t at, const NumberType& type) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, type.size);
  const int unused = static_cast<int>(64 - 8 * type.size);
  if (type.kind == NumberType::Kind::integer)
    return std::max(Index{-1}, static_cast<Index>(value << unused) >> unused);
  return value > INT64_MAX ? -1 : static_cast<Index>(value);
}

/// The entries of the header, except labels.
struct Layout {
  NumberType bias, of_variable, of_place;
  Index variables = 0, couplings = 0;
};

Layout layout_of(const Value& header) {
  Layout layout{number_type(header, "dtype", true), number_type(header, "itype", false),
                number_type(header, "ntype", false)};
  const Value& shape = required(header, "shape");
  if (shape.as_array().size() != 2)
    throw InputError("the shape is not two numbers", shape.where(),
                     "write the numbers of variables and of couplings");
  const auto count = [](const Value& value, const char* name, Index most) {
    if (value.as_integer() < 0 || value.as_integer() > most)
      throw InputError(fmt::format("the number of {} is {}", name, value.as_integer()),
                       value.where(), fmt::format("write a whole number from 0 to {}", most));
    return value.as_integer();
  };
  layout.variables = count(shape.as_array()[0], "variables", most_variables);
  layout.couplings = count(shape.as_array()[1], "couplings", INT32_MAX);
  if (layout.variables == 0)
    throw InputError("the problem has no variables", shape.where(), "give at least one variable");
  return layout;
}

/// The sorted neighbours of every variable. The file lists each coupling at both of its variables.
class Neighbourhoods {
 public:
  Neighbourhoods(Bytes& bytes, const Layout& layout, std::vector<std::size_t> first)
      : bytes_(bytes),
        layout_(layout),
        entry_(layout.of_variable.size + layout.bias.size),
        first_(std::move(first)),
        mirror_(first_.begin(), first_.end() - 1),
        data_(bytes.read(first_.back() * entry_, "the quadratic biases")) {}

  std::vector<ground_states::Coupling> couplings() {
    std::vector<ground_states::Coupling> couplings;
    couplings.reserve(static_cast<std::size_t>(layout_.couplings));
    for (std::size_t variable = 0; variable + 1 < first_.size(); ++variable)
      for (std::size_t n = first_[variable]; n < first_[variable + 1]; ++n) {
        const std::size_t other = neighbour(variable, n);
        if (other > variable) continue;
        require_mirror(variable, other, n);
        couplings.push_back({static_cast<std::int32_t>(other), static_cast<std::int32_t>(variable),
                             coefficient(bias(n), "the bias of a coupling", bytes_.where())});
      }
    if (static_cast<Index>(couplings.size()) != layout_.couplings)
      bytes_.refuse("a coupling is listed at only one of its two variables");
    return couplings;
  }

 private:
  Bytes& bytes_;
  const Layout& layout_;
  std::size_t entry_;
  std::vector<std::size_t> first_;   ///< first entry of each variable, and the end
  std::vector<std::size_t> mirror_;  ///< for each variable: next entry of a later variable
  std::string_view data_;

  double bias(std::size_t n) const {
    return real_at(data_, n * entry_ + layout_.of_variable.size, layout_.bias);
  }

  Index listed(std::size_t n) const { return index_at(data_, n * entry_, layout_.of_variable); }

  std::size_t neighbour(std::size_t variable, std::size_t n) const {
    const Index other = listed(n);
    const Index before = n > first_[variable] ? listed(n - 1) : -1;
    if (other < 0 || other >= layout_.variables || other == static_cast<Index>(variable))
      bytes_.refuse(
          fmt::format("variable {} is coupled with variable {}, but a neighbour must be another "
                      "variable, with a number below {}",
                      variable, other, layout_.variables));
    if (other <= before)
      bytes_.refuse(fmt::format("the neighbours of variable {} do not ascend", variable));
    return static_cast<std::size_t>(other);
  }

  /// Checks that `other` lists the coupling too. Variables are visited in ascending order, so the
  /// entries of `other` are needed in their order.
  void require_mirror(std::size_t variable, std::size_t other, std::size_t n) {
    std::size_t& at = mirror_[other];
    while (at < first_[other + 1] && listed(at) < static_cast<Index>(other)) ++at;
    if (at == first_[other + 1] || listed(at) != static_cast<Index>(variable) ||
        bias(at) != bias(n))
      bytes_.refuse(fmt::format(
          "variables {} and {} must both list their coupling, with equal values", other, variable));
    ++at;
  }
};

/// Biases of variables, and the first neighbour of each.
void read_biases(Bytes& bytes, const Layout& layout, QuadraticProblem& problem) {
  const auto size = static_cast<std::size_t>(layout.variables);
  problem.offset = coefficient(real_at(bytes.read(layout.bias.size, "the offset"), 0, layout.bias),
                               "the offset", bytes.where());
  const std::size_t entry = layout.of_place.size + layout.bias.size;
  const std::string_view data = bytes.read(size * entry, "the linear biases");
  std::vector<std::size_t> first;
  const Index end = 2 * layout.couplings;
  for (std::size_t n = 0; n < size; ++n) {
    problem.linear.push_back(
        coefficient(real_at(data, n * entry + layout.of_place.size, layout.bias),
                    "the bias of a variable", bytes.where()));
    const Index begin = index_at(data, n * entry, layout.of_place);
    if (begin < (n > 0 ? static_cast<Index>(first.back()) : 0) || begin > end ||
        (n == 0 && begin != 0))
      bytes.refuse(
          fmt::format("the neighbours of variable {} begin at entry {} of {}", n, begin, end));
    first.push_back(static_cast<std::size_t>(begin));
  }
  first.push_back(static_cast<std::size_t>(end));
  problem.couplings = Neighbourhoods(bytes, layout, std::move(first)).couplings();
}

/// From version 2 on, labels follow the biases.
Value labels_behind(Bytes& bytes, const std::string& path) {
  if (bytes.read(4, "the labels") != "VARS") bytes.refuse("the labels do not begin with \"VARS\"");
  const auto size = bytes.number<std::uint32_t>("the labels");
  return parse_json(bytes.read(size, "the labels"), path + " (labels)");
}

std::vector<std::string> read_labels(Bytes& bytes, const std::string& path, const Value& header,
                                     int version, Index size) {
  const Value& variables = required(header, "variables");
  if (version > 1 && !variables.as_boolean()) return counted_labels(size, 0);
  const Value list = version > 1 ? labels_behind(bytes, path) : variables;
  require_length(list, size, "the number of variables");
  std::vector<std::string> labels;
  for (const Value& label : list.as_array()) labels.push_back(label_text(label));
  return labels;
}

ProblemFile read_bytes(std::string_view text, const std::string& path) {
  Bytes bytes(text, path);
  bytes.read(dimod_signature.size(), "the signature");
  const int version = bytes.number<std::uint8_t>("the version");
  const int minor = bytes.number<std::uint8_t>("the version");
  if (version < 1 || version > 2 || minor != 0)
    throw InputError(fmt::format("the file has version {}.{} of the format", version, minor),
                     bytes.where(), "write the file with to_file(version=2)");
  const auto header_size = bytes.number<std::uint32_t>("the header");
  // Blanks stand for the bytes before the header, so that columns in messages count bytes of the
  // file.
  const std::string before(bytes.at(), ' ');
  const Value header =
      parse_json(before + std::string(bytes.read(header_size, "the header")), path);
  ProblemFile file{ProblemFormat::bqm, {}, {}};
  file.problem.variables = variables_of(header, "vartype");
  read_biases(bytes, layout_of(header), file.problem);
  file.labels = read_labels(bytes, path, header, version, file.problem.size());
  if (!bytes.are_read()) bytes.refuse("bytes follow the end of the model");
  return file;
}

}  // namespace

ProblemFile read_dimod(const std::string& path) {
  std::ifstream file = open_input(path);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) throw MachineError("cannot read '" + path + "'");
  if (text.starts_with(dimod_signature)) return read_bytes(text, path);
  if (text.starts_with(dimod_signature.substr(0, 5)))
    throw InputError("the file is a model of dimod, but not a BinaryQuadraticModel",
                     SourcePosition{path, 0, 0, ""},
                     "convert the model to a BinaryQuadraticModel before you write the file");
  return read_document(parse_json(text, path), path);
}

}  // namespace larmor::io
