#include "larmor/io/hdf5/hdf5_lock.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstring>

#include "larmor/io/files/durable_file.hpp"

namespace larmor::io {
namespace {

constexpr std::array crashes{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

std::atomic<int> depth{0};
thread_local int depth_here = 0;  ///< of this thread
std::atomic<std::uint64_t> lock_count{0}, writes{0};
/// The path of the file, in memory that a signal handler can read without allocation.
std::array<char, 1024> file_at_work;

std::recursive_mutex& hdf5_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

void print_error(const char* text) {
  static_cast<void>(!::write(STDERR_FILENO, text, std::strlen(text)));
}

void end_on_crash(int signal) {
  if (depth_here == 0) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  print_error("error: '");
  print_error(file_at_work.data());
  print_error(
      "' is damaged: the HDF5 library has crashed while it used the file\n"
      "  help: use an undamaged copy of the file, or run the study again\n");
  remove_all_temporaries();
  ::_exit(3);
}

}  // namespace

Hdf5Lock::Hdf5Lock(const std::string& path) : lock_(hdf5_mutex()) {
  ++depth_here;
  if (depth++ > 0) return;
  ++lock_count;
  const std::size_t size = std::min(path.size(), file_at_work.size() - 1);
  std::memcpy(file_at_work.data(), path.data(), size);
  file_at_work[size] = '\0';
}

Hdf5Lock::~Hdf5Lock() {
  --depth_here;
  --depth;
}

std::uint64_t hdf5_lock_number() { return depth.load() > 0 ? lock_count.load() : 0; }

Hdf5Write::Hdf5Write() { ++writes; }
Hdf5Write::~Hdf5Write() { ++writes; }

std::uint64_t hdf5_writes_now() { return writes; }

void report_hdf5_crashes() {
  // The crash may be a stack overflow.
  static std::array<std::byte, 65536> stack_of_handler;
  stack_t stack{};
  stack.ss_sp = stack_of_handler.data();
  stack.ss_size = stack_of_handler.size();
  ::sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = end_on_crash;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (const int signal : crashes) ::sigaction(signal, &action, nullptr);
}

}  // namespace larmor::io
