// Stencils of translation-invariant models, and the kernels generated from them.
// Rooms: spins

#include "larmor/spins/hamiltonian/stencil.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "larmor/core/device/jit_compiler.hpp"
#include "larmor/spins/hamiltonian/cell_bonds.hpp"
#include "larmor/spins/jit/stencil_source.hpp"
#include "larmor/spins/jit/stencil_use.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"
#include "tests/jit_kernel_models.hpp"

namespace larmor::spins {
namespace {

study::SpinSystem system_of(const std::string& text) {
  return study::SpinSystem(study::parse_system(text, "test"), Device::cpu(1));
}

const std::string iron =
    "[lattice]\ntype='bcc'\nsize=[8, 4, 4]\n[[exchange]]\nshell=1\nJ=1\n[[exchange]]\nshell=2\n"
    "J=0.5\n[[exchange]]\nshell=3\nJ=0.25\n[[exchange]]\nshell=4\nJ=-0.125\n";

/// Every bond of a stencil, as a pair of storage positions, with its coupling.
std::map<std::pair<Index, Index>, double> bonds_of(const Stencil& stencil) {
  std::map<std::pair<Index, Index>, double> bonds;
  const auto& n = stencil.cells;
  for (const Sublattice& s : stencil.sublattices)
    for (Index c = 0; c < stencil.all_cells(); ++c) {
      const std::array<Index, 3> cell{c % n[0], c / n[0] % n[1], c / (n[0] * n[1])};
      for (const SublatticeBond& b : s.bonds) {
        std::array<Index, 3> other;
        for (std::size_t d = 0; d < 3; ++d) other[d] = (cell[d] + b.shift[d] + n[d]) % n[d];
        bonds[{stencil.storage(s, cell),
               stencil.storage(stencil.sublattices[static_cast<std::size_t>(b.to)], other)}] +=
            b.coupling[0];
      }
    }
  return bonds;
}

/// Every bond from the tables that kernels without a stencil read.
std::map<std::pair<Index, Index>, double> bonds_of(const Model& model) {
  std::map<std::pair<Index, Index>, double> bonds;
  const ModelView view = model.view(1);
  for (Index site = 0; site < model.sites(); ++site)
    for (int bond = 0; bond < view.bonds_per_site; ++bond) {
      const Index to = neighbour_at(view, ScalarSlot<>{site, 0}, bond);
      if (to != site)
        bonds[{site, to}] += RowValues<ScalarSlot<>>(view.bonds, ScalarSlot<>{site, 0})[bond];
    }
  return bonds;
}

constexpr StencilCells both_cells[] = {StencilCells::crystal, StencilCells::colours};

TEST(Stencil, HasTheBondsOfTheTables) {
  const study::SpinSystem system = system_of(iron);
  for (const StencilCells cells : both_cells) {
    const std::optional<Stencil> stencil = system.model.stencil(cells);
    ASSERT_TRUE(stencil);
    EXPECT_EQ(stencil->sites(), 256);
    EXPECT_EQ(bonds_of(*stencil), bonds_of(system.model));
    for (const Sublattice& s : stencil->sublattices) EXPECT_EQ(s.bonds.size(), 50u);
  }
}

TEST(Stencil, IsThereForEveryModelThatJitKernelsAreTestedWith) {
  for (const auto& model : testing_support::jit_kernel_models) {
    const study::SpinSystem system = system_of(model.text);
    for (const StencilCells cells : both_cells)
      EXPECT_TRUE(system.model.stencil(cells)) << model.name;
  }
}

TEST(Stencil, BondsJoinDifferentColours) {
  const study::SpinSystem system = system_of(iron);
  const std::optional<Stencil> stencil = system.model.stencil(StencilCells::colours);
  ASSERT_TRUE(stencil);
  std::set<int> colours;
  for (const Sublattice& s : stencil->sublattices) {
    colours.insert(s.colour);
    for (const SublatticeBond& bond : s.bonds)
      EXPECT_NE(stencil->sublattices[static_cast<std::size_t>(bond.to)].colour, s.colour);
  }
  EXPECT_EQ(colours.size(), 8u);
}

TEST(Stencil, KnowsTheCanonicalSites) {
  const study::SpinSystem system = system_of(iron);
  for (const StencilCells cells : both_cells) {
    const std::optional<Stencil> stencil = system.model.stencil(cells);
    ASSERT_TRUE(stencil);
    const auto step = stencil->canonical_strides();
    const auto& n = stencil->cells;
    for (const Sublattice& s : stencil->sublattices)
      for (Index c = 0; c < stencil->all_cells(); ++c) {
        const std::array<Index, 3> cell{c % n[0], c / n[0] % n[1], c / (n[0] * n[1])};
        EXPECT_EQ(system.model.canonical()[static_cast<std::size_t>(stencil->storage(s, cell))],
                  stencil->canonical_origin(s) + cell[0] * step[0] + cell[1] * step[1] +
                      cell[2] * step[2]);
      }
  }
}

TEST(Stencil, IsFoundOnLatticesOfAnyKind) {
  for (const char* lattice :
       {"type='sc'\nsize=[4,4,4]", "type='sc'\nsize=[3,5,6]", "type='square'\nsize=[6,4]",
        "type='triangular'\nsize=[6,6]", "type='kagome'\nsize=[4,4]", "type='chain'\nsize=[10]",
        "type='pyrochlore'\nsize=[2,2,2]", "type='fcc'\nsize=[4,4,4]"}) {
    const study::SpinSystem system =
        system_of("[lattice]\n" + std::string(lattice) + "\n[[exchange]]\nshell=1\nJ=1\n");
    for (const StencilCells cells : both_cells) {
      const std::optional<Stencil> stencil = system.model.stencil(cells);
      ASSERT_TRUE(stencil) << lattice;
      EXPECT_EQ(bonds_of(*stencil), bonds_of(system.model)) << lattice;
    }
  }
}

TEST(Stencil, IsNotFoundWhereSitesDiffer) {
  const std::string exchange = "[[exchange]]\nshell=1\nJ=1\n";
  EXPECT_FALSE(
      system_of("[lattice]\ntype='sc'\nsize=[4,4,4]\nperiodic=[true,true,false]\n" + exchange)
          .model.stencil(StencilCells::crystal));
  EXPECT_FALSE(system_of("[lattice]\ntype='sc'\nsize=[4,4,4]\n[[alloy]]\nby='vacancy'\n"
                         "fraction=0.25\n" +
                         exchange)
                   .model.stencil(StencilCells::crystal));
}

TEST(Stencil, CheckerboardHasTwoColours) {
  const study::SpinSystem system =
      system_of("[lattice]\ntype='sc'\nsize=[6,4,8]\n[[exchange]]\nshell=1\nJ=1\n");
  const std::optional<Stencil> stencil = system.model.stencil(StencilCells::colours);
  ASSERT_TRUE(stencil);
  EXPECT_EQ(system.model.colours().size(), 2u);
  EXPECT_EQ(stencil->sublattices.size(), 8u);
  for (const Sublattice& s : stencil->sublattices)
    EXPECT_EQ(s.colour, (s.cell[0] + s.cell[1] + s.cell[2]) % 2);
}

TEST(StencilShape, PatchesMakeUpTheLattice) {
  const study::SpinSystem system = system_of(iron);
  const std::optional<Stencil> stencil = system.model.stencil(StencilCells::crystal);
  ASSERT_TRUE(stencil);
  for (const Index replicas : {1, 8, 100, 100000})
    for (const int multiprocessors : {1, 132}) {
      StencilLaunch launch;
      launch.replicas = replicas;
      launch.multiprocessors = multiprocessors;
      const StencilShape shape = choose_shape(*stencil, launch);
      std::set<std::pair<int, int>> sites;
      for (const auto& patch : shape.patches)
        for (const PatchSite& site : patch)
          EXPECT_TRUE(sites.insert({site.sublattice, site.cell[1] + 2 * site.cell[2]}).second);
      const int cells = shape.patch_cells[0] * shape.patch_cells[1] * shape.patch_cells[2];
      EXPECT_EQ(sites.size(), stencil->sublattices.size() * static_cast<std::size_t>(cells));
      EXPECT_LE(shape.threads(), 1024);
      EXPECT_EQ(shape.width() % 32, 0);
    }
}

TEST(StencilShape, PatchesShareNeighbours) {
  const study::SpinSystem system = system_of(iron);
  const std::optional<Stencil> stencil = system.model.stencil(StencilCells::crystal);
  ASSERT_TRUE(stencil);
  StencilLaunch launch;
  launch.replicas = 100000;
  const StencilShape shape = choose_shape(*stencil, launch);
  ASSERT_EQ(shape.sites(), 4);
  for (const auto& patch : shape.patches) EXPECT_LE(sources_of(*stencil, patch), 4 * 30);
}

/// The stencil of a lattice, without its model or kernels.
Stencil stencil_of_lattice(const std::string& text, StencilCells cells) {
  const study::SystemTables tables = study::parse_system(text, "test");
  const lattice::Geometry geometry = study::build_geometry(tables);
  const auto terms = study::lower_terms(tables, geometry, study::site_moments(geometry));
  std::vector<lattice::StencilBond> bonds;
  for (const StencilCoupling& c : terms.front().stencil) bonds.push_back(c.bond);
  const BondTable table(geometry, terms, static_cast<Index>(geometry.crystal.basis.size()));
  const CellBonds of_cell(geometry, lattice::colour_sublattices(geometry, bonds).value(), table);
  return of_cell.stencil(
      cells, BondClass::scalar,
      std::vector<double>(static_cast<std::size_t>(of_cell.bonds_per_site()), 1.0));
}

/// The idle threads are few for any number of cells: half of 62 and half of 254 are primes.
TEST(StencilShape, FewThreadsIdle) {
  for (const int length : {16, 30, 62, 64, 100, 254})
    for (const Index replicas : {1, 8})
      for (const StencilCells cells : both_cells) {
        const Stencil stencil =
            stencil_of_lattice("[lattice]\ntype='sc'\nsize=[" + std::to_string(length) + ", " +
                                   std::to_string(length) + ", " + std::to_string(length) +
                                   "]\n[[exchange]]\nshell=1\nJ=1\n",
                               cells);
        StencilLaunch launch;
        launch.replicas = replicas;
        if (cells == StencilCells::colours) launch.colour = 0;
        const StencilShape shape = choose_shape(stencil, launch);
        const std::array<Index, 3> patches = shape.patches_along(stencil);
        const double needed = static_cast<double>(patches[0] * patches[1] * patches[2]) *
                              static_cast<double>(shape.patches.size()) * shape.lanes * shape.split;
        const double launched =
            static_cast<double>(shape.blocks(stencil, 1)) * static_cast<double>(shape.threads());
        EXPECT_GT(needed, 0.5 * launched) << length << " x " << replicas;
        if ((length & (length - 1)) == 0) {
          EXPECT_EQ(needed, launched) << length << " x " << replicas;
        }
      }
}

/// The source of one kernel that updates and of one kernel that measures.
std::string text_of_kernels(const Stencil& stencil, const Model& model) {
  StencilLaunch launch;
  launch.replicas = 8;
  launch.colour = 0;
  StencilKernel kernel;
  kernel.name = "colour_0";
  kernel.functor = "Metropolis<bond_class>";
  kernel.view = "SweepView";
  kernel.input = "view.spins";
  kernel.counts = true;
  kernel.shape = choose_shape(stencil, launch);
  StencilKernel observing = kernel;
  observing.name = "observe";
  observing.functor = "";
  observing.counts = false;
  observing.observes = true;
  observing.constants = table_constants("output.moment", model.moment_table());
  return stencil_source(stencil, Precision::single_numbers,
                        {"larmor/spins/samplers/metropolis_kernel.hpp"},
                        model_constants(stencil, model.view(1)), {kernel, observing});
}

/// Compilers also search the working directory, and compiled kernels are cached. Neither of these
/// may hide that the program lacks a header.
TEST(StencilSource, IncludesOnlyWhatTheProgramBringsAlong) {
  const study::SpinSystem system = system_of(iron);
  const std::optional<Stencil> stencil = system.model.stencil(StencilCells::colours);
  ASSERT_TRUE(stencil);
  std::set<std::string> there;
  for (const JitHeader& header : jit_headers()) there.insert(header.name);
  const std::string text = text_of_kernels(*stencil, system.model);
  const std::regex include("#include \"([^\"]+)\"");
  int found = 0;
  for (std::sregex_iterator n(text.begin(), text.end(), include), end; n != end; ++n, ++found)
    EXPECT_EQ(there.count((*n)[1]), 1u) << (*n)[1];
  EXPECT_GT(found, 2);
}

TEST(StencilSource, CompilesWhereThereIsACompiler) {
  if (runtime_compiler_missing()) GTEST_SKIP() << "no NVRTC here";
  const study::SpinSystem system = system_of(iron);
  const std::optional<Stencil> stencil = system.model.stencil(StencilCells::colours);
  ASSERT_TRUE(stencil);
  for (const GpuArchitecture gpu : {GpuArchitecture{7, 5}, {8, 0}, {9, 0}, {12, 0}})
    EXPECT_FALSE(compile_for_gpu(text_of_kernels(*stencil, system.model), gpu).empty());
}

TEST(StencilSource, CountsUpToTheLargestSystemsIn32Bits) {
  for (const auto& [size, replicas] :
       {std::pair<const char*, Index>{"[1000, 1000, 1430]", 1}, {"[560, 560, 570]", 8}})
    for (const StencilCells cells : both_cells) {
      const Stencil stencil = stencil_of_lattice(
          "[lattice]\ntype='sc'\nsize=" + std::string(size) + "\n[[exchange]]\nshell=1\nJ=1\n",
          cells);
      const SpinLayout layout{stencil.sites(), replicas};
      EXPECT_EQ(stencil_advice(layout), "");
      EXPECT_NE(stencil_advice({layout.sites + layout.sites / 100, replicas}), "");
      const bool update = cells == StencilCells::colours;
      StencilLaunch launch;
      launch.replicas = replicas;
      if (update) launch.colour = 1;
      StencilKernel kernel;
      kernel.name = "kernel";
      kernel.functor = update ? "Metropolis<bond_class>" : "DepondtPredictor<bond_class>";
      kernel.view = update ? "SweepView" : "LlgView";
      kernel.input = update ? "view.spins" : kernel.functor + "{view}.input()";
      kernel.counts = update;
      kernel.shape = choose_shape(stencil, launch);
      EXPECT_LT(kernel.shape.blocks(stencil, layout.blocks()), Index{1} << 31);
      ModelView model;
      model.layout = layout;
      const std::string text =
          stencil_source(stencil, Precision::double_numbers,
                         {update ? "larmor/spins/samplers/metropolis_kernel.hpp"
                                 : "larmor/spins/integrators/depondt_kernel.hpp"},
                         model_constants(stencil, model), {kernel});
      const std::regex literal("([0-9]+)u\\b");
      for (std::sregex_iterator n(text.begin(), text.end(), literal), end; n != end; ++n)
        EXPECT_LE(std::stoull((*n)[1]), 0xffffffffull) << n->str();
      if (!runtime_compiler_missing()) {
        EXPECT_FALSE(compile_for_gpu(text, {9, 0}).empty());
      }
    }
}

TEST(JitHeaders, HoldWhatKernelsInclude) {
  std::set<std::string> names;
  for (const JitHeader& header : jit_headers()) names.insert(header.name);
  EXPECT_TRUE(names.count("larmor/spins/hamiltonian/canonical_forms.hpp"));
  EXPECT_TRUE(names.count("larmor/core/maths/philox.hpp"));
  EXPECT_FALSE(names.count("larmor/core/device/device.hpp"));
}

}  // namespace
}  // namespace larmor::spins
