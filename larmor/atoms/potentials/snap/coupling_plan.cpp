#include "larmor/atoms/potentials/snap/coupling_plan.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace larmor::atoms::snap {
namespace {

/// The term of a pair of layers; it has no layers if the pair has no products in the group.
CouplingTerm term_of(const SnapTablesView& t, int pair, const CouplingGroup& group) {
  const int j1 = t.pair_j1[pair], j2 = t.pair_j2[pair];
  CouplingTerm term{};
  if ((j1 + j2 + group.q) % 2 != 0 || std::abs(group.q) > j1 + j2 || std::abs(group.p) > j1 + j2)
    return term;
  const int m_b = (j1 + j2 + group.q) / 2, m_a = (j1 + j2 + group.p) / 2;
  const CouplingBlock& of_b = t.block[t.pair_block[pair] + m_b];
  const CouplingBlock& of_a = t.block[t.pair_block[pair] + m_a];
  const int low_j = std::max(of_a.low_j, of_b.low_j);
  const int high_j = j1 + j2 <= t.twojmax ? j1 + j2 : t.twojmax - (j1 + j2 + t.twojmax) % 2;
  if (low_j > high_j) return term;
  const auto place = [&](int j, int mb, int ma) { return t.layer_start[j] + mb * (j + 1) + ma; };
  const int mb1 = of_b.low_m1, ma1 = of_a.low_m1;
  term.first = place(j1, mb1, ma1);
  term.other = place(j2, m_b - mb1, m_a - ma1);
  term.mirrored_first = place(j1, mb1, j1 - ma1);
  term.mirrored_other = place(j2, m_b - mb1, j2 - (m_a - ma1));
  term.columns = static_cast<std::int16_t>(of_a.count_m1);
  term.rows = static_cast<std::int16_t>(of_b.count_m1);
  term.rows_alike = static_cast<std::int16_t>(j1 == j2 ? m_b / 2 + 1 - mb1 : 0);
  term.row_stride = static_cast<std::int16_t>(of_b.count_m1);
  term.of_columns = of_a.first + (low_j - of_a.low_j) / 2 * of_a.count_m1;
  term.of_rows = of_b.first + (low_j - of_b.low_j) / 2 * of_b.count_m1;
  term.triple = t.pair_triple[pair] + (low_j - j1 + j2) / 2;
  term.first_step = static_cast<std::int16_t>(j1 + 1);
  term.other_step = static_cast<std::int16_t>(j2 + 1);
  term.low = static_cast<std::int16_t>((low_j - group.lowest_j) / 2);
  term.high = static_cast<std::int16_t>((high_j - group.lowest_j) / 2 + 1);
  term.sign = static_cast<std::int16_t>((j1 + j2 - low_j) / 2 % 2 == 0 ? 1 : -1);
  return term;
}

/// A product and its coefficients.
struct WeightedProduct {
  ProductTable::Product product;
  std::array<double, ProductTable::layers> coefficient;

  /// Remainders modulo 4 of the elements, as bits of four masks.
  std::array<unsigned, 4> remainders() const {
    const auto bit = [](int element) { return 1u << element % 4; };
    return {bit(product.first), bit(product.other),
            bit(product.mirrored_first & ~ProductTable::opposite), bit(product.mirrored_other)};
  }
};

/// Products that are computed together.
struct Step {
  std::array<unsigned, 4> used_remainders{};
  std::vector<WeightedProduct> products;

  bool is_full() const { return products.size() == ProductTable::products; }
  bool can_add(const WeightedProduct& product) const {
    const std::array<unsigned, 4> remainders = product.remainders();
    for (std::size_t n = 0; n < used_remainders.size(); ++n)
      if ((used_remainders[n] & remainders[n]) != 0) return false;
    return !is_full();
  }
  void add(const WeightedProduct& product) {
    const std::array<unsigned, 4> remainders = product.remainders();
    for (std::size_t n = 0; n < used_remainders.size(); ++n) used_remainders[n] |= remainders[n];
    products.push_back(product);
  }
};

/// Distributes products over steps. In most steps, the elements of each factor differ modulo 4.
/// Such elements are in different banks of shared memory.
std::vector<Step> steps_of(const std::vector<WeightedProduct>& products) {
  constexpr std::size_t most_open = 64;
  std::vector<Step> steps, open;
  for (const WeightedProduct& product : products) {
    auto place = std::find_if(open.begin(), open.end(),
                              [&](const Step& step) { return step.can_add(product); });
    if (place == open.end()) {
      if (open.size() == most_open) {
        steps.push_back(open.front());
        open.erase(open.begin());
      }
      place = open.insert(open.end(), Step{});
    }
    place->add(product);
    if (!place->is_full()) continue;
    steps.push_back(*place);
    open.erase(place);
  }
  // The remaining products are combined in any order.
  Step rest;
  const auto finish = [&](const Step& step) {
    for (const WeightedProduct& product : step.products) {
      rest.add(product);
      if (!rest.is_full()) continue;
      steps.push_back(rest);
      rest = {};
    }
  };
  const auto is_short = [](const Step& step) { return !step.is_full(); };
  for (const Step& step : steps)
    if (is_short(step)) open.push_back(step);
  steps.erase(std::remove_if(steps.begin(), steps.end(), is_short), steps.end());
  for (const Step& step : open) finish(step);
  if (!rest.products.empty()) steps.push_back(rest);
  return steps;
}

}  // namespace

CouplingPlan::CouplingPlan(const SnapTablesView& t) {
  std::vector<std::pair<long, CouplingGroup>> by_work;
  std::vector<int> pair_of_term;
  for (int q = 0; q >= -t.twojmax; --q)
    for (int p = -t.twojmax; p <= 0; ++p) {
      if ((q + p) % 2 != 0) continue;
      // In the middle rows, q = 0, the half has ma <= mb: p <= 0.
      const bool mirrored = q != 0 && p != 0;
      CouplingGroup group{static_cast<std::int32_t>(terms.size()),
                          0,
                          static_cast<std::int16_t>(q),
                          static_cast<std::int16_t>(p),
                          static_cast<std::int16_t>(std::max(-q, -p)),
                          static_cast<std::int16_t>(mirrored)};
      long work = 0;
      for (int pair = 0; pair < t.pairs; ++pair) {
        const CouplingTerm term = term_of(t, pair, group);
        if (term.high == 0) continue;
        terms.push_back(term);
        pair_of_term.push_back(pair);
        work += term.columns * (term.rows_alike > 0 ? term.rows_alike : term.rows);
      }
      group.end = static_cast<std::int32_t>(terms.size());
      by_work.emplace_back(work, group);
    }
  std::stable_sort(by_work.begin(), by_work.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::vector<std::int32_t>> of_pair(static_cast<std::size_t>(t.pairs));
  for (const auto& [work, group] : by_work) {
    for (std::int32_t n = group.begin; n < group.end; ++n)
      terms[static_cast<std::size_t>(n)].group = static_cast<std::int16_t>(groups.size());
    directed_groups.push_back({static_cast<std::int16_t>(groups.size()), 1});
    if (group.mirrored) directed_groups.push_back({static_cast<std::int16_t>(groups.size()), -1});
    groups.push_back(group);
  }
  for (std::size_t n = 0; n < terms.size(); ++n)
    of_pair[static_cast<std::size_t>(pair_of_term[n])].push_back(static_cast<std::int32_t>(n));
  first_of_pair.push_back(0);
  for (const auto& list : of_pair) {
    terms_of_pairs.insert(terms_of_pairs.end(), list.begin(), list.end());
    first_of_pair.push_back(static_cast<std::int32_t>(terms_of_pairs.size()));
  }
}

ProductTable::ProductTable(const SnapTablesView& t, const CouplingPlan& plan,
                           std::span<const double> of_triple) {
  const auto append = [&](Step step) {
    step.products.resize(products);
    for (std::size_t layer = 0; layer < layers; ++layer)
      for (const WeightedProduct& product : step.products)
        coefficients.push_back(product.coefficient[layer]);
    for (const WeightedProduct& product : step.products)
      products_of_step.push_back(product.product);
  };
  for (const CouplingGroup& group : plan.groups) {
    begin.push_back(static_cast<std::int32_t>(products_of_step.size()) / products);
    std::vector<WeightedProduct> found;
    for (std::int32_t n = group.begin; n < group.end; ++n) {
      const CouplingTerm& term = plan.terms[static_cast<std::size_t>(n)];
      const bool alike = term.rows_alike > 0;
      const int rows = alike ? term.rows_alike : term.rows;
      const double* c_b = (alike ? t.coefficient_of_half : t.coefficient) + term.of_rows;
      const double* c_a = t.coefficient + term.of_columns;
      const bool is_opposite = (term.sign < 0) != (term.low % 2 != 0);
      const auto element = [](int e) { return static_cast<std::uint16_t>(e); };
      for (int row = 0; row < rows; ++row)
        for (int k = 0; k < term.columns; ++k) {
          const int first = row * term.first_step, other = -row * term.other_step;
          WeightedProduct product{
              {element(term.first + first + k), element(term.other + other - k),
               element(term.mirrored_first + first - k), element(term.mirrored_other + other + k)},
              {}};
          if (is_opposite) product.product.mirrored_first |= opposite;
          for (int layer = 0; layer < term.high - term.low; ++layer)
            product.coefficient[static_cast<std::size_t>(layer + term.low)] =
                of_triple[static_cast<std::size_t>(term.triple + layer)] *
                c_a[layer * term.columns + k] * c_b[layer * term.row_stride + row];
          found.push_back(product);
        }
    }
    std::vector<Step> steps = steps_of(found);
    while (steps.size() % steps_at_once != 0) steps.emplace_back();
    for (Step& step : steps) append(step);
  }
  begin.push_back(static_cast<std::int32_t>(products_of_step.size()) / products);
  for (int n = 0; n < steps_at_once; ++n) append({});
}

}  // namespace larmor::atoms::snap
