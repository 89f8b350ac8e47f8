#include "larmor/trotter/time_words.hpp"

#include <string>

#include "larmor/core/error.hpp"

namespace larmor::trotter {

TimeWords time_words(Index slices) {
  constexpr Index most_slices = Index{1} << 20;
  if (slices < 2 || slices % 2 != 0 || slices > most_slices)
    throw InputError("there are " + std::to_string(slices) + " slices of imaginary time",
                     "give an even number from 2 to " + std::to_string(most_slices));
  TimeWords time;
  while (time.bits < bits_of_word && slices % (4 * time.bits) == 0) time.bits *= 2;
  time.words = static_cast<int>(slices / time.bits);
  time.low = time.high = 0;
  for (int n = 0; n < bits_of_word; n += time.bits) {
    time.low |= 1u << n;
    time.high |= 1u << (n + time.bits - 1);
  }
  return time;
}

}  // namespace larmor::trotter
