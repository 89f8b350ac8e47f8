#pragma once
// A study as read: the system, and the stages still as tables.

#include <string>
#include <tuple>
#include <vector>

#include "larmor/spins/terms/terms.hpp"
#include "larmor/study/tables.hpp"

namespace larmor::study {

template <class... Term>
std::tuple<std::vector<Term>...> vectors_of(std::tuple<Term...>*);

/// All tables of each kind of term.
using TermTables = decltype(vectors_of(static_cast<spins::Terms*>(nullptr)));

struct Study {
  static constexpr const char* name = "";
  std::string title;
  std::uint64_t seed = 1;
  Index replicas = 1;
  std::string units = "reduced";
  Index constants = 2018;
  DeviceTable device;
  LatticeTable lattice;
  InitialTable initial;
  CheckpointTable checkpoint;
  std::vector<Value> stage;

  TermTables terms;
  ReadContext context;
  std::string text;    ///< as read
  std::string file;    ///< as named by the user
  std::string folder;  ///< where the files that it names are looked for

  /// All keys but those of the terms.
  static FieldTable<Study> fields();
};

/// @throws InputError with the position of the first mistake
Study parse_study(const std::string& text, const std::string& file, const std::string& folder);
Study read_study(const std::string& path);

/// The study with every default written out, as TOML.
std::string completed_study(const Study& study);

/// A table of a term type as a list of FieldInfo, for `explain`: (name, doc, keys).
struct TableInfo {
  std::string name;
  std::string doc;
  std::vector<FieldInfo> keys;
};
/// Every table a study may hold, stages by their kind.
std::vector<TableInfo> describe_study();

}  // namespace larmor::study
