#pragma once
// Errors of wrong input that know no place of their own.

#include "larmor/core/error.hpp"

namespace larmor {

/// An error of the work about a table points at the table, unless it knows better.
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
