#pragma once
// The tables of a study of phi^4 fields.

#include "larmor/clusters/regular_grid.hpp"
#include "larmor/core/input/fields.hpp"
#include "larmor/study/model_kind/model_kind.hpp"

namespace larmor::study {

struct GridTable {
  static constexpr const char* name = "lattice";
  static constexpr const char* doc = "a hypercubic lattice";
  std::vector<Index> size;
  std::vector<bool> periodic{true};
  TablePosition where;

  static FieldTable<GridTable> fields();
  /// @throws InputError for keys that contradict one another
  clusters::RegularGrid grid() const;
};

struct Phi4Table {
  static constexpr const char* name = "phi4";
  static constexpr const char* doc =
      "S = sum_x [ -2 kappa sum_mu phi_x.phi_x+mu + phi_x^2 + lambda (phi_x^2 - 1)^2 ], weight "
      "exp(-S)";
  Index components = 1;
  std::vector<double> kappa;
  Value lambda = "infinity";
  TablePosition where;

  static FieldTable<Phi4Table> fields();
  /// The value of lambda, which may be infinite. @throws InputError for a negative number or for a
  /// value that is neither a number nor "infinity"
  double lambda_number() const;
};

struct FieldInitialTable {
  static constexpr const char* name = "initial";
  static constexpr const char* doc = "the fields before the first stage";
  std::string state = "random";

  static FieldTable<FieldInitialTable> fields();
};

struct Phi4Tables : ModelTables {
  static constexpr const char* name = "";
  GridTable lattice;
  Phi4Table phi4;
  FieldInitialTable initial;
  ReadContext context;

  static FieldTable<Phi4Tables> fields();
  std::vector<std::pair<std::string, Value>> completed() const override;
  std::vector<std::string> files() const override { return {}; }
  std::unique_ptr<Blueprint> blueprint() const override;

  /// kappa of this replica of the study.
  double kappa_of(Index replica) const {
    return phi4.kappa[static_cast<std::size_t>(replica) % phi4.kappa.size()];
  }
};

/// @throws InternalError if the study is not about phi^4 fields
const Phi4Tables& phi4_tables(const Study& study);

/// @throws InputError with the position of the first mistake
std::shared_ptr<const ModelTables> read_phi4_tables(const Value& document,
                                                    const ModelContext& context);

}  // namespace larmor::study
