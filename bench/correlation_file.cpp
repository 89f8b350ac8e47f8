// What larmor bench correlations writes.

#include <fmt/core.h>

#include <cstdio>
#include <memory>

#include "bench/correlations.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/json_string.hpp"

namespace larmor::bench {
namespace {

template <class Items, class Text>
std::string listed(const Items& items, const Text& text) {
  std::string list;
  for (const auto& item : items) list += (list.empty() ? "" : ",\n      ") + text(item);
  return list;
}

template <class Items, class Text>
std::string json_list(const Items& items, const Text& text) {
  return "[" + listed(items, text) + "]";
}

/// @param of_item the JSON of a key's value; keys may be numbers
template <class Items, class Text>
std::string json_object(const Items& items, const Text& of_item) {
  const auto entry = [&](const auto& item) {
    return fmt::format("\"{}\": {}", item.first, of_item(item.second));
  };
  return "{" + listed(items, entry) + "}";
}

std::string json_of(double number) { return fmt::format("{}", number); }

std::string json_of(const MethodMeasured& method) {
  return fmt::format("{{\"name\": {}, \"seconds\": {}, \"error\": {}, \"parts\": {}}}",
                     json_string(method.name), method.seconds, method.error,
                     json_object(method.parts, [](double seconds) { return json_of(seconds); }));
}

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
                     json_list(lattice.measured, [](const auto& of) { return json_of(of); }));
}

std::string json_of(const LatticeOfPairs& lattice) {
  const auto any = [](const auto& measured) { return json_of(measured); };
  const auto left_out = [](const auto& left) {
    return fmt::format("{{\"name\": {}, \"reason\": {}}}", json_string(left.first),
                       json_string(left.second));
  };
  const auto list = [&](const auto& measured) { return json_list(measured, any); };
  return fmt::format(
      "{{\"length\": {}, \"step_seconds\": {}, \"gemm_seconds\": {},\n     \"ways\": {},\n     "
      "\"left_out\": {},\n     \"precisions\": {},\n     \"equal_times\": {},\n     "
      "\"factorised\": {},\n     "
      "\"amplitudes\": {},\n     \"of_ranks\": {}}}",
      lattice.length, lattice.step_seconds, lattice.gemm_seconds, list(lattice.methods),
      json_list(lattice.left_out, left_out), list(lattice.precisions), list(lattice.equal_times),
      list(lattice.factorised), list(lattice.amplitudes), json_object(lattice.of_ranks, any));
}

}  // namespace

void write_correlations(const CorrelationsMeasured& measured, const std::string& path) {
  const std::string text = fmt::format(
      "{{\"format\": \"larmor-bench-correlations\",\n \"device\": {},\n "
      "\"configurations\": {},\n \"gemm_rate\": {},\n \"copy_bandwidth\": {},\n "
      "\"lattices\": {}}}\n",
      json_string(measured.device), measured.configurations, measured.gemm_rate,
      measured.copy_bandwidth,
      json_list(measured.lattices, [](const LatticeOfPairs& lattice) { return json_of(lattice); }));
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "w"),
                                                             std::fclose);
  if (!file || std::fputs(text.c_str(), file.get()) < 0 || std::fflush(file.get()) != 0)
    throw MachineError("cannot write " + path);
}

}  // namespace larmor::bench
