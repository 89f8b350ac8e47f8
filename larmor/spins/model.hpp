#pragma once
// A Hamiltonian on a lattice, lowered and stored the way kernels read it.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "larmor/core/real_array.hpp"
#include "larmor/lattice/colouring.hpp"
#include "larmor/lattice/geometry.hpp"
#include "larmor/lattice/ordering.hpp"
#include "larmor/spins/lowered_term.hpp"
#include "larmor/spins/stencil.hpp"

namespace larmor::spins {

class Convolution;

/// Rows of values by storage position, kept once each, on a device.
class RowStorage {
 public:
  RowStorage() = default;
  /// @param row row of each storage position; @param value (rows, width)
  RowStorage(const Device& device, const std::vector<std::int32_t>& row,
             const std::vector<double>& value, int width);
  /// Values that differ by replica. @param value (block, row, width, 8), blocks of `block_stride`
  RowStorage(const Device& device, const std::vector<std::int32_t>& row,
             const std::vector<double>& value, int width, Index block_stride);
  RowTable table() const;
  Index bytes() const;
  /// Copies of the tables: rows of storage positions, and values.
  std::vector<std::int32_t> rows() const { return row_.to_host(); }
  std::vector<double> values() const { return value_.to_host(); }

 private:
  RealArray value_;
  Array<std::int32_t> row_;
  int width_ = 0;
  bool uniform_ = true;
  Index block_stride_ = 0;
};

/// Sites of one colour do not interact: they are updated side by side.
struct ColourRange {
  Index first_site, last_site;  ///< storage positions
};

class Model {
 public:
  /// @param moments of canonical sites, in mu_B (1 in reduced units); 0 of vacancies
  /// @param replicas that terms may tell from one another
  /// @throws InputError when a term couples a site with itself or a bond leads nowhere
  Model(const Device& device, const lattice::Geometry& geometry, std::vector<LoweredTerm> terms,
        std::vector<double> moments, Index replicas = 1);
  ~Model();

  Index sites() const { return sites_; }
  /// Sites that are no vacancies: what averages "per site" are over.
  Index spins() const { return spins_; }
  SpinLayout layout(Index replicas) const { return {sites_, replicas, sites_ - spins_}; }
  /// Do couplings or fields differ by replica?
  bool differs_by_replica() const { return differs_by_replica_; }
  const std::vector<std::string>& term_names() const { return term_names_; }
  /// Colour by colour, each as one or more ranges.
  const std::vector<ColourRange>& colours() const { return colours_; }
  int colour_count() const { return colour_count_; }
  /// Canonical site of each storage position, padded.
  const std::vector<std::int32_t>& canonical() const { return canonical_; }
  const std::vector<double>& moments() const { return moments_; }
  double total_moment() const;

  /// All terms together, for `replicas` copies.
  /// @throws InternalError for another number of replicas than those that the model tells apart
  ModelView view(Index replicas) const;
  /// One term alone.
  ModelView term_view(std::size_t term, Index replicas) const;
  /// The interaction of any range; null: there is none. Views take its field at the spins that are
  /// read as `long_range`; of the terms' own views only that of long_range_term() does.
  const Convolution* long_range() const { return long_range_.get(); }
  std::size_t long_range_term() const { return long_range_term_; }
  /// Moments, width 1.
  RowTable moment_table() const { return moment_.table(); }
  /// Rows of numbers of the spins. @param of_site `width` numbers of a canonical site
  RowStorage rows_by_site(int width,
                          const std::function<std::vector<double>(Index site)>& of_site) const;

  /// What a kernel made for this model must know, where it is translation invariant and has bonds
  /// that do not differ by replica. Copies tables from the device.
  std::optional<Stencil> stencil(StencilCells cells) const;

  /// Energy of the ferromagnetic state along z, bonds only, per spin; of the mean couplings where
  /// they differ by replica.
  double ferromagnetic_bond_energy() const { return ferromagnetic_energy_; }
  /// Mean-field ordering energy k_B T_c = (1/3) largest eigenvalue of J(q), bonds only, q in
  /// twelfths; 0 where bonds are not those of a lattice. Vacancies count by their concentration.
  double mean_field_temperature() const { return mean_field_; }
  /// Upper bound of |dH/de| / mu over all sites and configurations: the fastest precession.
  double largest_field() const { return largest_field_; }
  /// The same of |dH/de|, an energy.
  double largest_derivative() const { return largest_derivative_; }
  /// Largest number of bonds of a site.
  int slots() const { return slots_; }
  /// Bytes of tables.
  Index bytes() const { return bytes_; }

 private:
  struct Bonds;
  void order_sites(const lattice::Geometry& geometry, const std::vector<LoweredTerm>& terms,
                   Bonds& bonds);
  /// Canonical site whose numbers a storage position gets; those of vacancies are never read.
  Index numbered_site(Index position) const {
    return canonical_[static_cast<std::size_t>(position < spins_ ? position : 0)];
  }
  void store_bonds(const Bonds& bonds, const std::vector<LoweredTerm>& terms);
  void store_onsite(const std::vector<LoweredTerm>& terms);
  void store_field(const std::vector<LoweredTerm>& terms);
  RowStorage field_by_replica(const std::vector<LoweredTerm>& terms, std::size_t first,
                              std::size_t last) const;
  void store_long_range(const lattice::Geometry& geometry, const std::vector<LoweredTerm>& terms);

  struct TermTables {
    BondClass bond_class = BondClass::scalar;
    RowStorage bonds, biquadratic, onsite, field;
    Index bytes() const {
      return bonds.bytes() + biquadratic.bytes() + onsite.bytes() + field.bytes();
    }
  };
  ModelView view_of(const TermTables& tables, Index replicas) const;

  Device device_;
  Index sites_ = 0, spins_ = 0, replicas_ = 1;
  Index padded_sites_ = 0;
  bool differs_by_replica_ = false;
  int slots_ = 0;
  std::vector<std::string> term_names_;
  std::vector<double> moments_;
  std::vector<std::int32_t> canonical_;
  std::vector<ColourRange> colours_;
  int colour_count_ = 0;
  StencilTables sublattices_;  ///< how sites are ordered, where by sublattices; the rest is empty
  Array<std::int32_t> canonical_on_device_, neighbour_;
  TermTables total_;
  std::vector<TermTables> term_;
  RowStorage moment_;
  std::unique_ptr<Convolution> long_range_;
  std::size_t long_range_term_ = 0;
  double ferromagnetic_energy_ = 0, mean_field_ = 0, largest_field_ = 0, largest_derivative_ = 0;
  Index bytes_ = 0;
};

}  // namespace larmor::spins
