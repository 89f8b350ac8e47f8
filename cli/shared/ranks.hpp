#pragma once
// Commands that several ranks run together, started by mpirun.

#include <exception>
#include <functional>

#include "larmor/core/ranks/communicator.hpp"

namespace larmor::cli {

/// Runs `work` on all ranks that this process was started with. A failure that the other ranks do
/// not know of ends them all, once its message is written. @return exit code
int on_all_ranks(const std::function<int(const Communicator&)>& work);
/// Says what went wrong on this rank and ends all, unless they know of it together or this is the
/// only one: then it does nothing.
void end_all_ranks(const Communicator& world, const std::exception& error);
/// If several ranks fail alike, only the first one speaks: the root, or rank 1 if the root waits
/// for others, then rank 2, ranks 3 and 4, 5 to 8, ... The others sleep until they are ended.
void let_the_first_speak(int rank);
/// For a failure that every rank finds, and the root tells. @return the code, when the root has
int quiet_rank_fails(int exit_code);

}  // namespace larmor::cli
