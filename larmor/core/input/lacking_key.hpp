#pragma once
// An error about a key that a table lacks.

#include <string>

#include "larmor/core/error.hpp"

namespace larmor {

class LackingKey final : public InputError {
 public:
  /// @param error the error, which points at the table
  LackingKey(const std::string& key, const InputError& error) : InputError(error), key_(key) {}
  const std::string& key() const { return key_; }

 private:
  std::string key_;
};

}  // namespace larmor
