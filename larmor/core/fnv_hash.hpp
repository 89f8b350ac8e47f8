#pragma once
// FNV-1a hash, 64 bits, to detect differences that are not malicious. (draft-eastlake-fnv)

#include <cstdint>
#include <span>
#include <string_view>

namespace larmor {

inline std::uint64_t fnv_hash(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
  return hash;
}

/// 52 bits of the hash of numbers, exact in a double, for comparisons between ranks.
template <class Number>
double short_hash(std::span<const Number> numbers) {
  const std::string_view bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
  return static_cast<double>(fnv_hash(bytes) >> 12);
}

}  // namespace larmor
