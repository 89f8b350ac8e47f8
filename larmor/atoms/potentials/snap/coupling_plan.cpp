#include "larmor/atoms/potentials/snap/coupling_plan.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace larmor::atoms::snap {
namespace {

/// The term of a pair of layers, or one of no layer where it has nothing there.
CouplingTerm term_of(const SnapTablesView& t, int pair, const CouplingPiece& piece) {
  const int j1 = t.pair_j1[pair], j2 = t.pair_j2[pair];
  CouplingTerm term{};
  if ((j1 + j2 + piece.q) % 2 != 0 || std::abs(piece.q) > j1 + j2 || std::abs(piece.p) > j1 + j2)
    return term;
  const int m_b = (j1 + j2 + piece.q) / 2, m_a = (j1 + j2 + piece.p) / 2;
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
  term.low = static_cast<std::int16_t>((low_j - piece.lowest_j) / 2);
  term.high = static_cast<std::int16_t>((high_j - piece.lowest_j) / 2 + 1);
  term.sign = static_cast<std::int16_t>((j1 + j2 - low_j) / 2 % 2 == 0 ? 1 : -1);
  return term;
}

using Pair = ProductTable::Pair;
using Step = std::array<std::size_t, ProductTable::products>;

/// Shares products out to steps, so that in most steps the elements of the first factors differ
/// modulo 4, and those of the second ones: they then lie in different banks of shared memory.
/// A number that is no product's stands for none.
std::vector<Step> steps_of(const std::vector<Pair>& pairs) {
  constexpr std::size_t count = ProductTable::products;
  std::array<std::array<std::vector<std::size_t>, count>, count> left;
  for (std::size_t n = pairs.size(); n-- > 0;)
    left[pairs[n].first % count][pairs[n].other % count].push_back(n);
  std::vector<Step> steps;
  const auto take = [&](std::size_t first, std::size_t other) {
    std::vector<std::size_t>& from = left[first][other];
    if (from.empty()) return pairs.size();
    const std::size_t n = from.back();
    from.pop_back();
    return n;
  };
  for (std::size_t taken = 0; taken < pairs.size();) {
    // Of all ways to pair the remainders the one that takes most, of these the one that has most.
    Step order{0, 1, 2, 3}, best{};
    std::pair<std::size_t, std::size_t> most{0, 0};
    do {
      std::pair<std::size_t, std::size_t> has{0, 0};
      for (std::size_t k = 0; k < count; ++k) {
        has.first += left[k][order[k]].empty() ? 0 : 1;
        has.second += left[k][order[k]].size();
      }
      if (has > most) {
        most = has;
        best = order;
      }
    } while (std::next_permutation(order.begin(), order.end()));
    Step step{};
    for (std::size_t k = 0; k < count; ++k) step[k] = take(k, best[k]);
    taken += most.first;
    steps.push_back(step);
  }
  return steps;
}

}  // namespace

CouplingPlan::CouplingPlan(const SnapTablesView& t) {
  std::vector<std::pair<long, CouplingPiece>> by_work;
  std::vector<int> pair_of_term;
  for (int q = 0; q >= -t.twojmax; --q)
    for (int p = -t.twojmax; p <= 0; ++p) {
      if ((q + p) % 2 != 0) continue;
      // Of the rows in the middle, q = 0, the half has ma <= mb: p <= 0.
      const bool mirrored = q != 0 && p != 0;
      CouplingPiece piece{static_cast<std::int32_t>(terms.size()),
                          0,
                          static_cast<std::int16_t>(q),
                          static_cast<std::int16_t>(p),
                          static_cast<std::int16_t>(std::max(-q, -p)),
                          static_cast<std::int16_t>(mirrored)};
      long work = 0;
      for (int pair = 0; pair < t.pairs; ++pair) {
        const CouplingTerm term = term_of(t, pair, piece);
        if (term.high == 0) continue;
        terms.push_back(term);
        pair_of_term.push_back(pair);
        work += term.columns * (term.rows_alike > 0 ? term.rows_alike : term.rows);
      }
      piece.end = static_cast<std::int32_t>(terms.size());
      by_work.emplace_back(work, piece);
    }
  std::stable_sort(by_work.begin(), by_work.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::vector<std::int32_t>> of_pair(static_cast<std::size_t>(t.pairs));
  for (const auto& [work, piece] : by_work) {
    for (std::int32_t n = piece.begin; n < piece.end; ++n)
      terms[static_cast<std::size_t>(n)].piece = static_cast<std::int16_t>(pieces.size());
    directed_pieces.push_back({static_cast<std::int16_t>(pieces.size()), 1});
    if (piece.mirrored) directed_pieces.push_back({static_cast<std::int16_t>(pieces.size()), -1});
    pieces.push_back(piece);
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
  for (const DirectedPiece& directed : plan.directed_pieces) {
    begin.push_back(static_cast<std::int32_t>(pairs.size()) / products);
    const CouplingPiece& piece = plan.pieces[static_cast<std::size_t>(directed.piece)];
    std::vector<Pair> found;
    std::vector<std::array<double, layers>> of_pair;
    for (std::int32_t n = piece.begin; n < piece.end; ++n) {
      const CouplingTerm& term = plan.terms[static_cast<std::size_t>(n)];
      const bool alike = term.rows_alike > 0;
      const int rows = alike ? term.rows_alike : term.rows;
      const double* c_b = (alike ? t.coefficient_of_half : t.coefficient) + term.of_rows;
      const double* c_a = t.coefficient + term.of_columns;
      const bool forward = directed.direction > 0;
      for (int row = 0; row < rows; ++row)
        for (int k = 0; k < term.columns; ++k) {
          const int first = forward ? term.first + k : term.mirrored_first - k;
          const int other = forward ? term.other - k : term.mirrored_other + k;
          found.push_back({static_cast<std::uint16_t>(first + row * term.first_step),
                           static_cast<std::uint16_t>(other - row * term.other_step)});
          of_pair.emplace_back();
          for (int layer = 0; layer < term.high - term.low; ++layer) {
            const double sign = forward ? 1 : term.sign * (layer % 2 == 0 ? 1 : -1);
            of_pair.back()[static_cast<std::size_t>(layer + term.low)] =
                sign * of_triple[static_cast<std::size_t>(term.triple + layer)] *
                c_a[layer * term.columns + k] * c_b[layer * term.row_stride + row];
          }
        }
    }
    for (const std::array<std::size_t, products>& step : steps_of(found))
      for (std::size_t layer = 0; layer <= layers; ++layer)
        for (const std::size_t n : step) {
          const bool exists = n < found.size();
          if (layer < layers)
            coefficients.push_back(exists ? of_pair[n][layer] : 0);
          else
            pairs.push_back(exists ? found[n] : Pair{});
        }
  }
  begin.push_back(static_cast<std::int32_t>(pairs.size()) / products);
}

}  // namespace larmor::atoms::snap
