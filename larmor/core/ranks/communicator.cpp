#include "larmor/core/ranks/communicator.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <utility>

#include "larmor/core/shared_libraries.hpp"

namespace larmor {
namespace {

constexpr const char* module_name = "liblarmor_mpi.so";

/// @param problem receives the reason if there is no module
StartMessagePassing* find_module(std::string& problem) {
  for (const std::filesystem::path& folder : own_library_folders(code_folder())) {
    const std::filesystem::path path = folder / module_name;
    // RTLD_GLOBAL, because MPI loads plugins that need its symbols.
    if (!std::filesystem::exists(path)) continue;
    void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (module == nullptr) {
      problem = dlerror();
      return nullptr;
    }
    return reinterpret_cast<StartMessagePassing*>(dlsym(module, start_message_passing));
  }
  problem = std::string(module_name) + " is not in the program's folder: this build has no MPI";
  return nullptr;
}

int number_in(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? 0 : std::atoi(text);
}

}  // namespace

// Variables of Open MPI, of MPICH and its relatives, and of Slurm.

int started_ranks() {
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"})
    if (const int ranks = number_in(variable); ranks > 0) return ranks;
  return 1;
}

int started_rank() {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"})
    if (std::getenv(variable) != nullptr) return started_ranks() > 1 ? number_in(variable) : 0;
  return 0;
}

std::string message_passing_missing() {
  std::string problem;
  find_module(problem);
  return problem;
}

MachineError others_do_not_answer() {
  return MachineError("the other ranks do not answer: one of these ranks has ended, or hangs");
}

Communicator Communicator::world() {
  Communicator world;
  const int ranks = started_ranks();
  if (ranks == 1) return world;
  std::string problem;
  StartMessagePassing* const start = find_module(problem);
  if (start == nullptr)
    throw MachineError("this process was started as one of " + std::to_string(ranks) +
                       " ranks, which cannot communicate: " + problem +
                       "; install MPI (Debian: libopenmpi-dev) and build again, or start one rank");
  world.mpi_ = start();
  if (world.size() != ranks)
    throw MachineError("this process was started as one of " + std::to_string(ranks) +
                       " ranks, but " + world.mpi_->library() + ", with which " + module_name +
                       " was built, counts " + std::to_string(world.size()) +
                       "; start the ranks with the mpirun of this library");
  return world;
}

Communicator::Communicator(Communicator&& other) noexcept
    : mpi_(std::exchange(other.mpi_, nullptr)), failed_together_(other.failed_together_) {}

Communicator::~Communicator() {
  if (mpi_ != nullptr) mpi_->finish();
}

std::vector<std::vector<double>> Communicator::gather(const std::vector<double>& own) const {
  if (size() == 1) return {own};
  if (!is_root()) {
    const std::size_t count = own.size();
    mpi_->send(&count, sizeof(count), 0);
    mpi_->send(own.data(), count * sizeof(double), 0);
    return {};
  }
  std::vector<std::vector<double>> all{own};
  for (int rank = 1; rank < size(); ++rank) {
    std::size_t count = 0;
    mpi_->receive(&count, sizeof(count), rank);
    std::vector<double>& numbers = all.emplace_back(count);
    mpi_->receive(numbers.data(), count * sizeof(double), rank);
  }
  return all;
}

void Communicator::exchange(const std::vector<Message>& out, const std::vector<Message>& in) const {
  if (mpi_ != nullptr)
    mpi_->exchange(out.data(), static_cast<int>(out.size()), in.data(),
                   static_cast<int>(in.size()));
}

void Communicator::sum(double* numbers, std::size_t count) const {
  if (mpi_ != nullptr) mpi_->sum(numbers, count);
}

std::vector<double> Communicator::maximum(std::vector<double> numbers, const std::atomic<int>* stop,
                                          const std::function<void()>& waiting) const {
  if (size() == 1) return numbers;
  constexpr std::chrono::milliseconds pause{500};
  constexpr int most_pauses = answer_timeout / pause;
  struct Wait {
    const std::atomic<int>* stop;
    const std::function<void()>& waiting;
    int pauses = 0;
  } wait{stop, waiting};
  const auto go_on = [](void* context) {
    Wait& state = *static_cast<Wait*>(context);
    if (state.stop == nullptr || *state.stop == 0) return true;
    if (++state.pauses == 1 && state.waiting) state.waiting();
    return state.pauses < most_pauses;
  };
  for (std::size_t first = 0; first < numbers.size(); first += MessagePassing::most_maxima) {
    const std::size_t count =
        std::min<std::size_t>(MessagePassing::most_maxima, numbers.size() - first);
    if (!mpi_->maximum(numbers.data() + first, static_cast<int>(count),
                       std::chrono::duration<double>(pause).count(), go_on, &wait))
      throw others_do_not_answer();
  }
  return numbers;
}

void Communicator::post(const std::array<double, 2>& numbers, int to) const {
  if (mpi_ != nullptr) mpi_->post(numbers.data(), sizeof(numbers), to);
}

std::optional<Post> Communicator::receive_post() const {
  if (mpi_ == nullptr) return std::nullopt;
  Post post;
  post.rank = mpi_->receive_post(post.numbers.data(), sizeof(post.numbers));
  if (post.rank < 0) return std::nullopt;
  return post;
}

void Communicator::together(const std::function<void()>& work) const {
  if (size() == 1) return work();
  std::exception_ptr failure;
  int code = 0;
  try {
    work();
  } catch (const Error& error) {
    code = error.exit_code();
    failure = std::current_exception();
  }
  // The lowest failed rank reports the reason.
  const double place = failure ? size() - rank() : 0;
  const std::vector<double> worst = maximum({static_cast<double>(code), place});
  if (worst[1] == 0) return;
  failed_together_ = true;
  if (worst[1] == place) std::rethrow_exception(failure);
  throw OtherRankFailed(static_cast<int>(worst[0]));
}

void Communicator::abort(int exit_code) const {
  if (mpi_ != nullptr) mpi_->abort(exit_code);
}

}  // namespace larmor
