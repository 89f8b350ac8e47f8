// larmor explain: what the keys of a study mean, from the same tables that read them.

#include <fmt/core.h>

#include "cli/commands.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/suggest.hpp"
#include "larmor/study/stages/stages.hpp"
#include "larmor/study/study.hpp"

namespace larmor::cli {
namespace {

std::string unit_words(Dimension dimension) {
  if (dimension == Dimension::none) return "";
  return fmt::format(", {} (material units: {}, for instance \"1 {}\")", dimension_name(dimension),
                     inner_unit(dimension, UnitSystem::material), usual_unit(dimension));
}

void print_key(const FieldInfo& key, const std::string& indent) {
  const std::string given = key.required               ? "required"
                            : key.default_text.empty() ? "optional"
                                                       : "default " + key.default_text;
  fmt::print("{}{}: {}{}; {}\n", indent, key.key, key.type, unit_words(key.dimension), given);
  fmt::print("{}    {}\n", indent, key.doc);
  if (!key.choices.empty()) fmt::print("{}    one of: {}\n", indent, comma_list(key.choices));
  if (!key.limits.empty()) fmt::print("{}    {}\n", indent, comma_list(key.limits));
}

void print_table(const study::TableInfo& table) {
  fmt::print("{}: {}\n\n", table.name, table.doc);
  for (const FieldInfo& key : table.keys) print_key(key, "  ");
}

const FieldInfo* find_key(const std::vector<FieldInfo>& keys, const std::string& name) {
  for (const FieldInfo& key : keys)
    if (key.key == name) return &key;
  return nullptr;
}

std::vector<std::string> everything() {
  std::vector<std::string> names;
  for (const study::TableInfo& table : study::describe_study()) {
    names.push_back(table.name);
    for (const FieldInfo& key : table.keys) names.push_back(table.name + "." + key.key);
  }
  return names;
}

/// `table.key`, or `table.key.key`.
bool print_dotted(const std::string& name) {
  for (const study::TableInfo& table : study::describe_study()) {
    if (name.rfind(table.name + ".", 0) != 0) continue;
    std::string rest = name.substr(table.name.size() + 1);
    const std::vector<FieldInfo>* keys = &table.keys;
    while (true) {
      const std::size_t dot = rest.find('.');
      const FieldInfo* key = find_key(*keys, rest.substr(0, dot));
      if (key == nullptr) break;
      if (dot == std::string::npos) {
        print_key(*key, "");
        for (const FieldInfo& child : key->children) print_key(child, "  ");
        return true;
      }
      keys = &key->children;
      rest = rest.substr(dot + 1);
    }
  }
  return false;
}

bool print_everywhere(const std::string& name) {
  bool found = false;
  for (const study::TableInfo& table : study::describe_study()) {
    if (const FieldInfo* key = find_key(table.keys, name)) {
      fmt::print("in {}:\n", table.name);
      print_key(*key, "  ");
      found = true;
    }
  }
  return found;
}

}  // namespace

int explain(const std::string& key) {
  if (key.empty()) {
    fmt::print("Tables of a study (larmor explain TABLE, larmor explain TABLE.KEY):\n\n");
    for (const study::TableInfo& table : study::describe_study())
      fmt::print("  {:<12} {}\n", table.name, table.doc);
    return 0;
  }
  if (key == "stages") {
    fmt::print("Kinds of stage (kind = \"...\" in a [[stage]] table):\n\n");
    for (const study::TableInfo& table : study::describe_stages())
      fmt::print("  {:<12} {}\n", table.name, table.doc);
    return 0;
  }
  for (const study::TableInfo& table : study::describe_study()) {
    if (table.name == key) {
      print_table(table);
      return 0;
    }
  }
  if (print_dotted(key) || print_everywhere(key)) return 0;
  const std::string hint = did_you_mean(key, everything());
  throw InputError("nothing is called '" + key + "'",
                   hint.empty() ? "`larmor explain` lists the tables" : hint);
}

}  // namespace larmor::cli
