#include "larmor/trotter/trotter_model.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <string>

#include "larmor/ising/multispin/grid/acceptance.hpp"
#include "larmor/lattice/colouring.hpp"
#include "larmor/lattice/lazy_sweeps.hpp"
#include "larmor/trotter/local_kernels.hpp"

namespace larmor::trotter {
namespace {

/// The probability of a flip that changes -S by `cost`.
double flip_probability(ising::Rule rule, double cost) {
  if (rule == ising::Rule::metropolis) return cost <= 0 ? 1 : std::exp(-cost);
  return 1 / (1 + std::exp(cost));
}

/// The words of a class: see words_of_class. BITS: rounded to the nearest multiple of 2^-32.
std::array<std::uint32_t, words_of_class> class_words(double probability) {
  const auto threshold =
      static_cast<std::uint64_t>(std::nearbyint(std::ldexp(probability, ising::digits)));
  const bool is_sure = (threshold >> ising::digits) != 0;
  return {static_cast<std::uint32_t>(threshold), is_sure ? ~0u : 0u,
          !is_sure && threshold != 0 ? ~0u : 0u};
}

/// Size of the coupling of all bonds of a site; nothing if they differ.
bool common_size(const lattice::Graph& graph, const Instance& instance, Index site, double& size) {
  size = 0;
  for (Index n = graph.offset[static_cast<std::size_t>(site)];
       n < graph.offset[static_cast<std::size_t>(site) + 1]; ++n) {
    const double J =
        std::abs(instance.J[static_cast<std::size_t>(graph.bond[static_cast<std::size_t>(n)])]);
    if (n > graph.offset[static_cast<std::size_t>(site)] && J != size) return false;
    size = J;
  }
  return true;
}

/// Below this, probabilities of 32 digits are too coarse for kinks.
constexpr double least_dtau_Gamma = 1e-3;

/// Have the bonds of each site one size, without a longitudinal field?
bool can_count(const lattice::Graph& graph, const Instance& instance) {
  for (Index i = 0; i < graph.sites(); ++i) {
    double size;
    if (width_for(graph.degree(i)) == 0 || instance.h[static_cast<std::size_t>(i)] != 0 ||
        !common_size(graph, instance, i, size))
      return false;
  }
  return true;
}

Index largest_degree(const lattice::Graph& graph) {
  Index most = 0;
  for (Index i = 0; i < graph.sites(); ++i) most = std::max(most, graph.degree(i));
  return most;
}

bool is_rigid(const Instance& instance, double slices) {
  return std::ranges::any_of(instance.Gamma, [&](double Gamma) {
    return instance.beta / slices * Gamma < least_dtau_Gamma;
  });
}

/// Sites with equal numbers have one table. @return the number of the table of each site
std::vector<std::int32_t> tables_of_sites(const lattice::Graph& graph,
                                          std::span<const Instance> instances) {
  std::map<std::vector<double>, std::int32_t> known;
  std::vector<std::int32_t> table;
  for (Index i = 0; i < graph.sites(); ++i) {
    std::vector<double> numbers{static_cast<double>(graph.degree(i))};
    for (const Instance& instance : instances) {
      double J;
      common_size(graph, instance, i, J);
      numbers.push_back(J);
      numbers.push_back(instance.Gamma[static_cast<std::size_t>(i)]);
    }
    table.push_back(
        known.emplace(std::move(numbers), static_cast<std::int32_t>(known.size())).first->second);
  }
  return table;
}

/// A line without couplings is a ring in time, on which Metropolis only moves kinks around.
bool need_lazy_sweeps(const SystemGraph& graph, const Instance& instance) {
  lattice::GraphComponents components(graph.sites);
  for (std::size_t b = 0; b < graph.bonds.size(); ++b)
    if (instance.J[b] != 0) components.join(graph.bonds[b].i, graph.bonds[b].j);
  return components.need_lazy_sweeps();
}

}  // namespace

double time_coupling(double dtau, double Gamma) { return -0.5 * std::log(std::tanh(dtau * Gamma)); }

TrotterModel::TrotterModel(const Device& device, const SystemGraph& graph,
                           std::vector<Instance> instances, const TrotterSettings& settings)
    : device_(device),
      system_(graph),
      instances_(std::move(instances)),
      time_(time_words(settings.slices, settings.copies)),
      rule_(settings.rule),
      copies_(settings.copies),
      groups_of_instance_((settings.copies + time_.fields() - 1) / time_.fields()),
      has_local_updates_(settings.has_local_updates) {
  if (instances_.empty() || copies_ < 1)
    throw InputError("the simulation has no replicas", "give at least one instance and one copy");
  for (const Instance& instance : instances_) {
    validate(system_, instance);
    has_rigid_lines_ |= is_rigid(instance, static_cast<double>(slices()));
  }
  require_own_random_numbers(replicas());
  if (system_.sites > (Index{1} << 31) / time_.words)
    throw InputError("the system has " + std::to_string(system_.sites) + " sites with " +
                         std::to_string(slices()) + " slices",
                     "give fewer sites or slices");
  graph_ = lattice::graph_of<Bond>(system_.sites, system_.bonds);
  const lattice::Colouring colouring = lattice::greedy_colouring(graph_);
  colour_ = colouring.colour;
  needs_lazy_sweeps_ =
      rule_ == ising::Rule::metropolis &&
      (slices() < 8 || std::ranges::any_of(instances_, [&](const Instance& instance) {
         return need_lazy_sweeps(system_, instance);
       }));

  const bool counts = has_local_updates_ && !has_rigid_lines_ &&
                      std::ranges::all_of(instances_, [&](const Instance& instance) {
                        return can_count(graph_, instance);
                      });
  // Only counted moves are vectors of groups. Other updates share groups out to threads, which then
  // should write apart.
  if (counts && device.backend == Backend::cpu) lanes_ = lanes_of_cpu;
  view_.time = time_;
  view_.lanes = lanes_;
  view_.groups = (groups() + lanes_ - 1) / lanes_ * lanes_;
  view_.sites = system_.sites;
  view_.bonds = std::ssize(system_.bonds);
  view_.colours = colouring.colours;
  view_.entries = std::ssize(graph_.neighbour);
  view_.is_metropolis = rule_ == ising::Rule::metropolis;
  offset_ = Array<Index>(device, graph_.offset);
  neighbour_ = Array<std::int32_t>(device, graph_.neighbour);
  bond_ = Array<std::int32_t>(device, graph_.bond);
  std::vector<std::int32_t> group_instance(static_cast<std::size_t>(view_.groups));
  for (Index g = 0; g < view_.groups; ++g)
    group_instance[static_cast<std::size_t>(g)] =
        static_cast<std::int32_t>(instance_of_group(std::min(g, groups() - 1)));
  group_instance_ = Array<std::int32_t>(device, group_instance);
  view_.offset = offset_.data();
  view_.neighbour = neighbour_.data();
  view_.bond = bond_.data();
  view_.instance = group_instance_.data();
  if (counts)
    count_neighbours();
  else
    order_sites(std::vector<std::int32_t>(colour_.size()));
  if (has_local_updates_ && !has_rigid_lines_ && !counts) add_up_couplings();
}

ReplicaPlace TrotterModel::place(Index replica) const {
  const Index copy = replica % copies_;
  return {replica / copies_ * groups_of_instance_ + copy / time_.fields(),
          static_cast<int>(copy % time_.fields())};
}

Index TrotterModel::words() const { return view_.groups * view_.sites * time_.words; }

void TrotterModel::order_sites(const std::vector<std::int32_t>& table) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(sites()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    return colour_[i] != colour_[j] ? colour_[i] < colour_[j] : table[i] < table[j];
  });
  // A GPU updates a run at once, so short runs of one colour become one.
  constexpr std::int32_t shortest = 32;
  const auto runs_of = [&](bool by_table) {
    std::vector<SiteRun> runs;
    for (std::size_t n = 0; n < order.size(); ++n) {
      const auto i = static_cast<std::size_t>(order[n]);
      if (runs.empty() || runs.back().colour != colour_[i] ||
          (by_table && runs.back().table != table[i]))
        runs.push_back(
            {static_cast<std::int32_t>(n), 0, colour_[i], by_table ? table[i] : table_of_site});
      ++runs.back().count;
    }
    return runs;
  };
  host_runs_ = runs_of(true);
  if (device_.backend == Backend::cuda && std::ssize(host_runs_) > view_.colours &&
      sites() < std::ssize(host_runs_) * shortest)
    host_runs_ = runs_of(false);
  std::vector<std::int32_t> ordered_table;
  for (const std::int32_t site : order)
    ordered_table.push_back(table[static_cast<std::size_t>(site)]);
  order_ = Array<std::int32_t>(device_, order);
  table_ = Array<std::int32_t>(device_, ordered_table);
  runs_ = Array<SiteRun>(device_, host_runs_);
  view_.order = order_.data();
  view_.table = table_.data();
  view_.runs = runs_.data();
  view_.run_count = static_cast<int>(host_runs_.size());
}

void TrotterModel::count_neighbours() {
  view_.width = width_for(largest_degree(graph_));
  const std::vector<std::int32_t> table = tables_of_sites(graph_, instances_);
  order_sites(table);
  view_.tables = std::ranges::max(table) + 1;
  std::vector<Index> site_of_table(static_cast<std::size_t>(view_.tables));
  for (Index i = sites() - 1; i >= 0; --i)
    site_of_table[static_cast<std::size_t>(table[static_cast<std::size_t>(i)])] = i;
  view_.few = rule_ == ising::Rule::metropolis;
  for (const Instance& instance : instances_)
    for (const Index i : site_of_table) {
      double J;
      common_size(graph_, instance, i, J);
      const double dtau = instance.beta / static_cast<double>(slices());
      if (2 * time_coupling(dtau, instance.Gamma[static_cast<std::size_t>(i)]) <
          dtau * J * static_cast<double>(graph_.degree(i)))
        view_.few = false;
    }
  make_tables(site_of_table, false);
  if (needs_lazy_sweeps_) make_tables(site_of_table, true);
  store_signs();
}

void TrotterModel::make_tables(const std::vector<Index>& site_of_table, bool lazy) {
  // Lazy sweeps also refuse moves that are otherwise certain.
  const int classes = class_count(view_.width, view_.few && !lazy);
  std::vector<std::uint32_t> words(
      static_cast<std::size_t>(view_.groups * view_.tables * classes * words_of_class));
  for (Index group = 0; group < view_.groups; ++group) {
    const Instance& instance =
        instances_[static_cast<std::size_t>(instance_of_group(std::min(group, groups() - 1)))];
    const double dtau = instance.beta / static_cast<double>(slices());
    for (int t = 0; t < view_.tables; ++t) {
      const Index site = site_of_table[static_cast<std::size_t>(t)];
      const auto degree = static_cast<int>(graph_.degree(site));
      double J;
      common_size(graph_, instance, site, J);
      const double K_time = time_coupling(dtau, instance.Gamma[static_cast<std::size_t>(site)]);
      for (int c = 0; c < classes; ++c) {
        const auto [u, in_time] = class_number(view_.width, c);
        // A site of d bonds never has u > d.
        const double cost =
            2 * dtau * J * (degree - 2 * std::min(u, degree)) + 2 * K_time * (2 - 2 * in_time);
        const auto of_class = class_words((lazy ? 0.5 : 1) * flip_probability(rule_, cost));
        for (int n = 0; n < words_of_class; ++n)
          words[static_cast<std::size_t>(
              (((group / lanes_ * view_.tables + t) * classes + c) * words_of_class + n) * lanes_ +
              group % lanes_)] = of_class[static_cast<std::size_t>(n)];
      }
    }
  }
  tables_[lazy ? 1 : 0] = Array<std::uint32_t>(device_, words);
  view_.thresholds[lazy ? 1 : 0] = tables_[lazy ? 1 : 0].data();
}

void TrotterModel::store_signs() {
  bool any_negative = false;
  for (const Instance& instance : instances_)
    for (const double J : instance.J) any_negative |= J < 0;
  if (!any_negative) return;
  std::vector<std::uint32_t> negative(static_cast<std::size_t>(view_.groups * view_.bonds));
  for (Index group = 0; group < view_.groups; ++group) {
    const Instance& instance =
        instances_[static_cast<std::size_t>(instance_of_group(std::min(group, groups() - 1)))];
    for (Index b = 0; b < view_.bonds; ++b)
      negative[static_cast<std::size_t>((group / lanes_ * view_.bonds + b) * lanes_ +
                                        group % lanes_)] =
          instance.J[static_cast<std::size_t>(b)] < 0 ? ~0u : 0u;
  }
  negative_ = Array<std::uint32_t>(device_, negative);
  view_.negative = negative_.data();
}

double TrotterModel::bytes(const Device& device, const SystemGraph& system,
                           const Instance& instance, Index instances,
                           const TrotterSettings& settings) {
  constexpr double word = sizeof(std::uint32_t);
  const lattice::Graph graph = lattice::graph_of<Bond>(system.sites, system.bonds);
  const TimeWords time = time_words(settings.slices, settings.copies);
  const auto N = static_cast<double>(system.sites), B = static_cast<double>(system.bonds.size());
  const auto of_kind = static_cast<double>(instances);
  const bool is_local =
      settings.has_local_updates && !is_rigid(instance, static_cast<double>(settings.slices));
  const bool counts = is_local && can_count(graph, instance);
  const Index of_instance = (settings.copies + time.fields() - 1) / time.fields();
  const Index lanes = counts && device.backend == Backend::cpu ? lanes_of_cpu : 1;
  const auto groups = static_cast<double>((instances * of_instance + lanes - 1) / lanes * lanes);
  double bytes = groups * N * time.words * word;
  if (counts) {
    const bool is_metropolis = settings.rule == ising::Rule::metropolis;
    const bool lazy = is_metropolis && (settings.slices < 8 || need_lazy_sweeps(system, instance));
    const int width = width_for(largest_degree(graph));
    const double classes = class_count(width, false) * (lazy ? 2 : 1);
    const double tables = std::ranges::max(tables_of_sites(graph, std::span(&instance, 1))) + 1;
    bytes += groups * tables * classes * words_of_class * word;
    if (std::ranges::any_of(instance.J, [](double J) { return J < 0; })) bytes += groups * B * word;
  } else if (is_local) {
    bytes += of_kind * (2 * B + 2 * N) * word + of_kind * N * sizeof(double);
  }
  return bytes;
}

void TrotterModel::add_up_couplings() {
  std::vector<std::int32_t> of_bond, of_site;
  std::vector<double> scales;
  for (const Instance& instance : instances_) {
    const double dtau = instance.beta / static_cast<double>(slices());
    for (Index i = 0; i < sites(); ++i) {
      const auto site = static_cast<std::size_t>(i);
      const double field = 2 * dtau * instance.h[site];
      const double K_time = 2 * time_coupling(dtau, instance.Gamma[site]);
      double largest = std::abs(field) + 2 * std::abs(K_time);
      const auto twice_K = [&](Index n) {
        return 2 * dtau *
               instance.J[static_cast<std::size_t>(graph_.bond[static_cast<std::size_t>(n)])];
      };
      for (Index n = graph_.offset[site]; n < graph_.offset[site + 1]; ++n)
        largest += std::abs(twice_K(n));
      // The largest -ln u is 22.9, so whole numbers below 2^30 never overflow.
      constexpr double most_negative_logarithm = 24;
      const double scale =
          std::exp2(30 - std::ceil(std::log2(std::max(largest, most_negative_logarithm))));
      const auto fixed = [&](double K) {
        return static_cast<std::int32_t>(std::nearbyint(K * scale));
      };
      for (Index n = graph_.offset[site]; n < graph_.offset[site + 1]; ++n)
        of_bond.push_back(fixed(twice_K(n)));
      of_site.push_back(fixed(field));
      of_site.push_back(fixed(K_time));
      scales.push_back(scale);
    }
  }
  fixed_bond_ = Array<std::int32_t>(device_, of_bond);
  fixed_site_ = Array<std::int32_t>(device_, of_site);
  scale_ = Array<double>(device_, scales);
  view_.fixed_bond = fixed_bond_.data();
  view_.fixed_site = fixed_site_.data();
  view_.scale = scale_.data();
}

}  // namespace larmor::trotter
