#pragma once
// Places of errors about the crystal of a file.

#include "larmor/core/error.hpp"
#include "larmor/core/input/value.hpp"
#include "larmor/lattice/input.hpp"

namespace larmor::imports {

/// Calls work(). If work() throws an InputError without a position, the error receives the place of
/// the cell, or that of the atoms.
template <class Work>
auto with_lattice_places(const SourceMark& cell, const SourceMark& atoms, const Work& work) {
  try {
    return work();
  } catch (const lattice::LatticeKeyError& error) {
    throw InputError(error.problem(), (error.key() == "cell" ? cell : atoms).position(),
                     error.remedy());
  } catch (const InputError& error) {
    if (error.has_position()) throw;
    throw InputError(error.problem(), atoms.position(), error.remedy());
  }
}

}  // namespace larmor::imports
