#include "bench/systems.hpp"

#include <fmt/core.h>

namespace larmor::bench {

study::SystemTables cubic_tables(Index length, Index replicas) {
  return study::parse_system(
      fmt::format("replicas = {1}\n[lattice]\ntype = 'sc'\nsize = [{0}, {0}, {0}]\n[[exchange]]\n"
                  "shell = 1\nJ = 1\n",
                  length, replicas),
      "bench");
}

study::SystemTables iron_tables(Index length, Index replicas) {
  return study::parse_system(
      fmt::format("replicas = {1}\nunits = 'material'\n[lattice]\ntype = 'bcc'\n"
                  "size = [{0}, {0}, {0}]\nconstant = '2.87 Å'\nmoment = '2.23 μB'\n"
                  "[[exchange]]\nshell = 1\nJ = '2.67534969539968 mRy'\n"
                  "[[exchange]]\nshell = 2\nJ = '1.51407153091300 mRy'\n"
                  "[[exchange]]\nshell = 3\nJ = '-0.11950875287692 mRy'\n"
                  "[[exchange]]\nshell = 4\nJ = '-0.17639668321316 mRy'\n",
                  length, replicas),
      "bench");
}

study::SystemTables kagome_tables(Index length, Index replicas) {
  return study::parse_system(
      fmt::format("replicas = {1}\n[lattice]\ntype = 'kagome'\nsize = [{0}, {0}]\n[[exchange]]\n"
                  "shell = 1\nJ = 1\n[[dmi]]\nshell = 1\nstrength = 0.2\n"
                  "direction = 'interface'\n",
                  length, replicas),
      "bench");
}

std::string size_text(Index length, int dimensions, Index replicas) {
  return fmt::format("{}^{} x {}", length, dimensions, replicas);
}

}  // namespace larmor::bench
