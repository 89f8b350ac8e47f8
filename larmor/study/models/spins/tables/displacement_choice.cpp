#include "larmor/study/models/spins/tables/displacement_choice.hpp"

#include "larmor/core/error.hpp"

namespace larmor::study {

FieldTable<DisplacementTable> DisplacementTable::fields() {
  return FieldTable<DisplacementTable>()
      .required("cells", &DisplacementTable::cells, Dimension::none,
                "largest numbers of cells to both sides, one for each lattice vector. A single "
                "number holds for all vectors with several cells")
      .at_least(0)
      .not_empty();
}

using correlations::real_space::DisplacementBins;

DisplacementChoice::DisplacementChoice(const Value& displacement, const ReadContext& context)
    : where_(displacement.where()) {
  if (displacement.kind() == Value::Kind::boolean) {
    asked_ = displacement.as_boolean();
    return;
  }
  if (!displacement.is_table())
    throw InputError(
        std::string("displacement must be true, false or a table, not ") + displacement.kind_text(),
        where_, "displacement = true, or displacement = { cells = [4, 4, 0] }");
  asked_ = true;
  box_ = read_value<DisplacementTable>(displacement, "displacement", Dimension::none, context);
  if (box_->cells.size() > 3)
    throw InputError("displacement: cells has " + std::to_string(box_->cells.size()) + " numbers",
                     where_, "give one for each lattice vector, three at most");
}

std::optional<DisplacementBins> DisplacementChoice::of(const lattice::Geometry& geometry) const {
  if (!asked_) return std::nullopt;
  std::optional<std::array<Index, 3>> cells;
  if (box_) {
    cells.emplace();
    for (std::size_t d = 0; d < 3; ++d)
      if (box_->cells.size() > 1)
        (*cells)[d] = d < box_->cells.size() ? box_->cells[d] : 0;
      else
        (*cells)[d] = geometry.size[d] > 1 ? box_->cells[0] : 0;
  }
  try {
    return correlations::real_space::displacement_bins(geometry, cells);
  } catch (const InputError& error) {
    throw InputError(error.problem(), where_, error.remedy());
  }
}

}  // namespace larmor::study
