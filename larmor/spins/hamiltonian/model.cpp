#include "larmor/spins/hamiltonian/model.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <set>

#include "larmor/core/device/filled_array.hpp"
#include "larmor/core/device/parallel.hpp"
#include "larmor/core/error.hpp"
#include "larmor/lattice/locality.hpp"
#include "larmor/spins/hamiltonian/bond_table.hpp"
#include "larmor/spins/hamiltonian/cell_bonds.hpp"
#include "larmor/spins/hamiltonian/onsite_quadratic.hpp"
#include "larmor/spins/long_range/convolution.hpp"

namespace larmor::spins {
namespace {

/// Values of one term (or of all) for every row of the table. (rows, slots, components)
std::vector<double> bond_values(const BondTable& table, BondClass c, std::size_t first_term,
                                std::size_t last_term, bool& present) {
  const int width = table.slots() * components(c);
  std::vector<double> value(static_cast<std::size_t>(table.rows() * width));
  present = false;
  for (Index row = 0; row < table.rows(); ++row) {
    table.for_each_value(row, [&](int slot, const TermValue& v) {
      if (v.term < first_term || v.term >= last_term) return;
      add_numbers(c, v.bilinear, value.data() + row * width + slot * components(c));
      present = present || !(v.bilinear == Mat3<double>{});
    });
  }
  return value;
}

std::vector<double> biquadratic_values(const BondTable& table, std::size_t first_term,
                                       std::size_t last_term, bool& present) {
  std::vector<double> value(static_cast<std::size_t>(table.rows() * table.slots()));
  present = false;
  for (Index row = 0; row < table.rows(); ++row) {
    table.for_each_value(row, [&](int slot, const TermValue& v) {
      if (v.term < first_term || v.term >= last_term) return;
      value[static_cast<std::size_t>(row * table.slots() + slot)] += v.biquadratic;
      present = present || v.biquadratic != 0;
    });
  }
  return value;
}

/// The same with what differs by replica. (blocks, rows, slots, components, 8)
std::vector<double> bond_values_by_replica(const BondTable& table, BondClass c,
                                           const std::vector<LoweredTerm>& terms,
                                           std::size_t first_term, std::size_t last_term,
                                           const SpinLayout& layout, int threads) {
  const Index width = table.slots() * components(c);
  const Index block = table.rows() * width * lane_count;
  std::vector<double> value(static_cast<std::size_t>(layout.blocks() * block));
  parallel_for(threads, table.rows(), [&](Index row) {
    table.for_each_value(row, [&](int slot, const TermValue& v) {
      if (v.term < first_term || v.term >= last_term) return;
      const auto& more = terms[v.term].exchange_of_replica;
      for (Index replica = 0; replica < layout.padded_replicas(); ++replica) {
        const double J = more && v.pair ? more(v.pair->bond.i, v.pair->bond.j, replica) : 0;
        double numbers[components(BondClass::tensor)] = {};
        add_numbers(c, v.bilinear + isotropic(J), numbers);
        double* to = value.data() + replica / lane_count * block +
                     (row * width + slot * components(c)) * lane_count + replica % lane_count;
        for (int n = 0; n < components(c); ++n) to[n * lane_count] += numbers[n];
      }
    });
  });
  return value;
}

/// What replicas may add to |dH/de| of each site beyond what they share, at most.
std::vector<double> bounds_of_replicas(const std::vector<LoweredTerm>& terms, Index sites,
                                       Index replicas, int threads) {
  std::vector<double> bound(static_cast<std::size_t>(sites));
  for (const LoweredTerm& term : terms) {
    if (term.exchange_of_replica) {
      std::vector<double> of_pair(term.pairs.size());
      parallel_for(threads, static_cast<Index>(of_pair.size()), [&](Index p) {
        const lattice::PairBond& bond = term.pairs[static_cast<std::size_t>(p)].bond;
        double& most = of_pair[static_cast<std::size_t>(p)];
        for (Index r = 0; r < replicas; ++r)
          most = std::max(most, std::abs(term.exchange_of_replica(bond.i, bond.j, r)));
      });
      for (std::size_t p = 0; p < of_pair.size(); ++p) {
        bound[static_cast<std::size_t>(term.pairs[p].bond.i)] += of_pair[p];
        bound[static_cast<std::size_t>(term.pairs[p].bond.j)] += of_pair[p];
      }
    }
    if (term.field_of_replica)
      parallel_for(threads, sites, [&](Index site) {
        double most = 0;
        for (Index r = 0; r < replicas; ++r)
          most = std::max(most, length(term.field_of_replica(site, r)));
        bound[static_cast<std::size_t>(site)] += most;
      });
  }
  return bound;
}

bool tells_replicas_apart(const LoweredTerm& term) {
  return term.exchange_of_replica || term.field_of_replica;
}

/// The terms as the only replica, number 0, has them.
void settle_on_one_replica(std::vector<LoweredTerm>& terms) {
  for (LoweredTerm& term : terms) {
    if (term.exchange_of_replica)
      for (PairCoupling& pair : term.pairs)
        pair.bilinear =
            pair.bilinear + isotropic(term.exchange_of_replica(pair.bond.i, pair.bond.j, 0));
    if (term.field_of_replica)
      term.field = [shared = term.field, own = term.field_of_replica](Index site) {
        return shared ? shared(site) + own(site, 0) : own(site, 0);
      };
    if (term.field_of_replica) term.by_atom = false;
    term.exchange_of_replica = nullptr;
    term.field_of_replica = nullptr;
  }
}

/// Terms whose replica 0 is number `first` of the study.
void count_replicas_from(Index first, std::vector<LoweredTerm>& terms) {
  if (first == 0) return;
  for (LoweredTerm& term : terms) {
    if (term.exchange_of_replica)
      term.exchange_of_replica = [first, all = term.exchange_of_replica](Index i, Index j,
                                                                         Index replica) {
        return all(i, j, first + replica);
      };
    if (term.field_of_replica)
      term.field_of_replica = [first, all = term.field_of_replica](Index site, Index replica) {
        return all(site, first + replica);
      };
  }
}

/// Of the sites in the table.
double ferromagnetic_energy(const BondTable& table, const lattice::Geometry& geometry) {
  std::vector<double> of_row(static_cast<std::size_t>(table.rows()));
  for (Index row = 0; row < table.rows(); ++row)
    table.for_each_value(row, [&](int, const TermValue& v) {
      of_row[static_cast<std::size_t>(row)] -= 0.5 * (v.bilinear.row[2].z + v.biquadratic);
    });
  double energy = 0;
  Index spins = 0;
  for (Index site = 0; site < table.sites(); ++site) {
    if (geometry.occupied(site)) {
      ++spins;
      energy += of_row[static_cast<std::size_t>(table.row(site))];
      continue;
    }
    // The halves that its neighbours count of bonds to a vacancy.
    table.for_each_value(table.row(site), [&](int slot, const TermValue& v) {
      if (geometry.occupied(table.neighbour(site, slot)))
        energy += 0.5 * (v.bilinear.row[2].z + v.biquadratic);
    });
  }
  return energy / static_cast<double>(spins);
}

/// Bound of |dH/de| of a site, form by form.
double field_bound(const BondTable& table, Index row, const std::vector<LoweredTerm>& terms,
                   Index site) {
  double bound = 0;
  Mat3<double> bilinear{};
  double biquadratic = 0;
  int current = 0;
  const auto add_slot = [&] {
    // J times the identity has a Frobenius norm of sqrt(3) J but stretches by J alone.
    const bool scalar = bilinear == isotropic(bilinear.row[0].x);
    bound += (scalar ? std::abs(bilinear.row[0].x) : frobenius_norm(bilinear)) +
             2 * std::abs(biquadratic);
  };
  table.for_each_value(row, [&](int slot, const TermValue& v) {
    if (slot != current) {
      add_slot();
      bilinear = {};
      biquadratic = 0;
      current = slot;
    }
    bilinear = bilinear + v.bilinear;
    biquadratic += v.biquadratic;
  });
  add_slot();
  Vec3<double> h{0, 0, 0};
  for (const LoweredTerm& term : terms) {
    if (term.field) h += term.field(site);
    if (!term.onsite) continue;
    for (const OnsiteCoupling& k : term.onsite(site))
      bound += OnsitePolynomial<double>{std::abs(k.a2), std::abs(k.a4), std::abs(k.a6)}.slope(1);
  }
  return bound + length(h);
}

/// Colours that repeat through the lattice; nothing for pairs of any sites, and for vacancies.
std::optional<lattice::SublatticeColouring> repeating_colours(
    const lattice::Geometry& geometry, const std::vector<LoweredTerm>& terms) {
  if (geometry.spins() < geometry.sites()) return std::nullopt;
  std::vector<lattice::StencilBond> bonds;
  for (const LoweredTerm& term : terms) {
    if (!term.pairs.empty()) return std::nullopt;
    for (const StencilCoupling& c : term.stencil) bonds.push_back(c.bond);
  }
  return lattice::colour_sublattices(geometry, bonds);
}

BondClass widest(const std::vector<LoweredTerm>& terms) {
  BondClass c = BondClass::scalar;
  for (const LoweredTerm& term : terms) c = std::max(c, term.bond_class);
  return c;
}

}  // namespace

/// What kernels read of every site that is not a coupling.
struct Model::SiteTables {
  mutable std::once_flag made;
  mutable Array<std::int32_t> canonical, neighbour;
};

Model::Model(const Device& device, const lattice::Geometry& geometry,
             std::vector<LoweredTerm> terms, SiteMoments moments, const ReplicaShare& replicas)
    : device_(device),
      sites_(geometry.sites()),
      spins_(geometry.spins()),
      replicas_(replicas.count),
      moments_(std::move(moments)),
      site_tables_(std::make_unique<SiteTables>()) {
  padded_sites_ = layout(1).padded_sites();
  if (replicas.all == 1) settle_on_one_replica(terms);
  count_replicas_from(replicas.first, terms);
  differs_by_replica_ = std::any_of(terms.begin(), terms.end(), tells_replicas_apart);
  for (const LoweredTerm& term : terms) term_names_.push_back(term.name);
  const auto repeating = repeating_colours(geometry, terms);
  const bool alike = repeating && geometry.is_periodic();
  const BondTable table(
      geometry, terms,
      alike ? static_cast<Index>(geometry.crystal.basis.size()) : geometry.sites());
  slots_ = table.slots();
  ferromagnetic_energy_ = ferromagnetic_energy(table, geometry);
  mean_field_ = MeanField(geometry, terms);

  if (alike) {
    cell_bonds_ = std::make_unique<CellBonds>(geometry, *repeating, table);
    order_by_sublattice(geometry, *repeating);
  } else {
    make_site_tables(table, order_sites(geometry, table, repeating ? &*repeating : nullptr));
  }
  find_bounds(geometry, table, terms);
  term_.resize(terms.size());
  store_bonds(table, terms);
  store_onsite(terms);
  store_field(terms);
  store_long_range(geometry, terms);
  moment_ = rows_by_site(
      1,
      [this](Index site) { return std::vector<double>{moments_[static_cast<std::size_t>(site)]}; },
      moments_.by_atom());
}

void Model::find_bounds(const lattice::Geometry& geometry, const BondTable& table,
                        const std::vector<LoweredTerm>& terms) {
  const std::vector<double> more =
      differs_by_replica_
          ? bounds_of_replicas(terms, sites_, SpinLayout{1, replicas_}.padded_replicas(),
                               device_.threads)
          : std::vector<double>{};
  // Sites of one basis atom are alike where only the first cell is in the table, unless terms say
  // no.
  const bool first_cell =
      cell_bonds_ && moments_.by_atom() && cells_are_alike(terms, 0, terms.size());
  std::mutex guard;
  parallel_pieces(device_.threads, first_cell ? table.sites() : sites_, 1,
                  [&](Index first, Index last) {
                    double largest_derivative = 0, largest_field = 0;
                    for (Index site = first; site < last; ++site) {
                      if (!geometry.occupied(site)) continue;
                      const auto i = static_cast<std::size_t>(site);
                      const Index row = table.row(cell_bonds_ ? site % table.sites() : site);
                      const double derivative =
                          field_bound(table, row, terms, site) + (more.empty() ? 0 : more[i]);
                      largest_derivative = std::max(largest_derivative, derivative);
                      largest_field = std::max(largest_field, derivative / moments_[i]);
                    }
                    const std::lock_guard lock(guard);
                    largest_derivative_ = std::max(largest_derivative_, largest_derivative);
                    largest_field_ = std::max(largest_field_, largest_field);
                  });
}

void Model::order_by_sublattice(const lattice::Geometry& geometry,
                                const lattice::SublatticeColouring& repeating) {
  const Index each = sites_ / repeating.sublattices();
  canonical_ = lattice::canonical_by_sublattice(geometry, repeating.supercell, padded_sites_,
                                                device_.threads);
  add_colours(repeating.colouring, each);
}

/// Of sites that are not known by their cell. @return storage position of each canonical site
std::vector<std::int32_t> Model::order_sites(const lattice::Geometry& geometry,
                                             const BondTable& table,
                                             const lattice::SublatticeColouring* repeating) {
  lattice::Ordering ordering;
  if (repeating != nullptr) {
    ordering = lattice::by_sublattice(geometry, *repeating);
    sublattices_.size = geometry.size;
    sublattices_.supercell = repeating->supercell;
    sublattices_.atoms = static_cast<Index>(geometry.crystal.basis.size());
    sublattices_.first = ordering.colour_begin;
    sublattices_.colour = repeating->colouring.colour;
    add_colours(repeating->colouring, sites_ / repeating->sublattices());
  } else {
    lattice::Colouring colouring = lattice::greedy_colouring(table.graph(geometry));
    for (Index site = 0; site < sites_; ++site)
      if (!geometry.occupied(site))
        colouring.colour[static_cast<std::size_t>(site)] = lattice::no_colour;
    ordering =
        lattice::by_colour(colouring, geometry.is_lattice() ? std::vector<std::int32_t>{}
                                                            : lattice::along_curve(geometry));
    for (std::size_t c = 0; c + 1 < ordering.colour_begin.size(); ++c)
      colours_.push_back({{ordering.colour_begin[c], ordering.colour_begin[c + 1]}});
  }
  canonical_ = std::move(ordering.canonical);
  // Padding repeats the last site: it is read by whole-vector loads, never written.
  canonical_.resize(static_cast<std::size_t>(padded_sites_), canonical_.back());
  return std::move(ordering.storage);
}

/// Sublattices of one colour that follow one another are one range.
void Model::add_colours(const lattice::Colouring& of_sublattices, Index sites_of_each) {
  const std::vector<std::int32_t>& of = of_sublattices.colour;
  colours_.resize(static_cast<std::size_t>(of_sublattices.colours));
  for (std::size_t s = 0; s < of.size(); ++s) {
    std::vector<SiteRange>& ranges = colours_[static_cast<std::size_t>(of[s])];
    const Index end = static_cast<Index>(s + 1) * sites_of_each;
    if (s > 0 && of[s - 1] == of[s]) {
      ranges.back().last = end;
    } else {
      ranges.push_back({end - sites_of_each, end});
    }
  }
}

Model::~Model() = default;

void Model::make_site_tables(const BondTable& table, const std::vector<std::int32_t>& storage) {
  site_tables_->canonical = Array<std::int32_t>(device_, canonical_);
  const Index group_size = slots_ * lane_count;
  site_tables_->neighbour = filled_array<std::int32_t>(
      device_, padded_sites_ * slots_, std::max<Index>(1, group_size),
      [&](Index first, Index last, std::int32_t* to) {
        for (Index n = first; n < last; ++n) {
          const Index position = n / group_size * lane_count + n % lane_count;
          const Index site = canonical_[static_cast<std::size_t>(position)];
          const auto slot = static_cast<int>(n % group_size / lane_count);
          *to++ = storage[static_cast<std::size_t>(table.neighbour(site, slot))];
        }
      });
}

const Model::SiteTables& Model::site_tables() const {
  if (cell_bonds_)
    std::call_once(site_tables_->made, [this] {
      site_tables_->canonical = Array<std::int32_t>(device_, canonical_);
      site_tables_->neighbour = filled_array<std::int32_t>(
          device_, padded_sites_ * slots_, std::max<Index>(1, slots_ * lane_count),
          [this](Index first, Index last, std::int32_t* to) {
            cell_bonds_->fill_neighbours(first, last, to);
          });
    });
  return *site_tables_;
}

std::vector<std::int32_t> Model::neighbours() const { return site_tables().neighbour.to_host(); }

std::vector<std::int32_t> Model::storage() const {
  std::vector<std::int32_t> storage(static_cast<std::size_t>(sites_));
  for (std::size_t position = 0; position < storage.size(); ++position)
    storage[static_cast<std::size_t>(canonical_[position])] = static_cast<std::int32_t>(position);
  return storage;
}

std::vector<Index> Model::runs() const {
  std::vector<Index> begins;
  if (cell_bonds_) {
    for (Index s = 0; s < cell_bonds_->sublattices(); ++s)
      begins.push_back(s * cell_bonds_->sites_of_each());
  } else if (!sublattices_.first.empty()) {
    begins = {sublattices_.first.begin(), sublattices_.first.end()};
  } else {
    for (const std::vector<SiteRange>& colour : colours_) begins.push_back(colour.front().first);
  }
  std::erase_if(begins, [this](Index begin) { return begin >= spins_; });
  return begins;
}

/// Of bonds without couplings.
StencilTables Model::stencil_tables() const {
  StencilTables tables = sublattices_;
  tables.canonical = canonical_;
  tables.neighbour = neighbours();
  tables.row.resize(canonical_.size());
  return tables;
}

std::optional<Stencil> Model::stencil(StencilCells cells) const {
  if (total_.bonds.differs_by_replica()) return std::nullopt;
  if (cell_bonds_) return cell_bonds_->stencil(cells, total_.bond_class, total_.bonds.values());
  if (sublattices_.first.empty()) return std::nullopt;
  StencilTables tables = stencil_tables();
  if (total_.bonds.present()) {
    tables.slots = slots_;
    tables.row = total_.bonds.rows()->to_host();
    tables.value = total_.bonds.values();
  }
  tables.bond_class = total_.bond_class;
  return find_stencil(tables, cells, device_.threads);
}

std::optional<Stencil> Model::neighbourhood() const {
  if (cell_bonds_) {
    const Index rows = cell_bonds_->atoms();
    return cell_bonds_->stencil(StencilCells::colours, BondClass::scalar,
                                std::vector<double>(static_cast<std::size_t>(rows * slots_), 1));
  }
  if (sublattices_.first.empty()) return std::nullopt;
  StencilTables tables = stencil_tables();
  tables.slots = slots_;
  tables.value.assign(static_cast<std::size_t>(slots_), 1);
  return find_stencil(tables, StencilCells::colours, device_.threads);
}

bool Model::cells_are_alike(const std::vector<LoweredTerm>& terms, std::size_t first,
                            std::size_t last) const {
  return cell_bonds_ &&
         std::all_of(terms.begin() + static_cast<std::ptrdiff_t>(first),
                     terms.begin() + static_cast<std::ptrdiff_t>(last), known_by_atom);
}

template <class Visit>
void Model::for_sites_of_rows(bool by_atom, const Visit& visit) const {
  if (by_atom && cell_bonds_) {
    for (Index s = 0; s < cell_bonds_->sublattices(); ++s) visit(s % cell_bonds_->atoms());
  } else {
    for (Index position = 0; position < padded_sites_; ++position) visit(numbered_site(position));
  }
}

std::shared_ptr<const SiteRows> Model::site_rows(bool by_atom,
                                                 std::vector<std::int32_t> row) const {
  if (!by_atom || !cell_bonds_) return std::make_shared<SiteRows>(device_, std::move(row));
  return std::make_shared<SiteRows>(device_, std::move(row), cell_bonds_->sites_of_each(),
                                    padded_sites_);
}

std::shared_ptr<const SiteRows> Model::rows_of_bonds(const BondTable& table) const {
  std::vector<std::int32_t> row;
  for_sites_of_rows(true, [&](Index site) { row.push_back(table.row(site)); });
  return site_rows(true, std::move(row));
}

void Model::store_bonds(const BondTable& table, const std::vector<LoweredTerm>& terms) {
  const std::shared_ptr<const SiteRows> rows = rows_of_bonds(table);
  const auto store = [&](TermTables& tables, BondClass c, std::size_t first, std::size_t last) {
    bool present = false;
    tables.bond_class = c;
    if (std::any_of(terms.begin() + static_cast<std::ptrdiff_t>(first),
                    terms.begin() + static_cast<std::ptrdiff_t>(last),
                    [](const LoweredTerm& term) { return bool(term.exchange_of_replica); })) {
      const int width = slots_ * components(c);
      tables.bonds = RowStorage(
          device_, rows,
          bond_values_by_replica(table, c, terms, first, last, layout(replicas_), device_.threads),
          width, table.rows() * width * lane_count);
    } else {
      const std::vector<double> value = bond_values(table, c, first, last, present);
      if (present) tables.bonds = RowStorage(device_, rows, value, slots_ * components(c));
    }
    const std::vector<double> squared = biquadratic_values(table, first, last, present);
    if (present) tables.biquadratic = RowStorage(device_, rows, squared, slots_);
  };
  store(total_, widest(terms), 0, terms.size());
  for (std::size_t t = 0; t < terms.size(); ++t) store(term_[t], terms[t].bond_class, t, t + 1);
}

void Model::store_onsite(const std::vector<LoweredTerm>& terms) {
  const auto store = [&](TermTables& tables, std::size_t first, std::size_t last) {
    if (std::none_of(terms.begin() + static_cast<std::ptrdiff_t>(first),
                     terms.begin() + static_cast<std::ptrdiff_t>(last),
                     [](const LoweredTerm& term) { return bool(term.onsite); }))
      return;
    const bool alike = cells_are_alike(terms, first, last);
    std::vector<std::vector<double>> rows;
    std::size_t width = 0;
    for_sites_of_rows(alike, [&](Index site) {
      std::vector<double> row;
      for (std::size_t t = first; t < last; ++t) {
        if (!terms[t].onsite) continue;
        for (const OnsiteCoupling& k : terms[t].onsite(site))
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
    tables.onsite = RowStorage(device_, site_rows(alike, std::move(row_of)), collector.value(),
                               static_cast<int>(width));
  };
  store(total_, 0, terms.size());
  for (std::size_t t = 0; t < terms.size(); ++t) store(term_[t], t, t + 1);
}

void Model::store_field(const std::vector<LoweredTerm>& terms) {
  const auto store = [&](TermTables& tables, std::size_t first, std::size_t last) {
    if (std::any_of(terms.begin() + static_cast<std::ptrdiff_t>(first),
                    terms.begin() + static_cast<std::ptrdiff_t>(last),
                    [](const LoweredTerm& term) { return bool(term.field_of_replica); })) {
      tables.field = field_by_replica(terms, first, last);
      return;
    }
    if (std::none_of(terms.begin() + static_cast<std::ptrdiff_t>(first),
                     terms.begin() + static_cast<std::ptrdiff_t>(last),
                     [](const LoweredTerm& term) { return bool(term.field); }))
      return;
    const bool alike = cells_are_alike(terms, first, last);
    RowCollector collector;
    std::vector<std::int32_t> row_of;
    bool present = false;
    for_sites_of_rows(alike, [&](Index site) {
      Vec3<double> h{0, 0, 0};
      for (std::size_t t = first; t < last; ++t)
        if (terms[t].field) h += terms[t].field(site);
      present = present || !(h == Vec3<double>{0, 0, 0});
      row_of.push_back(collector.add({h.x, h.y, h.z}));
    });
    if (present)
      tables.field = RowStorage(device_, site_rows(alike, std::move(row_of)), collector.value(), 3);
  };
  store(total_, 0, terms.size());
  for (std::size_t t = 0; t < terms.size(); ++t) store(term_[t], t, t + 1);
}

void Model::store_long_range(const lattice::Geometry& geometry,
                             const std::vector<LoweredTerm>& terms) {
  for (std::size_t t = 0; t < terms.size(); ++t) {
    if (!terms[t].long_range) continue;
    if (long_range_)
      throw InternalError("a model has two long-range interactions: " +
                          terms[long_range_term_].name + " and " + terms[t].name);
    long_range_ =
        std::make_unique<Convolution>(geometry, *terms[t].long_range, canonical_, device_.threads);
    long_range_term_ = t;
    // The heaviest moment feels the largest derivative; divided by moments, all feel the same.
    largest_derivative_ += long_range_->largest_field();
    largest_field_ += long_range_->largest_field() / moments_.largest();
    store_own_images(geometry, *terms[t].long_range);
  }
}

void Model::store_own_images(const lattice::Geometry& geometry, const LongRangeCoupling& coupling) {
  const Mat3<double> T = coupling.tensor(0, 0, {0, 0, 0});
  if (T == Mat3<double>{}) return;
  const auto square = [&](Index site) { return coupling.weight(site) * coupling.weight(site); };
  // Weights are known where moments are.
  const bool by_atom = moments_.by_atom();
  own_images_.onsite = rows_by_site(
      3 * onsite_width,
      [&](Index site) {
        std::vector<double> row;
        for (const OnsiteCoupling& k : onsite_quadratic(square(site) * T))
          row.insert(row.end(), {k.axis.x, k.axis.y, k.axis.z, k.a2, k.a4, k.a6});
        return row;
      },
      by_atom);
  const Index looked_at = by_atom ? static_cast<Index>(geometry.crystal.basis.size()) : sites_;
  double squares = 0;
  for (Index site = 0; site < looked_at; ++site) squares += square(site);
  own_image_trace_ =
      squares * static_cast<double>(sites_ / looked_at) * (T.row[0].x + T.row[1].y + T.row[2].z);
}

std::optional<OwnImages> Model::own_images(Index replicas) const {
  if (!own_images_.onsite.present()) return std::nullopt;
  return OwnImages{view_of(own_images_, replicas, false), own_image_trace_};
}

/// Fields of `terms` [first, last), a row for every spin.
RowStorage Model::field_by_replica(const std::vector<LoweredTerm>& terms, std::size_t first,
                                   std::size_t last) const {
  const SpinLayout whole = layout(replicas_);
  const Index block = spins_ * 3 * lane_count;
  std::vector<double> value(static_cast<std::size_t>(whole.blocks() * block));
  parallel_for(device_.threads, spins_, [&](Index position) {
    const Index site = canonical_[static_cast<std::size_t>(position)];
    for (Index replica = 0; replica < whole.padded_replicas(); ++replica) {
      Vec3<double> h{0, 0, 0};
      for (std::size_t t = first; t < last; ++t) {
        if (terms[t].field) h += terms[t].field(site);
        if (terms[t].field_of_replica) h += terms[t].field_of_replica(site, replica);
      }
      double* to = value.data() + replica / lane_count * block + position * 3 * lane_count +
                   replica % lane_count;
      to[0] = h.x;
      to[lane_count] = h.y;
      to[2 * lane_count] = h.z;
    }
  });
  std::vector<std::int32_t> row(static_cast<std::size_t>(padded_sites_));
  std::iota(row.begin(), row.begin() + spins_, 0);
  return RowStorage(device_, site_rows(false, std::move(row)), value, 3, block);
}

RowStorage Model::rows_by_site(int width,
                               const std::function<std::vector<double>(Index site)>& of_site,
                               bool by_atom) const {
  RowCollector collector;
  std::vector<std::int32_t> row_of;
  for_sites_of_rows(by_atom, [&](Index site) { row_of.push_back(collector.add(of_site(site))); });
  return RowStorage(device_, site_rows(by_atom, std::move(row_of)), collector.value(), width);
}

ModelView Model::view_of(const TermTables& tables, Index replicas, bool with_neighbours) const {
  if (differs_by_replica_ && replicas != replicas_)
    throw InternalError("a model of " + std::to_string(replicas_) + " replicas is used for " +
                        std::to_string(replicas));
  ModelView view;
  view.slots = slots_;
  view.bond_class = tables.bond_class;
  view.onsite = tables.onsite.table();
  view.field = tables.field.table();
  view.layout = layout(replicas);
  if (!with_neighbours) {
    view.bonds = tables.bonds.table_without_rows();
    view.biquadratic = tables.biquadratic.table_without_rows();
    return view;
  }
  view.bonds = tables.bonds.table();
  view.biquadratic = tables.biquadratic.table();
  const SiteTables& of_sites = site_tables();
  view.neighbour = of_sites.neighbour.data();
  view.canonical = of_sites.canonical.data();
  return view;
}

ModelView Model::view(Index replicas) const { return view_of(total_, replicas, true); }

ModelView Model::view_without_neighbours(Index replicas) const {
  return view_of(total_, replicas, false);
}

ModelView Model::term_view(std::size_t term, Index replicas) const {
  return view_of(term_.at(term), replicas, true);
}

Index Model::bytes_to_come() const {
  if (!cell_bonds_ || site_tables_->neighbour.size() > 0) return 0;
  // Neighbours, canonical numbers, and the row of each site.
  return padded_sites_ * (slots_ + 2) * static_cast<Index>(sizeof(std::int32_t));
}

Index Model::bytes() const {
  Index bytes = (site_tables_->neighbour.size() + site_tables_->canonical.size()) *
                static_cast<Index>(sizeof(std::int32_t));
  // Several tables may share their rows.
  std::set<const SiteRows*> rows;
  const auto add = [&](const RowStorage& storage) {
    bytes += storage.bytes();
    if (storage.rows() != nullptr && rows.insert(storage.rows()).second)
      bytes += storage.rows()->bytes();
  };
  const auto add_all = [&](const TermTables& tables) {
    for (const RowStorage* storage :
         {&tables.bonds, &tables.biquadratic, &tables.onsite, &tables.field})
      add(*storage);
  };
  add_all(total_);
  for (const TermTables& tables : term_) add_all(tables);
  add_all(own_images_);
  add(moment_);
  if (long_range_) bytes += static_cast<Index>(long_range_->bytes());
  return bytes;
}

}  // namespace larmor::spins
