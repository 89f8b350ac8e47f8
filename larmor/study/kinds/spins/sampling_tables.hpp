#pragma once
// What a stage that samples equilibrium measures: names, and tables for what has keys of its own.

#include "larmor/core/input/fields.hpp"
#include "larmor/study/kinds/spins/wave_vectors.hpp"

namespace larmor::study {

/// One entry of `measure`, a name or a table.
struct SampledTable : WaveVectorKeys {
  static constexpr const char* name = "measure";
  static constexpr const char* structure_factor = "structure-factor";
  std::string what;
  std::optional<Index> every;
  std::string method = "auto";
  bool components = false;
  bool connected = false;
  TablePosition where;

  bool is_structure_factor() const { return what == structure_factor; }
  static FieldTable<SampledTable> fields();
};

/// Of `measure` where studies do not say.
std::vector<SampledTable> energy_and_magnetisation();
/// All that `measure` takes.
std::vector<std::string> sampled_names();
std::vector<std::string> names_of(const std::vector<SampledTable>& measure);

/// Names are read, and written, as texts.
void read_member(const fields_detail::Reader& reader, const Value& value, SampledTable& out);
Value write_member(const SampledTable& member, const fields_detail::Writer& writer);
fields_detail::TypeWords type_words(fields_detail::Tag<SampledTable>);

}  // namespace larmor::study
