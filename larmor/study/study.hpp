#pragma once
// A study as read: the tables of the system, and the stages still as tables.

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

/// Lattice and Hamiltonian, and how many copies of them.
struct SystemTables {
  static constexpr const char* name = "";
  Index replicas = 1;
  std::string units = "reduced";
  Index constants = 2018;
  LatticeTable lattice;
  std::vector<AlloyTable> alloy;

  TermTables terms;
  ReadContext context;
  std::string folder;  ///< where the files that it names are looked for

  /// All keys but those of the terms.
  static FieldTable<SystemTables> fields();
};

struct Study : SystemTables {
  std::string title;
  std::uint64_t seed = 1;
  DeviceTable device;
  InitialTable initial;
  CheckpointTable checkpoint;
  std::vector<Value> stage;

  std::string text;  ///< as read
  std::string file;  ///< as named by the user

  static FieldTable<Study> fields();
};

/// @throws InputError with the position of the first mistake, and for [[scan]] tables, which make
/// many studies of one: see study/scan.hpp
Study parse_study(const std::string& text, const std::string& file, const std::string& folder);
Study read_study(const std::string& path);
/// The study of a document that `text` would be read as.
Study study_of(const Value& document, const std::string& text, const std::string& file,
               const std::string& folder);

/// The tables of a system alone, for programs that drive it themselves: no title, seed or stages.
/// @throws InputError as parse_study
SystemTables parse_system(const std::string& text, const std::string& file);

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
