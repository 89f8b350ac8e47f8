#include "cli/shared/ranks.hpp"

#include <chrono>
#include <iostream>
#include <thread>

#include "cli/shared/exit.hpp"
#include "larmor/io/files/durable_file.hpp"

namespace larmor::cli {
namespace {

/// This time is longer than mpirun takes to end all ranks after the first failure.
constexpr std::chrono::seconds time_of_mpirun_to_end{4};

}  // namespace

void defer_to_first_rank(int rank) {
  if (rank == 0) return;
  end_on_sigterm();
  std::chrono::seconds wait = time_of_mpirun_to_end;
  for (int before = 1; before < rank; before *= 2) wait += std::chrono::seconds{2};
  std::this_thread::sleep_for(wait);
}

void end_all_ranks(const Communicator& world, const std::exception& error) {
  if (world.size() == 1 || world.failed_together()) return;
  defer_to_first_rank(world.rank());
  const int code = report_error(error);
  std::cerr << "rank " << world.rank() << " of " << world.size() << " ends the run" << std::endl;
  io::remove_all_temporaries();
  world.abort(code);
}

int on_all_ranks(const std::function<int(const Communicator&)>& work) {
  // Every rank finds this error, and only the first rank reports it.
  if (started_ranks() > 1 && !message_passing_missing().empty())
    defer_to_first_rank(started_rank());
  const Communicator world = Communicator::world();
  try {
    const int code = work(world);
    // The first rank with an error ends the other ranks in this call.
    if (code != 0) world.maximum({0});
    return code;
  } catch (const std::exception& error) {
    if (world.size() == 1) throw;
    end_all_ranks(world, error);
    const int code = report_error(error);
    world.maximum({0});
    return code;
  }
}

}  // namespace larmor::cli
