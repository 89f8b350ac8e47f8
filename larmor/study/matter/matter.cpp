#include "larmor/study/matter/matter.hpp"

#include <algorithm>

#include "larmor/core/input/suggest.hpp"

namespace larmor::study {
namespace {

std::vector<const KindOfMatter*>& known_kinds() {
  static std::vector<const KindOfMatter*> kinds = kinds_of_the_program();
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

void add_table(TableInfo table, const std::string& matter, std::vector<TableInfo>& tables) {
  const auto same = [&](const TableInfo& known) {
    return known.name == table.name && known.doc == table.doc && known.keys == table.keys;
  };
  if (std::any_of(tables.begin(), tables.end(), same)) return;
  table.matter = matter;
  for (TableInfo& known : tables)
    if (known.name == table.name) known.needs_matter = table.needs_matter = true;
  tables.push_back(std::move(table));
}

const std::vector<const KindOfMatter*>& kinds_of_matter() { return known_kinds(); }

void add_kind_of_matter(const KindOfMatter& kind) { known_kinds().push_back(&kind); }

const KindOfMatter& kind_of_matter(const std::string& name, const SourcePosition& where) {
  std::vector<std::string> names;
  for (const KindOfMatter* kind : kinds_of_matter()) {
    if (kind->name() == name) return *kind;
    names.push_back(kind->name());
  }
  throw InputError("unknown kind of matter \"" + name + "\"", where, hint_and_list(name, names));
}

}  // namespace larmor::study
