#include "larmor/core/larmor_mutant.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

struct Mutant {
  const char* name;
  int number;
};

constexpr Mutant mutants[] = {@MUTANTS@};

int chosen_number() {
  const char* chosen = std::getenv("LARMOR_MUTANT");
  if (chosen == nullptr || *chosen == '\0') return 0;
  for (const Mutant& mutant : mutants)
    if (std::strcmp(mutant.name, chosen) == 0) return mutant.number;
  std::fprintf(stderr, "this program has no mutant '%s'\n", chosen);
  std::exit(2);
}

std::vector<void (*)(int)>& files_with_kernels() {
  static std::vector<void (*)(int)> files;
  return files;
}

}  // namespace

const int larmor_mutant_number = chosen_number();

std::string text_with_mutant(const std::string& text) {
  return "#define larmor_mutant(number) ((number) == " + std::to_string(larmor_mutant_number) +
         ")\n" + text;
}

void put_mutant_on_gpus() {
  if (larmor_mutant_number == 0) return;
  for (const auto put : files_with_kernels()) put(larmor_mutant_number);
}

bool call_with_mutant(void (*put)(int number)) {
  files_with_kernels().push_back(put);
  return true;
}
