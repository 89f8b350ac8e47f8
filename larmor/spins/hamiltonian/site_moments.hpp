#pragma once
// Moments of canonical sites in mu_B. If all cells have equal atoms, only one number for each basis
// atom is stored.

#include <algorithm>
#include <utility>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::spins {

class SiteMoments {
 public:
  /// @param of_sites moment of every canonical site; 0 for vacancies
  explicit SiteMoments(std::vector<double> of_sites)
      : value_(std::move(of_sites)), sites_(static_cast<Index>(value_.size())) {}
  /// @param of_atoms moments of the basis atoms of each of `cells` cells
  SiteMoments(std::vector<double> of_atoms, Index cells)
      : value_(std::move(of_atoms)),
        sites_(static_cast<Index>(value_.size()) * cells),
        by_atom_(true) {}

  Index sites() const { return sites_; }
  /// Do moments depend only on the basis atom?
  bool by_atom() const { return by_atom_; }
  /// The basis atom varies fastest in the canonical index.
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
