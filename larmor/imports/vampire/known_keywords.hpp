#pragma once
// The keywords of Vampire that Larmor knows, and their use.

#include <string>

#include "larmor/imports/vampire/keywords.hpp"

namespace larmor::imports::vampire {

enum class Use {
  supported,
  not_needed,    ///< it changes no physics
  only_neutral,  ///< accepted if its value has no effect
  refused,
  unknown
};

struct KnownKeyword {
  std::string name;
  Use use = Use::unknown;
  std::string remedy;        ///< for refused and unknown keywords
  std::string neutral = {};  ///< the value without effect, a number or a word
};

/// The keyword with this name, without numbers. For an unknown keyword, `remedy` names the nearest
/// known one.
KnownKeyword known_keyword(const std::string& name);

/// Does the value of this keyword have no effect?
bool is_neutral(const KnownKeyword& known, const Keyword& keyword);

/// Is this the part of a keyword before the colon, such as "sim"?
bool is_known_prefix(const std::string& prefix);

}  // namespace larmor::imports::vampire
