#pragma once
// A Hamiltonian on a lattice, lowered and stored the way kernels read it.

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

/// What couples spins with their own images, - 1/2 e_i^T M_i e_i.
struct OwnImages {
  ModelView view;  ///< as on-site couplings; nothing else is in it
  double trace;    ///< sum_i tr M_i
};

/// Sites of one colour do not interact: they are updated side by side.
class Model {
 public:
  /// On a lattice whose cells are alike this takes hardly any time or memory, however large it is:
  /// tables of sites are made when a view is first asked for.
  /// @param moments in mu_B (1 in reduced units)
  /// @param replicas that terms may tell from one another
  /// @throws InputError when a term couples a site with itself or a bond leads nowhere
  Model(const Device& device, const lattice::Geometry& geometry, std::vector<LoweredTerm> terms,
        SiteMoments moments, const ReplicaShare& replicas = {});
  ~Model();

  Index sites() const { return sites_; }
  /// Sites that are no vacancies: what averages "per site" are over.
  Index spins() const { return spins_; }
  SpinLayout layout(const ReplicaShare& replicas) const {
    return {sites_, replicas.count, sites_ - spins_, replicas.first, replicas.all, domain_};
  }
  /// From now on layouts, and with them all kernels, are of a part of the sites.
  void share_by(const Domain* domain) { domain_ = domain; }
  Index replicas() const { return replicas_; }
  /// Where runs of storage positions begin that go through the lattice once: sublattices or
  /// colours.
  std::vector<Index> runs() const;
  /// Of each position, (group of eight positions, bond, 8); itself where a bond is unused.
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

  /// All terms together, for `replicas` copies.
  /// @throws InternalError for another number of replicas than those that the model tells apart
  ModelView view(Index replicas) const;
  /// The same for kernels that know neighbours and canonical sites by themselves: those, and the
  /// rows of bonds, are not in it. `view` may be much larger.
  ModelView view_without_neighbours(Index replicas) const;
  /// One term alone.
  ModelView term_view(std::size_t term, Index replicas) const;
  /// The interaction of any range; null: there is none. Views take its field at the spins that are
  /// read as `long_range`; of the terms' own views only that of long_range_term() does.
  const Convolution* long_range() const { return long_range_.get(); }
  std::size_t long_range_term() const { return long_range_term_; }
  /// The part of long_range() that couples spins with their own images; nothing: there is none.
  std::optional<OwnImages> own_images(Index replicas) const;
  /// Of the term that has fields of the replicas' own. @throws InternalError if there is none
  ReplicaFields& own_fields();
  /// Moments, width 1.
  RowTable moment_table() const { return moment_.table(); }
  /// Rows of numbers of the spins. @param of_site `width` numbers of a canonical site
  /// @param by_atom do they depend on the atom of the basis alone? Few sites are asked for then.
  RowStorage rows_by_site(int width, const std::function<std::vector<double>(Index site)>& of_site,
                          bool by_atom = false) const;

  /// What a JIT kernel must know, where it is translation invariant and has bonds
  /// that do not differ by replica. Copies tables from the device where cells need not be alike.
  std::optional<Stencil> stencil(StencilCells cells) const;
  /// The same of the cells of the colouring with every neighbour that tables have, whatever couples
  /// them: what any kernel may read.
  std::optional<Stencil> neighbourhood() const;

  /// Energy of the ferromagnetic state along z, bonds only, per spin; of the mean couplings where
  /// they differ by replica.
  double ferromagnetic_bond_energy() const { return ferromagnetic_energy_; }
  /// Of the bilinear bonds.
  const MeanField& mean_field() const { return mean_field_; }
  /// Its k_B T_c, which is sought when it is asked for.
  double mean_field_temperature() const { return mean_field_.temperature().value; }
  /// Upper bound of |dH/de| / mu over all sites and configurations: the fastest precession.
  double largest_field() const { return largest_field_; }
  /// The same of |dH/de|, an energy.
  double largest_derivative() const { return largest_derivative_; }
  /// Largest number of bonds of a site.
  int bonds_per_site() const { return bonds_per_site_; }
  /// Bytes of the tables that are there by now.
  Index bytes() const;
  /// Bytes of those that are made once a kernel reads neighbours.
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
  Index atoms_ = 0;            ///< of a cell
  Index sites_ = 0, spins_ = 0, replicas_ = 1;
  const Domain* domain_ = nullptr;
  Index padded_sites_ = 0;
  bool differs_by_replica_ = false;
  int bonds_per_site_ = 0;
  std::vector<std::string> term_names_;
  SiteMoments moments_;
  SiteOrder order_;
  std::unique_ptr<CellBonds> cell_bonds_;  ///< where cells are alike
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
