#include "larmor/trotter/transverse_ising.hpp"

#include <cmath>
#include <string>

#include "larmor/core/error.hpp"

namespace larmor::trotter {
namespace {

void require_numbers(const std::vector<double>& values, std::size_t count, const char* name,
                     const char* of_what) {
  if (values.size() != count)
    throw InputError("there are " + std::to_string(values.size()) + " values of " + name + " for " +
                         std::to_string(count) + " " + of_what,
                     "give one value of " + std::string(name) + " for each of the " + of_what);
  for (std::size_t n = 0; n < count; ++n)
    if (!std::isfinite(values[n]))
      throw InputError(std::string(name) + " number " + std::to_string(n) + " is not finite",
                       "write a finite number");
}

/// A forest of sites, each with its sign relative to its parent. One more site stands for the
/// field, whose spin is +1.
class SignedForest {
 public:
  explicit SignedForest(Index sites)
      : parent_(static_cast<std::size_t>(sites)), sign_(static_cast<std::size_t>(sites), 1) {
    for (std::size_t i = 0; i < parent_.size(); ++i) parent_[i] = i;
  }
  /// @return false if the sites already have the other relative sign
  bool join(std::size_t i, std::size_t j, int sign) {
    const auto [root_i, sign_i] = root(i);
    const auto [root_j, sign_j] = root(j);
    if (root_i == root_j) return sign_i * sign_j == sign;
    parent_[root_i] = root_j;
    sign_[root_i] = sign_i * sign_j * sign;
    return true;
  }

 private:
  std::pair<std::size_t, int> root(std::size_t i) {
    int sign = 1;
    std::size_t at = i;
    for (; parent_[at] != at; at = parent_[at]) sign *= sign_[at];
    // Later searches from i take one step.
    if (i != at) {
      parent_[i] = at;
      sign_[i] = sign;
    }
    return {at, sign};
  }

  std::vector<std::size_t> parent_;
  std::vector<int> sign_;
};

}  // namespace

void validate(const SystemGraph& graph, const Instance& instance) {
  if (graph.sites < 1) throw InputError("the system has no sites", "give at least one site");
  for (const Bond& bond : graph.bonds)
    if (bond.i < 0 || bond.j < 0 || bond.i >= graph.sites || bond.j >= graph.sites ||
        bond.i == bond.j)
      throw InputError("a bond joins the sites " + std::to_string(bond.i) + " and " +
                           std::to_string(bond.j) + " of " + std::to_string(graph.sites),
                       "join two different sites from 0 to " + std::to_string(graph.sites - 1));
  const auto sites = static_cast<std::size_t>(graph.sites);
  require_numbers(instance.J, graph.bonds.size(), "J", "bonds");
  require_numbers(instance.Gamma, sites, "Gamma", "sites");
  require_numbers(instance.h, sites, "h", "sites");
  if (!(instance.beta > 0) || !std::isfinite(instance.beta))
    throw InputError("the inverse temperature is not a positive number",
                     "give a temperature above 0");
  for (std::size_t i = 0; i < sites; ++i)
    if (instance.Gamma[i] < 0)
      throw InputError("Gamma of site " + std::to_string(i) + " is negative",
                       "give -Gamma: a rotation about z by pi changes its sign and nothing else");
}

void require_own_random_numbers(Index replicas) {
  constexpr Index most = Index{1} << 24;
  if (replicas > most)
    throw InputError(std::to_string(replicas) + " replicas have no random numbers of their own",
                     "give at most " + std::to_string(most) + " replicas");
}

bool is_frustrated(const SystemGraph& graph, const Instance& instance) {
  SignedForest forest(graph.sites + 1);
  for (std::size_t b = 0; b < graph.bonds.size(); ++b) {
    if (instance.J[b] == 0) continue;
    if (!forest.join(static_cast<std::size_t>(graph.bonds[b].i),
                     static_cast<std::size_t>(graph.bonds[b].j), instance.J[b] > 0 ? 1 : -1))
      return true;
  }
  const auto field = static_cast<std::size_t>(graph.sites);
  for (std::size_t i = 0; i < field; ++i)
    if (instance.h[i] != 0 && !forest.join(i, field, instance.h[i] > 0 ? 1 : -1)) return true;
  return false;
}

}  // namespace larmor::trotter
