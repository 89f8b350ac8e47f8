#pragma once
// FORMAT: CRC-64/XZ, polynomial of ECMA-182 (annex B), bits reflected, complemented at both ends.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace larmor::io {

/// Checksum of bytes that are added block by block; "123456789" gives 0x995DC9BBDF1939FA.
class Checksum {
 public:
  void add(std::span<const std::byte> bytes);
  std::uint64_t value() const { return ~state_; }

 private:
  std::uint64_t state_ = ~std::uint64_t{0};
};

/// Identifies a text, such as the study of a checkpoint.
std::uint64_t checksum(std::string_view text);

}  // namespace larmor::io
