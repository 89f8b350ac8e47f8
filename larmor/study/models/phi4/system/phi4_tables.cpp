#include "larmor/study/models/phi4/system/phi4_tables.hpp"

#include <cmath>
#include <limits>

#include "larmor/core/error.hpp"
#include "larmor/phi4/field_model.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/model_kind/model_kind.hpp"
#include "larmor/study/models/phi4/system/phi4_system.hpp"

namespace larmor::study {

FieldTable<GridTable> GridTable::fields() {
  return FieldTable<GridTable>()
      .required("size", &GridTable::size, Dimension::none,
                "number of sites along each axis, for one to four axes")
      .not_empty()
      .at_least(1)
      .optional("periodic", &GridTable::periodic, Dimension::none,
                "true for a periodic and false for an open boundary. Give one value for each axis, "
                "or one for all");
}

clusters::RegularGrid GridTable::grid() const {
  clusters::RegularGrid grid{size, periodic};
  if (size.size() > clusters::RegularGrid::most_axes)
    throw InputError("size has more than four numbers", where.of("size"), "give one to four");
  if (periodic.size() == 1)
    grid.periodic.assign(size.size(), periodic[0]);
  else if (periodic.size() != size.size())
    throw InputError("periodic has " + std::to_string(periodic.size()) + " values for " +
                         std::to_string(size.size()) + " axes",
                     where.of("periodic"), "give one for all, or one for each axis");
  with_position(where, [&] { checked_sites(grid); });
  return grid;
}

FieldTable<Phi4Table> Phi4Table::fields() {
  return FieldTable<Phi4Table>()
      .optional("components", &Phi4Table::components, Dimension::none,
                "number N of components of the field")
      .at_least(1)
      .at_most(phi4::most_components)
      .required("kappa", &Phi4Table::kappa, Dimension::none,
                "hopping parameter. Several values form a ladder of n rungs: replica r has the "
                "value number r modulo n, counted from 0")
      .not_empty()
      .optional("lambda", &Phi4Table::lambda, Dimension::none,
                "self-coupling, not negative; \"infinity\" fixes |phi| = 1")
      .described_as("number or \"infinity\"", {});
}

double Phi4Table::lambda_number() const {
  const SourcePosition place = where.of("lambda");
  const char* const remedy = "give a number that is not negative, or \"infinity\"";
  if (lambda.is_string()) {
    if (lambda.as_string() != "infinity" && lambda.as_string() != "inf")
      throw InputError("lambda is \"" + lambda.as_string() + "\"", place, remedy);
    return std::numeric_limits<double>::infinity();
  }
  if (!lambda.is_number())
    throw InputError(
        "lambda must be a number or \"infinity\", not " + std::string(lambda.kind_text()), place,
        remedy);
  const double number = lambda.as_number();
  if (!(number >= 0))
    throw InputError("lambda must not be negative, but is " + number_text(number), place, remedy);
  return number;
}

FieldTable<FieldInitialTable> FieldInitialTable::fields() {
  return FieldTable<FieldInitialTable>()
      .optional(
          "state", &FieldInitialTable::state, Dimension::none,
          "random: fields of length 1 in random directions; aligned: all fields are (1, 0, ..)")
      .one_of({"random", "aligned"});
}

FieldTable<Phi4Tables> Phi4Tables::fields() {
  return FieldTable<Phi4Tables>()
      .required("lattice", &Phi4Tables::lattice, Dimension::none, GridTable::doc)
      .required("phi4", &Phi4Tables::phi4, Dimension::none, Phi4Table::doc)
      .optional("initial", &Phi4Tables::initial, Dimension::none, FieldInitialTable::doc);
}

std::vector<std::pair<std::string, Value>> Phi4Tables::completed() const {
  return completed_entries(*this, context);
}

std::unique_ptr<Blueprint> Phi4Tables::blueprint() const {
  return std::make_unique<Phi4Blueprint>(*this);
}

const Phi4Tables& phi4_tables(const Study& study) {
  const auto* const tables = dynamic_cast<const Phi4Tables*>(study.tables.get());
  if (tables == nullptr) throw InternalError("the study is not about phi^4 fields");
  return *tables;
}

std::shared_ptr<const ModelTables> read_phi4_tables(const Value& document,
                                                    const ModelContext& context) {
  if (context.read.units == UnitSystem::material)
    throw InputError("phi^4 fields have no units", document.where(),
                     "remove units = \"material\"; kappa and lambda are numbers");
  auto tables = std::make_shared<Phi4Tables>(larmor::read<Phi4Tables>(document, context.read));
  tables->context = context.read;
  const clusters::RegularGrid grid = tables->lattice.grid();
  const Phi4Table& phi4 = tables->phi4;
  const double lambda = phi4.lambda_number(), bound = phi4::largest_eigenvalue(grid);
  const auto rungs = std::ssize(phi4.kappa);
  if (context.replicas % rungs != 0)
    throw InputError("kappa is a ladder of " + std::to_string(rungs) + " rungs for " +
                         std::to_string(context.replicas) + " replicas",
                     phi4.where.of("kappa"),
                     "give replicas = " + std::to_string(rungs) + ", or a multiple of it");
  for (const double kappa : phi4.kappa) {
    if (!std::isfinite(kappa))
      throw InputError("kappa is " + number_text(kappa), phi4.where.of("kappa"),
                       "give a finite number instead");
    if (lambda == 0 && std::abs(kappa) * bound >= 1)
      throw InputError(
          "at lambda = 0 and kappa = " + number_text(kappa) + " the action has no lower bound",
          phi4.where.of("kappa"), "give lambda > 0, or |kappa| under " + number_text(1 / bound));
  }
  return tables;
}

}  // namespace larmor::study
