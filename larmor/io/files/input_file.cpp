#include "larmor/io/files/input_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <system_error>

#include "larmor/core/descriptor.hpp"
#include "larmor/core/error.hpp"
#include "larmor/io/files/checksum.hpp"

namespace larmor::io {
namespace {

constexpr std::chrono::seconds patience{3};
constexpr int milliseconds_of_a_look = 50;

[[noreturn]] void throw_cannot_open(const std::string& path) {
  throw MachineError("cannot open '" + path + "': " + std::generic_category().message(errno));
}

/// Has a process opened the pipe to write? tee does not remove bytes from the pipe.
bool has_writer(int pipe, int scratch) { return ::tee(pipe, scratch, 1, SPLICE_F_NONBLOCK) != 0; }

/// Waits until there are bytes to read, or all writers have closed the pipe. @throws InputError if
/// no process opens the pipe for writing in time
void wait_for_bytes(const std::string& path, int pipe) {
  using Clock = std::chrono::steady_clock;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) throw_cannot_open(path);
  const Descriptor out(ends[0]), in(ends[1]);
  for (auto begun = Clock::now();;) {
    pollfd asked{pipe, POLLIN, 0};
    const int answers = ::poll(&asked, 1, milliseconds_of_a_look);
    if (answers > 0) return;
    if (answers < 0)
      throw MachineError("the wait for '" + path +
                         "' has ended: " + std::generic_category().message(errno));
    if (has_writer(pipe, *in)) begun = Clock::now();
    if (Clock::now() - begun > patience)
      throw InputError("no program writes to the pipe '" + path + "'",
                       "name a file, or first start the program that writes to the pipe");
  }
}

/// Opens a named pipe. It first opens the pipe without blocking, and waits for bytes. The stream
/// then opens the pipe again, which would block without a writer. So this function itself is a
/// writer until the stream is open.
std::ifstream open_pipe(const std::string& path) {
  const Descriptor reader(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!reader) throw_cannot_open(path);
  wait_for_bytes(path, *reader);
  const Descriptor writer(::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
  return std::ifstream(path, std::ios::binary);
}

}  // namespace

const std::string& require_input_file(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  if (status.type() == fs::file_type::not_found) {
    const bool is_study = fs::exists(path + ".toml", failure);
    throw InputError("there is no file '" + path + "'",
                     is_study ? "write the ending of the name too: " + path + ".toml"
                              : "check the name, and in which folder you are");
  }
  if (failure == std::errc::filename_too_long)
    throw InputError("the name of the file '" + path + "' is too long", "name a file that exists");
  if (failure) throw MachineError("cannot examine '" + path + "': " + failure.message());
  if (fs::is_directory(status)) throw InputError("'" + path + "' is a folder", "name a file in it");
  if (!fs::is_regular_file(status) && !fs::is_fifo(status))
    throw InputError("'" + path + "' is a device, not a file", "name a file");
  return path;
}

std::ifstream open_input(const std::string& path) {
  require_input_file(path);
  std::ifstream file =
      std::filesystem::is_fifo(path) ? open_pipe(path) : std::ifstream(path, std::ios::binary);
  if (!file) throw_cannot_open(path);
  return file;
}

void require_no_pipe(const std::string& path, const std::string& remedy) {
  if (std::filesystem::is_fifo(require_input_file(path)))
    throw InputError("'" + path + "' is a pipe, but Larmor must read this input twice", remedy);
}

std::uint64_t file_checksum(const std::string& path) {
  require_no_pipe(path, "name a file");
  std::ifstream file = open_input(path);
  Checksum checksum;
  std::array<char, 65536> buffer{};
  while (file.read(buffer.data(), buffer.size()), file.gcount() > 0)
    checksum.add(std::as_bytes(std::span(buffer.data(), static_cast<std::size_t>(file.gcount()))));
  if (!file.eof())
    throw MachineError("cannot read '" + path + "': " + std::generic_category().message(errno));
  return checksum.value();
}

}  // namespace larmor::io
