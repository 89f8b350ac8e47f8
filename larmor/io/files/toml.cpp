#include "larmor/io/files/toml.hpp"

// Some malformed keys violate assertions of toml++ 3.3; a typing error must not abort the program.
#include <stdexcept>
namespace larmor::io {
struct ParserAssertion : std::logic_error {
  using std::logic_error::logic_error;
};
}  // namespace larmor::io
#define TOML_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : throw larmor::io::ParserAssertion(#condition))
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wterminate"
#include <toml++/toml.h>
#pragma GCC diagnostic pop

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <utility>
#include <vector>

#include "larmor/core/error.hpp"
#include "larmor/core/text.hpp"
#include "larmor/io/files/input_file.hpp"

namespace larmor::io {
namespace {

using Source = std::shared_ptr<const SourceText>;

Source split_lines(std::string_view text, std::string file_name) {
  auto source = std::make_shared<SourceText>();
  source->file = std::move(file_name);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    source->lines.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return source;
}

SourceMark mark(const Source& source, const toml::source_region& region) {
  return {source, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

/// Bytes of the UTF-8 sequence at the start of `text` (RFC 3629); 0 if there is no valid one.
std::size_t utf8_sequence(std::string_view text) {
  const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return 1;
  const std::size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  }
  const bool overlong = (byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xF0 && byte(1) < 0x90);
  const bool surrogate = byte(0) == 0xED && byte(1) > 0x9F;
  const bool beyond_unicode = byte(0) == 0xF4 && byte(1) > 0x8F;
  return overlong || surrogate || beyond_unicode ? 0 : length;
}

void require_text(std::string_view text, const std::string& file_name) {
  SourcePosition where{file_name, 1, 1, ""};
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_sequence(text.substr(i));
    if (text[i] == '\0') {
      throw InputError("the file is binary: it contains a zero byte", where,
                       "a study is a TOML file in plain text, saved as UTF-8");
    }
    if (length == 0) {
      throw InputError("the file is not valid UTF-8 text", where, "save the file as UTF-8");
    }
    where.column = text[i] == '\n' ? 1 : where.column + 1;
    where.line += text[i] == '\n' ? 1 : 0;
    i += length;
  }
}

/// A remedy for the commonest mistakes, from the words of the parser's message and the line.
std::string remedy_for(std::string_view problem, const std::string& line) {
  const auto says = [&problem](const char* words) {
    return problem.find(words) != std::string_view::npos;
  };
  if (says("redefine") || says("already defined")) {
    return "give each key and each table once; if there are several tables of one name, write "
           "[[name]] above each";
  }
  if (says("inline table") && says("'\\n'"))
    return "write { ... } on one line; write a longer table below a line [[name]], such as "
           "[[stage.measure]]";
  if (says("unterminated") || says("end of line") || says("end-of-file") ||
      says("control characters")) {
    return "close every quote and bracket";
  }
  if (line.find('=') == std::string::npos) return "write key = value, or [table]";
  return "write text, and a number with its unit, in quotes: name = \"text\", J = \"4.5 meV\"";
}

[[noreturn]] void refuse_syntax(const toml::parse_error& error, const Source& source) {
  const SourcePosition where = mark(source, error.source()).position();
  const std::string problem(error.description());
  throw InputError("this is not TOML: " + problem, where, remedy_for(problem, where.line_text));
}

Value convert(const toml::node& node, const Source& source);

Value convert_table(const toml::table& table, const Source& source) {
  // toml++ sorts keys by name. The order of the file follows from the positions of the keys.
  struct Item {
    const toml::key* key;
    const toml::node* node;
  };
  std::vector<Item> items;
  for (auto it = table.cbegin(); it != table.cend(); ++it)
    items.push_back({&it->first, &it->second});
  std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
    return a.key->source().begin < b.key->source().begin;
  });
  Value::Table entries;
  entries.reserve(items.size());
  for (const auto& item : items) {
    entries.push_back({std::string(item.key->str()), convert(*item.node, source),
                       mark(source, item.key->source())});
  }
  return Value(std::move(entries));
}

Value convert_array(const toml::array& array, const Source& source) {
  Value::Array values;
  values.reserve(array.size());
  for (const auto& element : array) values.push_back(convert(element, source));
  return Value(std::move(values));
}

Value convert_untracked(const toml::node& node, const Source& source) {
  switch (node.type()) {
    case toml::node_type::table:
      return convert_table(*node.as_table(), source);
    case toml::node_type::array:
      return convert_array(*node.as_array(), source);
    case toml::node_type::string:
      return Value(node.as_string()->get());
    case toml::node_type::integer:
      return Value(node.as_integer()->get());
    case toml::node_type::floating_point:
      return Value(node.as_floating_point()->get());
    case toml::node_type::boolean:
      return Value(node.as_boolean()->get());
    default:
      throw InputError("dates and times are not used here", mark(source, node.source()).position(),
                       "put the value in quotes if it is text");
  }
}

Value convert(const toml::node& node, const Source& source) {
  Value value = convert_untracked(node, source);
  value.mark(mark(source, node.source()));
  return value;
}

}  // namespace

std::string read_text(const std::string& path) {
  constexpr std::size_t largest = std::size_t{64} << 20U;
  std::ifstream file = open_input(path);
  std::string text;
  std::array<char, 65536> buffer{};
  while (file.read(buffer.data(), buffer.size()), file.gcount() > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(file.gcount()));
    if (text.starts_with(hdf5_signature)) {
      throw InputError(
          "'" + path + "' is a results file (HDF5), not a study",
          "`larmor show " + shell_word(path) + "` prints it, `larmor resume " + shell_word(path) +
              "` continues a run that was interrupted; the dataset /study/text holds the study");
    }
    if (text.size() > largest) {
      throw InputError("'" + path + "' is larger than 64 MiB, too large for a study",
                       "write long tables of couplings into separate files");
    }
  }
  if (file.bad()) {
    throw MachineError("cannot read '" + path + "': " + std::generic_category().message(errno));
  }
  return text;
}

Value read_toml(const std::string& path) { return parse_toml(read_text(path), path); }

namespace {

Value parse(std::string_view text, const Source& source) {
  try {
    const toml::table document = toml::parse(text);
    Value root = convert_table(document, source);
    root.mark({source, 0, 0});
    if (root.as_table().empty()) {
      throw InputError("the file is empty", root.where(),
                       "`larmor new` writes a study to start from");
    }
    return root;
  } catch (const toml::parse_error& error) {
    refuse_syntax(error, source);
  } catch (const ParserAssertion&) {
    throw InputError("the file is not valid TOML", SourcePosition{source->file, 0, 0, ""},
                     "look for stray characters at the starts of lines");
  }
}

/// The end of the string that begins here.
std::size_t end_of_string(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  const std::string three(3, quote);
  const bool is_long = text.substr(begin).starts_with(three);
  for (std::size_t i = begin + (is_long ? 3 : 1); i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\')
      ++i;
    else if (is_long ? text.substr(i).starts_with(three) : text[i] == quote || text[i] == '\n')
      return i + (is_long ? 3 : 1);
  }
  return text.size();
}

/// The parser is recursive in the names of a key: too many would overflow the stack.
void require_short_keys(std::string_view text, const std::string& file_name) {
  constexpr int most_dots = 100;
  int dots = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      i = end_of_string(text, i);
      continue;
    }
    if (c == '#') i = std::min(text.find('\n', i), text.size());
    if (i < text.size() && std::string_view("\n=,[]{}").find(text[i]) != std::string_view::npos)
      dots = 0;
    if (c == '.' && ++dots > most_dots) {
      const auto line = static_cast<int>(
          1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(i), '\n'));
      throw InputError("a key has more than " + std::to_string(most_dots) + " dots",
                       SourcePosition{file_name, line, 1, ""}, "use fewer nested tables");
    }
    ++i;
  }
}

}  // namespace

Value parse_toml(std::string_view text, std::string file_name) {
  require_text(text, file_name);
  require_short_keys(text, file_name);
  return parse(text, split_lines(text, std::move(file_name)));
}

Value parse_toml_shown_as(std::string_view line, std::string file_name, std::string shown) {
  require_text(line, file_name);
  require_short_keys(line, file_name);
  auto source = std::make_shared<SourceText>();
  source->file = std::move(file_name);
  source->lines = {std::move(shown)};
  return parse(line, source);
}

}  // namespace larmor::io
