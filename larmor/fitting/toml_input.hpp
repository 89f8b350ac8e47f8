#pragma once
// The input of a fit as a TOML file, with the tables [snap], [[element]], [data], [[group]],
// [reference], [solver] and [output].

#include "larmor/core/input/fields.hpp"
#include "larmor/fitting/settings.hpp"

namespace larmor::fitting {

/// @param data folder of the groups, instead of the key `folder` of [data]; empty: this key
/// @throws InputError, MachineError for the errors of read_settings
Settings read_toml_input(const std::string& path, const std::string& data);

/// The tables of this input with their keys.
std::vector<FieldInfo> toml_input_keys();

}  // namespace larmor::fitting
