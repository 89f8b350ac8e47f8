#include "larmor/study/kinds/spins/sampling_tables.hpp"

namespace larmor::study {

FieldTable<SampledTable> SampledTable::fields() {
  const std::vector<std::string> with_keys{structure_factor};
  FieldTable<SampledTable> table;
  table
      .required("what", &SampledTable::what, Dimension::none,
                "structure-factor: S(q) at equal times; all else is measured by its name alone")
      .one_of(sampled_names())
      .tells_kind()
      .optional("every", &SampledTable::every, Dimension::none,
                "sweeps between samples; those of measure_every if left out")
      .at_least(1)
      .of_kinds(with_keys);
  return add_wave_vector_fields(table, "", with_keys)
      .optional("method", &SampledTable::method, Dimension::none,
                "sum with factorised phases, or FFT on lattices")
      .one_of({"auto", "factorised", "fft"})
      .of_kinds(with_keys)
      .optional("components", &SampledTable::components, Dimension::none,
                "all components of spin, S^ab, beside their sum S^xx + S^yy + S^zz")
      .of_kinds(with_keys)
      .optional("connected", &SampledTable::connected, Dimension::none,
                "subtract the product of the means over samples of two replicas, averaged over "
                "their pairs; needs two replicas, three for errors")
      .of_kinds(with_keys);
}

std::vector<SampledTable> energy_and_magnetisation() {
  std::vector<SampledTable> measure(2);
  measure[0].what = "energy";
  measure[1].what = "magnetisation";
  return measure;
}

std::vector<std::string> sampled_names() {
  return {"energy",           "magnetisation", "energy-terms", "sublattices", "topological-charge",
          "spin-temperature", "spin-currents", "site-energy",  "site-spins",  "structure-factor"};
}

std::vector<std::string> names_of(const std::vector<SampledTable>& measure) {
  std::vector<std::string> names;
  for (const SampledTable& table : measure) names.push_back(table.what);
  return names;
}

void read_member(const fields_detail::Reader& reader, const Value& value, SampledTable& out) {
  out.where = TablePosition(value);
  if (!value.is_table()) return fields_detail::read_member(reader, value, out.what);
  fields_detail::read_fields(fields_detail::field_list<SampledTable>(), SampledTable::name, value,
                             reader.context, &out);
  if (!out.is_structure_factor())
    throw InputError(out.what + " has no keys here: it is measured every measure_every sweeps",
                     value.where(), "write its name alone, measure = [\"" + out.what + "\"]");
}

Value write_member(const SampledTable& member, const fields_detail::Writer& writer) {
  if (!member.is_structure_factor()) return fields_detail::write_member(member.what, writer);
  return fields_detail::write_fields(fields_detail::field_list<SampledTable>(), writer.context,
                                     &member);
}

fields_detail::TypeWords type_words(fields_detail::Tag<SampledTable>) {
  return {"string or table", "strings and tables"};
}

}  // namespace larmor::study
