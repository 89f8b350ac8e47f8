#include "larmor/study/models/spins/tables/pair_correlations_table.hpp"

namespace larmor::study {

FieldTable<DistanceTable> DistanceTable::fields() {
  return FieldTable<DistanceTable>()
      .required("width", &DistanceTable::width, Dimension::length, "width of a bin")
      .positive()
      .required("bins", &DistanceTable::bins, Dimension::none, "number of bins, from distance 0")
      .at_least(1)
      .at_most(1024);
}

FieldTable<CorrelationBinsTable> CorrelationBinsTable::fields() {
  return FieldTable<CorrelationBinsTable>()
      .optional("bins", &CorrelationBinsTable::bins, Dimension::none, "number of bins of C")
      .at_least(1)
      .at_most(1024)
      .optional("least", &CorrelationBinsTable::least, Dimension::none,
                "C at the lower edge of the first bin")
      .at_least(-greatest_there_is)
      .at_most(greatest_there_is)
      .optional("greatest", &CorrelationBinsTable::greatest, Dimension::none,
                "C at the upper edge of the last bin")
      .at_least(-greatest_there_is)
      .at_most(greatest_there_is);
}

FieldTable<PairCorrelationsTable> PairCorrelationsTable::fields() {
  FieldTable<Table> table;
  table.required("kind", &Table::kind, Dimension::none, "kind of the stage: the name of this table")
      .one_of({name});
  return add_wave_vector_fields(table, "S(q) and spin-glass susceptibility: ")
      .optional(
          "distance", &Table::distance, Dimension::none,
          "averages C and C^2 over pairs of sites in bins of distance: one table { width, bins }")
      .optional("displacement", &Table::displacement, Dimension::none,
                "averages C and C^2 by displacement r' - r in cells and by atoms of the basis. "
                "Write true for all displacements, or { cells = [4, 4, 0] } for the largest "
                "numbers of cells to both sides")
      .with_child<DisplacementTable>()
      .optional("groups", &Table::groups, Dimension::none,
                "averages C and C^2 between groups of sites: none, species, basis, or a list of { "
                "name = \"core\", sites = [0, 5] }. Sites are counted from 0. Sites that are in no "
                "group are left out")
      .with_child<SiteGroupTable>()
      .optional("distribution", &Table::distribution, Dimension::none,
                "numbers of pairs of different sites by the value of C, and the pairs with the "
                "largest and the smallest C: one table { bins, least, greatest }")
      .optional("connected", &Table::connected, Dimension::none,
                "subtracts the product of the averages of both spins over replicas. This needs "
                "three replicas")
      .optional("precision", &Table::precision, Dimension::none,
                "on a GPU: double, or numbers split into two halves of 11 bits (relative error "
                "1e-6)")
      .one_of({"double", "tf32x3", "half-split"})
      .optional("error_blocks", &Table::error_blocks, Dimension::none,
                "largest number of blocks of replicas for errors. With fewer replicas, each "
                "replica is a block. The sum for each block takes as long as the sum for all "
                "replicas. If 0 or 1, there are no errors")
      .at_least(0)
      .at_most(1000);
}

}  // namespace larmor::study
