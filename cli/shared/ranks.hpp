#pragma once
// Commands that several ranks run together, started by mpirun.

#include <exception>
#include <functional>

#include "larmor/core/ranks/communicator.hpp"

namespace larmor::cli {

/// Runs `work` on all ranks of this run. A failure on one rank ends all ranks, after its message.
/// @return exit code
int on_all_ranks(const std::function<int(const Communicator&)>& work);
/// Reports the error of this rank and ends all ranks. Does nothing if all ranks failed together, or
/// if there is one rank.
void end_all_ranks(const Communicator& world, const std::exception& error);
/// If several ranks fail alike, only the first one reports: the root, or rank 1 if the root waits
/// for others, then rank 2, ranks 3 and 4, 5 to 8, ... The other ranks sleep until they are ended.
void defer_to_first_rank(int rank);

}  // namespace larmor::cli
