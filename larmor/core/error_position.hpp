#pragma once
// Positions for input errors that have none.

#include "larmor/core/error.hpp"

namespace larmor {

/// Calls work(). An InputError that it throws without a position receives the position `where`.
template <class Work>
auto with_position(const SourcePosition& where, const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    if (error.has_position()) throw;
    throw InputError(error.problem(), where, error.remedy());
  }
}

}  // namespace larmor
