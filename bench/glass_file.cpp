#include <fmt/core.h>

#include "bench/glass.hpp"
#include "bench/json.hpp"
#include "larmor/core/text.hpp"

namespace larmor::bench {
namespace {

std::string json_of(const GlassLaddersMeasured& of) {
  return fmt::format(
      "{{\"name\": {}, \"length\": {}, \"rungs\": {}, \"samples\": {}, \"alone\": {}, "
      "\"exchanged\": {}, \"measured\": {}, \"acceptance\": {}}}",
      json_string(of.name), of.length, of.rungs, of.samples, of.alone, of.exchanged, of.measured,
      json_list(of.acceptance, [](double rate) { return bench::json_of(rate); }));
}

}  // namespace

void write_glass(const GlassSpeeds& measured, const std::string& path) {
  write_json(fmt::format("{{\"format\": \"larmor-bench-glass\", \"device\": {}, "
                         "\"measured_every\": {}, \"ladders\": {}}}\n",
                         json_string(measured.device), measured.measured_every,
                         json_list(measured.ladders, [](const auto& of) { return json_of(of); })),
             path);
}

}  // namespace larmor::bench
