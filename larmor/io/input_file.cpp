#include "larmor/io/input_file.hpp"

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "larmor/core/error.hpp"
#include "larmor/io/checksum.hpp"

namespace larmor::io {

const std::string& require_input_file(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  if (status.type() == fs::file_type::not_found) {
    const bool bare = path.find('.') == std::string::npos;
    throw InputError("there is no file '" + path + "'",
                     bare ? "write the ending too, as in " + path + ".toml"
                          : "check the name and the folder you are in");
  }
  if (failure) throw MachineError("cannot look at '" + path + "': " + failure.message());
  if (fs::is_directory(status)) throw InputError("'" + path + "' is a folder", "name a file in it");
  if (!fs::is_regular_file(status) && !fs::is_fifo(status))
    throw InputError("'" + path + "' is a device, not a file", "name a file");
  return path;
}

std::uint64_t file_checksum(const std::string& path) {
  std::ifstream file(require_input_file(path), std::ios::binary);
  Checksum checksum;
  std::array<char, 65536> buffer{};
  while (file.read(buffer.data(), buffer.size()), file.gcount() > 0)
    checksum.add(std::as_bytes(std::span(buffer.data(), static_cast<std::size_t>(file.gcount()))));
  if (!file.eof())
    throw MachineError("cannot read '" + path + "': " + std::generic_category().message(errno));
  return checksum.value();
}

}  // namespace larmor::io
