// Prints the tables and writes the JSON file of larmor bench snap.

#include <fmt/core.h>

#include "bench/json.hpp"
#include "bench/snap.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/text.hpp"

namespace larmor::bench {
namespace {

std::string json_of(const SnapSystemMeasured& system) {
  return fmt::format(
      "{{\"twojmax\": {}, \"atoms\": {}, \"neighbours\": {}, \"flops\": {}, \"floor_rate\": {},\n"
      "     \"methods\": {},\n     \"left_out\": {}}}",
      system.twojmax, system.atoms, system.neighbours, system.flops, system.floor_rate,
      json_list(system.methods,
                [](const MethodMeasured& method) { return bench::json_of(method); }),
      json_of_left_out(system.left_out));
}

}  // namespace

void print_snap_heading(const SnapMeasured& measured) {
  fmt::print("SNAP, {}, bcc tungsten, {}\n", measured.potential, measured.device);
  fmt::print("a step: forces on all atoms from the displacements of their neighbours\n");
  fmt::print("floor: time for the fewest known flops of an atom, at the rate of {}\n",
             measured.floor);
  fmt::print("(LAMMPS's GPU code executes 1.38 Mflop at 2J = 8 and 16.8 Mflop at 2J = 14)\n");
  fmt::print(
      "error: the largest error of a force on some atoms, eV/Angstrom, against the definition in ");
  fmt::print("long double\n");
}

void print_snap_system(const SnapSystemMeasured& system) {
  fmt::print("\n2J = {}, {} atoms, {:.1f} neighbours each; {:.3g} Mflop an atom, {:.4g} Gflop/s\n",
             system.twojmax, system.atoms, system.neighbours, system.flops / 1e6,
             system.floor_rate / 1e9);
  fmt::print("{:<12} {:>11} {:>15} {:>10} {:>10} {:>9}   {}\n", "method", "us/atom", "atom-steps/s",
             "Gflop/s", "of floor", "error", "us/atom of the parts of the method");
  for (const MethodMeasured& method : system.methods) {
    const double rate = 1 / method.seconds;
    std::string parts;
    for (const auto& [name, seconds] : method.parts)
      parts += fmt::format("{}{} {:.4g}", parts.empty() ? "" : ", ", name, 1e6 * seconds);
    fmt::print("{:<12} {:>11.4g} {:>15.0f} {:>10.4g} {:>9.1f}% {:>9.1e}   {}\n", method.name,
               1e6 * method.seconds, rate, rate * system.flops / 1e9, 100 * rate / system.floor(),
               method.error, parts);
  }
  for (const auto& [name, why] : system.left_out) fmt::print("{:<12} left out: {}\n", name, why);
}

void write_snap(const SnapMeasured& measured, const std::string& path) {
  write_json(
      fmt::format("{{\"format\": \"larmor-bench-snap\",\n \"device\": {},\n "
                  "\"potential\": {},\n \"floor\": {},\n \"systems\": {}}}\n",
                  json_string(measured.device), json_string(measured.potential),
                  json_string(measured.floor),
                  json_list(measured.systems,
                            [](const SnapSystemMeasured& system) { return json_of(system); })),
      path);
}

void require_snap_forces(const SnapSystemMeasured& system) {
  for (const MethodMeasured& method : system.methods)
    if (!(method.error < largest_snap_error))
      throw InternalError(
          fmt::format("forces by \"{}\" at 2J = {} are off by {:.1e} eV/Angstrom, more than {:.0e}",
                      method.name, system.twojmax, method.error, largest_snap_error));
}

}  // namespace larmor::bench
