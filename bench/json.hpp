#pragma once
// JSON of benchmarks for `larmor plot-bench`.

#include <fmt/core.h>

#include <string>

#include "bench/compared_methods.hpp"

namespace larmor::bench {

template <class Items, class Text>
std::string json_items(const Items& items, const Text& text) {
  std::string list;
  for (const auto& item : items) list += (list.empty() ? "" : ",\n      ") + text(item);
  return list;
}

template <class Items, class Text>
std::string json_list(const Items& items, const Text& text) {
  return "[" + json_items(items, text) + "]";
}

/// @param of_item returns the JSON of a value; keys may be numbers
template <class Items, class Text>
std::string json_object(const Items& items, const Text& of_item) {
  const auto entry = [&](const auto& item) {
    return fmt::format("\"{}\": {}", item.first, of_item(item.second));
  };
  return "{" + json_items(items, entry) + "}";
}

std::string json_of(double number);
std::string json_of(const MethodMeasured& method);
/// Names of methods that were not measured, with reasons.
std::string json_of_left_out(const std::vector<std::pair<std::string, std::string>>& left_out);

/// @throws MachineError if the file cannot be written
void write_json(const std::string& text, const std::string& path);

}  // namespace larmor::bench
