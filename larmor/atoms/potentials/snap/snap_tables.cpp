#include "larmor/atoms/potentials/snap/snap_tables.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "larmor/atoms/potentials/snap/clebsch_gordan.hpp"
#include "larmor/core/error.hpp"

namespace larmor::atoms::snap {
namespace {

double factorial(int n) { return std::tgamma(n + 1.0); }

}  // namespace

SnapTables::SnapTables(int twojmax) {
  if (twojmax < 0 || twojmax > most_twojmax)
    throw InputError("twojmax is " + std::to_string(twojmax),
                     "give a whole number from 0 to " + std::to_string(most_twojmax));
  view_.twojmax = twojmax;
  lay_out_rows();
  list_triples();
  couple();
  view_.pair_j1 = pair_j1_.data();
  view_.pair_j2 = pair_j2_.data();
  view_.pair_block = pair_block_.data();
  view_.pair_triple = pair_triple_.data();
  view_.block = blocks_.data();
  view_.coefficient = coefficients_.data();
  view_.coefficient_of_half = coefficients_of_half_.data();
  view_.norm = norm_.data();
  view_.component = component_of_triple_.data();
}

void SnapTables::lay_out_rows() {
  for (int mb = 0; 2 * mb <= twojmax(); ++mb)
    for (int j = 2 * mb; j <= twojmax(); ++j) {
      view_.row_start[j][mb] = static_cast<int>(norm_.size());
      for (int ma = 0; ma <= (j == 2 * mb ? mb : j); ++ma)
        norm_.push_back(
            std::sqrt(factorial(ma) * factorial(j - ma) / (factorial(mb) * factorial(j - mb))));
    }
  view_.half = static_cast<int>(norm_.size());
  for (int j = 0; j <= twojmax(); ++j) {
    view_.layer_start[j] = view_.full;
    view_.full += (j + 1) * (j + 1);
  }
}

void SnapTables::list_triples() {
  for (int j1 = 0; j1 <= twojmax(); ++j1)
    for (int j2 = 0; j2 <= j1; ++j2)
      for (int j = j1 - j2; j <= std::min(twojmax(), j1 + j2); j += 2) {
        component_of_triple_.push_back(j >= j1 ? static_cast<int>(components_.size()) : -1);
        if (j >= j1) components_.push_back({j1, j2, j});
        triples_.push_back({j1, j2, j});
      }
  view_.triples = static_cast<int>(triples_.size());
  view_.components = static_cast<int>(components_.size());
}

void SnapTables::couple() {
  for (int j1 = 0; j1 <= twojmax(); ++j1)
    for (int j2 = 0; j2 <= j1; ++j2) {
      pair_j1_.push_back(j1);
      pair_j2_.push_back(j2);
      pair_block_.push_back(static_cast<int>(blocks_.size()));
      pair_triple_.push_back(triple(j1, j2, j1 - j2));
      for (int m = 0; m <= j1 + j2; ++m) {
        const int low = std::max(0, m - j2), high = std::min(j1, m);
        const int low_j = std::max(j1 - j2, std::abs(2 * m - j1 - j2));
        blocks_.push_back({low, high - low + 1, low_j, static_cast<int>(coefficients_.size())});
        for (int j = low_j; j <= std::min(twojmax(), j1 + j2); j += 2)
          for (int m1 = low; m1 <= high; ++m1) {
            coefficients_.push_back(clebsch_gordan(j1, m1, j2, m - m1, j));
            coefficients_of_half_.push_back((2 * m1 < m ? 2 : 1) * coefficients_.back());
          }
      }
    }
  view_.pairs = static_cast<int>(pair_j1_.size());
  view_.blocks = static_cast<int>(blocks_.size());
  view_.coefficients = static_cast<int>(coefficients_.size());
}

int SnapTables::triple(int j1, int j2, int j) const {
  const auto place = std::find_if(triples_.begin(), triples_.end(), [&](const Triple& t) {
    return t.j1 == j1 && t.j2 == j2 && t.j == j;
  });
  return static_cast<int>(place - triples_.begin());
}

int SnapTables::component(int j1, int j2, int j) const {
  return component_of_triple_[static_cast<std::size_t>(triple(j1, j2, j))];
}

}  // namespace larmor::atoms::snap
