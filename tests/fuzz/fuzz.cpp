// The program of `make fuzz`: libFuzzer (https://llvm.org/docs/LibFuzzer.html) on one reader of the
// table. The variable LARMOR_FUZZ_READER names the reader.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "tests/fuzz/mutations.hpp"
#include "tests/fuzz/readers.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

/// libFuzzer also reads the counters in this section.
__attribute__((section("__libfuzzer_extra_counters"))) std::uint8_t counters_of_gcc[1U << 14U];

/// Code of GCC calls this at each branch, in place of a function that libFuzzer no longer has.
extern "C" __attribute__((no_sanitize("coverage"))) void __wrap___sanitizer_cov_trace_pc() {
  const auto place = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  std::uint8_t& counter = counters_of_gcc[(place * 0x9E3779B97F4A7C15U) >> 50U];
  if (counter < 255) ++counter;
}

namespace {

const larmor::fuzzing::Reader& reader() {
  const char* const name = std::getenv("LARMOR_FUZZ_READER");
  static const larmor::fuzzing::Reader& chosen =
      larmor::fuzzing::reader(name == nullptr ? "" : name);
  return chosen;
}

const larmor::fuzzing::Trial& trial() {
  static const larmor::fuzzing::Trial made(reader());
  return made;
}

/// Are there seven digits or more in a row?
bool has_large_number(std::string_view text) {
  std::size_t digits = 0;
  for (const char c : text) {
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    if (digits > 6) return true;
  }
  return false;
}

std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using larmor::fuzzing::Trial;
  if (reader().declares_sizes && has_large_number(text_of(data, size))) return 0;
  const Trial::Outcome outcome = trial().of(text_of(data, size));
  if (outcome.end == Trial::End::defect) {
    std::fprintf(stderr, "defect: %s\n", outcome.words.c_str());
    std::abort();
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned int seed) {
  if (seed % 3 == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string text = larmor::fuzzing::mutated(text_of(data, size), seed, most);
  std::copy(text.begin(), text.end(), data);
  return text.size();
}
