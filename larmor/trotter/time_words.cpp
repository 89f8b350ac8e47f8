#include "larmor/trotter/time_words.hpp"

#include <limits>
#include <string>

#include "larmor/core/error.hpp"

namespace larmor::trotter {

TimeWords time_words(Index slices, Index copies) {
  constexpr Index most_slices = Index{1} << 20;
  if (slices < 2 || slices % 2 != 0 || slices > most_slices)
    throw InputError("there are " + std::to_string(slices) + " slices of imaginary time",
                     "give an even number from 2 to " + std::to_string(most_slices));
  TimeWords time;
  Index fewest = std::numeric_limits<Index>::max();
  // BITS: the longest fields among those with equally many words.
  for (int bits = bits_of_word; bits >= 1; --bits) {
    if (slices % (2 * bits) != 0) continue;
    const Index fields = bits_of_word / bits;
    const Index words = slices / bits * ((copies + fields - 1) / fields);
    if (words >= fewest) continue;
    fewest = words;
    time.bits = bits;
  }
  time.words = static_cast<int>(slices / time.bits);
  time.low = time.high = 0;
  for (int n = 0; n + time.bits <= bits_of_word; n += time.bits) {
    time.low |= 1u << n;
    time.high |= 1u << (n + time.bits - 1);
  }
  return time;
}

}  // namespace larmor::trotter
