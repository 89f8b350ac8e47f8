#pragma once
// Moments of canonical sites in mu_B. Where every cell has the same atoms, one number for each of
// them is all that is kept.

#include <algorithm>
#include <utility>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::spins {

class SiteMoments {
 public:
  /// @param of_sites of every canonical site; 0 of vacancies
  explicit SiteMoments(std::vector<double> of_sites)
      : value_(std::move(of_sites)), sites_(static_cast<Index>(value_.size())) {}
  /// @param of_atoms of the basis atoms of each of `cells` cells
  SiteMoments(std::vector<double> of_atoms, Index cells)
      : value_(std::move(of_atoms)),
        sites_(static_cast<Index>(value_.size()) * cells),
        by_atom_(true) {}

  Index sites() const { return sites_; }
  /// Do they depend on the atom of the basis alone?
  bool by_atom() const { return by_atom_; }
  /// The basis atom is what runs fastest in the canonical index.
  double operator[](std::size_t site) const { return value_[site % value_.size()]; }
  double largest() const { return *std::max_element(value_.begin(), value_.end()); }
  /// [sites]
  std::vector<double> of_sites() const {
    std::vector<double> all(static_cast<std::size_t>(sites_));
    for (std::size_t site = 0; site < all.size(); ++site) all[site] = (*this)[site];
    return all;
  }

 private:
  std::vector<double> value_;
  Index sites_;
  bool by_atom_ = false;
};

}  // namespace larmor::spins
