#include "larmor/ground_states/certification.hpp"

#include <fmt/core.h>

#include <cmath>

#include "larmor/core/device/memory.hpp"
#include "larmor/core/error.hpp"
#include "larmor/ground_states/enumeration.hpp"

namespace larmor::ground_states {
namespace {

/// Problems of at most this many variables are always enumerated. This takes a hundredth of a
/// second.
constexpr Index always_enumerated = 24;
/// Number of states that an enumeration visits while an elimination computes one table entry.
constexpr double states_of_entry = 32;
/// If an enumeration is possible, an elimination may need at most this many bytes. The limit is a
/// constant, so all machines choose alike.
constexpr double memory_beside_enumeration = 1024.0 * 1024 * 1024;
/// Largest number of table entries of an elimination. Ten threads need an hour or more for them.
constexpr double most_entries = 4398046511104.0;  // 2^42

double states_of(Index variables) { return std::exp2(static_cast<double>(variables)); }

std::string too_many(Index variables) {
  return fmt::format("the problem has {} variables, too many to go through all states; ",
                     variables);
}

const std::string other_problem =
    fmt::format("leave --certify out, or take a sparser problem or a problem of up to {} variables",
                most_enumerated_spins);

void require_possible(const SpinForm& form, const std::optional<EliminationOrder>& order) {
  if (!order)
    throw InputError(
        too_many(form.size()) +
            fmt::format(
                "no order is known that eliminates the variables with tables of up to {} variables",
                widest_order),
        other_problem);
  const std::string tables =
      too_many(form.size()) +
      fmt::format("an elimination of the variables needs tables of up to {} variables",
                  order->width);
  if (order->entries > most_entries)
    throw InputError(tables + fmt::format(", with {:.2g} entries in all, but the limit is {:.2g}",
                                          order->entries, most_entries),
                     other_problem);
  const double bytes = bytes_of_elimination(form, *order);
  const FreeMemory free = free_memory();
  if (bytes > free.bytes)
    throw InputError(
        tables + fmt::format(", which take {}, but {}", memory_text(bytes), free.description()),
        other_problem);
}

}  // namespace

Certification::Certification(const QuadraticProblem& problem, bool must_enumerate)
    : variables_(problem.size()) {
  if (must_enumerate) require_enumerable(problem);
  if (must_enumerate || variables_ <= always_enumerated) return;
  const SpinForm form = spin_form(problem);
  order_ = elimination_order(form);
  if (variables_ > most_enumerated_spins)
    require_possible(form, order_);
  else if (order_ && (states_of_entry * order_->entries > states_of(variables_) ||
                      bytes_of_elimination(form, *order_) > memory_beside_enumeration))
    order_.reset();
}

double Certification::work() const { return order_ ? order_->entries : states_of(variables_); }

std::optional<Certificate> Certification::run(const QuadraticProblem& problem, const Device& device,
                                              const std::function<bool(double)>& watch) const {
  return order_ ? eliminate(problem, *order_, device.threads, watch)
                : enumerate(problem, device, watch);
}

}  // namespace larmor::ground_states
