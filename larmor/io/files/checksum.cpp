#include "larmor/io/files/checksum.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace larmor::io {
namespace {

constexpr std::uint64_t polynomial = 0xC96C5795D7870F42;  // reflected
constexpr std::size_t bytes_at_once = 8;

using Tables = std::array<std::array<std::uint64_t, 256>, bytes_at_once>;

/// tables[k][b]: contribution of byte b after k more zero bytes.
constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint64_t byte = 0; byte < 256; ++byte) {
    std::uint64_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? polynomial : 0);
    tables[0][byte] = value;
  }
  for (std::size_t k = 1; k < bytes_at_once; ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint64_t before = tables[k - 1][byte];
      tables[k][byte] = tables[0][before & 255] ^ (before >> 8);
    }
  }
  return tables;
}

constexpr Tables tables = make_tables();
static_assert(std::endian::native == std::endian::little);

}  // namespace

void Checksum::add(std::span<const std::byte> bytes) {
  std::uint64_t state = state_;
  while (bytes.size() >= bytes_at_once) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), bytes_at_once);
    word ^= state;
    state = 0;
    for (std::size_t k = 0; k < bytes_at_once; ++k) {
      state ^= tables[bytes_at_once - 1 - k][(word >> (8 * k)) & 255];
    }
    bytes = bytes.subspan(bytes_at_once);
  }
  for (const std::byte byte : bytes) {
    state = tables[0][(state ^ static_cast<std::uint64_t>(byte)) & 255] ^ (state >> 8);
  }
  state_ = state;
}

std::uint64_t checksum(std::string_view text) {
  Checksum sum;
  sum.add(std::as_bytes(std::span(text)));
  return sum.value();
}

}  // namespace larmor::io
