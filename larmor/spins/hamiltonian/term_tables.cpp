#include "larmor/spins/hamiltonian/term_tables.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "larmor/core/device/parallel.hpp"

namespace larmor::spins {

std::vector<double> bond_values(const BondTable& table, BondClass c, std::size_t first_term,
                                std::size_t last_term, bool& present) {
  const int width = table.bonds_per_site() * components(c);
  std::vector<double> value(static_cast<std::size_t>(table.rows() * width));
  present = false;
  for (Index row = 0; row < table.rows(); ++row) {
    table.for_each_value(row, [&](int bond, const TermValue& v) {
      if (v.term < first_term || v.term >= last_term) return;
      add_numbers(c, v.bilinear, value.data() + row * width + bond * components(c));
      present = present || !(v.bilinear == Mat3<double>{});
    });
  }
  return value;
}

std::vector<double> biquadratic_values(const BondTable& table, std::size_t first_term,
                                       std::size_t last_term, bool& present) {
  std::vector<double> value(static_cast<std::size_t>(table.rows() * table.bonds_per_site()));
  present = false;
  for (Index row = 0; row < table.rows(); ++row) {
    table.for_each_value(row, [&](int bond, const TermValue& v) {
      if (v.term < first_term || v.term >= last_term) return;
      value[static_cast<std::size_t>(row * table.bonds_per_site() + bond)] += v.biquadratic;
      present = present || v.biquadratic != 0;
    });
  }
  return value;
}

std::vector<double> bond_values_by_replica(const BondTable& table, BondClass c,
                                           const std::vector<LoweredTerm>& terms,
                                           std::size_t first_term, std::size_t last_term,
                                           const SpinLayout& layout, int threads) {
  const Index width = table.bonds_per_site() * components(c);
  const Index block = table.rows() * width * lane_count;
  std::vector<double> value(static_cast<std::size_t>(layout.blocks() * block));
  parallel_for(threads, table.rows(), [&](Index row) {
    table.for_each_value(row, [&](int bond, const TermValue& v) {
      if (v.term < first_term || v.term >= last_term) return;
      const auto& more = terms[v.term].exchange_of_replica;
      for (Index replica = 0; replica < layout.padded_replicas(); ++replica) {
        const double J = more && v.pair ? more(v.pair->bond.i, v.pair->bond.j, replica) : 0;
        double numbers[components(BondClass::tensor)] = {};
        add_numbers(c, v.bilinear + isotropic(J), numbers);
        double* to = value.data() + replica / lane_count * block +
                     (row * width + bond * components(c)) * lane_count + replica % lane_count;
        for (int n = 0; n < components(c); ++n) to[n * lane_count] += numbers[n];
      }
    });
  });
  return value;
}

namespace {

/// Terms [first, last).
struct TermRange {
  const std::vector<LoweredTerm>& terms;
  std::size_t first, last;

  /// Does any of the terms have this member?
  template <class Member>
  bool any(Member LoweredTerm::*member) const {
    return std::any_of(terms.begin() + static_cast<std::ptrdiff_t>(first),
                       terms.begin() + static_cast<std::ptrdiff_t>(last),
                       [&](const LoweredTerm& term) { return bool(term.*member); });
  }
};

BondClass widest(const std::vector<LoweredTerm>& terms) {
  BondClass c = BondClass::scalar;
  for (const LoweredTerm& term : terms) c = std::max(c, term.bond_class);
  return c;
}

std::shared_ptr<const SiteRows> rows_of_bonds(const BondTable& table, const RowMaker& maker) {
  std::vector<std::int32_t> row;
  maker.for_sites(true, [&](Index site) { row.push_back(table.row(site)); });
  return maker.rows(true, std::move(row));
}

void store_bonds(const TermRange& range, const BondTable& table, const RowMaker& maker,
                 const std::shared_ptr<const SiteRows>& rows, const SpinLayout& layout,
                 TermTables& tables) {
  const Device& device = maker.device();
  const int width = table.bonds_per_site() * components(tables.bond_class);
  bool present = false;
  if (range.any(&LoweredTerm::exchange_of_replica)) {
    tables.bonds =
        RowStorage(device, rows,
                   bond_values_by_replica(table, tables.bond_class, range.terms, range.first,
                                          range.last, layout, device.threads),
                   width, table.rows() * width * lane_count);
  } else {
    const std::vector<double> value =
        bond_values(table, tables.bond_class, range.first, range.last, present);
    if (present) tables.bonds = RowStorage(device, rows, value, width);
  }
  const std::vector<double> squared = biquadratic_values(table, range.first, range.last, present);
  if (present) tables.biquadratic = RowStorage(device, rows, squared, table.bonds_per_site());
}

void store_onsite(const TermRange& range, const RowMaker& maker, TermTables& tables) {
  if (!range.any(&LoweredTerm::onsite)) return;
  const bool alike = maker.cells_are_alike(range.terms, range.first, range.last);
  std::vector<std::vector<double>> rows;
  std::size_t width = 0;
  maker.for_sites(alike, [&](Index site) {
    std::vector<double> row;
    for (std::size_t t = range.first; t < range.last; ++t) {
      if (!range.terms[t].onsite) continue;
      for (const OnsiteCoupling& k : range.terms[t].onsite(site))
        row.insert(row.end(), {k.axis.x, k.axis.y, k.axis.z, k.a2, k.a4, k.a6});
    }
    width = std::max(width, row.size());
    rows.push_back(std::move(row));
  });
  if (width == 0) return;
  RowCollector collector;
  std::vector<std::int32_t> row_of;
  for (std::vector<double>& row : rows) {
    row.resize(width);
    row_of.push_back(collector.add(row));
  }
  tables.onsite = RowStorage(maker.device(), maker.rows(alike, std::move(row_of)),
                             collector.value(), static_cast<int>(width));
}

/// Fields that differ by replica, with one row for every spin.
RowStorage field_by_replica(const TermRange& range, const RowMaker& maker,
                            const SpinLayout& layout) {
  const Index block = maker.spins() * 3 * lane_count;
  std::vector<double> value(static_cast<std::size_t>(layout.blocks() * block));
  parallel_for(maker.device().threads, maker.spins(), [&](Index position) {
    const Index site = maker.canonical()[static_cast<std::size_t>(position)];
    for (Index replica = 0; replica < layout.padded_replicas(); ++replica) {
      Vec3<double> h{0, 0, 0};
      for (std::size_t t = range.first; t < range.last; ++t) {
        if (range.terms[t].field) h += range.terms[t].field(site);
        if (range.terms[t].field_of_replica) h += range.terms[t].field_of_replica(site, replica);
      }
      double* to = value.data() + replica / lane_count * block + position * 3 * lane_count +
                   replica % lane_count;
      to[0] = h.x;
      to[lane_count] = h.y;
      to[2 * lane_count] = h.z;
    }
  });
  std::vector<std::int32_t> row(maker.canonical().size());
  std::iota(row.begin(), row.begin() + maker.spins(), 0);
  return RowStorage(maker.device(), maker.rows(false, std::move(row)), value, 3, block);
}

/// Fields that all replicas share, and those that each replica multiplies by its own number.
struct FieldRows {
  std::vector<double> shared, unit;  ///< (row, 3)
  std::vector<std::int32_t> row_of;
};

FieldRows rows_of_fields(const std::vector<LoweredTerm>& terms, const RowMaker& maker, bool alike) {
  RowCollector collector;
  FieldRows rows;
  maker.for_sites(alike, [&](Index site) {
    Vec3<double> shared{0, 0, 0}, unit{0, 0, 0};
    for (const LoweredTerm& term : terms)
      if (term.field) (term.has_own_field ? unit : shared) += term.field(site);
    rows.row_of.push_back(collector.add({shared.x, shared.y, shared.z, unit.x, unit.y, unit.z}));
  });
  for (std::size_t n = 0; n < collector.value().size(); ++n)
    (n % 6 < 3 ? rows.shared : rows.unit).push_back(collector.value()[n]);
  return rows;
}

/// Makes the table of fields of all terms together. The returned object rewrites this table.
std::unique_ptr<ReplicaFields> own_fields(const std::vector<LoweredTerm>& terms,
                                          const RowMaker& maker, const SpinLayout& layout,
                                          TermTables& total) {
  const bool alike = maker.cells_are_alike(terms, 0, terms.size());
  FieldRows rows = rows_of_fields(terms, maker, alike);
  const Index block = std::ssize(rows.shared) * lane_count;
  total.field =
      RowStorage(maker.device(), maker.rows(alike, std::move(rows.row_of)),
                 std::vector<double>(static_cast<std::size_t>(layout.blocks() * block)), 3, block);
  return std::make_unique<ReplicaFields>(maker.device(), total.field.table_without_rows().value,
                                         rows.shared, rows.unit, layout.padded_replicas());
}

void store_field(const TermRange& range, const RowMaker& maker, const SpinLayout& layout,
                 TermTables& tables) {
  if (range.any(&LoweredTerm::field_of_replica)) {
    tables.field = field_by_replica(range, maker, layout);
    return;
  }
  if (!range.any(&LoweredTerm::field)) return;
  const bool alike = maker.cells_are_alike(range.terms, range.first, range.last);
  RowCollector collector;
  std::vector<std::int32_t> row_of;
  bool present = false;
  maker.for_sites(alike, [&](Index site) {
    Vec3<double> h{0, 0, 0};
    for (std::size_t t = range.first; t < range.last; ++t)
      if (range.terms[t].field) h += range.terms[t].field(site);
    present = present || !(h == Vec3<double>{0, 0, 0});
    row_of.push_back(collector.add({h.x, h.y, h.z}));
  });
  if (present)
    tables.field =
        RowStorage(maker.device(), maker.rows(alike, std::move(row_of)), collector.value(), 3);
}

}  // namespace

TablesOfTerms tables_of_terms(const std::vector<LoweredTerm>& terms, const BondTable& table,
                              const RowMaker& maker, const SpinLayout& layout) {
  const std::shared_ptr<const SiteRows> rows = rows_of_bonds(table, maker);
  const auto tables_of = [&](BondClass c, std::size_t first, std::size_t last) {
    const TermRange range{terms, first, last};
    TermTables tables;
    tables.bond_class = c;
    store_bonds(range, table, maker, rows, layout, tables);
    store_onsite(range, maker, tables);
    store_field(range, maker, layout, tables);
    return tables;
  };
  TablesOfTerms all;
  all.total = tables_of(widest(terms), 0, terms.size());
  for (std::size_t t = 0; t < terms.size(); ++t)
    all.of_term.push_back(tables_of(terms[t].bond_class, t, t + 1));
  if (std::any_of(terms.begin(), terms.end(), std::mem_fn(&LoweredTerm::has_own_field)))
    all.own_fields = own_fields(terms, maker, layout, all.total);
  return all;
}

}  // namespace larmor::spins
