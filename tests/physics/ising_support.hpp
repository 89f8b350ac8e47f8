#pragma once
// Helpers that several tests of bit-sliced Ising spins share.

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "larmor/core/maths/philox.hpp"

namespace larmor::testing_support {

/// Published Philox4x32 algorithm with any number of rounds.
inline std::array<std::uint32_t, 4> random_words(int rounds, std::uint64_t key, Stream stream,
                                                 std::uint64_t site, std::uint64_t step,
                                                 std::uint64_t replica, std::uint32_t block) {
  __extension__ using Counter = unsigned __int128;
  const Counter counter = static_cast<Counter>(site) | static_cast<Counter>(step) << 40 |
                          static_cast<Counter>(replica) << 80 |
                          static_cast<Counter>(stream) << 104 | static_cast<Counter>(block) << 112;
  std::array<std::uint32_t, 4> c{};
  for (int i = 0; i < 4; ++i)
    c[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(counter >> (32 * i));
  auto k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t p0 = 0xD2511F53ull * c[0], p1 = 0xCD9E8D57ull * c[2];
    c = {static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ k0, static_cast<std::uint32_t>(p1),
         static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ k1, static_cast<std::uint32_t>(p0)};
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return c;
}

/// Sets the instruction set in the environment until the end of the scope.
class InstructionSet {
 public:
  explicit InstructionSet(const std::string& set) {
    if (const char* before = std::getenv("LARMOR_INSTRUCTION_SET")) before_ = before;
    setenv("LARMOR_INSTRUCTION_SET", set.c_str(), 1);
  }
  ~InstructionSet() {
    if (before_.empty()) {
      unsetenv("LARMOR_INSTRUCTION_SET");
    } else {
      setenv("LARMOR_INSTRUCTION_SET", before_.c_str(), 1);
    }
  }

 private:
  std::string before_;
};

}  // namespace larmor::testing_support
