#include "larmor/spins/hamiltonian/model.hpp"

#include <algorithm>
#include <mutex>
#include <set>

#include "larmor/core/error.hpp"
#include "larmor/spins/hamiltonian/bond_table.hpp"
#include "larmor/spins/hamiltonian/cell_bonds.hpp"
#include "larmor/spins/hamiltonian/energy_scales.hpp"
#include "larmor/spins/hamiltonian/lowered_term.hpp"
#include "larmor/spins/hamiltonian/row_maker.hpp"
#include "larmor/spins/hamiltonian/site_order.hpp"
#include "larmor/spins/long_range/convolution.hpp"

namespace larmor::spins {

/// If cells are alike, these arrays are filled when a kernel first reads them.
struct Model::LazySiteArrays {
  std::once_flag once;
  SiteArrays arrays;
};

Model::Model(const Device& device, const lattice::Geometry& geometry,
             std::vector<LoweredTerm> terms, SiteMoments moments, const ReplicaShare& replicas)
    : device_(device),
      size_(geometry.size),
      atoms_(static_cast<Index>(geometry.crystal.basis.size())),
      sites_(geometry.sites()),
      spins_(geometry.spins()),
      replicas_(replicas.count),
      moments_(std::move(moments)),
      site_arrays_(std::make_unique<LazySiteArrays>()) {
  padded_sites_ = layout(1).padded_sites();
  if (replicas.all == 1) merge_single_replica(terms);
  shift_replicas(replicas.first, terms);
  differs_by_replica_ = std::any_of(terms.begin(), terms.end(), spins::differs_by_replica);
  for (const LoweredTerm& term : terms) term_names_.push_back(term.name);
  const auto repeating = repeating_colours(geometry, terms);
  const bool alike = repeating && geometry.is_periodic();
  const BondTable table(geometry, terms, alike ? atoms_ : sites_);
  bonds_per_site_ = table.bonds_per_site();
  ferromagnetic_energy_ = ferromagnetic_energy(table, geometry);
  mean_field_ = MeanField(geometry, terms);

  if (alike) {
    cell_bonds_ = std::make_unique<CellBonds>(geometry, *repeating, table);
    order_ = order_of_alike_cells(geometry, *repeating, padded_sites_, device_.threads);
  } else {
    order_ = order_of_sites(geometry, table, repeating, padded_sites_);
    site_arrays_->arrays = spins::site_arrays(device_, order_.canonical, table, storage());
  }
  find_bounds(geometry, table, terms);
  tables_ = tables_of_terms(terms, table, row_maker(), layout(replicas_));
  store_long_range(geometry, terms);
  moment_ = rows_by_site(
      1,
      [this](Index site) { return std::vector<double>{moments_[static_cast<std::size_t>(site)]}; },
      moments_.by_atom());
}

Model::~Model() = default;

RowMaker Model::row_maker() const {
  return RowMaker(device_, order_.canonical, spins_, cell_bonds_.get());
}

RowStorage Model::rows_by_site(int width,
                               const std::function<std::vector<double>(Index site)>& of_site,
                               bool by_atom) const {
  return row_maker().make(width, by_atom, of_site);
}

void Model::find_bounds(const lattice::Geometry& geometry, const BondTable& table,
                        const std::vector<LoweredTerm>& terms) {
  // The table may have only the first cell. In this case, sites of one basis atom are alike, unless
  // one-site terms differ from cell to cell.
  const bool first_cell = moments_.by_atom() && row_maker().cells_are_alike(terms, 0, terms.size());
  const FieldBounds bounds = field_bounds(
      geometry, table, terms, moments_, first_cell,
      differs_by_replica_ ? SpinLayout{1, replicas_}.padded_replicas() : 0, device_.threads);
  largest_derivative_ = bounds.derivative;
  largest_field_ = bounds.field;
}

const SiteArrays& Model::site_arrays() const {
  if (cell_bonds_)
    std::call_once(site_arrays_->once, [this] {
      site_arrays_->arrays = spins::site_arrays(device_, order_.canonical, *cell_bonds_);
    });
  return site_arrays_->arrays;
}

std::vector<std::int32_t> Model::neighbours() const { return site_arrays().neighbour.to_host(); }

std::vector<std::int32_t> Model::storage() const { return order_.storage(sites_); }

std::vector<Index> Model::runs() const {
  std::vector<Index> begins = order_.runs;
  std::erase_if(begins, [this](Index begin) { return begin >= spins_; });
  return begins;
}

/// Tables without couplings.
StencilTables Model::stencil_tables() const {
  StencilTables tables;
  tables.size = size_;
  tables.supercell = order_.sublattices->supercell;
  tables.atoms = atoms_;
  tables.first = order_.sublattices->first;
  tables.colour = order_.sublattices->colour;
  tables.canonical = order_.canonical;
  tables.neighbour = neighbours();
  tables.row.resize(order_.canonical.size());
  return tables;
}

std::optional<Stencil> Model::stencil(StencilCells cells) const {
  if (tables_.total.bonds.differs_by_replica()) return std::nullopt;
  if (cell_bonds_)
    return cell_bonds_->stencil(cells, tables_.total.bond_class, tables_.total.bonds.values());
  if (!order_.sublattices) return std::nullopt;
  StencilTables tables = stencil_tables();
  if (tables_.total.bonds.present()) {
    tables.bonds_per_site = bonds_per_site_;
    tables.row = tables_.total.bonds.rows()->to_host();
    tables.value = tables_.total.bonds.values();
  }
  tables.bond_class = tables_.total.bond_class;
  return find_stencil(tables, cells, device_.threads);
}

std::optional<Stencil> Model::neighbourhood() const {
  if (cell_bonds_) {
    const Index rows = cell_bonds_->atoms();
    return cell_bonds_->stencil(
        StencilCells::colours, BondClass::scalar,
        std::vector<double>(static_cast<std::size_t>(rows * bonds_per_site_), 1));
  }
  if (!order_.sublattices) return std::nullopt;
  StencilTables tables = stencil_tables();
  tables.bonds_per_site = bonds_per_site_;
  tables.value.assign(static_cast<std::size_t>(bonds_per_site_), 1);
  return find_stencil(tables, StencilCells::colours, device_.threads);
}

void Model::store_long_range(const lattice::Geometry& geometry,
                             const std::vector<LoweredTerm>& terms) {
  for (std::size_t t = 0; t < terms.size(); ++t) {
    if (!terms[t].long_range) continue;
    if (long_range_)
      throw InternalError("a model has two long-range interactions: " +
                          terms[long_range_term_].name + " and " + terms[t].name);
    long_range_ = std::make_unique<Convolution>(geometry, *terms[t].long_range, order_.canonical,
                                                device_.threads);
    long_range_term_ = t;
    // The long-range field has the largest derivative at the site with the largest moment. The
    // bound divided by the moment is equal on all sites.
    largest_derivative_ += long_range_->largest_field();
    largest_field_ += long_range_->largest_field() / moments_.largest();
    store_own_images(geometry, *terms[t].long_range);
  }
}

void Model::store_own_images(const lattice::Geometry& geometry, const LongRangeCoupling& coupling) {
  const Mat3<double> T = coupling.tensor(0, 0, {0, 0, 0});
  if (T == Mat3<double>{}) return;
  const auto square = [&](Index site) { return coupling.weight(site) * coupling.weight(site); };
  // Weights depend on the site only if moments do.
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
  const Index distinct = by_atom ? static_cast<Index>(geometry.crystal.basis.size()) : sites_;
  double squares = 0;
  for (Index site = 0; site < distinct; ++site) squares += square(site);
  own_image_trace_ =
      squares * static_cast<double>(sites_ / distinct) * (T.row[0].x + T.row[1].y + T.row[2].z);
}

std::optional<OwnImages> Model::own_images(Index replicas) const {
  if (!own_images_.onsite.present()) return std::nullopt;
  return OwnImages{view_of(own_images_, replicas, false), own_image_trace_};
}

ModelView Model::view_of(const TermTables& tables, Index replicas, bool with_neighbours) const {
  if (differs_by_replica_ && replicas != replicas_)
    throw InternalError("a model of " + std::to_string(replicas_) + " replicas is used for " +
                        std::to_string(replicas));
  ModelView view;
  view.bonds_per_site = bonds_per_site_;
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
  const SiteArrays& arrays = site_arrays();
  view.neighbour = arrays.neighbour.data();
  view.canonical = arrays.canonical.data();
  return view;
}

ModelView Model::view(Index replicas) const { return view_of(tables_.total, replicas, true); }

ModelView Model::view_without_neighbours(Index replicas) const {
  return view_of(tables_.total, replicas, false);
}

ReplicaFields& Model::own_fields() {
  if (tables_.own_fields == nullptr)
    throw InternalError("no term of the model has a field for each replica");
  return *tables_.own_fields;
}

ModelView Model::term_view(std::size_t term, Index replicas) const {
  return view_of(tables_.of_term.at(term), replicas, true);
}

Index Model::bytes_to_come() const {
  if (!cell_bonds_ || site_arrays_->arrays.neighbour.size() > 0) return 0;
  // Each position has its neighbours, its canonical site and its row.
  return padded_sites_ * (bonds_per_site_ + 2) * static_cast<Index>(sizeof(std::int32_t));
}

Index Model::bytes() const {
  Index bytes = (site_arrays_->arrays.neighbour.size() + site_arrays_->arrays.canonical.size()) *
                static_cast<Index>(sizeof(std::int32_t));
  // Tables may share their rows.
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
  add_all(tables_.total);
  for (const TermTables& tables : tables_.of_term) add_all(tables);
  add_all(own_images_);
  add(moment_);
  if (long_range_) bytes += static_cast<Index>(long_range_->bytes());
  return bytes;
}

}  // namespace larmor::spins
