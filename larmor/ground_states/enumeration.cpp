#include "larmor/ground_states/enumeration.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/parallel.hpp"
#include "larmor/core/error.hpp"
#include "larmor/ground_states/arrangement.hpp"
#include "larmor/ground_states/enumeration_kernels.hpp"

namespace larmor::ground_states {
namespace {

using Watch = std::function<bool(double)>;

constexpr int prefix_of_lanes = 3;
/// Problems with fewer spins are enumerated one state at a time.
constexpr Index few_spins = low_spins + prefix_of_lanes;
/// Prefixes of one thread between two calls of `watch`. They have up to 134 million states.
constexpr std::uint64_t prefixes_of_block = 32;
constexpr std::uint64_t prefixes_of_launch = std::uint64_t{1} << 17U;

/// The problem with its last spin fixed up. If there are no fields, this leaves one state of each
/// pair of mirror images.
SpinForm with_last_spin_up(const SpinForm& form) {
  SpinForm without = form;
  without.field.pop_back();
  const auto last = static_cast<std::int32_t>(form.size() - 1);
  std::erase_if(without.couplings,
                [&](const Coupling& coupling) { return coupling.i == last || coupling.j == last; });
  for (const Coupling& coupling : form.couplings) {
    if (coupling.i == last) without.field[static_cast<std::size_t>(coupling.j)] += coupling.value;
    if (coupling.j == last) without.field[static_cast<std::size_t>(coupling.i)] += coupling.value;
  }
  return without;
}

bool has_no_fields(const SpinForm& form) {
  return std::ranges::all_of(form.field, [](double h) { return h == 0; });
}

State state_of(std::uint64_t bits, Index spins) {
  State state(static_cast<std::size_t>(spins));
  for (std::size_t i = 0; i < state.size(); ++i) state[i] = ((bits >> i) & 1U) != 0 ? 1 : -1;
  return state;
}

LowStates<double> one_by_one(const SpinForm& form) {
  std::vector<double> energy;
  const std::uint64_t states = std::uint64_t{1} << form.field.size();
  for (std::uint64_t bits = 0; bits < states; ++bits)
    energy.push_back(energy_of(form, state_of(bits, form.size())));
  LowStates<double> low{*std::ranges::min_element(energy), tolerance_of(form),
                        std::numeric_limits<double>::infinity()};
  for (std::uint64_t bits = 0; bits < states; ++bits) low.add(energy[bits], bits);
  return low;
}

template <class Number>
class Blocks {
 public:
  Blocks(const SpinForm& form, const Device& device, const Watch& watch)
      : device_(device),
        watch_(watch),
        field_(device, std::span<const Number>(numbers(form.field))),
        coupling_(device, std::span<const Number>(matrix(form))) {
    const auto spins = static_cast<int>(form.size());
    view_.field = field_.data();
    view_.coupling = coupling_.data();
    view_.middle = std::clamp(spins - low_spins - prefix_of_lanes, 0, most_middle_spins);
    view_.prefix = spins - low_spins - view_.middle;
    const std::vector<Number> all = matrix(form);
    for (int i = 0; i < low_spins; ++i)
      for (int j = 0; j < low_spins; ++j)
        view_.among_low[i][j] = all[static_cast<std::size_t>(i * spins + j)];
    tolerance_ = static_cast<Number>(tolerance_of(form));
  }

  /// @return nothing if `watch` ended the enumeration
  std::optional<LowStates<Number>> run() {
    constexpr Number infinite = std::numeric_limits<Number>::infinity();
    Number ground = infinite;
    const bool looked = for_each_block(0, [&](std::uint64_t first, std::uint64_t count) {
      ground = std::min(ground, least(first, count));
    });
    LowStates<Number> low{ground, tolerance_, infinite};
    const bool counted =
        looked && for_each_block(0.5, [&](std::uint64_t first, std::uint64_t count) {
          this->count(first, count, low);
        });
    return counted ? std::optional(low) : std::nullopt;
  }

 private:
  Device device_;
  const Watch& watch_;
  Array<Number> field_, coupling_;
  EnumerationView<Number> view_{};
  Number tolerance_;

  static std::vector<Number> numbers(const std::vector<double>& field) {
    return {field.begin(), field.end()};
  }
  static std::vector<Number> matrix(const SpinForm& form) {
    const auto spins = static_cast<std::size_t>(form.size());
    std::vector<Number> all(spins * spins);
    for (const Coupling& coupling : form.couplings) {
      const auto i = static_cast<std::size_t>(coupling.i), j = static_cast<std::size_t>(coupling.j);
      all[i * spins + j] = all[j * spins + i] = static_cast<Number>(coupling.value);
    }
    return all;
  }

  bool on_gpu() const { return device_.backend == Backend::cuda; }

  /// @param begun fraction of the enumeration that was finished before this pass
  template <class Body>
  bool for_each_block(double begun, const Body& body) {
    const std::uint64_t all = std::uint64_t{1} << view_.prefix;
    const std::uint64_t block = std::min(
        all, on_gpu()
                 ? prefixes_of_launch
                 : std::bit_ceil(prefixes_of_block * static_cast<std::uint64_t>(device_.threads)));
    for (std::uint64_t first = 0; first < all; first += block) {
      body(first, block);
      const double fraction = static_cast<double>(first + block) / static_cast<double>(all);
      if (!watch_(begun + fraction / 2)) return false;
    }
    return true;
  }

  static const EnumerationKernels<Number>& kernels() {
    if constexpr (std::is_same_v<Number, float>)
      return enumeration_kernels().of_floats;
    else
      return enumeration_kernels().of_doubles;
  }

  Number least(std::uint64_t first, std::uint64_t prefixes) {
#if defined(LARMOR_HAS_CUDA)
    if (on_gpu()) return least_on_gpu(device_, view_, first, prefixes);
#endif
    std::vector<Number> found(prefixes / prefixes_at_once);
    parallel_for(device_.threads, static_cast<Index>(found.size()), [&](Index n) {
      const auto call = static_cast<std::uint64_t>(n);
      found[call] = kernels().least(view_, first + call * prefixes_at_once);
    });
    return *std::ranges::min_element(found);
  }

  void count(std::uint64_t first, std::uint64_t prefixes, LowStates<Number>& low) {
#if defined(LARMOR_HAS_CUDA)
    if (on_gpu()) return count_on_gpu(device_, view_, first, prefixes, low);
#endif
    LowStates<Number> none = low;
    none.count = 0;
    std::vector<LowStates<Number>> found(prefixes / prefixes_at_once, none);
    parallel_for(device_.threads, static_cast<Index>(found.size()), [&](Index n) {
      const auto call = static_cast<std::uint64_t>(n);
      kernels().count(view_, first + call * prefixes_at_once, found[call]);
    });
    for (const LowStates<Number>& of_call : found) low.add(of_call);
  }
};

template <class Number>
std::optional<LowStates<double>> enumerated_in_blocks(const SpinForm& form, const Device& device,
                                                      const Watch& watch) {
  const auto low = Blocks<Number>(form, device, watch).run();
  if (!low) return std::nullopt;
  return LowStates<double>{low->ground, low->tolerance, low->next, low->count, low->first};
}

}  // namespace

void require_enumerable(const QuadraticProblem& problem) {
  if (problem.size() > most_enumerated_spins)
    throw InputError(fmt::format("the problem has {} variables, too many to go through all states",
                                 problem.size()),
                     fmt::format("leave --certify out, or take a problem of up to {} variables",
                                 most_enumerated_spins));
}

std::optional<Certificate> enumerate(const QuadraticProblem& problem, const Device& device,
                                     const std::function<bool(double)>& watch) {
  require_enumerable(problem);
  const auto begun = std::chrono::steady_clock::now();
  const SpinForm form = spin_form(problem);
  const bool has_mirror = has_no_fields(form);
  const SpinForm searched = has_mirror ? with_last_spin_up(form) : form;
  std::optional<LowStates<double>> low;
  if (searched.size() < few_spins)
    low = one_by_one(searched);
  else if (fits_float(form) && bound_of(form) < exact_in_float)
    low = enumerated_in_blocks<float>(searched, device, watch);
  else
    low = enumerated_in_blocks<double>(searched, device, watch);
  if (!low) return std::nullopt;
  Certificate found{0, NaturalNumber(low->count * (has_mirror ? 2 : 1)), 0,
                    state_of(low->first, searched.size())};
  if (has_mirror) found.state.push_back(1);
  found.value = form.whole ? form.value(low->ground) : value_of(problem, found.state);
  found.gap = (low->next - low->ground) * form.factor / form.divisor;
  found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  return found;
}

}  // namespace larmor::ground_states
