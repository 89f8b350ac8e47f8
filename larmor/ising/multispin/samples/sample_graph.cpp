#include "larmor/ising/multispin/samples/sample_graph.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>

#include "larmor/core/error.hpp"
#include "larmor/ising/multispin/grid/bond_signs.hpp"

namespace larmor::ising {
namespace {

constexpr std::uint64_t bits_of_word = 32;
constexpr std::uint64_t bits_of_call = bits_of_word * words_of_sign_call;

SignPlace place_of(const SampleGraph& graph, std::size_t bond) {
  return graph.sign_places.empty() ? SignPlace{bond} : graph.sign_places[bond];
}

}  // namespace

bool SampleGraph::is_two_coloured_grid() const {
  return !grid.empty() &&
         std::all_of(grid.begin(), grid.end(), [](Index n) { return n % 2 == 0 && n > 2; });
}

SampleGraph grid_graph(const GridShape& shape) {
  const std::size_t axes = shape.size.size();
  if (axes < 1 || axes > most_axes)
    throw InputError("a grid of spins has " + std::to_string(axes) + " axes",
                     "it may have 1 to " + std::to_string(most_axes));
  if (!shape.periodic.empty() && shape.periodic.size() != axes)
    throw InputError("a grid of " + std::to_string(axes) + " axes has " +
                         std::to_string(shape.periodic.size()) + " flags for periodic axes",
                     "give one value for each axis");
  for (std::size_t a = 0; a < axes; ++a) {
    if (shape.size[a] < 1) throw InputError("a grid of spins has an axis without sites");
    if (shape.size[a] == 1 && (shape.periodic.empty() || shape.periodic[a]))
      throw InputError("along a periodic axis of one site, spins are their own neighbours",
                       "let axis " + std::to_string(a + 1) + " be open");
  }
  SampleGraph graph;
  graph.sites = shape.sites();
  const bool has_two_colours = shape.size[0] % 2 == 0;
  for (Index site = 0; site < graph.sites; ++site) {
    Index rest = site, step = 1, parity = 0;
    for (std::size_t a = 0; a < axes; rest /= shape.size[a++]) parity += rest % shape.size[a];
    // Rows have an even number of sites, so two consecutive sites 2 n and 2 n + 1 have different
    // colours.
    const SignPlace place = has_two_colours ? SignPlace{static_cast<std::uint64_t>(site / 2),
                                                        static_cast<int>(parity % 2)}
                                            : SignPlace{static_cast<std::uint64_t>(site)};
    rest = site;
    for (std::size_t a = 0; a < axes; ++a) {
      const Index n = shape.size[a], x = rest % n;
      const bool is_last = x == n - 1;
      if (!is_last || shape.periodic.empty() || shape.periodic[a]) {
        graph.bonds.push_back({site, is_last ? site - (n - 1) * step : site + step});
        graph.sign_places.push_back({place.number, place.colour, static_cast<int>(a)});
      }
      rest /= n;
      step *= n;
    }
  }
  if (std::find(shape.periodic.begin(), shape.periodic.end(), false) == shape.periodic.end())
    graph.grid = shape.size;
  return graph;
}

std::vector<std::uint64_t> signs_of_samples(const SampleGraph& graph, std::uint64_t seed,
                                            std::uint64_t first_sample) {
  const RandomKey key{seed, 0, Stream::bond_sign};
  std::vector<std::uint64_t> words(graph.bonds.size());
  // One call of Philox gives the signs of 128 places in one sample.
  std::vector<std::size_t> order(words.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto call_of = [&](std::size_t bond) {
    const SignPlace p = place_of(graph, bond);
    return std::tuple(p.axis, p.colour, p.number / bits_of_call);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return call_of(a) < call_of(b); });
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && call_of(order[end]) == call_of(order[begin])) ++end;
    const auto [axis, colour, call] = call_of(order[begin]);
    for (std::uint64_t k = 0; k < samples_of_word; ++k) {
      const auto random = sign_words(key, first_sample + k, static_cast<Index>(call), colour, axis);
      for (std::size_t n = begin; n < end; ++n) {
        const std::uint64_t place = place_of(graph, order[n]).number % bits_of_call;
        const std::uint64_t sign = random.w[place / bits_of_word] >> (place % bits_of_word) & 1u;
        words[order[n]] |= sign << k;
      }
    }
  }
  return words;
}

}  // namespace larmor::ising
