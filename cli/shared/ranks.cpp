#include "cli/shared/ranks.hpp"

#include <chrono>
#include <iostream>
#include <thread>

#include "cli/shared/failure.hpp"
#include "cli/shared/signals.hpp"
#include "larmor/io/files/durable_file.hpp"

namespace larmor::cli {
namespace {

/// Longer than mpirun takes to end ranks after the first failure.
constexpr std::chrono::seconds until_the_end{4};

}  // namespace

void let_the_first_speak(int rank) {
  if (rank == 0) return;
  end_on_sigterm();
  std::chrono::seconds wait = until_the_end;
  for (int before = 1; before < rank; before *= 2) wait += std::chrono::seconds{2};
  std::this_thread::sleep_for(wait);
}

void end_all_ranks(const Communicator& world, const std::exception& error) {
  if (world.size() == 1 || world.failed_together()) return;
  let_the_first_speak(world.rank());
  const int code = explain_failure(error);
  std::cerr << "rank " << world.rank() << " of " << world.size() << " ends the run" << std::endl;
  io::remove_all_temporaries();
  world.abort(code);
}

int quiet_rank_fails(int exit_code) {
  let_the_first_speak(started_rank());
  return exit_code;
}

int on_all_ranks(const std::function<int(const Communicator&)>& work) {
  if (started_ranks() > 1 && !message_passing_missing().empty()) {
    // Each rank finds this error separately.
    let_the_first_speak(started_rank());
  }
  const Communicator world = Communicator::world();
  try {
    const int code = work(world);
    // The first rank with an error ends the others.
    if (code != 0) world.maximum({0});
    return code;
  } catch (const std::exception& error) {
    if (world.size() == 1) throw;
    end_all_ranks(world, error);
    const int code = explain_failure(error);
    world.maximum({0});
    return code;
  }
}

}  // namespace larmor::cli
