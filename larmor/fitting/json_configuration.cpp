#include "larmor/fitting/json_configuration.hpp"

#include <cmath>
#include <map>
#include <set>

#include "larmor/io/files/json.hpp"
#include "larmor/io/files/toml.hpp"
#include "larmor/io/structures/atom_values.hpp"

namespace larmor::fitting {
namespace {

/// The text without its first line, if this line is a comment. Lines keep their numbers.
std::string without_first_comment(std::string text) {
  if (text.starts_with('{')) return text;
  const std::size_t end = std::min(text.find('\n'), text.size());
  return std::string(end, ' ') + text.substr(end);
}

const Value& require(const Value& table, const std::string& key) {
  if (const Value* found = table.find(key)) return *found;
  throw InputError("the configuration has no " + key, table.where(),
                   "write \"" + key + "\" and its value");
}

Vec3<double> vector_of(const Value& value) {
  const Value::Array& numbers = value.as_array();
  if (numbers.size() != 3)
    throw InputError("the vector has " + std::to_string(numbers.size()) + " of 3 numbers",
                     value.where(), "write three numbers");
  return {numbers[0].as_number(), numbers[1].as_number(), numbers[2].as_number()};
}

std::vector<Vec3<double>> vectors_of(const Value& value, std::size_t count) {
  std::vector<Vec3<double>> vectors;
  for (const Value& each : value.as_array()) vectors.push_back(vector_of(each));
  if (vectors.size() != count)
    throw InputError("the list has " + std::to_string(vectors.size()) + " of " +
                         std::to_string(count) + " vectors",
                     value.where(), "write a vector for each");
  return vectors;
}

/// Refuses units that differ from those of this reader.
void check_styles(const Value& table) {
  const std::map<std::string, std::set<std::string>> known{
      {"EnergyStyle", {"electronvolt", "eV"}},
      {"StressStyle", {"bar"}},
      {"LatticeStyle", {"angstrom"}},
      {"PositionsStyle", {"angstrom"}},
      {"ForcesStyle", {"electronvoltperangstrom", "eV/angstrom"}},
      {"AtomTypeStyle", {"chemicalsymbol"}}};
  for (const auto& [key, words] : known) {
    const Value* style = table.find(key);
    if (style == nullptr || words.contains(style->as_string())) continue;
    throw InputError(key + " is '" + style->as_string() + "'", style->where(),
                     "convert the numbers, and write " + *words.begin());
  }
}

}  // namespace

Configuration read_json_configuration(const std::string& path) {
  const Value document = io::parse_json(without_first_comment(io::read_text(path)), path);
  const Value& dataset = require(document, "Dataset");
  const Value& list = require(dataset, "Data");
  if (list.as_array().size() != 1)
    throw InputError("the file has " + std::to_string(list.as_array().size()) + " configurations",
                     list.where(), "write each configuration into its own file");
  const Value& data = list.as_array().front();
  check_styles(dataset);
  check_styles(data);
  Configuration found;
  io::AtomFrame& frame = found.frame;
  frame.where = data.where();
  const Value& cell = require(data, "Lattice");
  frame.where_box = cell.where();
  const std::vector<Vec3<double>> vectors = vectors_of(cell, 3);
  frame.atoms.cell = std::array{vectors[0], vectors[1], vectors[2]};
  frame.atoms.box = io::checked_box(frame.atoms.cell, {true, true, true}, frame.where_box);
  const Value::Array& types = require(data, "AtomTypes").as_array();
  const Value& positions = require(data, "Positions");
  frame.atoms.positions = vectors_of(positions, types.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    frame.atoms.types.push_back(frame.atoms.type_of(types[i].as_string()));
    frame.line.push_back(positions.as_array()[i].where().line);
  }
  if (const Value* energy = data.find("Energy")) found.energy = energy->as_number();
  if (const Value* forces = data.find("Forces")) found.forces = vectors_of(*forces, types.size());
  if (const Value* stress = data.find("Stress")) {
    const std::vector<Vec3<double>> s = vectors_of(*stress, 3);
    found.stress = {s[0].x, s[1].y, s[2].z, s[0].y, s[0].z, s[1].z};
  }
  return found;
}

}  // namespace larmor::fitting
