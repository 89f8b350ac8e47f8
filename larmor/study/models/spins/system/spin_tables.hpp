#pragma once
// The tables of a study of vector spins: lattice, Hamiltonian, and initial spins.

#include <string>
#include <tuple>
#include <vector>

#include "larmor/spins/terms/terms.hpp"
#include "larmor/study/model_kind/model_kind.hpp"
#include "larmor/study/models/spins/tables/initial_table.hpp"
#include "larmor/study/models/spins/tables/lattice_tables.hpp"

namespace larmor::study {

template <class... Term>
std::tuple<std::vector<Term>...> vectors_of(std::tuple<Term...>*);

/// All tables of each kind of term.
using TermTables = decltype(vectors_of(static_cast<spins::Terms*>(nullptr)));

struct SystemTables : ModelTables {
  static constexpr const char* name = "";
  LatticeTable lattice;
  std::vector<AlloyTable> alloy;
  InitialTable initial;

  TermTables terms;
  ReadContext context;
  Index replicas = 1;
  std::string folder;  ///< folder of the files that the tables name

  /// All keys except those of the terms.
  static FieldTable<SystemTables> fields();

  std::vector<std::pair<std::string, Value>> completed() const override;
  std::vector<std::string> files() const override;
  std::unique_ptr<Blueprint> blueprint() const override;
};

/// The keys of vector spins at the top of a study, and their tables.
std::vector<FieldInfo> describe_spin_keys();
std::vector<TableInfo> describe_spin_tables();

/// @throws InputError with the position of the first mistake
SystemTables read_spin_tables(const Value& document, const ModelContext& context);

/// Reads only the tables of a system, without title, seed or stages. Programs that run a system
/// themselves call this function.
/// @throws InputError as parse_study
SystemTables parse_system(const std::string& text, const std::string& file);

/// The tables of a study of spins. @throws InternalError for a study of another model kind
const SystemTables& spin_tables(const Study& study);

}  // namespace larmor::study
