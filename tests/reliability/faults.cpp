// A preloaded library that makes one file-changing call of the program fail, or ends the program at
// this call. LARMOR_FAULT is KIND@N for the N-th call, counted from 1, or KIND@N+ for all calls
// from the N-th:
// - eio, enospc, erofs: the call fails;
// - torn: writes the first half and ends the program;
// - kill: ends the program before the call;
// - stall@N: a SIGTERM arrives in the first pwrite from the N-th call on, which lasts seven
// seconds;
// - crash@N: the N-th large pread of a file *.h5 crashes; other calls are not counted.
// Without LARMOR_FAULT, calls are counted, and their number is written to the file
// LARMOR_FAULT_COUNT.

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace {

struct Fault {
  std::string kind;
  long first = 0;
  bool stays = false;
};

std::atomic<long> calls{0}, reads{0};
std::atomic<bool> has_stalled{false};

const Fault& fault() {
  static const Fault given = [] {
    Fault found;
    const char* text = std::getenv("LARMOR_FAULT");
    if (text == nullptr) return found;
    const std::string words = text;
    const std::size_t at = words.find('@');
    found.kind = words.substr(0, at);
    found.first = std::atol(words.c_str() + at + 1);
    found.stays = words.back() == '+';
    return found;
  }();
  return given;
}

[[noreturn]] void end_program() {
  ::kill(::getpid(), SIGKILL);
  for (;;) ::pause();
}

enum class Outcome { goes_on, fails, torn };

/// The outcome of the next call. Sets errno if the call fails.
Outcome next_call() {
  const long number = ++calls;
  const Fault& given = fault();
  if (given.kind == "stall" || given.kind == "crash") return Outcome::goes_on;
  if (given.kind.empty() || number < given.first || (number > given.first && !given.stays))
    return Outcome::goes_on;
  if (given.kind == "kill") end_program();
  if (given.kind == "torn") return Outcome::torn;
  errno = given.kind == "eio" ? EIO : given.kind == "enospc" ? ENOSPC : EROFS;
  return Outcome::fails;
}

void stall_once() {
  constexpr int tenths = 70;
  if (fault().kind != "stall" || calls < fault().first || has_stalled.exchange(true)) return;
  ::kill(::getpid(), SIGTERM);
  // If a signal ends a sleep, the loop sleeps for the rest of the time.
  for (int n = 0; n < tenths; ++n) {
    timespec left{0, 100'000'000};
    while (::nanosleep(&left, &left) != 0) continue;
  }
}

/// Does a call that cannot be torn fail?
bool call_fails() {
  switch (next_call()) {
    case Outcome::goes_on:
      return false;
    case Outcome::fails:
      return true;
    case Outcome::torn:
      break;
  }
  end_program();
}

bool is_of_system(std::string_view path) {
  return path.starts_with("/dev/") || path.starts_with("/proc/") || path.starts_with("/sys/");
}

/// The path of a descriptor. It is empty if the descriptor belongs to no file.
std::string path_of(int descriptor) {
  char path[4096];
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = ::readlink(link.c_str(), path, sizeof(path));
  return length > 0 && path[0] == '/' ? std::string(path, static_cast<std::size_t>(length)) : "";
}

bool is_file(int descriptor) {
  if (descriptor <= STDERR_FILENO) return false;
  const std::string path = path_of(descriptor);
  return !path.empty() && !is_of_system(path);
}

template <class Function>
Function* original(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

__attribute__((destructor)) void tell_count() {
  const char* path = std::getenv("LARMOR_FAULT_COUNT");
  if (path == nullptr) return;
  const std::string text = std::to_string(calls);
  const long file = ::syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  ::syscall(SYS_write, file, text.data(), text.size());
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  static auto* const real = original<int(const char*, int, ...)>("open");
  va_list list;
  va_start(list, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0;
  va_end(list);
  if ((flags & O_CREAT) != 0 && !is_of_system(path) && call_fails()) return -1;
  return real(path, flags, mode);
}

ssize_t write(int file, const void* bytes, size_t count) {
  static auto* const real = original<ssize_t(int, const void*, size_t)>("write");
  if (!is_file(file)) return real(file, bytes, count);
  const Outcome outcome = next_call();
  if (outcome == Outcome::fails) return -1;
  if (outcome == Outcome::goes_on) return real(file, bytes, count);
  real(file, bytes, count / 2);
  end_program();
}

ssize_t pwrite(int file, const void* bytes, size_t count, off_t offset) {
  static auto* const real = original<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  if (!is_file(file)) return real(file, bytes, count, offset);
  const Outcome outcome = next_call();
  if (outcome == Outcome::fails) return -1;
  if (outcome == Outcome::goes_on) {
    stall_once();
    return real(file, bytes, count, offset);
  }
  real(file, bytes, count / 2, offset);
  end_program();
}

ssize_t pread(int file, void* bytes, size_t count, off_t offset) {
  static auto* const real = original<ssize_t(int, void*, size_t, off_t)>("pread");
  constexpr size_t large = 1 << 16;
  if (fault().kind == "crash" && count >= large && is_file(file) &&
      path_of(file).ends_with(".h5") && ++reads == fault().first)
    ::raise(SIGSEGV);
  return real(file, bytes, count, offset);
}

ssize_t copy_file_range(int from, off64_t* at, int to, off64_t* there, size_t count,
                        unsigned flags) {
  static auto* const real =
      original<ssize_t(int, off64_t*, int, off64_t*, size_t, unsigned)>("copy_file_range");
  return call_fails() ? -1 : real(from, at, to, there, count, flags);
}

int ftruncate(int file, off_t size) {
  static auto* const real = original<int(int, off_t)>("ftruncate");
  return is_file(file) && call_fails() ? -1 : real(file, size);
}

int fsync(int file) { return is_file(file) && call_fails() ? -1 : 0; }

int rename(const char* from, const char* to) {
  static auto* const real = original<int(const char*, const char*)>("rename");
  return call_fails() ? -1 : real(from, to);
}

int renameat2(int one, const char* from, int other, const char* to, unsigned flags) {
  static auto* const real =
      original<int(int, const char*, int, const char*, unsigned)>("renameat2");
  return call_fails() ? -1 : real(one, from, other, to, flags);
}

int unlink(const char* path) {
  static auto* const real = original<int(const char*)>("unlink");
  return call_fails() ? -1 : real(path);
}

int remove(const char* path) {
  static auto* const real = original<int(const char*)>("remove");
  return call_fails() ? -1 : real(path);
}

int unlinkat(int folder, const char* path, int flags) {
  static auto* const real = original<int(int, const char*, int)>("unlinkat");
  return call_fails() ? -1 : real(folder, path, flags);
}

int mkdir(const char* path, mode_t mode) {
  static auto* const real = original<int(const char*, mode_t)>("mkdir");
  return call_fails() ? -1 : real(path, mode);
}

}  // extern "C"
