#pragma once
// The stages and the field of a simulation of Vampire.

#include <string>
#include <vector>

#include "larmor/imports/vampire/materials.hpp"

namespace larmor::imports::vampire {

/// Adds [field], the seed and the stages.
/// @param damping the damping of each basis atom, or one for all
/// @throws InputError for a program, an integrator or a number that Larmor cannot follow, and for a
/// keyword that the program needs and the file lacks
void add_simulation(const Keywords& input, const SourceMark& file, const Value& damping,
                    Value& study, std::vector<std::string>& notes);

}  // namespace larmor::imports::vampire
