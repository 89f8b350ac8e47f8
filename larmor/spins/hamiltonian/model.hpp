#pragma once
// A Hamiltonian on a lattice, in the form that kernels read.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "larmor/core/ranks/replica_share.hpp"
#include "larmor/lattice/geometry.hpp"
#include "larmor/spins/hamiltonian/lowered_term.hpp"
#include "larmor/spins/hamiltonian/mean_field.hpp"
#include "larmor/spins/hamiltonian/site_moments.hpp"
#include "larmor/spins/hamiltonian/site_order.hpp"
#include "larmor/spins/hamiltonian/stencil.hpp"
#include "larmor/spins/hamiltonian/term_tables.hpp"

namespace larmor::spins {

class Convolution;
struct SiteArrays;

/// Coupling of spins with their own periodic images, - 1/2 e_i^T M_i e_i.
struct OwnImages {
  ModelView view;  ///< only on-site couplings
  double trace;    ///< sum_i tr M_i
};

/// A model on a device. Sites of one colour do not interact, so they are updated in parallel.
class Model {
 public:
  /// If all cells are alike, construction takes little time and memory for any lattice size: site
  /// tables are built when a view is first requested.
  /// @param moments in mu_B (1 in reduced units)
  /// @param replicas number of replicas that may differ in couplings or fields
  /// @throws InputError if a bond connects a site with itself, or if there are too many different
  ///        numbers
  Model(const Device& device, const lattice::Geometry& geometry, std::vector<LoweredTerm> terms,
        SiteMoments moments, const ReplicaShare& replicas = {});
  ~Model();

  Index sites() const { return sites_; }
  /// Number of sites that are not vacancies; averages "per site" are over these sites.
  Index spins() const { return spins_; }
  SpinLayout layout(const ReplicaShare& replicas) const {
    return {sites_, replicas.count, sites_ - spins_, replicas.first, replicas.all, domain_};
  }
  /// Restricts all later layouts, and so all kernels, to the sites of one domain.
  void share_by(const Domain* domain) { domain_ = domain; }
  Index replicas() const { return replicas_; }
  /// First positions of the sublattices or colours. The storage positions of each sublattice or
  /// colour pass through the lattice once.
  std::vector<Index> runs() const;
  /// Neighbours of each position, (group of eight positions, bond, 8). An unused bond leads to the
  /// position itself.
  std::vector<std::int32_t> neighbours() const;
  /// Do couplings or fields differ by replica?
  bool differs_by_replica() const { return differs_by_replica_; }
  const std::vector<std::string>& term_names() const { return term_names_; }
  /// Storage positions of each colour, ascending.
  const std::vector<std::vector<SiteRange>>& colours() const { return order_.colours; }
  /// Canonical site of each storage position, padded.
  const std::vector<std::int32_t>& canonical() const { return order_.canonical; }
  /// Storage position of each canonical site.
  std::vector<std::int32_t> storage() const;
  const SiteMoments& moments() const { return moments_; }

  /// All terms together, for `replicas` replicas.
  /// @throws InternalError if the model has couplings or fields for another number of replicas
  ModelView view(Index replicas) const;
  /// A view for kernels that compute neighbours and canonical sites. It lacks neighbours, canonical
  /// sites and rows of bonds, so it may need much less memory than `view`.
  ModelView view_without_neighbours(Index replicas) const;
  /// A view of only one term.
  ModelView term_view(std::size_t term, Index replicas) const;
  /// The interaction of any range, or null. The caller of a kernel stores its field at the current
  /// spins in ModelView::long_range. Among views of single terms, only the view of
  /// long_range_term() needs this field.
  const Convolution* long_range() const { return long_range_.get(); }
  std::size_t long_range_term() const { return long_range_term_; }
  /// The part of long_range() in which a spin interacts with its own periodic images, if any.
  std::optional<OwnImages> own_images(Index replicas) const;
  /// The fields of the term with one field for each replica.
  /// @throws InternalError if no such term exists
  ReplicaFields& own_fields();
  /// Moments, width 1.
  RowTable moment_table() const { return moment_.table(); }
  /// Rows of numbers of the spins.
  /// @param of_site `width` numbers of a canonical site
  /// @param by_atom do the numbers depend only on the basis atom? Then few sites are evaluated.
  RowStorage rows_by_site(int width, const std::function<std::vector<double>(Index site)>& of_site,
                          bool by_atom = false) const;

  /// The stencil for a JIT kernel. It exists only for translation-invariant models with bonds that
  /// do not differ by replica. If cells are not alike, tables are copied from the device.
  std::optional<Stencil> stencil(StencilCells cells) const;
  /// A stencil with all sites that a kernel may read: every neighbour in the tables, also if its
  /// coupling is zero. Its cells are the cells of the colouring.
  std::optional<Stencil> neighbourhood() const;

  /// Energy per spin of the ferromagnetic state along z. Only bonds count, with the couplings that
  /// all replicas share.
  double ferromagnetic_bond_energy() const { return ferromagnetic_energy_; }
  /// Mean field of the bilinear bonds.
  const MeanField& mean_field() const { return mean_field_; }
  /// k_B T_c of the mean field, computed on request.
  double mean_field_temperature() const { return mean_field_.temperature().value; }
  /// Upper bound of |dH/de| / mu over all sites and configurations. It bounds the rate of
  /// precession.
  double largest_field() const { return largest_field_; }
  /// Upper bound of |dH/de|, an energy.
  double largest_derivative() const { return largest_derivative_; }
  /// Largest number of bonds of a site.
  int bonds_per_site() const { return bonds_per_site_; }
  /// Bytes of the tables that exist now.
  Index bytes() const;
  /// Bytes of the tables that are built when a kernel reads neighbours.
  Index bytes_to_come() const;

 private:
  struct LazySiteArrays;
  RowMaker row_maker() const;
  const SiteArrays& site_arrays() const;
  StencilTables stencil_tables() const;
  void find_bounds(const lattice::Geometry& geometry, const BondTable& table,
                   const std::vector<LoweredTerm>& terms);
  void store_long_range(const lattice::Geometry& geometry, const std::vector<LoweredTerm>& terms);
  void store_own_images(const lattice::Geometry& geometry, const LongRangeCoupling& coupling);
  ModelView view_of(const TermTables& tables, Index replicas, bool with_neighbours) const;

  Device device_;
  std::array<Index, 3> size_;  ///< cells of the crystal
  Index atoms_ = 0;            ///< atoms of a cell
  Index sites_ = 0, spins_ = 0, replicas_ = 1;
  const Domain* domain_ = nullptr;
  Index padded_sites_ = 0;
  bool differs_by_replica_ = false;
  int bonds_per_site_ = 0;
  std::vector<std::string> term_names_;
  SiteMoments moments_;
  SiteOrder order_;
  std::unique_ptr<CellBonds> cell_bonds_;  ///< only if cells are alike
  std::unique_ptr<LazySiteArrays> site_arrays_;
  TablesOfTerms tables_;
  RowStorage moment_;
  std::unique_ptr<Convolution> long_range_;
  std::size_t long_range_term_ = 0;
  TermTables own_images_;
  double own_image_trace_ = 0;
  MeanField mean_field_;
  double ferromagnetic_energy_ = 0, largest_field_ = 0, largest_derivative_ = 0;
};

}  // namespace larmor::spins
