// Models with equal cells find all tables from one cell. The numbers equal those that a loop over
// sites finds.
// Rooms: spins

#include "larmor/spins/hamiltonian/cell_bonds.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "larmor/core/error.hpp"
#include "larmor/lattice/ordering.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"

namespace larmor::spins {
namespace {

/// All properties of a system that a loop over sites finds.
struct SiteBySite {
  lattice::Geometry geometry;
  SiteMoments moments;
  std::vector<LoweredTerm> terms;
  BondTable table;
  lattice::SublatticeColouring colouring;
  lattice::Ordering ordering;

  explicit SiteBySite(const study::SystemTables& tables)
      : geometry(study::build_geometry(tables)),
        moments(study::site_moments(geometry)),
        terms(study::lower_terms(tables, geometry, moments)),
        table(geometry, terms),
        colouring(colours()),
        ordering(lattice::by_sublattice(geometry, colouring)) {}

  lattice::SublatticeColouring colours() const {
    std::vector<lattice::StencilBond> bonds;
    for (const LoweredTerm& term : terms)
      for (const StencilCoupling& c : term.stencil) bonds.push_back(c.bond);
    return lattice::colour_sublattices(geometry, bonds).value();
  }
  Index padded() const { return SpinLayout{geometry.sites()}.padded_sites(); }
  /// The site whose neighbours a storage position lists. `coupled_site` is the site whose couplings
  /// the position lists.
  Index site(Index position) const {
    return ordering.canonical[static_cast<std::size_t>(std::min(position, geometry.sites() - 1))];
  }
  Index coupled_site(Index position) const {
    return ordering.canonical[static_cast<std::size_t>(position < geometry.sites() ? position : 0)];
  }
};

std::vector<std::int32_t> rows_of(const RowTable& table, Index positions) {
  if (table.uniform) return std::vector<std::int32_t>(static_cast<std::size_t>(positions));
  return {table.row, table.row + positions};
}

std::vector<double> values_of(const RowTable& table, std::size_t count) {
  return {table.value.wide, table.value.wide + count};
}

void expect_same(const Stencil& a, const Stencil& b) {
  EXPECT_EQ(a.cells, b.cells);
  EXPECT_EQ(a.supercell, b.supercell);
  EXPECT_EQ(a.fold, b.fold);
  EXPECT_EQ(a.inner, b.inner);
  EXPECT_EQ(a.outer, b.outer);
  EXPECT_EQ(a.atoms, b.atoms);
  EXPECT_EQ(a.bond_class, b.bond_class);
  ASSERT_EQ(a.sublattices.size(), b.sublattices.size());
  for (std::size_t s = 0; s < a.sublattices.size(); ++s) {
    const Sublattice &x = a.sublattices[s], &y = b.sublattices[s];
    EXPECT_EQ(x.basis, y.basis);
    EXPECT_EQ(x.cell, y.cell);
    EXPECT_EQ(x.colour, y.colour);
    EXPECT_EQ(x.first, y.first);
    ASSERT_EQ(x.bonds.size(), y.bonds.size());
    for (std::size_t n = 0; n < x.bonds.size(); ++n) {
      EXPECT_EQ(x.bonds[n].to, y.bonds[n].to);
      EXPECT_EQ(x.bonds[n].shift, y.bonds[n].shift);
      EXPECT_EQ(x.bonds[n].coupling, y.bonds[n].coupling);
    }
  }
}

struct NamedSystem {
  const char* name;
  const char* text;

  friend void PrintTo(const NamedSystem& tested, std::ostream* out) { *out << tested.name; }
};

class AlikeCells : public testing::TestWithParam<NamedSystem> {
 protected:
  study::SystemTables tables = study::parse_system(GetParam().text, "test");
  SiteBySite all{tables};
  study::SpinSystem system{tables, Device::cpu(2)};
  ModelView view = system.model.view(1);
};

TEST_P(AlikeCells, HaveTheOrderAndTheNeighboursOfEverySite) {
  EXPECT_EQ(view.bonds_per_site, all.table.bonds_per_site());
  ASSERT_EQ(static_cast<Index>(system.model.canonical().size()), all.padded());
  for (Index position = 0; position < all.padded(); ++position) {
    const Index site = all.site(position);
    ASSERT_EQ(system.model.canonical()[static_cast<std::size_t>(position)], site);
    ASSERT_EQ(view.canonical[position], site);
    for (int bond = 0; bond < view.bonds_per_site; ++bond)
      ASSERT_EQ(neighbour_at(view, ScalarSlot<>{position, 0}, bond),
                all.ordering.storage[static_cast<std::size_t>(all.table.neighbour(site, bond))])
          << "position " << position << ", bond " << bond;
  }
}

TEST_P(AlikeCells, HaveTheCouplingsOfEverySite) {
  const std::vector<std::int32_t> row = rows_of(view.bonds, all.padded());
  for (Index position = 0; position < all.padded(); ++position)
    ASSERT_EQ(row[static_cast<std::size_t>(position)], all.table.row(all.coupled_site(position)));
  for (std::size_t t = 0; t < all.terms.size(); ++t) {
    const RowTable of_term = system.model.term_view(t, 1).bonds;
    if (of_term.value.present()) {
      EXPECT_EQ(rows_of(of_term, all.padded()), row);
    }
  }
}

TEST_P(AlikeCells, HaveTheOneSiteCouplingsOfEverySite) {
  RowCollector onsite, field, moment;
  std::vector<std::int32_t> onsite_row, field_row, moment_row;
  for (Index position = 0; position < all.padded(); ++position) {
    const Index site = all.coupled_site(position);
    std::vector<double> couplings;
    Vec3<double> h{0, 0, 0};
    for (const LoweredTerm& term : all.terms) {
      if (term.field) h += term.field(site);
      if (!term.onsite) continue;
      for (const OnsiteCoupling& k : term.onsite(site))
        couplings.insert(couplings.end(), {k.axis.x, k.axis.y, k.axis.z, k.a2, k.a4, k.a6});
    }
    couplings.resize(static_cast<std::size_t>(view.onsite.width));
    onsite_row.push_back(onsite.add(couplings));
    field_row.push_back(field.add({h.x, h.y, h.z}));
    moment_row.push_back(moment.add({all.geometry.moment(site)}));
  }
  if (view.onsite.value.present()) {
    EXPECT_EQ(rows_of(view.onsite, all.padded()), onsite_row);
    EXPECT_EQ(values_of(view.onsite, onsite.value().size()), onsite.value());
  }
  if (view.field.value.present()) {
    EXPECT_EQ(rows_of(view.field, all.padded()), field_row);
    EXPECT_EQ(values_of(view.field, field.value().size()), field.value());
  }
  const RowTable moments = system.model.moment_table();
  EXPECT_EQ(rows_of(moments, all.padded()), moment_row);
  EXPECT_EQ(values_of(moments, moment.value().size()), moment.value());
}

TEST_P(AlikeCells, HaveTheStencilThatTheTablesObey) {
  StencilTables tables_of_sites;
  tables_of_sites.size = all.geometry.size;
  tables_of_sites.supercell = all.colouring.supercell;
  tables_of_sites.atoms = static_cast<Index>(all.geometry.crystal.basis.size());
  tables_of_sites.first = all.ordering.colour_begin;
  tables_of_sites.colour = all.colouring.colouring.colour;
  tables_of_sites.canonical = system.model.canonical();
  tables_of_sites.neighbour = {view.neighbour, view.neighbour + all.padded() * view.bonds_per_site};
  tables_of_sites.bonds_per_site = view.bonds_per_site;
  tables_of_sites.bond_class = view.bond_class;
  tables_of_sites.row = rows_of(view.bonds, all.padded());
  tables_of_sites.value =
      values_of(view.bonds, static_cast<std::size_t>(all.table.rows() * view.bonds.width));
  for (const StencilCells cells : {StencilCells::crystal, StencilCells::colours}) {
    const std::optional<Stencil> expected = find_stencil(tables_of_sites, cells, 1);
    const std::optional<Stencil> found = system.model.stencil(cells);
    ASSERT_TRUE(expected && found);
    expect_same(*found, *expected);
  }
}

constexpr NamedSystem systems[] = {
    {"sc", "[lattice]\ntype='sc'\nsize=[4,6,8]\n[[exchange]]\nshell=1\nJ=1\n[field]\nB=[0,0,1]\n"},
    {"odd_sc", "[lattice]\ntype='sc'\nsize=[3,5,6]\n[[exchange]]\nshell=1\nJ=1\n"},
    {"bcc_four_shells",
     "[lattice]\ntype='bcc'\nsize=[8,4,4]\n[[exchange]]\nshell=1\nJ=1\n[[exchange]]\nshell=2\n"
     "J=0.5\n[[exchange]]\nshell=3\nJ=0.25\n[[exchange]]\nshell=4\nJ=-0.125\n"
     "[[anisotropy]]\nK=0.1\n"},
    {"kagome_with_dmi",
     "[lattice]\ntype='kagome'\nsize=[6,4]\nspecies=['A','B','A']\nmoment=[1,2,3]\n"
     "[[exchange]]\nshell=1\nJ=-1\n[[dmi]]\nshell=1\nstrength=0.3\n"
     "[[anisotropy]]\nK=0.2\nspecies='B'\n[[cubic-anisotropy]]\nK4=0.3\nspecies='A'\n"
     "[field]\nB=[0.1,0.2,0.3]\n[[local-field]]\nB=[0,0.5,0]\nspecies='B'\n"},
    {"pyrochlore",
     "[lattice]\ntype='pyrochlore'\nsize=[2,2,4]\nspecies=['A','B','B','B','A','B','B','B','A','B',"
     "'B','B','A','B','B','B']\n[[exchange]]\nshell="
     "1\n"
     "J=-1\n[[exchange]]\nshell=1\nbetween=['A','B']\nJ=0.5\n[[biquadratic]]\nshell=1\nb=0.1\n"
     "[[anisotropy]]\naxis=[1,1,1]\nK=0.2\nspecies='A'\n"},
    {"kitaev_honeycomb",
     "[lattice]\ntype='honeycomb'\nsize=[4,6]\n[[kitaev]]\nshell=1\nK=1\nGamma=0.2\n"
     "[[local-field]]\nB=[0,0,1]\nstaggered=true\n"},
    {"one_species_alone",
     "[lattice]\ntype='honeycomb'\nsize=[4,4]\nspecies=['A','B']\n[[exchange]]\nshell=2\n"
     "between=['B','B']\nJ=1\n"},
    {"chain", "[lattice]\ntype='chain'\nsize=[10]\n[[exchange]]\noffset=[[2,0,0]]\nJ=1\n"},
    {"two_cells", "[lattice]\ntype='square'\nsize=[2,2]\n[[exchange]]\nshell=1\nJ=1\n"},
};
INSTANTIATE_TEST_SUITE_P(Lattices, AlikeCells, testing::ValuesIn(systems),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(CellBonds, MakeTablesOnceWhoeverAsks) {
  const study::SpinSystem system(study::parse_system(systems[3].text, "test"), Device::cpu(1));
  std::vector<ModelView> seen(4);
  std::vector<std::thread> threads;
  for (ModelView& view : seen) threads.emplace_back([&] { view = system.model.view(1); });
  for (std::thread& thread : threads) thread.join();
  for (const ModelView& view : seen) EXPECT_EQ(view, seen.front());
}

TEST(CellBonds, MakeNoTablesForKernelsThatKnowNeighbours) {
  const study::SpinSystem system(study::parse_system(systems[0].text, "test"), Device::cpu(1));
  const Index before = system.model.bytes();
  EXPECT_EQ(system.model.view_without_neighbours(1).neighbour, nullptr);
  EXPECT_TRUE(system.model.stencil(StencilCells::colours));
  EXPECT_EQ(system.model.bytes(), before);
  system.model.view(1);
  EXPECT_EQ(system.model.bytes(), before + 4 * 6 * 8 * (6 + 1) * 4);
}

TEST(CellBonds, KnowBoundsAndEnergiesOfAllSites) {
  // Each site has six bonds of 1, and a field of 1 on a moment of 2.
  const study::SpinSystem system(
      study::parse_system(
          "[lattice]\ntype='sc'\nsize=[4,4,4]\nmoment=2\n[[exchange]]\nshell=1\nJ=1\n"
          "[field]\nB=[0,0,0.5]\n",
          "test"),
      Device::cpu(1));
  EXPECT_DOUBLE_EQ(system.model.largest_derivative(), 7);
  EXPECT_DOUBLE_EQ(system.model.largest_field(), 3.5);
  EXPECT_DOUBLE_EQ(system.model.ferromagnetic_bond_energy(), -3);
}

TEST(CellBonds, BondsThatReturnAreErrors) {
  const lattice::Geometry geometry =
      study::build_geometry(study::parse_system("[lattice]\ntype='chain'\nsize=[4]\n", "test"));
  LoweredTerm term;
  term.stencil.push_back({{0, 0, {4, 0, 0}, {4, 0, 0}}, isotropic(1.0)});
  EXPECT_THROW(Model(Device::cpu(1), geometry, {term}, study::site_moments(geometry)), InputError);
}

}  // namespace
}  // namespace larmor::spins
