// larmor new: commented starter studies.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <vector>

#include "cli/commands.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/input/suggest.hpp"
#include "larmor/io/files/durable_file.hpp"

namespace larmor::cli {
namespace {

struct Starter {
  const char* kind;
  const char* doc;
  const char* text;
};

constexpr const char* spin_waves =
    R"(# Spin waves: anneal replicas to a low temperature, then follow their precession.
# `larmor explain TABLE.KEY` explains any key; `larmor check` prints the plan.
title    = "Spin waves of a square-lattice ferromagnet"
seed     = 1
replicas = 16                    # independent copies, simulated together

[lattice]
type     = "square"
size     = [32, 32]
periodic = true

[[exchange]]                     # - J e_i.e_j, each pair once; J > 0 is ferromagnetic
shell = 1
J     = 1.0

[field]
B = [0, 0, 0.5]

[[stage]]
kind        = "anneal"
sampler     = "heat-bath"
temperature = { from = 10.0, to = 0.01, factor = 0.9 }
sweeps      = 20

[[stage]]
kind     = "dynamics"            # Landau-Lifshitz, no damping
timestep = 0.05
steps    = 2000
measure  = [{ what = "structure-factor", path = ["Γ", "X", "M", "Γ"], every = 5 }]

[[stage]]
kind         = "spin-waves"      # linear spin-wave theory, to compare with S(q,w)
path         = ["Γ", "X", "M", "Γ"]
ground_state = { state = "aligned", direction = [0, 0, 1] }
temperature  = 0.01
)";

constexpr const char* phase_transition =
    R"(# Magnetisation, specific heat and susceptibility against temperature.
# `larmor explain TABLE.KEY` explains any key; `larmor check` prints the plan.
title    = "Ordering of the simple-cubic Heisenberg ferromagnet"
seed     = 1
replicas = 8

[lattice]
type = "sc"
size = [8, 8, 8]

[[exchange]]
shell = 1
J     = 1.0

[[stage]]
kind            = "monte-carlo"
sampler         = "heat-bath"
over_relaxation = 1
temperature     = { from = 2.0, to = 1.0, step = 0.1 }   # T_c = 1.443
thermalisation  = 500
sweeps          = 5000
measure_every   = 5
)";

constexpr const char* material =
    R"(# Monte Carlo of a real material: quantities carry units, energies count each pair once.
# `larmor explain TABLE.KEY` explains any key; `larmor check` prints the plan.
title    = "Magnetisation of bcc iron"
seed     = 1
replicas = 8
units    = "material"

[lattice]
type     = "bcc"
size     = [8, 8, 8]             # cubic cells of two atoms
constant = "2.87 Å"
moment   = "2.23 μB"

[[exchange]]                     # nearest and next-nearest neighbours only
shell = 1
J     = "2.675 mRy"

[[exchange]]
shell = 2
J     = "1.514 mRy"

[[anisotropy]]
K    = "3.5 μeV"
axis = [0, 0, 1]

[[stage]]
kind           = "monte-carlo"
temperature    = ["300 K", "600 K", "900 K"]
thermalisation = 1000
sweeps         = 4000
)";

constexpr const char* hysteresis =
    R"(# Magnetisation against field, up and down: the energy is minimised at every field.
# `larmor explain TABLE.KEY` explains any key; `larmor check` prints the plan.
title    = "Hysteresis of a thin film with weak disorder"
seed     = 1

[lattice]
type = "square"
size = [32, 32]

[[exchange]]                     # - J e_i.e_j, each pair once; J > 0 is ferromagnetic
shell = 1
J     = 1.0

[[anisotropy]]                   # - K e_z^2; K > 0: easy axis
K = 0.5

[[random-field]]
width = 0.5

[initial]
state = "aligned"

[[stage]]
kind      = "hysteresis"
direction = [0.1, 0, 1]
field     = { from = 2.0, to = -2.0, step = 0.05 }
loop      = true
)";

constexpr const char* scan =
    R"(# Magnetisation against field and temperature: every combination is a separate study.
# `larmor explain TABLE.KEY` explains any key; `larmor check` prints the plan.
title    = "Simple-cubic ferromagnet, field by temperature"
seed     = 1
replicas = 8

[lattice]
type = "sc"
size = [6, 6, 6]

[[exchange]]                     # - J e_i.e_j, each pair once; J > 0 is ferromagnetic
shell = 1
J     = 1.0

[field]
B = [0, 0, 0]

[[stage]]
kind           = "monte-carlo"
sampler        = "heat-bath"
thermalisation = 200
sweeps         = 1000

[[scan]]                         # ranks share the points: mpirun -n 4 larmor run scan.toml
key    = "field.B.3"             # z component of B
values = [0.0, 0.5, 1.0]

[[scan]]
key    = "stage.1.temperature"   # this key may be left out of [[stage]]
values = { from = 0.5, to = 3.0, points = 6 }
)";

constexpr const char* barrier =
    R"(# The energy barrier between two states, and the minimum-energy path.
# `larmor explain TABLE.KEY` explains any key; `larmor check` prints the plan.
title    = "Reversal of a chain by a domain wall"
seed     = 1

[lattice]
type     = "chain"
size     = [60]
periodic = false

[[exchange]]
shell = 1
J     = 1.0

[[anisotropy]]
K = 0.05

[initial]
state     = "aligned"
direction = [0, 0, 1]

[[stage]]
kind    = "minimum-energy-path"
final   = { state = "aligned", direction = [0, 0, -1] }
through = [{ state = "domain-wall", normal = [1, 0, 0], width = 3.2 }]   # a first guess
)";

const std::vector<Starter> starters{
    {"spin-waves", "anneal, Landau-Lifshitz dynamics, S(q,w) along a path", spin_waves},
    {"phase-transition", "Monte Carlo over temperatures, reduced units", phase_transition},
    {"material", "Monte Carlo with real couplings and units", material},
    {"hysteresis", "magnetisation against field, up and down", hysteresis},
    {"scan", "many points: magnetisation against field and temperature", scan},
    {"barrier", "minimum-energy path and energy barrier", barrier},
};

struct New final : Command {
  std::string kind, path;
  bool force = false;

  New() : Command("new", "Write a commented starter study") {}

  void add_options(CLI::App& app) override {
    app.add_option("kind", kind, "kind of study. If left out, the command lists the kinds");
    app.add_option("path", path, "file to write (KIND.toml)");
    app.add_flag("-f,--force", force, "replace an existing file");
  }

  int run() override {
    if (kind.empty() || kind == "list") {
      for (const Starter& starter : starters) fmt::print("{:<18} {}\n", starter.kind, starter.doc);
      return 0;
    }
    std::vector<std::string> kinds;
    for (const Starter& starter : starters) {
      kinds.push_back(starter.kind);
      if (kind != starter.kind) continue;
      const std::string file = path.empty() ? kind + ".toml" : path;
      io::WholeFile out(file, force ? io::IfExists::replace : io::IfExists::refuse);
      out.write(starter.text);
      out.finish();
      fmt::print("{}\n", file);
      return 0;
    }
    throw InputError("no starter study is called '" + kind + "'", hint_and_list(kind, kinds));
  }
};

}  // namespace

std::unique_ptr<Command> make_new() { return std::make_unique<New>(); }

}  // namespace larmor::cli
