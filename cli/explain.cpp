// larmor explain: prints the meaning of names in a study, from the tables that parse them.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <set>

#include "cli/commands.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/input/suggest.hpp"
#include "larmor/core/text.hpp"
#include "larmor/fitting/toml_input.hpp"
#include "larmor/lattice/crystal.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/model_kind/model_kind.hpp"
#include "larmor_version.hpp"

namespace larmor::cli {
namespace {

constexpr Dimension dimensions[] = {
    Dimension::energy,      Dimension::length,         Dimension::time,
    Dimension::temperature, Dimension::magnetic_field, Dimension::magnetic_moment,
    Dimension::frequency,   Dimension::angle,          Dimension::velocity,
    Dimension::mass,        Dimension::force,          Dimension::pressure};

std::string unit_text(Dimension dimension) {
  if (dimension == Dimension::none) return "";
  return fmt::format(", {} (material units: {}, for instance \"1 {}\")", dimension_name(dimension),
                     inner_unit(dimension, UnitSystem::material), usual_unit(dimension));
}

void print_key(const FieldInfo& key, const std::string& indent) {
  const std::string given = key.required               ? "required"
                            : key.default_text.empty() ? "optional"
                                                       : "default " + key.default_text;
  fmt::print("{}{}: {}{}; {}\n", indent, key.key, key.type, unit_text(key.dimension), given);
  fmt::print("{}    {}\n", indent, key.doc);
  if (!key.kinds.empty()) fmt::print("{}    key of {}\n", indent, comma_list(key.kinds));
  if (!key.choices.empty()) fmt::print("{}    one of: {}\n", indent, comma_list(key.choices));
  for (std::size_t n = 0; n < key.choice_docs.size(); ++n)
    fmt::print("{}      {}: {}\n", indent, key.choices[n], key.choice_docs[n]);
  if (!key.limits.empty()) fmt::print("{}    {}\n", indent, comma_list(key.limits));
}

void print_table(const study::TableInfo& table) {
  fmt::print("{}: {}\n\n", table.full_name(), table.doc);
  for (const FieldInfo& key : table.keys) print_key(key, "  ");
}

void print_units() {
  fmt::print(
      "Units of material studies, with other spellings in brackets. Energies, temperatures (k_B "
      "T)\n"
      "and frequencies (h nu) are equivalent.\n"
      "\n");
  for (const Dimension dimension : dimensions) {
    std::vector<std::string> names;
    for (const UnitSpellings& spellings : units_of(dimension)) {
      const std::vector<std::string> others(spellings.begin() + 1, spellings.end());
      names.push_back(spellings[0] + (others.empty() ? "" : " (" + comma_list(others) + ")"));
    }
    fmt::print("  {}: {}\n", dimension_name(dimension), comma_list(names));
  }
}

/// @return whether `name` is a unit
bool print_unit(const std::string& name) {
  bool found = false;
  for (const Dimension dimension : dimensions)
    for (const UnitSpellings& spellings : units_of(dimension)) {
      if (std::find(spellings.begin(), spellings.end(), name) == spellings.end()) continue;
      const std::string same = spellings[0] == name ? "" : ", the same as " + spellings[0];
      fmt::print(
          "{} is a unit of {} of material studies{}. Write its values as texts, for instance \"1 "
          "{}\".\n"
          "    `larmor explain units` lists all units.\n",
          name, dimension_name(dimension), same, name);
      found = true;
    }
  return found;
}

/// Prints the lattices that have a wave vector of this name. @return whether there is one
bool print_wave_vector(const std::string& name) {
  std::string lattices;
  for (const std::string& type : lattice::crystal_names()) {
    const lattice::Crystal crystal = lattice::named_crystal(type, 1);
    if (const auto q = lattice::find_named_wave_vector(crystal, name))
      lattices += fmt::format("    {}: [{:.4g}, {:.4g}, {:.4g}]\n", type, q->x, q->y, q->z);
  }
  if (lattices.empty()) return false;
  fmt::print("{} is a wave vector of the lattices below, in reciprocal-lattice units\n{}", name,
             lattices);
  return true;
}

/// A key and its position in the tables.
struct Place {
  std::vector<std::string> path;  ///< names: the table, the keys that lead to `key`, and `key`
  const FieldInfo& key;
  const std::vector<FieldInfo>& siblings;  ///< all keys of its table
  const study::TableInfo& table;
  bool of_stage;

  /// Name with which a user may ask for this key.
  std::string name() const {
    std::string words;
    for (const std::string& part : path) words += (words.empty() ? "" : ".") + part;
    return words;
  }
  /// Compares path and key, and ignores the model kind.
  bool is_same(const Place& other) const { return path == other.path && key == other.key; }
  /// Returns true if the path ends with `names`.
  bool ends_with(const std::vector<std::string>& names) const {
    if (names.size() > path.size()) return false;
    if (std::equal(names.rbegin(), names.rend(), path.rbegin())) return true;
    // Studies write `stage` for the table of a stage of any kind.
    return of_stage && names.size() == path.size() && names.front() == "stage" &&
           path.back() != "kind" && std::equal(names.begin() + 1, names.end(), path.begin() + 1);
  }
};

using Visit = std::function<void(const Place&)>;

void visit_keys(const study::TableInfo& table, const std::vector<std::string>& leading,
                const std::vector<FieldInfo>& keys, bool of_stage,
                const std::set<std::string>& told_elsewhere, const Visit& visit) {
  for (const FieldInfo& key : keys) {
    std::vector<std::string> path = leading;
    path.push_back(key.key);
    visit({path, key, keys, table, of_stage});
    if (told_elsewhere.contains(key.key)) continue;
    visit_keys(table, path, key.children, of_stage, {}, visit);
  }
}

bool is_stage(const std::string& table) {
  static const std::vector<study::TableInfo> stages = study::describe_stages();
  return std::any_of(stages.begin(), stages.end(),
                     [&](const study::TableInfo& stage) { return stage.name == table; });
}

void visit_all_places(const std::vector<study::TableInfo>& tables, const Visit& visit) {
  // A top-level table is also the value of a key of the study. Its keys are visited only once.
  std::set<std::string> names;
  for (const study::TableInfo& table : tables) names.insert(table.name);
  for (const study::TableInfo& table : tables)
    visit_keys(table, {table.name}, table.keys, is_stage(table.name),
               table.name == "study" ? names : std::set<std::string>{}, visit);
}

/// The names in a text in which dots join names. Numbers of entries of lists are left out.
std::vector<std::string> parts_of(const std::string& name) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    const std::string part = name.substr(begin, end - begin);
    if (part.find_first_not_of("0123456789") != std::string::npos) parts.push_back(part);
    begin = end + 1;
  }
  // A table of a study is described by its own name, so a leading "study" is left out.
  if (parts.size() > 2 && parts.front() == "study") parts.erase(parts.begin());
  return parts;
}

/// The places that satisfy `wanted`. A place that several model kinds share occurs once.
std::vector<Place> places(const std::vector<study::TableInfo>& tables,
                          const std::function<bool(const Place&)>& wanted) {
  std::vector<Place> found;
  visit_all_places(tables, [&](const Place& place) {
    const auto known = [&](const Place& other) { return place.is_same(other); };
    if (wanted(place) && std::none_of(found.begin(), found.end(), known)) found.push_back(place);
  });
  return found;
}

/// The name of a place, with its model kind if another kind has a different key of this name.
std::string full_name(const Place& place, const std::vector<Place>& all) {
  const auto differs = [&](const Place& other) {
    return place.path == other.path && !place.is_same(other);
  };
  const bool is_ambiguous = std::any_of(all.begin(), all.end(), differs);
  return place.name() + (is_ambiguous ? place.table.model_kind_text() : "");
}

/// Prints the keys of this name. @return whether there is one
bool print_keys(const std::vector<study::TableInfo>& tables, const std::string& name) {
  const std::vector<std::string> parts = parts_of(name);
  if (parts.empty()) return false;
  const std::vector<Place> found =
      places(tables, [&](const Place& place) { return place.ends_with(parts); });
  for (const Place& place : found) {
    fmt::print("{}{}:\n", &place == &found.front() ? "" : "\n", full_name(place, found));
    print_key(place.key, "  ");
    for (const FieldInfo& child : place.key.children) print_key(child, "    ");
  }
  return !found.empty();
}

/// Prints the keys that take `name` as a value, and the keys that a study may give together with
/// this value. @return whether any key takes it
bool print_values(const std::vector<study::TableInfo>& tables, const std::string& name) {
  const auto choice_of = [&](const Place& place) {
    return std::find(place.key.choices.begin(), place.key.choices.end(), name);
  };
  const std::vector<Place> found = places(tables, [&](const Place& place) {
    // The table of a stage describes a kind of stage, so `kind` is left out here.
    return choice_of(place) != place.key.choices.end() &&
           !(place.path.back() == "kind" && is_stage(name));
  });
  for (const Place& place : found) {
    const std::vector<std::string>& docs = place.key.choice_docs;
    const auto choice = static_cast<std::size_t>(choice_of(place) - place.key.choices.begin());
    fmt::print("{}\"{}\" is a value of {}: {}\n", &place == &found.front() ? "" : "\n", name,
               full_name(place, found), docs.empty() ? place.key.doc : docs[choice]);
    // If the key takes a list of names or of tables, its children are the keys of a table of the
    // list.
    const std::vector<FieldInfo>& others =
        place.key.children.empty() ? place.siblings : place.key.children;
    const bool tells = std::any_of(others.begin(), others.end(),
                                   [](const FieldInfo& key) { return key.selects_keys; });
    const bool is_kind = place.key.selects_keys || (tells && !place.key.children.empty());
    if (!is_kind) continue;
    std::vector<std::string> keys;
    for (const FieldInfo& key : others)
      if (!key.selects_keys && is_key_of(key, name)) keys.push_back(key.key);
    if (!keys.empty()) fmt::print("    keys with it: {}\n", comma_list(keys));
  }
  return !found.empty();
}

/// All names that a user may ask for, for the hint after an unknown name.
std::vector<std::string> everything(const std::vector<study::TableInfo>& tables) {
  std::set<std::string> names{"stages", "units"};
  for (const study::TableInfo& table : tables) names.insert(table.name);
  visit_all_places(tables, [&](const Place& place) {
    names.insert(place.path.back());
    names.insert(place.name());
    for (std::size_t first = 1; first + 1 < place.path.size(); ++first) {
      std::string words;
      for (std::size_t n = first; n < place.path.size(); ++n)
        words += (words.empty() ? "" : ".") + place.path[n];
      names.insert(words);
    }
    if (place.of_stage) {
      std::string words = "stage";
      for (std::size_t n = 1; n < place.path.size(); ++n) words += "." + place.path[n];
      names.insert(words);
    }
    names.insert(place.key.choices.begin(), place.key.choices.end());
  });
  for (const study::ModelKind* const kind : study::model_kinds()) names.insert(kind->name());
  return {names.begin(), names.end()};
}

/// @param named tables or kinds of stage
template <class Named>
std::vector<std::string> names_of(const std::vector<Named>& named) {
  std::vector<std::string> names;
  for (const Named& one : named) names.push_back(one.name);
  return names;
}

/// Prints a model kind with its tables and stages. @return whether `name` is a model kind
bool print_model_kind(const std::string& name) {
  for (const study::ModelKind* const kind : study::model_kinds()) {
    if (kind->name() != name) continue;
    fmt::print("\"{}\" is a value of model.kind: {}\n", name, kind->doc());
    fmt::print("  Studies of this kind have the tables {} and the stages {}.\n",
               comma_list(names_of(kind->tables())), comma_list(names_of(kind->stages())));
    return true;
  }
  return false;
}

/// Prints everything that has this name. @throws InputError if nothing has it
void explain_name(const std::vector<study::TableInfo>& tables, const std::string& name) {
  if (name == "units") {
    print_keys(tables, name);
    fmt::print("\n");
    print_units();
    return;
  }
  if (name == "stages") {
    fmt::print("Kinds of stage (kind = \"...\" in a [[stage]] table):\n\n");
    for (const study::TableInfo& table : study::describe_stages())
      fmt::print("  {:<12} {}\n", table.full_name(), table.doc);
    return;
  }
  bool found = false;
  for (const study::TableInfo& table : tables) {
    if (table.name != name) continue;
    if (found) fmt::print("\n");
    print_table(table);
    found = true;
  }
  // A table is also the value of a key of the study.
  if (!found) found = print_keys(tables, name);
  found = print_values(tables, name) || found;
  found = print_model_kind(name) || found;
  found = print_unit(name) || found;
  found = print_wave_vector(name) || found;
  if (found) return;
  const std::string hint = did_you_mean(name, everything(tables));
  throw InputError("nothing is called '" + name + "'",
                   hint.empty() ? "`larmor explain` lists the tables" : hint);
}

std::string json_list(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ",") + json_string(text);
  return "[" + list + "]";
}

std::string json_keys(const std::vector<FieldInfo>& keys) {
  std::string list;
  for (const FieldInfo& key : keys) {
    const bool has_unit = key.dimension != Dimension::none;
    list += fmt::format(
        R"({}{{"key":{},"type":{},"dimension":{},"unit":{},"required":{},"default":{},"doc":{},)"
        R"("kinds":{},"choices":{},"choice_docs":{},"limits":{},"selects_keys":{},"children":{}}})",
        list.empty() ? "" : ",", json_string(key.key), json_string(key.type),
        json_string(has_unit ? dimension_name(key.dimension) : ""),
        json_string(has_unit ? usual_unit(key.dimension) : ""), key.required,
        json_string(key.default_text), json_string(key.doc), json_list(key.kinds),
        json_list(key.choices), json_list(key.choice_docs), json_list(key.limits), key.selects_keys,
        json_keys(key.children));
  }
  return "[" + list + "]";
}

/// Is the value of this key of a study a list of tables?
bool is_list_of_tables(const std::string& name, const std::vector<FieldInfo>& keys_of_study) {
  const auto key = std::ranges::find(keys_of_study, name, &FieldInfo::key);
  return key != keys_of_study.end() && key->type.starts_with("list");
}

std::string json_tables(const std::vector<study::TableInfo>& tables,
                        const std::vector<FieldInfo>& keys_of_study) {
  std::string list;
  for (const study::TableInfo& table : tables)
    list += fmt::format(R"({}{{"name":{},"doc":{},"model_kinds":{},"array":{},"keys":{}}})",
                        list.empty() ? "\n" : ",\n", json_string(table.name),
                        json_string(table.doc), json_list(table.model_kinds),
                        is_list_of_tables(table.name, keys_of_study), json_keys(table.keys));
  return "[" + list + "]";
}

/// Prints all tables, for programs that write studies.
void print_json(const std::vector<study::TableInfo>& tables) {
  std::string kinds;
  for (const study::ModelKind* const kind : study::model_kinds()) {
    kinds += fmt::format(R"({}{{"name":{},"doc":{},"tables":{},"stages":{}}})",
                         kinds.empty() ? "\n" : ",\n", json_string(kind->name()),
                         json_string(kind->doc()), json_list(names_of(kind->tables())),
                         json_list(names_of(kind->stages())));
  }
  std::vector<study::TableInfo> others;
  for (const study::TableInfo& table : tables)
    if (!is_stage(table.name)) others.push_back(table);
  fmt::print("{{\"version\":{},\n\"model_kinds\":[{}],\n\"tables\":{},\n\"stages\":{}}}\n",
             json_string(version), kinds, json_tables(others, tables.front().keys),
             json_tables(study::describe_stages(), {}));
}

/// The tables of studies, and the input of `larmor fit` as one table.
std::vector<study::TableInfo> all_tables() {
  std::vector<study::TableInfo> tables = study::describe_study();
  tables.push_back({"fit", "input of `larmor fit`", fitting::toml_input_keys()});
  return tables;
}

struct Explain final : Command {
  std::vector<std::string> names;
  bool json = false;

  Explain()
      : Command("explain", "Explain a table, key or value of studies",
                "Examples:\n  larmor explain exchange.J\n  larmor explain stages\n"
                "  larmor explain dynamics.measure.every\n  larmor explain structure-factor\n"
                "  larmor explain units\n  larmor explain lattice.type lattice.size\n") {}

  void add_options(CLI::App& app) override {
    app.add_option("name", names,
                   "tables, keys or values of keys, such as exchange, exchange.J, "
                   "structure-factor, or one of the words stages and units");
    app.add_flag("--json", json, "print all tables with their keys as JSON")->excludes("name");
  }

  int run() override {
    const std::vector<study::TableInfo> tables = all_tables();
    if (json) {
      print_json(tables);
      return 0;
    }
    if (names.empty()) {
      fmt::print(
          "Tables of a study (larmor explain TABLE, larmor explain TABLE.KEY, larmor explain "
          "VALUE, larmor explain units):\n\n");
      for (const study::TableInfo& table : tables)
        fmt::print("  {:<12} {}\n", table.full_name(), table.doc);
      return 0;
    }
    for (const std::string& name : names) {
      // With several names, each gets a heading.
      if (names.size() > 1)
        fmt::print("{}{}\n{:-<{}}\n", &name == &names.front() ? "" : "\n", name, "", name.size());
      explain_name(tables, name);
    }
    return 0;
  }
};

}  // namespace

std::unique_ptr<Command> make_explain() { return std::make_unique<Explain>(); }

}  // namespace larmor::cli
