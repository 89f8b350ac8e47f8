// Copies the number of the selected mutant to the GPUs before the first test.
// Rooms: core

#include "larmor/core/larmor_mutant.hpp"

#include <gtest/gtest.h>

namespace {

class ChosenMutant : public testing::Environment {
 public:
  void SetUp() override { put_mutant_on_gpus(); }
};

[[maybe_unused]] const testing::Environment* const chosen_mutant =
    testing::AddGlobalTestEnvironment(new ChosenMutant);

}  // namespace
