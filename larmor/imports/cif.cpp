#include "larmor/imports/cif.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gemmi/cif.hpp>
#include <gemmi/elem.hpp>
#include <gemmi/numb.hpp>
#include <gemmi/symmetry.hpp>
#include <numbers>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "larmor/core/error.hpp"
#include "larmor/io/files/toml.hpp"
#include "larmor/symmetry/matrices.hpp"

namespace larmor::imports {
namespace {

namespace cif = gemmi::cif;
using Point = Vec3<double>;

/// Positions that differ by less are one site, in Angstrom.
constexpr double same_place = 0.05;
/// Every pair of atoms is compared, so a large cell would take very long.
constexpr std::size_t most_atoms = 10'000;

/// gemmi reads words of Hall's symbols without checks: a quote in a wrong place reads beyond an
/// array.
/// @throws std::runtime_error for words that no such symbol has
void require_hall_words(const std::string& symbol) {
  static const std::regex form(
      "\\s*-?[PABCIRSTFH](\\s+-?[12346][xyz'\"*]?[abcnuvwd12345]*)+(\\s+\\([-+\\d\\s]*\\))?\\s*",
      std::regex::icase);
  constexpr std::size_t longest = 80;
  if (symbol.size() > longest || !std::regex_match(symbol, form))
    throw std::runtime_error("not a symbol of Hall");
}

/// A tag in small letters, with "_" for ".", as magnetic CIF uses both.
std::string plain_tag(std::string tag) {
  for (char& c : tag) c = c == '.' ? '_' : static_cast<char>(std::tolower(c));
  return tag;
}

/// A column of a loop, or a single value.
struct Column {
  const cif::Item* item = nullptr;
  std::size_t number = 0;

  explicit operator bool() const { return item != nullptr; }
  std::size_t rows() const { return item->type == cif::ItemType::Loop ? item->loop.length() : 1; }
  std::string text(std::size_t row) const {
    return cif::as_string(item->type == cif::ItemType::Loop ? item->loop.val(row, number)
                                                            : item->pair[1]);
  }
};

/// r -> W r + t in fractions of the cell; a spin also turns by `time`.
struct MagneticOperation {
  Mat3<double> rotation;
  Point translation;
  double time = 1;

  Point image(const Point& f) const { return rotation * f + translation; }
};

Point nearest_fraction_of(const Point& f) {
  return {f.x - std::round(f.x), f.y - std::round(f.y), f.z - std::round(f.z)};
}

Point into_cell(const Point& f) {
  // A fraction just below 1 is 0 except for rounding.
  const auto wrapped = [](double x) {
    const double rest = x - std::floor(x);
    return rest > 1 - 1e-9 || rest < 1e-9 ? 0 : rest;
  };
  return {wrapped(f.x), wrapped(f.y), wrapped(f.z)};
}

MagneticOperation operation_of(const gemmi::Op& op, double time) {
  MagneticOperation out;
  constexpr double unit = gemmi::Op::DEN;
  for (std::size_t i = 0; i < 3; ++i)
    out.rotation.row[i] = {op.rot[i][0] / unit, op.rot[i][1] / unit, op.rot[i][2] / unit};
  out.translation = {op.tran[0] / unit, op.tran[1] / unit, op.tran[2] / unit};
  out.time = time;
  return out;
}

struct Site {
  std::string label, species;
  Point fractional;
  Point moment{0, 0, 0};  ///< Cartesian
  bool has_moment = false;
  SourceMark mark;
};

class Cif {
 public:
  explicit Cif(const std::string& path) : path_(path) {
    text_ = io::read_text(path);
    auto source = std::make_shared<SourceText>();
    source->file = path;
    std::istringstream lines(text_);
    for (std::string line; std::getline(lines, line);) source->lines.push_back(line);
    source_ = source;
    parse();
  }

  CrystalFile crystal() {
    read_cell();
    read_operations();
    put_identity_first();
    read_sites();
    read_moments();
    expand();
    file_.program = has_moments_ ? "magnetic CIF" : "CIF";
    file_.title = title();
    file_.crystal.name = "given";
    return std::move(file_);
  }

 private:
  void parse() {
    try {
      document_ = cif::read_memory(text_.data(), text_.size(), path_.c_str());
    } catch (const tao::pegtl::parse_error& error) {
      const auto& place = error.positions().front();
      throw InputError("this is not CIF: " + std::string(error.message()),
                       mark_of(static_cast<int>(place.line)).position(),
                       "correct the syntax of the line");
    } catch (const std::runtime_error& error) {
      throw InputError("this is not CIF: " + std::string(error.what()), mark_of(1).position(),
                       "give each tag once, and each tag a value");
    }
    std::string others;
    for (const cif::Block& block : document_.blocks) {
      block_ = &block;
      if (!column("_atom_site_fract_x")) continue;
      if (chosen_ == nullptr)
        chosen_ = &block;
      else
        others += (others.empty() ? "" : ", ") + block.name;
    }
    if (chosen_ == nullptr)
      throw InputError("the file has no atoms: no data block has _atom_site_fract_x",
                       mark_of(1).position(), "give a CIF of a crystal structure");
    block_ = chosen_;
    if (!others.empty())
      file_.notes.push_back("the crystal is data_" + block_->name +
                            "; further crystals of the file are not read: " + others);
  }

  SourceMark mark_of(int line) const { return {source_, line, 1}; }
  SourceMark mark_of(const Column& it) const { return mark_of(it.item->line_number); }

  /// The first line behind the beginning of the loop that has a row's text as a word.
  SourceMark mark_of_word(const Column& it, std::size_t row) const {
    const std::string word = it.text(row);
    const auto first = static_cast<std::size_t>(std::max(it.item->line_number, 1) - 1);
    for (std::size_t n = first; n < source_->lines.size(); ++n) {
      std::istringstream words(source_->lines[n]);
      for (std::string found; words >> found;)
        if (found == word) return mark_of(static_cast<int>(n) + 1);
    }
    return mark_of(it);
  }

  /// The column with one of these tags, which are in small letters with "_" for ".".
  Column column(std::initializer_list<const char*> tags) const {
    for (const char* tag : tags)
      for (const cif::Item& item : block_->items) {
        if (item.type == cif::ItemType::Pair && plain_tag(item.pair[0]) == tag) return {&item, 0};
        if (item.type != cif::ItemType::Loop) continue;
        for (std::size_t n = 0; n < item.loop.tags.size(); ++n)
          if (plain_tag(item.loop.tags[n]) == tag && !item.loop.values.empty()) return {&item, n};
      }
    return {};
  }
  Column column(const char* tag) const { return column({tag}); }

  Column required(const char* tag) const {
    const Column found = column(tag);
    if (!found)
      throw InputError(
          fmt::format("the CIF lacks {}", tag),
          mark_of(block_->items.empty() ? 1 : block_->items.front().line_number).position(),
          "add this value");
    return found;
  }

  /// A column that is missing has no rows to compare.
  void require_rows_of(const Column& first, const Column& other) const {
    if (!other || other.rows() == first.rows()) return;
    throw InputError(fmt::format("{} has {} values, and {} has {}", tag_of(first), first.rows(),
                                 tag_of(other), other.rows()),
                     mark_of(other).position(), "write both as columns of one loop");
  }

  double number(const Column& it, std::size_t row, const SourceMark& mark) const {
    const std::string text = it.text(row);
    const double value = cif::as_number(text);
    if (!std::isfinite(value))
      throw InputError(fmt::format("\"{}\" is not a number", text), mark.position(),
                       "write a number such as 0.25 or 0.2500(3)");
    return value;
  }

  void read_cell() {
    const char* const tags[6] = {"_cell_length_a",    "_cell_length_b",   "_cell_length_c",
                                 "_cell_angle_alpha", "_cell_angle_beta", "_cell_angle_gamma"};
    double value[6];
    for (std::size_t n = 0; n < 6; ++n) {
      const Column it = required(tags[n]);
      value[n] = number(it, 0, mark_of(it));
      if (n == 0) file_.of_cell = mark_of(it);
      if (value[n] <= 0 || (n > 2 && value[n] >= 180))
        throw InputError(fmt::format("{} is {:g}", tags[n], value[n]), mark_of(it).position(),
                         n > 2 ? "give an angle between 0 and 180 degrees" : "give a length");
    }
    const auto cosine = [](double degrees) {
      const double c = std::cos(degrees * std::numbers::pi / 180);
      return std::abs(c) < 1e-15                     ? 0
             : std::abs(2 * std::abs(c) - 1) < 1e-15 ? std::copysign(0.5, c)
                                                     : c;
    };
    const double ca = cosine(value[3]), cb = cosine(value[4]), cg = cosine(value[5]);
    const double sg = std::sqrt(1 - cg * cg);
    const double y = (ca - cb * cg) / sg, square = 1 - cb * cb - y * y;
    if (square <= 0)
      throw InputError("no cell has these three angles", file_.of_cell.position(),
                       "correct _cell_angle_alpha, _cell_angle_beta and _cell_angle_gamma");
    file_.crystal.cell = {{{value[0], 0, 0},
                           {value[1] * cg, value[1] * sg, 0},
                           {value[2] * cb, value[2] * y, value[2] * std::sqrt(square)}}};
    cell_ = Mat3<double>{{file_.crystal.cell[0], file_.crystal.cell[1], file_.crystal.cell[2]}}
                .transposed();
    to_fraction_ = symmetry::inverse(cell_);
  }

  /// The operation of a text such as "-y,x-y,z+1/3" or, with time reversal, "x,y,z,-1".
  MagneticOperation parsed(const std::string& text, const SourceMark& mark, bool has_time) const {
    std::string triplet = text;
    double time = 1;
    if (has_time) {
      const std::size_t comma = text.rfind(',');
      const std::string last = comma == std::string::npos ? "" : text.substr(comma + 1);
      if (std::ranges::count(text, ',') == 3) {
        time = std::strtod(last.c_str(), nullptr);
        triplet = text.substr(0, comma);
      }
      if (std::abs(time) != 1)
        throw InputError(fmt::format("\"{}\" has no time reversal +1 or -1", text), mark.position(),
                         "write for instance x,y,z,+1");
    }
    try {
      return operation_of(gemmi::parse_triplet(triplet), time);
    } catch (const std::runtime_error&) {
      throw InputError(fmt::format("\"{}\" is not an operation of symmetry", text), mark.position(),
                       "write for instance -y,x-y,z+1/3");
    }
  }

  std::vector<MagneticOperation> parsed(const Column& it, const Column& time) const {
    std::vector<MagneticOperation> operations;
    require_rows_of(it, time);
    for (std::size_t row = 0; row < it.rows(); ++row) {
      const std::string text = it.text(row);
      const bool is_magnetic = plain_tag(tag_of(it)).find("magn") != std::string::npos;
      MagneticOperation operation = parsed(text, mark_of(it), is_magnetic);
      if (time) operation.time = number(time, row, mark_of(time));
      if (std::abs(operation.time) != 1)
        throw InputError("the time reversal of an operation is neither +1 nor -1",
                         mark_of(time).position(), "write +1 or -1");
      operations.push_back(operation);
    }
    return operations;
  }

  static std::string tag_of(const Column& it) {
    return it.item->type == cif::ItemType::Loop ? it.item->loop.tags[it.number] : it.item->pair[0];
  }

  void read_operations() {
    if (const Column magnetic = column("_space_group_symop_magn_operation_xyz")) {
      is_magnetic_ = true;
      operations_ = parsed(magnetic, column("_space_group_symop_magn_operation_timereversal"));
      if (const Column centring = column("_space_group_symop_magn_centering_xyz")) {
        std::vector<MagneticOperation> all;
        for (const MagneticOperation& more :
             parsed(centring, column("_space_group_symop_magn_centering_timereversal")))
          for (const MagneticOperation& it : operations_)
            all.push_back({symmetry::product(more.rotation, it.rotation),
                           more.rotation * it.translation + more.translation, more.time * it.time});
        operations_ = all;
      }
      return;
    }
    if (const Column plain =
            column({"_space_group_symop_operation_xyz", "_symmetry_equiv_pos_as_xyz"})) {
      operations_ = parsed(plain, {});
      return;
    }
    read_named_group();
  }

  /// Then the first image of a site is the site itself.
  void put_identity_first() {
    std::stable_partition(operations_.begin(), operations_.end(), [](const MagneticOperation& it) {
      return it.rotation == symmetry::identity &&
             length(nearest_fraction_of(it.translation)) < 1e-6;
    });
    if (!(operations_.front().rotation == symmetry::identity))
      throw InputError("the operations of the symmetry lack the identity", file_.of_cell.position(),
                       "add x,y,z to their loop");
    require_isometries();
  }

  Mat3<double> cartesian_rotation(const MagneticOperation& it) const {
    return symmetry::product(symmetry::product(cell_, it.rotation), to_fraction_);
  }

  /// Operations of another setting would make more atoms than the crystal has.
  void require_isometries() const {
    constexpr double tolerance = 1e-2;
    for (const MagneticOperation& it : operations_) {
      const Mat3<double> turn = cartesian_rotation(it);
      const Mat3<double> identity = symmetry::product(turn.transposed(), turn);
      for (std::size_t i = 0; i < 3; ++i)
        if (length(identity.row[i] - symmetry::identity.row[i]) > tolerance)
          throw InputError(
              "the cell does not have the symmetry that the file names", file_.of_cell.position(),
              "name the setting of the space group, such as \"R -3 m :R\" or \"F d -3 m "
              ":2\", or add a loop of _space_group_symop_operation_xyz");
    }
  }

  /// A symbol or number of a space group, which tables of gemmi turn into operations.
  void read_named_group() {
    const gemmi::SpaceGroup* group = nullptr;
    if (const Column name = column({"_space_group_name_h-m_alt", "_symmetry_space_group_name_h-m",
                                    "_space_group_name_h-m_full"}))
      if (group = gemmi::find_spacegroup_by_name(name.text(0));
          group != nullptr && group->ext != 0 && name.text(0).find(':') == std::string::npos)
        file_.notes.push_back(fmt::format(
            "the space group {} has several settings, and {} is taken. If the positions belong to "
            "another one, write it behind a colon",
            name.text(0), group->xhm()));
    const Column hall = column({"_space_group_name_hall", "_symmetry_space_group_name_hall"});
    if (group == nullptr && hall) {
      try {
        require_hall_words(hall.text(0));
        add_group(gemmi::symops_from_hall(hall.text(0).c_str()));
        return;
      } catch (const std::runtime_error&) {
        throw InputError(fmt::format("\"{}\" is not a symbol of Hall", hall.text(0)),
                         mark_of(hall).position(),
                         "add a loop of _space_group_symop_operation_xyz with all operations");
      }
    }
    const Column of_table = column({"_space_group_it_number", "_symmetry_int_tables_number"});
    if (group == nullptr && of_table) {
      group = gemmi::find_spacegroup_by_number(std::atoi(of_table.text(0).c_str()));
      if (group != nullptr)
        file_.notes.push_back(fmt::format(
            "the file gives only the number of its space group: the setting is taken as {}",
            group->xhm()));
    }
    if (group == nullptr)
      throw InputError("the CIF gives no symmetry that is known", file_.of_cell.position(),
                       "add a loop of _space_group_symop_operation_xyz with all operations");
    add_group(group->operations());
  }

  void add_group(const gemmi::GroupOps& group) {
    for (const gemmi::Op& op : group.all_ops_sorted()) operations_.push_back(operation_of(op, 1));
  }

  static std::string element_of(const std::string& symbol) {
    std::string letters;
    for (const char c : symbol) {
      if (!std::isalpha(static_cast<unsigned char>(c)) || letters.size() == 2) break;
      letters += static_cast<char>(letters.empty() ? std::toupper(c) : std::tolower(c));
    }
    while (!letters.empty() && gemmi::find_element(letters.c_str()) == gemmi::El::X)
      letters.pop_back();
    return letters.empty() ? symbol : letters;
  }

  void read_sites() {
    const Column label = required("_atom_site_label"), x = required("_atom_site_fract_x"),
                 y = required("_atom_site_fract_y"), z = required("_atom_site_fract_z");
    const Column symbol = column("_atom_site_type_symbol");
    const Column occupancy = column("_atom_site_occupancy");
    for (const Column& other : {x, y, z, symbol, occupancy}) require_rows_of(label, other);
    for (std::size_t row = 0; row < label.rows(); ++row) {
      Site site;
      site.label = label.text(row);
      site.mark = mark_of_word(label, row);
      if (x.text(row).empty()) {
        file_.notes.push_back("site " + site.label + " has no position and is left out");
        continue;
      }
      site.species = element_of(symbol ? symbol.text(row) : site.label);
      site.fractional = {number(x, row, site.mark), number(y, row, site.mark),
                         number(z, row, site.mark)};
      const std::string share = occupancy ? occupancy.text(row) : "1";
      const bool is_known = occupancy && !share.empty();
      if (is_known && number(occupancy, row, site.mark) < 1)
        file_.notes.push_back(fmt::format(
            "site {} has the occupancy {}: all its places are taken as occupied, and [[alloy]] "
            "can replace atoms",
            site.label, share));
      sites_.push_back(site);
    }
  }

  void read_moments() {
    const Column label = column("_atom_site_moment_label");
    if (!label) return;
    if (!is_magnetic_)
      throw InputError("the file has moments, but no magnetic symmetry", mark_of(label).position(),
                       "add a loop of _space_group_symop_magn_operation.xyz with time reversal");
    const Column x = required("_atom_site_moment_crystalaxis_x"),
                 y = required("_atom_site_moment_crystalaxis_y"),
                 z = required("_atom_site_moment_crystalaxis_z");
    for (const Column& other : {x, y, z}) require_rows_of(label, other);
    for (std::size_t row = 0; row < label.rows(); ++row) {
      const std::string name = label.text(row);
      const auto site = std::ranges::find(sites_, name, &Site::label);
      if (site == sites_.end())
        throw InputError("the moment of \"" + name + "\" belongs to no site",
                         mark_of(label).position(), "name a label of _atom_site_label");
      // Components along the unit vectors of a, b and c.
      const double m[3] = {number(x, row, mark_of(label)), number(y, row, mark_of(label)),
                           number(z, row, mark_of(label))};
      for (std::size_t d = 0; d < 3; ++d) {
        const Point& a = file_.crystal.cell[d];
        site->moment += (m[d] / length(a)) * a;
      }
      site->has_moment = true;
    }
    has_moments_ = true;
  }

  Point turned(const MagneticOperation& it, const Point& moment) const {
    return (it.time * symmetry::determinant(it.rotation)) * (cartesian_rotation(it) * moment);
  }

  /// Moves a site onto its symmetry elements, and its moment into the allowed directions.
  void make_symmetric(Site& site) const {
    Point place{0, 0, 0}, moment{0, 0, 0};
    double count = 0;
    for (const MagneticOperation& it : operations_) {
      const Point moved = nearest_fraction_of(it.image(site.fractional) - site.fractional);
      if (length(cell_ * moved) > same_place) continue;
      place += moved;
      moment += turned(it, site.moment);
      ++count;
    }
    site.fractional += (1 / count) * place;
    moment = (1 / count) * moment;
    if (length(moment - site.moment) > 0.02 * length(site.moment))
      throw InputError("the symmetry of site " + site.label + " forbids its moment",
                       site.mark.position(),
                       "correct the moment or the operations of the magnetic symmetry");
    site.moment = moment;
  }

  void expand() {
    for (Site& site : sites_) {
      make_symmetric(site);
      const std::size_t first = file_.crystal.basis.size();
      for (const MagneticOperation& it : operations_) {
        const Point f = into_cell(it.image(site.fractional));
        const auto at = [&](std::size_t n) {
          return length(cell_ * nearest_fraction_of(file_.crystal.basis[n].fractional - f)) <
                 same_place;
        };
        bool is_known = false;
        for (std::size_t n = 0; n < file_.crystal.basis.size() && !is_known; ++n) {
          is_known = at(n);
          if (is_known && n < first)
            throw InputError("site " + site.label + " lies at the place of another site",
                             site.mark.position(),
                             "keep one of them, and describe mixed sites by [[alloy]]");
        }
        if (is_known) continue;
        if (file_.crystal.basis.size() == most_atoms)
          throw InputError(fmt::format("the cell has more than {} atoms", most_atoms),
                           site.mark.position(), "give a smaller crystal");
        const Point moment = turned(it, site.moment);
        file_.crystal.basis.push_back({f, site.species, 1});
        file_.marks.push_back(site.mark);
        if (has_moments_) file_.moments.push_back(site.has_moment ? moment : Point{0, 0, 0});
      }
    }
    if (file_.crystal.basis.empty())
      throw InputError("the file has no atoms", file_.of_cell.position(), "give sites");
  }

  std::string title() const {
    for (const char* tag :
         {"_chemical_formula_sum", "_chemical_name_systematic", "_chemical_formula_structural"})
      if (const Column it = column(tag); it && it.text(0) != "?" && it.text(0) != ".")
        return it.text(0);
    return block_->name;
  }

  std::string path_, text_;
  std::shared_ptr<const SourceText> source_;
  cif::Document document_;
  const cif::Block* block_ = nullptr;
  const cif::Block* chosen_ = nullptr;
  CrystalFile file_;
  Mat3<double> cell_{}, to_fraction_{};  ///< columns of `cell_` are vectors
  std::vector<MagneticOperation> operations_;
  bool is_magnetic_ = false, has_moments_ = false;
  std::vector<Site> sites_;
};

}  // namespace

bool is_cif(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".cif" || ending == ".mcif") return true;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line) && line.size() < 2048;) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] == '#') continue;
    std::string word = line.substr(first, 5);
    for (char& c : word) c = static_cast<char>(std::tolower(c));
    return word == "data_";
  }
  return false;
}

CrystalFile read_cif_crystal(const std::string& path) { return Cif(path).crystal(); }

Import read_cif(const std::string& path, const ImportOptions&) {
  const CrystalFile file = read_crystal(path);
  return study_of(file, with_spins(file, {}));
}

}  // namespace larmor::imports
