// Writes the JSON file of larmor bench correlations.

#include "bench/correlations.hpp"
#include "bench/json.hpp"
#include "larmor/core/text.hpp"

namespace larmor::bench {
namespace {

std::string json_of(const FactorisedMeasured& measured) {
  return fmt::format("{{\"wave_vectors\": {}, \"seconds\": {}, \"bytes\": {}}}",
                     measured.wave_vectors, measured.seconds, measured.bytes);
}

std::string json_of(const AmplitudesMeasured& measured) {
  return fmt::format("{{\"wave_vectors\": {}, \"factorised\": {}, \"fft\": {}, \"auto\": \"{}\"}}",
                     measured.wave_vectors, measured.factorised, measured.fft,
                     measured.takes_fft ? "fft" : "factorised");
}

std::string json_of(const LatticeOfAmplitudes& lattice) {
  return fmt::format("{{\"lattice\": {}, \"measured\": {}}}", json_string(lattice.name),
                     json_list(lattice.measured, [](const auto& one) { return json_of(one); }));
}

std::string json_of(const LatticeOfPairs& lattice) {
  const auto list = [](const auto& measured) {
    return json_list(measured, [](const auto& one) { return json_of(one); });
  };
  return fmt::format(
      "{{\"length\": {}, \"step_seconds\": {}, \"gemm_seconds\": {},\n     \"ways\": {},\n     "
      "\"left_out\": {},\n     \"precisions\": {},\n     \"equal_times\": {},\n     "
      "\"factorised\": {},\n     "
      "\"amplitudes\": {},\n     \"of_ranks\": {}}}",
      lattice.length, lattice.step_seconds, lattice.gemm_seconds, list(lattice.methods),
      json_of_left_out(lattice.left_out), list(lattice.precisions), list(lattice.equal_times),
      list(lattice.factorised), list(lattice.amplitudes),
      json_object(lattice.of_ranks, [](double seconds) { return bench::json_of(seconds); }));
}

}  // namespace

void write_correlations(const CorrelationsMeasured& measured, const std::string& path) {
  write_json(fmt::format("{{\"format\": \"larmor-bench-correlations\",\n \"device\": {},\n "
                         "\"configurations\": {},\n \"gemm_rate\": {},\n \"copy_bandwidth\": {},\n "
                         "\"lattices\": {}}}\n",
                         json_string(measured.device), measured.configurations, measured.gemm_rate,
                         measured.copy_bandwidth,
                         json_list(measured.lattices,
                                   [](const LatticeOfPairs& lattice) { return json_of(lattice); })),
             path);
}

}  // namespace larmor::bench
