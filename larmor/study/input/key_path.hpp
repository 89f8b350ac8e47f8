#pragma once
// Keys of a study named by the way to them: names joined by dots; a number stands for an entry of a
// list, counted from 1: "exchange.2.J", "field.B.3".

#include <string>
#include <vector>

#include "larmor/core/input/value.hpp"

namespace larmor::study {

/// @param mark where the user wrote the key, for messages
/// @throws InputError for a key with an empty part
void require_key_path(const std::string& key, const SourceMark& mark);

/// The document with a key's value replaced, or added; tables that it lacks are made.
/// @throws InputError where the way leads nowhere
Value with_value(const Value& document, const std::string& key, const SourceMark& mark,
                 const Value& value);

/// Null where the document has no such key.
const Value* find_value(const Value& document, const std::string& key);

/// The document with keys changed in order, each as "stage.1.sweeps=100": behind the equals sign
/// stands what would stand there in the study, or a text without its quotes: what TOML does not
/// know, is no number and does not begin with a quote or bracket.
/// @throws InputError pointing into the text given, or where the way leads nowhere
Value with_changes(Value document, const std::vector<std::string>& changes);

}  // namespace larmor::study
