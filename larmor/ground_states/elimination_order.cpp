#include "larmor/ground_states/elimination_order.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <span>
#include <unordered_set>

namespace larmor::ground_states {
namespace {

using Variable = std::int32_t;
using VariableList = std::vector<Variable>;

/// Variables of at most this degree are eliminated first. If the least possible width is at least
/// this degree, it does not grow.
constexpr int always_eliminated = 2;
/// Least fill is tried only for graphs of at most this many variables.
constexpr std::size_t most_by_fill = 4096;
constexpr std::size_t variables_of_all_tries = 8192;
constexpr std::size_t most_tries = 24;

std::size_t nth(Index i) { return static_cast<std::size_t>(i); }

/// The neighbours of each variable. Several couplings of a pair count as one.
class Graph {
 public:
  explicit Graph(const SpinForm& form) : begin_(form.field.size() + 1) {
    std::vector<std::pair<Variable, Variable>> joined;
    for (const Coupling& coupling : form.couplings)
      if (coupling.value != 0) {
        joined.emplace_back(coupling.i, coupling.j);
        joined.emplace_back(coupling.j, coupling.i);
      }
    std::ranges::sort(joined);
    joined.erase(std::unique(joined.begin(), joined.end()), joined.end());
    for (const auto& [i, j] : joined) {
      ++begin_[nth(i) + 1];
      neighbour_.push_back(j);
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  }

  Variable size() const { return static_cast<Variable>(begin_.size() - 1); }
  std::span<const Variable> neighbours(Variable i) const {
    return std::span(neighbour_).subspan(begin_[nth(i)], begin_[nth(i) + 1] - begin_[nth(i)]);
  }
  int degree(Variable i) const { return static_cast<int>(neighbours(i).size()); }
  /// Does the graph have too many pairs for an order of this width?
  bool has_pairs_beyond(int width) const {
    return neighbour_.size() > 2 * nth(width) * nth(size());
  }

 private:
  std::vector<std::size_t> begin_;
  VariableList neighbour_;
};

/// Adds the scope of each step to an order. @return nothing if the order is wider than
/// `widest_order`, or has `cheaper_than` table entries or more
std::optional<EliminationOrder> with_scopes(const Graph& graph, VariableList variables,
                                            double cheaper_than) {
  EliminationOrder order;
  const VariableList nobody(variables.size(), -1);
  VariableList step_of = nobody, met = nobody;
  for (std::size_t step = 0; step < variables.size(); ++step)
    step_of[nth(variables[step])] = static_cast<Variable>(step);
  // A table is combined at the first step of its scope. Each step has a linked list of the tables
  // that it combines.
  VariableList first_table = nobody, next_table = nobody;
  order.begin.push_back(0);
  for (Variable step = 0; step < graph.size(); ++step) {
    const auto begin = order.scope.size();
    const auto add_to_scope = [&](Variable other) {
      if (other <= step || met[nth(other)] == step) return;
      met[nth(other)] = step;
      order.scope.push_back(other);
    };
    for (const Variable other : graph.neighbours(variables[nth(step)]))
      add_to_scope(step_of[nth(other)]);
    for (Variable table = first_table[nth(step)]; table >= 0; table = next_table[nth(table)])
      for (int k = 0; k < order.width_of(table); ++k) add_to_scope(order.scope_of(table)[k]);
    std::sort(order.scope.begin() + static_cast<std::ptrdiff_t>(begin), order.scope.end());
    order.begin.push_back(static_cast<Index>(order.scope.size()));
    const int width = order.width_of(step);
    order.width = std::max(order.width, width);
    order.entries += std::exp2(width);
    if (width > widest_order || order.entries >= cheaper_than) return std::nullopt;
    if (width == 0) continue;
    const auto to = nth(order.scope[begin]);
    next_table[nth(step)] = first_table[to];
    first_table[to] = step;
  }
  order.variable = std::move(variables);
  return order;
}

VariableList as_they_come(const Graph& graph) {
  VariableList order(nth(graph.size()));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// The variables that can be reached from `from`, in order of distance. New neighbours of a
/// variable are sorted by degree, the lowest first.
VariableList by_distance(const Graph& graph, Variable from, std::vector<char>& is_met) {
  VariableList met{from};
  is_met[nth(from)] = 1;
  for (std::size_t n = 0; n < met.size(); ++n) {
    const std::size_t begin = met.size();
    for (const Variable other : graph.neighbours(met[n]))
      if (is_met[nth(other)] == 0) {
        is_met[nth(other)] = 1;
        met.push_back(other);
      }
    std::ranges::stable_sort(std::span(met).subspan(begin), std::less<>(),
                             [&](Variable i) { return graph.degree(i); });
  }
  return met;
}

/// A breadth-first order of each connected component. It starts at a variable that is farthest from
/// another one.
VariableList breadth_first(const Graph& graph) {
  VariableList order;
  std::vector<char> is_seen(nth(graph.size())), is_met(nth(graph.size()));
  for (Variable i = 0; i < graph.size(); ++i) {
    if (is_met[nth(i)] != 0) continue;
    const Variable far = by_distance(graph, i, is_seen).back();
    const VariableList component = by_distance(graph, far, is_met);
    order.insert(order.end(), component.begin(), component.end());
  }
  return order;
}

/// A graph from which variables of least degree are eliminated one by one. A list of neighbours may
/// contain eliminated variables; `neighbours` removes them.
class LeastDegree {
 public:
  explicit LeastDegree(const Graph& graph)
      : neighbours_(nth(graph.size())), degree_(nth(graph.size())), is_gone_(nth(graph.size())) {
    for (Variable i = 0; i < graph.size(); ++i) {
      const auto row = graph.neighbours(i);
      neighbours_[nth(i)].assign(row.begin(), row.end());
      degree_[nth(i)] = graph.degree(i);
      for (const Variable j : row) joined_.insert(name(i, j));
      offer(i);
    }
  }

  /// Eliminates variables until all remaining ones have a degree above `most_degree`.
  void run(int most_degree) {
    while (!offered_.empty()) {
      const auto [degree, i] = offered_.top();
      if (degree > most_degree) return;
      offered_.pop();
      if (is_gone_[nth(i)] == 0 && degree_[nth(i)] == degree) eliminate(i);
    }
  }

  const VariableList& order() const { return order_; }
  bool is_gone(Variable i) const { return is_gone_[nth(i)] != 0; }
  const VariableList& neighbours(Variable i) {
    std::erase_if(neighbours_[nth(i)], [&](Variable j) { return is_gone(j); });
    return neighbours_[nth(i)];
  }

 private:
  using Offer = std::pair<int, Variable>;

  std::vector<VariableList> neighbours_;
  std::vector<int> degree_;
  std::vector<char> is_gone_;
  std::unordered_set<std::uint64_t> joined_;
  std::priority_queue<Offer, std::vector<Offer>, std::greater<>> offered_;
  VariableList order_;

  static std::uint64_t name(Variable i, Variable j) {
    const auto [low, high] = std::minmax(i, j);
    return static_cast<std::uint64_t>(high) << 32U | static_cast<std::uint64_t>(low);
  }

  void offer(Variable i) { offered_.emplace(degree_[nth(i)], i); }

  void eliminate(Variable i) {
    const VariableList around = neighbours(i);
    is_gone_[nth(i)] = 1;
    order_.push_back(i);
    for (const Variable j : around) --degree_[nth(j)];
    for (std::size_t a = 0; a < around.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) join(around[a], around[b]);
    for (const Variable j : around) offer(j);
    neighbours_[nth(i)] = {};
  }

  void join(Variable i, Variable j) {
    if (!joined_.insert(name(i, j)).second) return;
    neighbours_[nth(i)].push_back(j);
    neighbours_[nth(j)].push_back(i);
    ++degree_[nth(i)];
    ++degree_[nth(j)];
  }
};

/// Eliminates by least fill. Each step takes the variable whose elimination joins the fewest pairs
/// of its neighbours. Each row of the graph stores the neighbours of a variable as bits.
class LeastFill {
 public:
  /// @param left the graph after eliminations @param core its remaining variables, ascending
  LeastFill(LeastDegree& left, const VariableList& core)
      : core_(core), words_((core.size() + 63) / 64), rows_(core.size() * words_) {
    for (std::size_t i = 0; i < core.size(); ++i)
      for (const Variable other : left.neighbours(core[i])) {
        const auto j =
            static_cast<std::size_t>(std::ranges::lower_bound(core, other) - core.begin());
        set(row(i), j);
      }
  }

  /// @param attempt keys the choice between variables of equal fill @return nothing if the order is
  /// too wide
  std::optional<VariableList> run(std::uint64_t attempt) {
    const std::vector<std::uint64_t> kept = rows_;
    is_gone_.assign(core_.size(), 0);
    fill_.resize(core_.size());
    for (std::size_t i = 0; i < core_.size(); ++i) fill_[i] = fill_of(i);
    VariableList order;
    while (order.size() < core_.size()) {
      const std::size_t i = best(attempt);
      if (degree(i) > widest_order) break;
      eliminate(i);
      order.push_back(core_[i]);
    }
    rows_ = kept;
    return order.size() == core_.size() ? std::optional(order) : std::nullopt;
  }

 private:
  const VariableList& core_;
  std::size_t words_;
  std::vector<std::uint64_t> rows_;
  std::vector<char> is_gone_;
  std::vector<Index> fill_;

  std::span<std::uint64_t> row(std::size_t i) { return {rows_.data() + i * words_, words_}; }
  static void set(std::span<std::uint64_t> bits, std::size_t i) {
    bits[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  static void clear(std::span<std::uint64_t> bits, std::size_t i) {
    bits[i / 64] &= ~(std::uint64_t{1} << (i % 64));
  }
  int degree(std::size_t i) {
    int sum = 0;
    for (const std::uint64_t word : row(i)) sum += std::popcount(word);
    return sum;
  }
  std::vector<std::size_t> members(std::span<const std::uint64_t> bits) const {
    std::vector<std::size_t> found;
    for (std::size_t word = 0; word < words_; ++word)
      for (std::uint64_t left = bits[word]; left != 0; left &= left - 1)
        found.push_back(64 * word + static_cast<std::size_t>(std::countr_zero(left)));
    return found;
  }

  Index fill_of(std::size_t i) {
    const auto around = members(row(i));
    Index twice = 0;
    for (const std::size_t j : around) {
      twice += static_cast<Index>(around.size()) - 1;
      for (std::size_t word = 0; word < words_; ++word)
        twice -= std::popcount(row(i)[word] & row(j)[word]);
    }
    return twice / 2;
  }

  /// A number that decides between variables of equal fill: the variable with the least number is
  /// eliminated. Attempt 0 keeps the order of the variables. Other attempts use the finaliser of
  /// splitmix64 (S. Vigna).
  static std::uint64_t drawn(std::uint64_t attempt, std::size_t i) {
    if (attempt == 0) return i;
    std::uint64_t z = attempt * 0x9e3779b97f4a7c15U + i * 0xd1b54a32d192ed03U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

  std::size_t best(std::uint64_t attempt) {
    std::size_t found = core_.size();
    for (std::size_t i = 0; i < core_.size(); ++i) {
      if (is_gone_[i] != 0) continue;
      if (found == core_.size() || fill_[i] < fill_[found] ||
          (fill_[i] == fill_[found] && drawn(attempt, i) < drawn(attempt, found)))
        found = i;
    }
    return found;
  }

  void eliminate(std::size_t i) {
    const auto around = members(row(i));
    is_gone_[i] = 1;
    for (const std::size_t j : around) {
      for (std::size_t word = 0; word < words_; ++word) row(j)[word] |= row(i)[word];
      clear(row(j), j);
      clear(row(j), i);
    }
    std::vector<std::uint64_t> touched(row(i).begin(), row(i).end());
    if (fill_[i] > 0)
      for (const std::size_t j : around)
        for (std::size_t word = 0; word < words_; ++word) touched[word] |= row(j)[word];
    for (const std::size_t j : members(touched)) fill_[j] = fill_of(j);
  }
};

class Choice {
 public:
  explicit Choice(const Graph& graph) : graph_(graph) {}

  void look_at(VariableList order) {
    auto found = with_scopes(graph_, std::move(order),
                             best_ ? best_->entries : std::numeric_limits<double>::infinity());
    if (found) best_ = std::move(found);
  }
  void look_at(const VariableList& first, const VariableList& second) {
    VariableList order = first;
    order.insert(order.end(), second.begin(), second.end());
    if (order.size() == nth(graph_.size())) look_at(std::move(order));
  }
  std::optional<EliminationOrder>& best() { return best_; }

 private:
  const Graph& graph_;
  std::optional<EliminationOrder> best_;
};

void try_greedily(const Graph& graph, Choice& choice) {
  LeastDegree left(graph);
  left.run(always_eliminated);
  const VariableList first = left.order();
  VariableList core;
  for (Variable i = 0; i < graph.size(); ++i)
    if (!left.is_gone(i)) core.push_back(i);
  if (core.size() <= most_by_fill) {
    LeastFill fill(left, core);
    const std::size_t tries =
        core.empty() ? 1
                     : std::clamp(variables_of_all_tries / core.size(), std::size_t{1}, most_tries);
    for (std::size_t attempt = 0; attempt < tries; ++attempt) {
      const auto second = fill.run(attempt);
      if (!second) break;
      choice.look_at(first, *second);
    }
  }
  left.run(widest_order);
  choice.look_at(left.order(), {});
}

}  // namespace

std::optional<EliminationOrder> elimination_order(const SpinForm& form) {
  const Graph graph(form);
  if (graph.has_pairs_beyond(widest_order)) return std::nullopt;
  Choice choice(graph);
  choice.look_at(as_they_come(graph));
  choice.look_at(breadth_first(graph));
  try_greedily(graph, choice);
  return std::move(choice.best());
}

}  // namespace larmor::ground_states
