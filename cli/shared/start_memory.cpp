// Checks that there is enough address space to start. OpenBLAS maps a buffer for each of its
// threads when it is loaded, before main. If the mapping fails, OpenBLAS retries forever. This code
// is the first of the program, so it runs before OpenBLAS does. It may use nothing that is not yet
// initialised.

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace larmor::cli {
namespace {

/// Bytes of a buffer, and the largest number of buffers, measured with OpenBLAS 0.3.21.
constexpr std::size_t buffer = std::size_t{128} << 20;
constexpr std::size_t most_buffers = 64;
/// Address space for all other allocations before main.
constexpr std::size_t other_bytes = std::size_t{32} << 20;

const char* value_of(const char* name, char** environment) {
  const std::size_t length = std::strlen(name);
  for (char** entry = environment; *entry != nullptr; ++entry)
    if (std::strncmp(*entry, name, length) == 0 && (*entry)[length] == '=')
      return *entry + length + 1;
  return nullptr;
}

/// Maximum number of threads for which OpenBLAS allocates a buffer.
std::size_t threads(char** environment) {
  cpu_set_t set;
  std::size_t processors = most_buffers;
  if (::sched_getaffinity(0, sizeof set, &set) == 0)
    processors = static_cast<std::size_t>(CPU_COUNT(&set));
  if (processors > most_buffers) processors = most_buffers;
  // OPENBLAS_NUM_THREADS is not a limit, because OpenMP may use more threads than it allows.
  const char* const value = value_of("OMP_NUM_THREADS", environment);
  const long asked = value == nullptr ? 0 : std::strtol(value, nullptr, 10);
  if (asked > 0 && static_cast<std::size_t>(asked) < processors)
    processors = static_cast<std::size_t>(asked);
  return processors;
}

char* append(char* end, const char* text) {
  const std::size_t length = std::strlen(text);
  std::memcpy(end, text, length);
  return end + length;
}

char* append(char* end, std::size_t number) {
  char digits[24];
  std::size_t count = 0;
  for (; number > 0 || count == 0; number /= 10)
    digits[count++] = static_cast<char>('0' + number % 10);
  while (count > 0) *end++ = digits[--count];
  return end;
}

void require_address_space(int, char**, char** environment) {
  const std::size_t bytes = threads(environment) * buffer + other_bytes;
  void* const there = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (there != MAP_FAILED) {
    ::munmap(there, bytes);
    return;
  }
  char message[400];
  char* end = append(message, "error: the program needs ");
  end = append(end, bytes >> 20);
  end = append(
      end,
      " MiB of address space in addition to its libraries, but the limit is lower (ulimit -v, "
      "ulimit -d); "
      "raise the limit");
  if (bytes > buffer + other_bytes) {
    end = append(end, ", or set OMP_NUM_THREADS=1: with one thread the program needs ");
    end = append(end, (buffer + other_bytes) >> 20);
    end = append(end, " MiB");
  }
  end = append(end, "\n");
  static_cast<void>(!::write(STDERR_FILENO, message, static_cast<std::size_t>(end - message)));
  ::_exit(3);
}

}  // namespace
}  // namespace larmor::cli

extern "C" {
using FirstCode = void (*)(int, char**, char**);
/// CMakeLists.txt names this symbol to the linker, which would otherwise omit it.
extern FirstCode larmor_first_code;
[[gnu::section(".preinit_array"), gnu::used]] FirstCode larmor_first_code =
    larmor::cli::require_address_space;
}
