#include "larmor/imports/uppasd/anisotropy.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace larmor::imports::uppasd {
namespace {

constexpr Index uniaxial = 1, cubic = 2, both = 7;

SiteAnisotropy anisotropy_in(const io::TextRow& row, const DataFile& file,
                             const UppasdCrystal& crystal) {
  const std::size_t first = crystal.is_alloy ? 2 : 1;  // column of the type
  row.require_columns(first + 7, crystal.is_alloy ? "site chem type K1 K2 kx ky kz ratio"
                                                  : "site type K1 K2 kx ky kz ratio");
  const Index site = row.integer(0, "the site");
  if (site < 1 || site > std::ssize(crystal.sites))
    throw InputError("there is no site " + std::to_string(site), row.position(0),
                     "sites are numbered from 1 to " + std::to_string(crystal.sites.size()));
  const Index chem = crystal.is_alloy ? row.integer(1, "the chemical type") : 1;
  if (crystal.occupant(static_cast<std::size_t>(site - 1), chem) == nullptr)
    throw InputError("the site has no chemical type " + std::to_string(chem), row.position(1),
                     "give a chemical type of the posfile");
  SiteAnisotropy made{
      static_cast<std::size_t>(site - 1),
      chem,
      row.integer(first, "the type of anisotropy"),
      row.real(first + 1, "K1"),
      row.real(first + 2, "K2"),
      {row.real(first + 3, "kx"), row.real(first + 4, "ky"), row.real(first + 5, "kz")},
      row.real(first + 6, "the ratio"),
      file.mark(row),
      file.mark(row, first + 1)};
  if (made.type != 0 && made.type != uniaxial && made.type != cubic && made.type != both)
    throw InputError("there is no type " + std::to_string(made.type) + " of anisotropy",
                     row.position(first), "write 1 (uniaxial), 2 (cubic) or 7 (both)");
  if (made.type != cubic && made.type != 0 && (made.K1 != 0 || made.K2 != 0) &&
      length(made.axis) == 0)
    throw InputError("the axis of the anisotropy is zero", row.position(first + 3),
                     "give an axis of any length except 0");
  return made;
}

class AnisotropyTables {
 public:
  explicit AnisotropyTables(const Quantities& quantities) : quantities_(quantities) {}

  /// Adds the tables of one anisotropy. @param species null: all sites
  void add(const SiteAnisotropy& a, const std::string* species) {
    if (a.type == uniaxial || a.type == both) add_uniaxial(a, species);
    if (a.type == cubic) add_cubic(a, a.K1, a.K2, species);
    if (a.type == both) add_cubic(a, a.ratio * a.K1, a.ratio * a.K2, species);
  }

  void write(Value& study) {
    for (auto& [key, tables] : {std::pair("anisotropy", &uniaxial_), {"cubic-anisotropy", &cubic_}})
      if (!tables->empty()) {
        const SourceMark where = tables->front().source_mark();
        study.set(key, placed(Value(std::move(*tables)), where), where);
      }
  }

 private:
  struct Power {
    const char* key;
    double value;
  };

  void add_table(Value::Array& tables, const SiteAnisotropy& a, const std::vector<Power>& powers,
                 const Vec3<double>* axis, const std::string* species) {
    Value table;
    table.mark(a.row);
    for (const Power& power : powers)
      if (power.value != 0)
        table.set(power.key, placed(quantities_.energy(power.value), a.value), a.value);
    if (table.as_table().empty()) return;
    if (axis != nullptr) table.set("axis", placed(vector_value(*axis), a.row), a.row);
    if (species != nullptr) table.set("species", placed(*species, a.row), a.row);
    tables.push_back(std::move(table));
  }

  // - K c^2 - K4 c^4 = (K1 + 2 K2) c^2 - K2 c^4
  void add_uniaxial(const SiteAnisotropy& a, const std::string* species) {
    add_table(uniaxial_, a, {{"K", -(a.K1 + 2 * a.K2)}, {"K4", a.K2}}, &a.axis, species);
  }

  void add_cubic(const SiteAnisotropy& a, double K1, double K2, const std::string* species) {
    // x^2 y^2 + y^2 z^2 + z^2 x^2 = (1 - x^4 - y^4 - z^4) / 2
    add_table(cubic_, a, {{"K4", -K1 / 2 - K2 / 6}}, nullptr, species);
    if (K2 == 0) return;
    const Vec3<double> axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const Vec3<double> diagonals[] = {{1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}};
    for (const Vec3<double>& axis : axes)
      add_table(uniaxial_, a, {{"K6", 7 * K2 / 45}}, &axis, species);
    for (const Vec3<double>& axis : diagonals)
      add_table(uniaxial_, a, {{"K6", 3 * K2 / 40}}, &axis, species);
  }

  const Quantities& quantities_;
  Value::Array uniaxial_, cubic_;
};

std::size_t occupants(const UppasdCrystal& crystal) {
  std::size_t count = 0;
  for (const Site& site : crystal.sites) count += site.occupants.size();
  return count;
}

}  // namespace

bool SiteAnisotropy::equals(const SiteAnisotropy& other) const {
  return type == other.type && K1 == other.K1 && K2 == other.K2 && axis == other.axis &&
         ratio == other.ratio;
}

std::vector<SiteAnisotropy> read_anisotropies(const InputFile& input,
                                              const UppasdCrystal& crystal) {
  const Entry* const entry = input.find("anisotropy");
  if (entry == nullptr || !input.flag("do_anisotropy", true)) return {};
  const DataFile file = input.open(*entry);
  // With a second axis, a second block of rows follows.
  const std::size_t most = input.flag("mult_axis") ? 2 : 1;
  std::map<std::pair<std::size_t, Index>, std::size_t> seen;
  std::vector<SiteAnisotropy> all;
  for (const io::TextRow& row : file.rows()) {
    SiteAnisotropy made = anisotropy_in(row, file, crystal);
    if (++seen[{made.site, made.chem}] > most)
      throw InputError(
          "the site has more than " + std::to_string(most) + (most == 1 ? " row" : " rows"),
          row.position(0),
          most == 1 ? "keep one row, or set mult_axis Y for a second axis" : "keep two rows");
    if (made.type != 0 && (made.K1 != 0 || made.K2 != 0)) all.push_back(std::move(made));
  }
  if (file.rows().empty()) return {};
  for (std::size_t s = 0; s < crystal.sites.size(); ++s)
    for (const Occupant& occupant : crystal.sites[s].occupants)
      if (!seen.contains({s, occupant.chem}))
        throw InputError("the anisotropy of site " + std::to_string(s + 1) + " is missing",
                         file.end(), "give each site a row, with zeros if it has no anisotropy");
  return all;
}

bool differ_within_types(const std::vector<SiteAnisotropy>& anisotropies,
                         const UppasdCrystal& crystal) {
  // The anisotropies of each site in the order of the file.
  std::map<std::size_t, std::vector<const SiteAnisotropy*>> of_site;
  for (std::size_t s = 0; s < crystal.sites.size(); ++s) of_site[s] = {};
  for (const SiteAnisotropy& a : anisotropies) of_site[a.site].push_back(&a);
  for (const auto& [s, of_s] : of_site)
    for (const auto& [t, of_t] : of_site)
      if (crystal.sites[s].type == crystal.sites[t].type &&
          !std::equal(of_s.begin(), of_s.end(), of_t.begin(), of_t.end(),
                      [](const auto* a, const auto* b) { return a->equals(*b); }))
        return true;
  return false;
}

void set_anisotropies(Value& study, const std::vector<SiteAnisotropy>& anisotropies,
                      const UppasdCrystal& crystal, const Quantities& quantities,
                      std::vector<std::string>& notes) {
  AnisotropyTables tables(quantities);
  std::vector<bool> done(anisotropies.size(), false);
  for (std::size_t n = 0; n < anisotropies.size(); ++n) {
    if (done[n]) continue;
    const SiteAnisotropy& a = anisotropies[n];
    std::vector<std::string> species;
    std::size_t count = 0;
    std::set<std::pair<std::size_t, Index>> taken;
    for (std::size_t m = n; m < anisotropies.size(); ++m) {
      const SiteAnisotropy& other = anisotropies[m];
      if (done[m] || !other.equals(a) || !taken.insert({other.site, other.chem}).second) continue;
      done[m] = true;
      ++count;
      const std::string name = crystal.species(other.site, other.chem);
      if (std::find(species.begin(), species.end(), name) == species.end()) species.push_back(name);
    }
    if (count == occupants(crystal)) {
      tables.add(a, nullptr);
    } else {
      for (const std::string& name : species) tables.add(a, &name);
    }
  }
  tables.write(study);
  if (std::any_of(anisotropies.begin(), anisotropies.end(),
                  [](const SiteAnisotropy& a) { return a.K2 != 0 && a.type != 2; }))
    notes.emplace_back(
        "anisotropy: K2 of a uniaxial axis follows UppASD's field for moments of length 1, "
        "B = -2 (e.k) [K1 + 2 K2 (1 - (e.k)^2)] k. For a moment m UppASD's own code has (m.k)^2 in "
        "this place: its energy is (K1 + 2 K2 / m^2) (e.k)^2 - K2 (e.k)^4");
}

}  // namespace larmor::imports::uppasd
