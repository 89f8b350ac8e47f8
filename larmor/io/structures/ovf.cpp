#include "larmor/io/structures/ovf.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <system_error>

#include "larmor/io/files/input_file.hpp"
#include "larmor/io/files/text_rows.hpp"

namespace larmor::io {
namespace {

using lattice::Geometry;

static_assert(std::endian::native == std::endian::little, "OVF 2.0 numbers are little-endian");

// The first number of a binary block is a check value, by which readers detect damaged bytes.
constexpr float check_value_4 = 1234567.0F;
constexpr double check_value_8 = 123456789012345.0;

constexpr std::array<char, 3> axes{'x', 'y', 'z'};

std::array<double, 3> components(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

/// The steps of a rectangular mesh that has the sites as nodes, in canonical order. Nothing for
/// other lattices.
std::optional<Vec3<double>> rectangular_steps(const Geometry& geometry) {
  if (!geometry.is_lattice() || geometry.crystal.basis.size() != 1) return std::nullopt;
  const auto& [a, b, c] = geometry.crystal.cell;
  const bool along_axes = a.y == 0 && a.z == 0 && b.x == 0 && b.z == 0 && c.x == 0 && c.y == 0;
  if (!along_axes || a.x <= 0 || b.y <= 0 || c.z <= 0) return std::nullopt;
  return Vec3<double>{a.x, b.y, c.z};
}

struct Box {
  Vec3<double> low, high;
};

/// The box around all nodes. On a rectangular mesh it is half a step wider on each side.
Box bounding_box(const Geometry& geometry, const std::optional<Vec3<double>>& steps) {
  Box box{geometry.position(0), geometry.position(0)};
  for (Index site = 0; site < geometry.sites(); ++site) {
    const Vec3<double> r = geometry.position(site);
    box.low = {std::min(box.low.x, r.x), std::min(box.low.y, r.y), std::min(box.low.z, r.z)};
    box.high = {std::max(box.high.x, r.x), std::max(box.high.y, r.y), std::max(box.high.z, r.z)};
  }
  if (!steps) return box;
  return {box.low - 0.5 * *steps, box.high + 0.5 * *steps};
}

/// Free text as one line, without control characters and ##: control characters would end the line,
/// and ## would begin a comment.
std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20U) c = ' ';
  for (std::size_t at = text.find("##"); at != std::string::npos; at = text.find("##", at))
    text.erase(at, 1);
  return text;
}

class HeaderText {
 public:
  void line(const std::string& key, const std::string& value) {
    text_ += "# " + key + ": " + value + "\n";
  }
  void number(const std::string& key, double value) {
    std::string digits;
    append_number(digits, value);
    line(key, digits);
  }
  /// Writes one line per axis: xmin, ymin, zmin.
  void vector(const std::string& key, const Vec3<double>& v) {
    for (std::size_t d = 0; d < 3; ++d) number(axes[d] + key, components(v)[d]);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_ = "# OOMMF OVF 2.0\n";
};

std::string header(const Geometry& geometry, const OvfOptions& options,
                   const std::optional<Vec3<double>>& steps) {
  const bool material = options.units == UnitSystem::material;
  HeaderText text;
  text.line("Segment count", "1");
  text.line("Begin", "Segment");
  text.line("Begin", "Header");
  text.line("Title", options.title.empty() ? "spins" : one_line(options.title));
  if (options.time) {
    std::string words = "Total simulation time: ";
    append_number(words, *options.time);
    text.line("Desc", words + (material ? " ps" : ""));
  }
  // Labels are lists of words without blanks, in ASCII for old readers.
  text.line("meshunit", material ? "Angstrom" : "1");
  text.line("meshtype", steps ? "rectangular" : "irregular");
  const Box box = bounding_box(geometry, steps);
  text.vector("min", box.low);
  text.vector("max", box.high);
  text.line("valuedim", "3");
  text.line("valuelabels", options.moments ? "moment_x moment_y moment_z" : "spin_x spin_y spin_z");
  const std::string unit = material && options.moments ? "mu_B" : "1";
  text.line("valueunits", unit + " " + unit + " " + unit);
  if (steps) {
    text.vector("base", geometry.position(0));
    text.vector("stepsize", *steps);
    for (std::size_t d = 0; d < 3; ++d)
      text.line(axes[d] + std::string("nodes"), std::to_string(geometry.size[d]));
  } else {
    text.line("pointcount", std::to_string(geometry.sites()));
  }
  text.line("End", "Header");
  return text.text();
}

void append_bytes(std::string& bytes, const Vec3<double>& v) {
  const std::array<double, 3> numbers = components(v);
  bytes.append(std::bit_cast<std::array<char, sizeof numbers>>(numbers).data(), sizeof numbers);
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

/// The text without blanks and in lower case: keys are compared in this form.
std::string squeezed(std::string_view text) {
  std::string result = lower(text);
  std::erase_if(result, [](char c) { return c == ' ' || c == '\t'; });
  return result;
}

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t") + 1 - begin));
}

struct HeaderEntry {
  std::string value;
  SourcePosition where;
};

class OvfReader {
 public:
  explicit OvfReader(const std::string& path)
      : path_(path), file_(open_input(path)), row_(path, 0, "") {}

  OvfField read() {
    if (!next_line() || !squeezed(row_.text()).starts_with("#oommf"))
      throw InputError("the file does not begin with '# OOMMF OVF 2.0'", here(),
                       "name a vector field file of OOMMF");
    if (squeezed(row_.text()) != "#oommfovf2.0")
      throw InputError("the file has another version of OVF", here(),
                       "convert it to OVF 2.0, for instance with avf2ovf of OOMMF");
    const std::string data = read_header();
    OvfField field = mesh();
    const Index count = field.nodes[0] * field.nodes[1] * field.nodes[2];
    if (data == "datatext") {
      read_text(count, field.values);
    } else if (data == "databinary8") {
      read_binary<double>(count, check_value_8, field.values);
    } else if (data == "databinary4") {
      read_binary<float>(count, check_value_4, field.values);
    } else {
      throw InputError("the data are neither text nor binary 4 nor binary 8", here(),
                       "write '# Begin: data text', or binary 4 or 8");
    }
    require_end(data);
    return field;
  }

 private:
  bool next_line() {
    std::string text;
    if (!std::getline(file_, text)) {
      if (file_.bad())
        throw MachineError("cannot read '" + path_ +
                           "': " + std::generic_category().message(errno));
      ++lines_;
      row_ = TextRow(path_, lines_, "");
      return false;
    }
    ++lines_;
    if (!text.empty() && text.back() == '\r') text.pop_back();
    row_ = TextRow(path_, lines_, std::move(text));
    return true;
  }

  SourcePosition here() const { return row_.position(0); }

  struct KeyValue {
    std::string key;
    HeaderEntry entry;
  };

  /// The key and value of the current line, "# key: value ## comment"; nothing for comments and
  /// empty lines.
  std::optional<KeyValue> key_value() const {
    const std::string& text = row_.text();
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string::npos) return std::nullopt;
    if (text[begin] != '#')
      throw InputError("the line does not begin with #", here(),
                       "lines of the header are '# key: value'");
    const std::size_t end = std::min(text.find("##", begin), text.size());
    const std::size_t colon = text.find(':', begin);
    if (colon == std::string::npos || colon >= end) return std::nullopt;
    const std::string key = squeezed(std::string_view(text).substr(begin + 1, colon - begin - 1));
    const std::string value = trimmed(std::string_view(text).substr(colon + 1, end - colon - 1));
    const std::size_t at = std::min(text.find_first_not_of(" \t", colon + 1), text.size());
    return KeyValue{key, {value, row_.position_of_byte(at)}};
  }

  /// Reads up to the line that begins the data. @returns the kind of the data: "datatext",
  /// "databinary8"
  std::string read_header() {
    while (next_line()) {
      const auto line = key_value();
      if (!line) continue;
      const std::string block = squeezed(line->entry.value);
      if (line->key == "begin" && block.starts_with("data")) return block;
      if (line->key == "segmentcount" && block != "1")
        throw InputError("the file has " + line->entry.value + " segments", line->entry.where,
                         "name a file with only one segment");
      // These keys may be repeated. The reader does not use them.
      if (line->key == "begin" || line->key == "end" || line->key == "desc") continue;
      if (!header_.emplace(line->key, line->entry).second)
        throw InputError(line->key + " is given twice", line->entry.where,
                         "keep one of the two lines");
    }
    throw InputError("the file ends before its data", here(), "the file is cut short");
  }

  const HeaderEntry& require(const std::string& key) const {
    const auto found = header_.find(key);
    if (found != header_.end()) return found->second;
    throw InputError("the header lacks " + key, here(), "write '# " + key + ": ..' into it");
  }

  std::string optional_text(const std::string& key) const {
    const auto found = header_.find(key);
    return found == header_.end() ? "" : found->second.value;
  }

  double number(const std::string& key) const {
    const HeaderEntry& entry = require(key);
    return parse_real(entry.value, key, entry.where);
  }

  Index positive_integer(const std::string& key) const {
    const HeaderEntry& entry = require(key);
    const double value = parse_real(entry.value, key, entry.where);
    constexpr double most = std::numeric_limits<std::int32_t>::max();
    if (value < 1 || value > most || value != std::floor(value))
      throw InputError(key + " is " + entry.value + ", not a whole number of one or more",
                       entry.where, "write a number from 1 to 2147483647");
    return static_cast<Index>(value);
  }

  Vec3<double> vector(const std::string& key) const {
    return {number("x" + key), number("y" + key), number("z" + key)};
  }

  OvfField mesh() const {
    const HeaderEntry& type = require("meshtype");
    if (squeezed(type.value) != "rectangular")
      throw InputError("the mesh is " + type.value + ", not rectangular", type.where,
                       "only rectangular meshes can be read");
    if (positive_integer("valuedim") != 3)
      throw InputError("the values are not vectors of three components", require("valuedim").where,
                       "name a file with valuedim 3");
    if (const auto factor = header_.find("valuemultiplier"); factor != header_.end())
      throw InputError("OVF 2.0 does not have a valuemultiplier", factor->second.where,
                       "multiply the values by this number, and remove the key");
    OvfField field;
    field.title = optional_text("title");
    field.mesh_unit = optional_text("meshunit");
    field.value_units = optional_text("valueunits");
    field.base = vector("base");
    field.step = vector("stepsize");
    field.nodes = {positive_integer("xnodes"), positive_integer("ynodes"),
                   positive_integer("znodes")};
    constexpr Index most = std::numeric_limits<std::int32_t>::max();
    if (field.nodes[0] > most / field.nodes[1] ||
        field.nodes[0] * field.nodes[1] > most / field.nodes[2])
      throw InputError("the mesh has more than 2^31 - 1 nodes", require("xnodes").where,
                       "make the mesh smaller");
    return field;
  }

  /// Number of columns in the current line, before a comment.
  std::size_t columns_of_data() const {
    std::size_t count = 0;
    while (count < row_.columns() && row_.word(count)[0] != '#') ++count;
    return count;
  }

  void read_text(Index count, std::vector<Vec3<double>>& values) {
    std::array<double, 3> v{};
    std::size_t component = 0;
    while (static_cast<Index>(values.size()) < count) {
      if (!next_line() || (data_end_here() && columns_of_data() == 0))
        throw InputError("the data end after " + std::to_string(values.size()) + " of " +
                             std::to_string(count) + " values",
                         here(), "check the numbers of nodes");
      for (std::size_t i = 0; i < columns_of_data(); ++i) {
        if (static_cast<Index>(values.size()) == count)
          throw InputError("there are more than " + std::to_string(count) + " values",
                           row_.position(i), "check the numbers of nodes");
        v[component] = row_.real(i, std::string("the component ") + axes[component]);
        component = (component + 1) % 3;
        if (component == 0) values.push_back({v[0], v[1], v[2]});
      }
    }
  }

  bool data_end_here() const { return squeezed(row_.text()).starts_with("#end:"); }

  template <class Real>
  void read_binary(Index count, Real check_value, std::vector<Vec3<double>>& values) {
    const auto begin = file_.tellg();
    file_.seekg(0, std::ios::end);
    const auto available = static_cast<std::uint64_t>(file_.tellg() - begin);
    file_.seekg(begin);
    const std::uint64_t needed = (1 + 3 * static_cast<std::uint64_t>(count)) * sizeof(Real);
    if (available < needed)
      throw InputError(
          "the data have " + std::to_string(available) + " bytes of " + std::to_string(needed),
          here(), "the file is cut short, or the numbers of nodes are wrong");
    if (read_numbers<Real>(1)[0] != check_value)
      throw InputError("the binary data do not begin with the check value of OVF 2.0", here(),
                       "the file is damaged, or its bytes are in another order");
    values.reserve(static_cast<std::size_t>(count));
    constexpr Index block = 65536;
    for (Index done = 0; done < count; done += block) {
      const Index now = std::min(block, count - done);
      const std::vector<Real> numbers = read_numbers<Real>(3 * now);
      for (std::size_t i = 0; i < numbers.size(); i += 3)
        values.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
    }
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!std::isfinite(values[i].x + values[i].y + values[i].z))
        throw InputError("the value of node " + std::to_string(i) + " is not finite", here(),
                         "write finite numbers");
  }

  template <class Real>
  std::vector<Real> read_numbers(Index count) {
    std::vector<Real> numbers(static_cast<std::size_t>(count));
    const auto bytes = static_cast<std::streamsize>(numbers.size() * sizeof(Real));
    if (!file_.read(reinterpret_cast<char*>(numbers.data()), bytes))
      throw MachineError("cannot read '" + path_ + "': " + std::generic_category().message(errno));
    return numbers;
  }

  /// Refuses data after the last node: the mesh in the header is then too small.
  void require_end(const std::string& data) {
    while (next_line()) {
      if (row_.columns() == 0) continue;
      if (squeezed(row_.text()).starts_with("#end:" + data)) return;
      if (row_.word(0)[0] != '#') break;
    }
    throw InputError("the data do not end with '# End: Data' after the last node", here(),
                     "check the numbers of nodes");
  }

  std::string path_;
  std::ifstream file_;
  int lines_ = 0;
  TextRow row_;
  std::map<std::string, HeaderEntry> header_;
};

}  // namespace

void write_ovf(const std::string& path, const Geometry& geometry,
               std::span<const Vec3<double>> spins, const OvfOptions& options, IfExists if_exists) {
  if (static_cast<Index>(spins.size()) != geometry.sites())
    throw InternalError("a configuration has " + std::to_string(spins.size()) + " spins for " +
                        std::to_string(geometry.sites()) + " sites");
  const std::optional<Vec3<double>> steps = rectangular_steps(geometry);
  const bool text = options.data == OvfData::text;
  const std::string data = text ? "Data Text" : "Data Binary 8";
  WholeFile file(path, if_exists);
  file.write(header(geometry, options, steps) + "# Begin: " + data + "\n");
  if (!text) {
    const auto check = std::bit_cast<std::array<char, sizeof check_value_8>>(check_value_8);
    file.write({check.data(), check.size()});
  }
  for (Index site = 0; site < geometry.sites(); ++site) {
    const double size = options.moments ? geometry.moment(site) : 1;
    const Vec3<double> value = size * spins[static_cast<std::size_t>(site)];
    std::string record;
    const auto append = [&](const Vec3<double>& v) {
      if (!text) return append_bytes(record, v);
      if (!record.empty()) record += ' ';
      append_vector(record, v);
    };
    if (!steps) append(geometry.position(site));
    append(value);
    if (text) record += '\n';
    file.write(record);
  }
  file.write((text ? "" : "\n") + ("# End: " + data) + "\n# End: Segment\n");
  file.finish();
}

OvfField read_ovf(const std::string& path) { return OvfReader(path).read(); }

}  // namespace larmor::io
