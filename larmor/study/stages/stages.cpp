#include "larmor/study/stages/stages.hpp"

#include "larmor/core/suggest.hpp"
#include "larmor/study/stages/anneal.hpp"
#include "larmor/study/stages/dynamics.hpp"
#include "larmor/study/stages/hysteresis.hpp"
#include "larmor/study/stages/minimise.hpp"
#include "larmor/study/stages/minimum_energy_path.hpp"
#include "larmor/study/stages/monte_carlo.hpp"
#include "larmor/study/stages/pair_correlations.hpp"
#include "larmor/study/stages/spin_waves.hpp"

namespace larmor::study {
namespace {

using Stages =
    std::tuple<AnnealStage, MonteCarloStage, DynamicsStage, MinimiseStage, HysteresisStage,
               MinimumEnergyPathStage, SpinWavesStage, PairCorrelationsStage>;

template <std::size_t N = 0, class Visit>
void for_each_stage_type(const Visit& visit) {
  if constexpr (N < std::tuple_size_v<Stages>) {
    visit(static_cast<std::tuple_element_t<N, Stages>*>(nullptr));
    for_each_stage_type<N + 1>(visit);
  }
}

}  // namespace

std::unique_ptr<Stage> make_stage(const Value& table, const ReadContext& context) {
  std::vector<std::string> kinds;
  for_each_stage_type(
      [&](auto* type) { kinds.push_back(std::remove_pointer_t<decltype(type)>::Table::name); });
  if (!table.is_table())
    throw InputError("a stage must be a table", table.where(),
                     "write [[stage]] with kind = \"...\"");
  const Value* kind = table.find("kind");
  if (kind == nullptr)
    throw InputError("the stage lacks its kind", table.where(),
                     "add kind = \"...\", one of " + comma_list(kinds));
  const std::string name = read_value<std::string>(*kind, "kind", Dimension::none, context);
  std::unique_ptr<Stage> stage;
  for_each_stage_type([&](auto* type) {
    using Type = std::remove_pointer_t<decltype(type)>;
    using Table = typename Type::Table;
    if (name == Table::name) stage = std::make_unique<Type>(read<Table>(table, context), context);
  });
  if (stage) return stage;
  const std::string hint = did_you_mean(name, kinds);
  throw InputError("unknown kind of stage \"" + name + "\"", kind->where(),
                   (hint.empty() ? "" : hint + "; ") + "there are " + comma_list(kinds));
}

std::optional<StageFound> first_stage(const std::vector<Value>& tables, const ReadContext& context,
                                      bool (Stage::*says)() const) {
  for (const Value& table : tables) {
    const std::unique_ptr<Stage> stage = make_stage(table, context);
    if ((*stage.*says)()) return StageFound{stage->kind(), table.where()};
  }
  return std::nullopt;
}

FieldInfo describe_stage_kind() {
  FieldInfo kind;
  kind.key = "kind";
  kind.type = "string";
  kind.required = true;
  kind.tells_kind = true;
  kind.doc = "what the stage does; `larmor explain KIND` lists the other keys";
  for (const TableInfo& table : describe_stages()) kind.choices.push_back(table.name);
  return kind;
}

std::vector<TableInfo> describe_stages() {
  std::vector<TableInfo> tables;
  for_each_stage_type([&](auto* type) {
    using Table = typename std::remove_pointer_t<decltype(type)>::Table;
    tables.push_back({Table::name, Table::doc, describe<Table>()});
  });
  return tables;
}

}  // namespace larmor::study
