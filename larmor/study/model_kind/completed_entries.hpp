#pragma once
// Tables with every default, key by key, as ModelTables::completed gives them.

#include <string>
#include <utility>
#include <vector>

#include "larmor/core/input/fields.hpp"

namespace larmor::study {

template <class Tables>
std::vector<std::pair<std::string, Value>> completed_entries(const Tables& tables,
                                                             const ReadContext& context) {
  std::vector<std::pair<std::string, Value>> entries;
  const Value whole = complete(tables, context);
  for (const Value::Entry& entry : whole.as_table()) entries.emplace_back(entry.key, entry.value);
  return entries;
}

}  // namespace larmor::study
