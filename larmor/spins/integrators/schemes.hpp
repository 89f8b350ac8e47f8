#pragma once
// The integration schemes. A new explicit scheme needs a header, an include of this header, and an
// entry in the list below. The list is a macro, because it also names the enumerators of Scheme.

#include "larmor/spins/integrators/depondt_kernel.hpp"
#include "larmor/spins/integrators/heun_kernel.hpp"
#include "larmor/spins/integrators/midpoint_kernel.hpp"
#include "larmor/spins/integrators/rk4_kernel.hpp"
#include "larmor/spins/integrators/semi_implicit_kernel.hpp"

/// X(enumerator of Scheme, struct of the scheme)
#define LARMOR_EXPLICIT_SCHEMES(X) \
  X(rk4, Rk4) X(depondt, Depondt) X(heun, Heun) X(semi_implicit, SemiImplicit)

namespace larmor::spins {

enum class Scheme {
#define LARMOR_ENUMERATOR(enumerator, Type) enumerator,
  LARMOR_EXPLICIT_SCHEMES(LARMOR_ENUMERATOR)
#undef LARMOR_ENUMERATOR
      midpoint
};

struct SchemeEntry {
  Scheme scheme;
  SchemeInfo info;
};

inline constexpr SchemeEntry all_schemes[] = {
#define LARMOR_ENTRY(enumerator, Type) {Scheme::enumerator, Type::info},
    LARMOR_EXPLICIT_SCHEMES(LARMOR_ENTRY)
#undef LARMOR_ENTRY
        {Scheme::midpoint, Midpoint::info}};

constexpr const SchemeInfo& info_of(Scheme scheme) {
  return all_schemes[static_cast<int>(scheme)].info;
}

/// Calls `work(Type{})` with the struct of an explicit scheme.
/// @return the result of `work`; a default value for the midpoint rule
template <class Work>
auto with_explicit_scheme(Scheme scheme, const Work& work) {
  using Result = decltype(work(Depondt{}));
  switch (scheme) {
#define LARMOR_CASE(enumerator, Type) \
  case Scheme::enumerator:            \
    return work(Type{});
    LARMOR_EXPLICIT_SCHEMES(LARMOR_CASE)
#undef LARMOR_CASE
    case Scheme::midpoint:
      break;
  }
  return Result();
}

}  // namespace larmor::spins
