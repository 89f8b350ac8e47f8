#include "larmor/study/model_kind/model_kind.hpp"

#include <algorithm>

#include "larmor/core/input/suggest.hpp"

namespace larmor::study {
namespace {

std::vector<const ModelKind*>& known_kinds() {
  static std::vector<const ModelKind*> kinds = program_model_kinds();
  return kinds;
}

}  // namespace

template <class T>
const std::vector<T>& block(const Blocks& blocks, const std::string& name) {
  const auto found = blocks.find(name);
  const auto* const values =
      found == blocks.end() ? nullptr : std::get_if<std::vector<T>>(&found->second);
  if (values == nullptr)
    throw MachineError("it holds no block '" + name + "' of the expected type");
  return *values;
}

template const std::vector<double>& block(const Blocks&, const std::string&);
template const std::vector<std::int64_t>& block(const Blocks&, const std::string&);
template const std::vector<std::uint64_t>& block(const Blocks&, const std::string&);
template const std::vector<std::byte>& block(const Blocks&, const std::string&);

void add_table(TableInfo table, const std::string& model_kind, std::vector<TableInfo>& tables) {
  const auto same = [&](const TableInfo& known) {
    return known.name == table.name && known.doc == table.doc && known.keys == table.keys;
  };
  if (std::any_of(tables.begin(), tables.end(), same)) return;
  table.model_kind = model_kind;
  for (TableInfo& known : tables)
    if (known.name == table.name) known.needs_model_kind = table.needs_model_kind = true;
  tables.push_back(std::move(table));
}

const std::vector<const ModelKind*>& model_kinds() { return known_kinds(); }

void add_model_kind(const ModelKind& kind) { known_kinds().push_back(&kind); }

const ModelKind& model_kind(const std::string& name, const SourcePosition& where) {
  std::vector<std::string> names;
  for (const ModelKind* kind : model_kinds()) {
    if (kind->name() == name) return *kind;
    names.push_back(kind->name());
  }
  throw InputError("unknown model kind \"" + name + "\"", where, hint_and_list(name, names));
}

}  // namespace larmor::study
