#pragma once
// Changes text files as people and programs do by mistake. Lines, keys, values and numbers are
// dropped, doubled, swapped, misspelt or replaced.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace larmor::fuzzing {

/// The text after one to four changes, which follow from the seed.
/// @param most largest number of bytes of the result
std::string mutated(std::string_view text, std::uint64_t seed, std::size_t most);

}  // namespace larmor::fuzzing
