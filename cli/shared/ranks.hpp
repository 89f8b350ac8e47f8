#pragma once
// Commands that several ranks run together, started by mpirun.

#include <exception>
#include <functional>

#include "larmor/core/ranks/communicator.hpp"

namespace larmor::cli {

/// Runs `work` on all ranks of this run. If one rank fails, its message is printed and all ranks
/// end.
/// @return exit code
int on_all_ranks(const std::function<int(const Communicator&)>& work);
/// Reports the error of this rank and ends all ranks. Does nothing if all ranks failed together, or
/// if there is only one rank.
void end_all_ranks(const Communicator& world, const std::exception& error);
/// Delays this rank so that only the first of several ranks that fail alike reports the error. The
/// first is the root, or rank 1 if the root waits for other ranks. Rank 2, ranks 3 and 4, ranks 5
/// to 8 and so on would follow. The other ranks sleep until they are ended.
void defer_to_first_rank(int rank);

}  // namespace larmor::cli
