#pragma once
// Reads and replaces keys of a study by their path: names joined by dots. A number is an entry of a
// list, counted from 1: "exchange.2.J", "field.B.3".

#include <optional>
#include <string>
#include <vector>

#include "larmor/core/error.hpp"
#include "larmor/core/input/value.hpp"

namespace larmor::study {

/// @param mark position of the key, for messages
/// @throws InputError for a key with an empty name
void require_key_path(const std::string& key, const SourceMark& mark);

/// The document with the value of a key replaced or added. Missing tables on the path are added.
/// @throws InputError for a path that does not exist
Value with_value(const Value& document, const std::string& key, const SourceMark& mark,
                 const Value& value);

/// Null if the document has no such key.
const Value* find_value(const Value& document, const std::string& key);

/// The path of the key that the error is about: that of the value or key at its place, or else of
/// the nearest key before it on its line. A key that a table lacks has the path of this table
/// before it. Empty if the line has no key.
std::string key_of(const Value& document, const InputError& error);

/// The path of the key that an error in a change is about, see `with_changes`. Nothing if the error
/// does not point at a change.
std::optional<std::string> changed_key(const InputError& error);

/// The document with keys changed in order, each as "stage.1.sweeps=100". The value after the
/// equals sign is written as in the study, or as a text without its quotes. A text without quotes
/// is not valid TOML, not a number, and does not begin with a quote or bracket.
/// @throws InputError that points into the given text, or for a path that does not exist
Value with_changes(Value document, const std::vector<std::string>& changes);

}  // namespace larmor::study
