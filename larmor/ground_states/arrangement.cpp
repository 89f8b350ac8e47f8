#include "larmor/ground_states/arrangement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "larmor/lattice/colouring.hpp"

namespace larmor::ground_states {
namespace {

/// Rows are dense if a spin is coupled, on average, to more than this fraction of all spins.
constexpr double dense_fraction = 1.0 / 16;

bool wants_dense_rows(const SpinForm& form) {
  const auto spins = static_cast<double>(form.size());
  return 2 * static_cast<double>(form.couplings.size()) > dense_fraction * spins * spins;
}

struct SparseRows {
  std::vector<std::int64_t> begin;
  std::vector<std::int32_t> column;
  std::vector<double> coupling;
};

/// @param place position of each spin
SparseRows sparse_rows(const SpinForm& form, const std::vector<std::int32_t>& place,
                       Index positions) {
  std::vector<Coupling> placed = form.couplings;
  for (Coupling& coupling : placed) {
    coupling.i = place[static_cast<std::size_t>(coupling.i)];
    coupling.j = place[static_cast<std::size_t>(coupling.j)];
  }
  lattice::Graph graph = lattice::graph_of(positions, std::span<const Coupling>(placed));
  SparseRows rows{{graph.offset.begin(), graph.offset.end()}, std::move(graph.neighbour), {}};
  rows.coupling.reserve(rows.column.size());
  for (const std::int32_t n : graph.bond)
    rows.coupling.push_back(placed[static_cast<std::size_t>(n)].value);
  return rows;
}

std::vector<std::int32_t> in_order(Index spins) {
  std::vector<std::int32_t> place(static_cast<std::size_t>(spins));
  std::iota(place.begin(), place.end(), 0);
  return place;
}

/// The position of each spin. The spins of a colour are adjacent and keep the order of the problem.
std::vector<std::int32_t> by_colour(const SpinForm& form) {
  const lattice::Colouring colouring = lattice::greedy_colouring(
      lattice::graph_of(form.size(), std::span<const Coupling>(form.couplings)));
  std::vector<std::int32_t> order = in_order(form.size()), place = order;
  std::ranges::stable_sort(order, {}, [&](std::int32_t spin) {
    return colouring.colour[static_cast<std::size_t>(spin)];
  });
  for (std::size_t n = 0; n < order.size(); ++n)
    place[static_cast<std::size_t>(order[n])] = static_cast<std::int32_t>(n);
  return place;
}

}  // namespace

bool fits_float(const SpinForm& form) {
  if (!form.whole) return false;
  std::vector<double> reach(form.field.size());
  for (std::size_t i = 0; i < reach.size(); ++i) reach[i] = std::abs(form.field[i]);
  for (const Coupling& coupling : form.couplings) {
    reach[static_cast<std::size_t>(coupling.i)] += std::abs(coupling.value);
    reach[static_cast<std::size_t>(coupling.j)] += std::abs(coupling.value);
  }
  return std::ranges::all_of(reach, [](double sum) { return 2 * sum < exact_in_float; });
}

template <class Number>
Arrangement<Number>::Arrangement(const SpinForm& form)
    : positions_((form.size() + block_spins - 1) / block_spins * block_spins),
      has_fields_(std::ranges::any_of(form.field, [](double h) { return h != 0; })) {
  const bool dense = wants_dense_rows(form);
  position_ = dense ? in_order(form.size()) : by_colour(form);
  // Positions after the last spin have an infinite field, which prevents flips.
  h_.assign(static_cast<std::size_t>(positions_), -std::numeric_limits<Number>::infinity());
  for (std::size_t i = 0; i < form.field.size(); ++i)
    h_[static_cast<std::size_t>(position_[i])] = static_cast<Number>(form.field[i]);
  is_independent_.assign(static_cast<std::size_t>(positions_ / block_spins), 1);
  for (const Coupling& coupling : form.couplings) {
    const std::int32_t a = position_[static_cast<std::size_t>(coupling.i)] / block_spins;
    const std::int32_t b = position_[static_cast<std::size_t>(coupling.j)] / block_spins;
    if (a == b) is_independent_[static_cast<std::size_t>(a)] = 0;
  }
  dense ? make_dense(form) : make_sparse(form);
}

template <class Number>
void Arrangement<Number>::make_dense(const SpinForm& form) {
  const auto width = static_cast<std::size_t>(positions_);
  dense_.assign(width * width, Number(0));
  for (const Coupling& coupling : form.couplings) {
    const auto i = static_cast<std::size_t>(coupling.i), j = static_cast<std::size_t>(coupling.j);
    dense_[i * width + j] = dense_[j * width + i] = static_cast<Number>(coupling.value);
  }
}

template <class Number>
void Arrangement<Number>::make_sparse(const SpinForm& form) {
  SparseRows rows = sparse_rows(form, position_, positions_);
  begin_ = std::move(rows.begin);
  column_ = std::move(rows.column);
  coupling_.assign(rows.coupling.begin(), rows.coupling.end());
}

template <class Number>
RowsView<Number> Arrangement<Number>::rows() const {
  return {spins(),
          positions_ / block_spins,
          is_dense() ? dense_.data() : nullptr,
          begin_.data(),
          column_.data(),
          coupling_.data(),
          is_independent_.data()};
}

template <class Number>
void Arrangement<Number>::load(const State& state, const ReplicaView<Number>& replica) const {
  std::fill_n(replica.spin, positions_, Number(1));
  for (std::size_t i = 0; i < state.size(); ++i) replica.spin[position_[i]] = state[i];
}

template <class Number>
State Arrangement<Number>::state_of(const ReplicaView<Number>& replica) const {
  State state(position_.size());
  for (std::size_t i = 0; i < state.size(); ++i) state[i] = replica.spin[position_[i]] > 0 ? 1 : -1;
  return state;
}

template <class Number>
void Arrangement<Number>::mirror(const ReplicaView<Number>& replica) const {
  for (Index i = 0; i < spins(); ++i) {
    replica.spin[i] = -replica.spin[i];
    replica.field[i] = -replica.field[i];
  }
}

template <class Number>
double Arrangement<Number>::renew_fields(const ReplicaView<Number>& replica) const {
  double energy = 0;
  for (Index i = 0; i < positions_; ++i) {
    double field = 0;
    if (is_dense()) {
      const Number* const row = dense_.data() + i * positions_;
      for (Index j = 0; j < positions_; ++j) field += double{row[j]} * replica.spin[j];
    } else {
      for (auto n = static_cast<std::size_t>(begin_[static_cast<std::size_t>(i)]);
           n < static_cast<std::size_t>(begin_[static_cast<std::size_t>(i) + 1]); ++n)
        field += double{coupling_[n]} * replica.spin[column_[n]];
    }
    const double h = h_[static_cast<std::size_t>(i)];
    replica.field[i] = static_cast<Number>(h + field);
    if (std::isfinite(h)) energy += replica.spin[i] * (h + field / 2);
  }
  return energy;
}

template class Arrangement<float>;
template class Arrangement<double>;

}  // namespace larmor::ground_states
