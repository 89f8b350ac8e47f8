#include "larmor/core/communicator.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <utility>

namespace larmor {
namespace {

constexpr const char* module_name = "liblarmor_mpi.so";

/// Beside the program, or in the lib folder next to its own.
std::vector<std::string> module_paths() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path folder = program.parent_path();
  return {(folder / module_name).string(), (folder.parent_path() / "lib" / module_name).string()};
}

/// @param problem why there is none
StartMessagePassing* find_module(std::string& problem) {
  for (const std::string& path : module_paths()) {
    // MPI opens parts of its own, which look for its symbols among those of all.
    if (!std::filesystem::exists(path)) continue;
    void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (module == nullptr) {
      problem = dlerror();
      return nullptr;
    }
    return reinterpret_cast<StartMessagePassing*>(dlsym(module, start_message_passing));
  }
  problem = std::string(module_name) + " is not beside the program: this build has no MPI";
  return nullptr;
}

int number_in(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? 0 : std::atoi(text);
}

}  // namespace

int started_ranks() {
  // Of Open MPI, of MPICH and its kin, of Slurm's own starter.
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const int ranks = number_in(variable); ranks > 0) return ranks;
  const bool by_slurm = std::getenv("SLURM_STEP_ID") != nullptr && std::getenv("PMIX_RANK");
  return by_slurm ? std::max(1, number_in("SLURM_STEP_NUM_TASKS")) : 1;
}

std::string message_passing_missing() {
  std::string problem;
  find_module(problem);
  return problem;
}

Communicator Communicator::world() {
  Communicator world;
  const int ranks = started_ranks();
  if (ranks == 1) return world;
  std::string problem;
  StartMessagePassing* const start = find_module(problem);
  if (start == nullptr)
    throw MachineError("started as one of " + std::to_string(ranks) +
                       " ranks, which cannot talk to each other: " + problem +
                       "; install MPI (Debian: libopenmpi-dev) and build again, or start one rank");
  world.mpi_ = start();
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

std::vector<std::vector<double>> Communicator::swap(
    const std::vector<std::vector<double>>& to) const {
  std::vector<std::size_t> counts_to(to.size()), counts(to.size());
  std::vector<std::vector<double>> from(to.size());
  std::vector<Message> out, in;
  const auto swap_all = [&] {
    exchange(out, in);
    out.clear();
    in.clear();
  };
  for (std::size_t r = 0; r < to.size(); ++r) {
    counts_to[r] = to[r].size();
    if (static_cast<int>(r) == rank()) continue;
    out.push_back({static_cast<int>(r), &counts_to[r], sizeof(std::size_t)});
    in.push_back({static_cast<int>(r), &counts[r], sizeof(std::size_t)});
  }
  swap_all();
  for (std::size_t r = 0; r < to.size(); ++r) {
    if (static_cast<int>(r) == rank()) {
      from[r] = to[r];
      continue;
    }
    from[r].resize(counts[r]);
    out.push_back(
        {static_cast<int>(r), const_cast<double*>(to[r].data()), to[r].size() * sizeof(double)});
    in.push_back({static_cast<int>(r), from[r].data(), from[r].size() * sizeof(double)});
  }
  swap_all();
  return from;
}

void Communicator::sum(double* numbers, std::size_t count) const {
  if (mpi_ != nullptr) mpi_->sum(numbers, count);
}

std::vector<double> Communicator::maximum(std::vector<double> numbers,
                                          const std::atomic<int>* stop) const {
  if (size() == 1) return numbers;
  constexpr double pause = 0.5;  // seconds
  const auto go_on = [](void* asked) {
    const auto* const flag = static_cast<const std::atomic<int>*>(asked);
    return flag == nullptr || *flag == 0;
  };
  if (!mpi_->maximum(numbers.data(), static_cast<int>(numbers.size()), pause, go_on,
                     const_cast<std::atomic<int>*>(stop)))
    throw MachineError("another rank does not answer: it has ended, or hangs");
  return numbers;
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
  // The lowest rank that failed is the one to say why.
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
