#include "larmor/fitting/fitsnap_input.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "larmor/core/input/suggest.hpp"
#include "larmor/io/files/text_rows.hpp"
#include "larmor/io/files/toml.hpp"

namespace larmor::fitting {
namespace {

namespace fs = std::filesystem;

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

/// A line `key = value` of a section.
struct Entry {
  std::string section, key, value;
  SourcePosition where;

  std::vector<std::string> words() const {
    const io::TextRow row(where.file, where.line, value);
    std::vector<std::string> words;
    for (std::size_t n = 0; n < row.columns(); ++n) words.emplace_back(row.word(n));
    return words;
  }
  double number() const { return io::parse_real(value, key, where); }
  std::vector<double> numbers() const {
    std::vector<double> numbers;
    for (const std::string& word : words()) numbers.push_back(io::parse_real(word, key, where));
    return numbers;
  }
  Index integer() const { return io::TextRow(where.file, where.line, value).integer(0, key); }
  bool flag() const {
    std::string word = value;
    std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
    if (std::set<std::string>{"1", "y", "yes", "t", "true", "on"}.contains(word)) return true;
    if (std::set<std::string>{"0", "n", "no", "f", "false", "off"}.contains(word)) return false;
    throw InputError(key + " is '" + value + "'", where, "write 0 or 1");
  }
  [[noreturn]] void refuse(const std::string& remedy) const {
    throw InputError(key + " = " + value + " is not possible here", where, remedy);
  }
};

/// All lines `key = value`, in their order.
std::vector<Entry> entries_of(const std::string& path) {
  std::vector<Entry> entries;
  io::TextRowReader reader(path);
  std::string section;
  while (reader.next()) {
    const io::TextRow& row = reader.row();
    const std::string& whole = row.text();
    const std::string text = trimmed(whole.substr(0, whole.find('#')));
    if (text.empty() || text.front() == ';') continue;
    if (text.front() == '[' && text.back() == ']') {
      section = text.substr(1, text.size() - 2);
      continue;
    }
    const std::size_t equals = text.find_first_of("=:");
    if (equals == std::string::npos || section.empty())
      throw InputError("the line is not `key = value` in a [SECTION]", row.position(0),
                       "write [SECTION], and lines key = value below it");
    Entry entry{section, trimmed(text.substr(0, equals)), trimmed(text.substr(equals + 1)),
                row.position(0)};
    const auto before = std::ranges::find_if(entries, [&](const Entry& other) {
      return other.section == entry.section && other.key == entry.key;
    });
    if (before != entries.end())
      throw InputError(
          entry.key + " is given twice, first in line " + std::to_string(before->where.line),
          entry.where, "give it once");
    entries.push_back(std::move(entry));
  }
  return entries;
}

using Read = std::function<void(const Entry&)>;
using Keys = std::map<std::string, Read>;

class Input {
 public:
  Input(const std::string& path, const std::string& data) : path_(path), data_(data) {
    settings_.file = path;
    settings_.text = io::read_text(path);
    settings_.stress = *stress_unit("bar");
    settings_.turns_to_lammps = true;
    settings_.solver.method = Method::svd;
    settings_.form.parameters.rcutfac = default_rcutfac;
    settings_.form.parameters.twojmax = default_twojmax;
    settings_.form.parameters.bzeroflag = false;
    settings_.solver.where = {path, 0, 0, ""};
    for (const Entry& entry : entries_of(path)) read(entry);
    finish_form();
    finish_reference();
    finish_groups();
  }

  Settings settings() && { return std::move(settings_); }

 private:
  static constexpr double default_rcutfac = 4.67637;
  static constexpr int default_twojmax = 6;

  // Functions for keys.

  Read ignored() {
    return [this](const Entry& entry) {
      settings_.ignored.push_back("[" + entry.section + "] " + entry.key);
    };
  }
  /// A flag that must be 0. @param remedy advice if it is 1
  static Read off(const std::string& remedy) {
    return [remedy](const Entry& entry) {
      if (entry.flag()) entry.refuse(remedy);
    };
  }
  /// A word that must be one of these. @param remedy advice for others
  static Read word(std::set<std::string> allowed, const std::string& remedy) {
    return [allowed = std::move(allowed), remedy](const Entry& entry) {
      if (!allowed.contains(entry.value)) entry.refuse(remedy);
    };
  }
  Read number(double atoms::snap::SnapParameters::*member, bool may_be_zero) {
    return [=, this](const Entry& entry) {
      const double value = entry.number();
      if (value < 0 || (value == 0 && !may_be_zero))
        throw InputError(entry.key + " is " + entry.value, entry.where,
                         may_be_zero ? "write a number of at least 0" : "write a number above 0");
      settings_.form.parameters.*member = value;
    };
  }
  Read flag(bool atoms::snap::SnapParameters::*member) {
    return [=, this](const Entry& entry) { settings_.form.parameters.*member = entry.flag(); };
  }
  Read use(Kind kind) {
    return [=, this](const Entry& entry) {
      settings_.uses[static_cast<std::size_t>(kind)] = entry.flag();
    };
  }
  template <class T>
  static Read into(T& member) {
    return [&member](const Entry& entry) { member = entry; };
  }

  Keys bispectrum_keys() {
    using P = atoms::snap::SnapParameters;
    return {{"numTypes", into(types_)},
            {"twojmax", [this](const Entry& entry) { read_order(entry); }},
            {"rcutfac", number(&P::rcutfac, false)},
            {"rfac0", number(&P::rfac0, false)},
            {"rmin0", number(&P::rmin0, true)},
            {"wj", into(weights_)},
            {"radelem", into(radii_)},
            {"type", into(names_)},
            {"wselfallflag", flag(&P::wselfallflag)},
            {"chemflag", flag(&P::chemflag)},
            {"bzeroflag", flag(&P::bzeroflag)},
            {"quadraticflag", flag(&P::quadraticflag)},
            {"bnormflag", flag(&P::bnormflag)},
            {"switchflag", flag(&P::switchflag)},
            {"switchinnerflag", flag(&P::switchinnerflag)},
            {"sinner", into(inner_middles_)},
            {"dinner", into(inner_widths_)},
            {"bikflag", off("write 0: rows are those of whole configurations")},
            {"dgradflag", off("write 0: the potential is linear in its coefficients")}};
  }

  Keys calculator_keys() {
    return {{"calculator", word({"LAMMPSSNAP"}, "write LAMMPSSNAP: Larmor fits SNAP")},
            {"energy", use(Kind::energy)},
            {"force", use(Kind::force)},
            {"stress", use(Kind::stress)},
            {"per_atom_energy", off("write 0: energies are those of whole configurations")},
            {"per_atom_scalar", off("write 0")},
            {"nonlinear", off("write 0: the potential is linear in its coefficients")},
            {"dee", ignored()},
            {"dfe", ignored()},
            {"dse", ignored()}};
  }

  Keys solver_keys() {
    Keys keys{{"solver", [this](const Entry& entry) { read_solver(entry); }}};
    for (const char* key :
         {"normalweight", "normratio", "compute_testerrs", "detailed_errors", "nsam", "cov_nugget",
          "mcmc_num", "mcmc_gamma", "mcmc_sigma", "merr_mult", "merr_method", "merr_cfs"})
      keys[key] = ignored();
    return keys;
  }

  Keys ridge_keys() {
    return {{"alpha",
             [this](const Entry& entry) {
               settings_.solver.alpha = entry.number();
               if (!(settings_.solver.alpha >= 0))
                 throw InputError("alpha is " + entry.value, entry.where,
                                  "write a number of at least 0");
             }},
            {"local_solver", ignored()}};
  }

  Keys scraper_keys() {
    return {{"scraper", [this](const Entry& entry) { read_scraper(entry); }},
            {"save_group_scrape", ignored()},
            {"read_group_scrape",
             [](const Entry& entry) {
               if (entry.value != "None") entry.refuse("leave it out: whole files are read");
             }},
            {"property_array", [](const Entry& entry) {
               entry.refuse("convert the files to eV, Angstrom and bar, and leave it out");
             }}};
  }

  Keys extras_keys() {
    Keys keys{{"only_test", off("write 0, and use `larmor evaluate` for existing coefficients")}};
    for (const char* key :
         {"multinode_testing", "apply_transpose", "dump_descriptors", "dump_truth", "dump_weights",
          "dump_dataframe", "dump_peratom", "dump_perconfig", "dump_configs"})
      keys[key] = ignored();
    return keys;
  }

  Keys outfile_keys() {
    Keys keys{{"output_style", word({"SNAP"}, "write SNAP")},
              {"potential", [this](const Entry& entry) { settings_.potential = entry.value; }}};
    for (const char* key : {"metrics", "metrics_style", "detailed_errors_file", "descriptors",
                            "truth", "weights", "dataframe", "peratom", "perconfig", "configs"})
      keys[key] = ignored();
    return keys;
  }

  Keys keys_of(const std::string& section) {
    if (section == "BISPECTRUM") return bispectrum_keys();
    if (section == "CALCULATOR") return calculator_keys();
    if (section == "SOLVER") return solver_keys();
    if (section == "RIDGE") return ridge_keys();
    if (section == "SCRAPER") return scraper_keys();
    if (section == "EXTRAS") return extras_keys();
    if (section == "OUTFILE") return outfile_keys();
    if (section == "PATH")
      return {{"dataPath", into(data_path_)}, {"groupFile", into(group_file_)}};
    if (section == "MEMORY") return {{"memory", ignored()}, {"override", ignored()}};
    return {};
  }

  void read(const Entry& entry) {
    if (entry.section == "GROUPS") return read_group_entry(entry);
    if (entry.section == "ESHIFT") {
      shifts_.push_back(entry);
      return;
    }
    if (entry.section == "REFERENCE") return read_reference_entry(entry);
    Keys& keys = keys_[entry.section];
    if (keys.empty()) keys = keys_of(entry.section);
    if (keys.empty())
      throw InputError("[" + entry.section + "] is not a section of a fit of SNAP", entry.where,
                       "leave it out; there are BISPECTRUM, CALCULATOR, ESHIFT, SOLVER, RIDGE, "
                       "SCRAPER, PATH, OUTFILE, REFERENCE, GROUPS, EXTRAS, MEMORY");
    const auto known = keys.find(entry.key);
    if (known == keys.end()) {
      std::vector<std::string> names;
      for (const auto& [name, read] : keys) names.push_back(name);
      throw InputError("'" + entry.key + "' is not a key of [" + entry.section + "]", entry.where,
                       hint_and_list(entry.key, names));
    }
    known->second(entry);
  }

  void read_scraper(const Entry& entry) {
    word({"JSON", "XYZ", "xyz"},
         "write JSON or XYZ: convert other files, for instance with ASE")(entry);
    prefers_xyz_ = entry.value != "JSON";
  }

  void read_order(const Entry& entry) {
    const std::vector<double> orders = entry.numbers();
    const double order = orders.empty() ? -1 : orders.front();
    if (std::ranges::count(orders, order) != std::ssize(orders))
      entry.refuse("write one value for all elements");
    if (!(order >= 0) || order != std::floor(order) || order > atoms::snap::most_twojmax)
      throw InputError(
          "twojmax is " + entry.value, entry.where,
          "write a whole number from 0 to " + std::to_string(atoms::snap::most_twojmax));
    settings_.form.parameters.twojmax = static_cast<int>(order);
  }

  void read_solver(const Entry& entry) {
    constexpr double default_alpha = 1e-8;
    settings_.solver.where = entry.where;
    if (entry.value == "SVD") {
      settings_.solver.method = Method::svd;
    } else if (entry.value == "RIDGE") {
      settings_.solver.method = Method::ridge;
      if (settings_.solver.alpha == 0) settings_.solver.alpha = default_alpha;
    } else {
      entry.refuse("write SVD or RIDGE");
    }
  }

  // The elements.

  std::vector<std::string> of_elements(const Entry& entry, std::size_t count) const {
    const std::vector<std::string> words = entry.words();
    if (words.size() != count)
      throw InputError(entry.key + " has " + std::to_string(words.size()) + " of " +
                           std::to_string(count) + " values",
                       entry.where, "write a value for each of the numTypes elements");
    return words;
  }

  void finish_form() {
    const Index count = types_.key.empty() ? 1 : types_.integer();
    if (count < 1) throw InputError("numTypes is " + types_.value, types_.where, "write 1 or more");
    if (names_.key.empty())
      throw InputError("[BISPECTRUM] has no type", SourcePosition{path_, 0, 0, ""},
                       "write type, and the symbols of the elements");
    const auto elements = static_cast<std::size_t>(count);
    for (const std::string& name : of_elements(names_, elements))
      settings_.form.elements.push_back({name, 0.5, 1, {}});
    const auto set = [&](const Entry& entry, const auto& member, bool is_positive) {
      if (entry.key.empty()) return;
      of_elements(entry, elements);
      const std::vector<double> values = entry.numbers();
      for (std::size_t e = 0; e < elements; ++e) {
        if (is_positive && !(values[e] > 0))
          throw InputError(entry.key + " is " + entry.value, entry.where, "write numbers above 0");
        member(e) = values[e];
      }
    };
    atoms::snap::SnapParameters& p = settings_.form.parameters;
    set(
        radii_, [&](std::size_t e) -> double& { return settings_.form.elements[e].radius; }, true);
    set(
        weights_, [&](std::size_t e) -> double& { return settings_.form.elements[e].weight; },
        false);
    if (p.switchinnerflag) {
      constexpr double default_middle = 0.9, default_width = 0.1;
      p.sinner.assign(elements, default_middle);
      p.dinner.assign(elements, default_width);
      set(
          inner_middles_, [&](std::size_t e) -> double& { return p.sinner[e]; }, false);
      set(
          inner_widths_, [&](std::size_t e) -> double& { return p.dinner[e]; }, true);
    }
    settings_.has_constant = !p.bzeroflag;
    complete_form(settings_, names_.where);
    settings_.energy_shift.assign(elements, 0);
    for (const Entry& entry : shifts_) settings_.energy_shift[element_of(entry)] = entry.number();
  }

  std::size_t element_of(const Entry& entry) const {
    std::vector<std::string> names;
    for (const atoms::snap::SnapElement& element : settings_.form.elements)
      names.push_back(element.name);
    const auto found = std::ranges::find(names, entry.key);
    if (found == names.end())
      throw InputError("the fit has no element '" + entry.key + "'", entry.where,
                       hint_and_list(entry.key, names));
    return static_cast<std::size_t>(found - names.begin());
  }

  // The reference potential.

  void read_reference_entry(const Entry& entry) {
    settings_.reference_lines.push_back(
        (entry.key.starts_with("pair_coeff") ? "pair_coeff" : entry.key) + " " + entry.value);
    if (entry.key == "units") {
      if (entry.value != "metal") entry.refuse("convert the set to eV and Angstrom (metal)");
    } else if (entry.key == "atom_style") {
      if (entry.value != "atomic") entry.refuse("write atomic");
    } else if (entry.key == "pair_style") {
      read_pair_style(entry);
    } else if (entry.key.starts_with("pair_coeff")) {
      pair_coefficients_.push_back(entry);
    } else {
      throw InputError("'" + entry.key + "' is not a key of [REFERENCE]", entry.where,
                       "there are units, atom_style, pair_style, pair_coeff1, pair_coeff2, ..");
    }
  }

  void read_pair_style(const Entry& entry) {
    const std::vector<std::string> words = entry.words();
    for (std::size_t n = 0; n < words.size();) {
      const auto needs = [&](std::size_t count) {
        if (n + count >= words.size())
          throw InputError("the pair style " + words[n] + " lacks numbers", entry.where,
                           "write zero CUTOFF, and zbl INNER OUTER");
      };
      if (words[n] == "hybrid/overlay") {
        ++n;
      } else if (words[n] == "zero") {
        needs(1);
        n += 2;
        if (n < words.size() && words[n] == "nocoeff") ++n;
      } else if (words[n] == "zbl") {
        needs(2);
        settings_.reference = Reference{io::parse_real(words[n + 1], "inner", entry.where),
                                        io::parse_real(words[n + 2], "outer", entry.where),
                                        {}};
        style_ = entry;
        n += 3;
      } else {
        throw InputError("the reference '" + words[n] + "' is not possible here", entry.where,
                         "references are zero and zbl, also with hybrid/overlay");
      }
    }
  }

  /// Types of a word such as "2", "*" or "1*2", from 0.
  std::vector<std::int32_t> types_of(const Entry& entry, const std::string& word) const {
    const auto count = static_cast<Index>(settings_.form.elements.size());
    const std::size_t star = word.find('*');
    const auto number = [&](const std::string& digits, Index otherwise) {
      if (digits.empty()) return otherwise;
      // Real numbers may be larger than whole numbers can be.
      const double given = io::parse_real(digits, "the type", entry.where);
      return static_cast<Index>(std::clamp(given, 0.0, static_cast<double>(count + 1)));
    };
    const Index first = number(word.substr(0, star), 1);
    const Index last = star == std::string::npos ? first : number(word.substr(star + 1), count);
    if (first < 1 || last > count || first > last)
      throw InputError("there is no type '" + word + "'", entry.where,
                       "types are numbered from 1 to " + std::to_string(count));
    std::vector<std::int32_t> types;
    for (Index type = first; type <= last; ++type)
      types.push_back(static_cast<std::int32_t>(type - 1));
    return types;
  }

  void finish_reference() {
    for (const Entry& entry : pair_coefficients_) {
      std::vector<std::string> words = entry.words();
      const auto named = std::ranges::find(words, "zbl");
      if (named != words.end()) words.erase(named);
      const bool is_zero = std::ranges::count(words, "zero") > 0 || words.size() < 4;
      if (is_zero && named == words.end()) continue;
      if (words.size() != 4 || !settings_.reference)
        throw InputError("the line is not pair_coeff of zbl or zero", entry.where,
                         "write I J zbl Z_I Z_J");
      for (const std::int32_t i : types_of(entry, words[0]))
        for (const std::int32_t j : types_of(entry, words[1])) {
          const double Z_i = io::parse_real(words[2], "the charge", entry.where);
          const double Z_j = io::parse_real(words[3], "the charge", entry.where);
          settings_.reference->pairs.push_back({i, j, Z_i, Z_j});
          if (i != j) settings_.reference->pairs.push_back({j, i, Z_j, Z_i});
        }
    }
    if (!settings_.reference) return;
    if (settings_.reference->pairs.empty())
      throw InputError("zbl has no pair_coeff", style_.where, "write pair_coeff2 = * * zbl Z Z");
    with_position(style_.where, [&] {
      atoms::Zbl(settings_.reference->inner, settings_.reference->outer,
                 static_cast<std::int32_t>(settings_.form.elements.size()),
                 settings_.reference->pairs);
    });
  }

  // The groups.

  void read_group_entry(const Entry& entry) {
    if (entry.key == "group_sections") {
      columns_ = entry.words();
      if (columns_.empty() || columns_.front() != "name")
        entry.refuse("begin with name, then size or training_size, eweight, fweight, vweight");
    } else if (entry.key == "group_types") {
      types_of_columns_ = entry.words();
    } else if (entry.key == "smartweights") {
      settings_.divides_weights = entry.flag();
    } else if (entry.key == "random_sampling") {
      off("write 0: Python's random numbers cannot be repeated here; the first configurations of "
          "a group train, and the next are tested")(entry);
    } else if (entry.key == "random_seed" || entry.key.starts_with("vasp_")) {
      ignored()(entry);
    } else {
      rows_.push_back(entry);
    }
  }

  /// @param words values of the columns behind the name
  Group group_of(const Entry& entry, const std::vector<std::string>& words) const {
    if (words.size() + 1 != columns_.size())
      throw InputError("group '" + entry.key + "' has " + std::to_string(words.size()) + " of " +
                           std::to_string(columns_.size() - 1) + " values",
                       entry.where, "write a value for each column of group_sections");
    Group group;
    group.name = entry.key;
    group.where = entry.where;
    group.weight = {0, 0, 0};
    bool has_size = false;
    std::array<bool, kinds> has_weight{};
    for (std::size_t n = 0; n < words.size(); ++n) {
      const std::string& column = columns_[n + 1];
      const double value = io::parse_real(words[n], column, entry.where);
      const bool is_integer = n + 1 < types_of_columns_.size() && types_of_columns_[n + 1] == "int";
      if (value < 0)
        throw InputError(column + " of group '" + entry.key + "' is " + words[n], entry.where,
                         "write a number of at least 0");
      const Size size{value, is_integer || value > 1};
      const std::array<std::string, kinds> weights{"eweight", "fweight", "vweight"};
      const auto weight = std::ranges::find(weights, column);
      if (column == "size" || column == "training_size") {
        group.training = size;
        group.tests_rest = column == "size";
        has_size = true;
      } else if (column == "testing_size") {
        group.testing = size;
        group.tests_rest = group.tests_rest && value == 0;
      } else if (weight != weights.end()) {
        group.weight[static_cast<std::size_t>(weight - weights.begin())] = value;
        has_weight[static_cast<std::size_t>(weight - weights.begin())] = true;
      } else {
        throw InputError("'" + column + "' is not a column of groups", entry.where,
                         "there are size, training_size, testing_size, eweight, fweight, vweight");
      }
    }
    for (std::size_t kind = 0; kind < kinds; ++kind)
      if (settings_.uses[kind] && !has_weight[kind])
        throw InputError("group '" + entry.key + "' has no weight of the " + kind_names[kind],
                         entry.where, "name the column in group_sections, and give its value");
    if (!has_size)
      throw InputError("group '" + entry.key + "' has no size", entry.where,
                       "name size or training_size in group_sections");
    return group;
  }

  void read_group_file(const std::string& path) {
    io::TextRowReader reader(path);
    while (reader.next_data()) {
      const io::TextRow row = io::without_comment(path, reader.row());
      std::vector<std::string> words;
      for (std::size_t n = 1; n < row.columns(); ++n) words.emplace_back(row.word(n));
      const Entry entry{"GROUPS", std::string(row.word(0)), "", row.position(0)};
      settings_.groups.push_back(group_of(entry, words));
    }
  }

  std::string relative_to_input(const std::string& name) const {
    return (fs::path(path_).parent_path() / name).string();
  }

  void finish_groups() {
    if (!group_file_.key.empty() && group_file_.value != "None")
      read_group_file(relative_to_input(group_file_.value));
    else
      for (const Entry& entry : rows_) settings_.groups.push_back(group_of(entry, entry.words()));
    if (settings_.groups.empty())
      throw InputError("[GROUPS] has no group", SourcePosition{path_, 0, 0, ""},
                       "write a line for each group");
    const std::string folder =
        !data_.empty() ? data_
                       : relative_to_input(data_path_.key.empty() ? "JSON" : data_path_.value);
    if (!fs::is_directory(folder))
      throw InputError("'" + folder + "' is not a folder",
                       data_path_.key.empty() ? SourcePosition{path_, 0, 0, ""} : data_path_.where,
                       "name the folder of the groups with --data");
    for (Group& group : settings_.groups) group.files = files_of(folder, group);
  }

  /// The JSON files of the folder of a group, or its extended XYZ file. If it has both, the scraper
  /// decides.
  std::vector<std::string> files_of(const std::string& folder, const Group& group) const {
    const std::string place = (fs::path(folder) / group.name).string();
    std::vector<std::string> xyz, json;
    for (const char* ending : {".extxyz", ".xyz"})
      if (xyz.empty() && fs::is_regular_file(place + ending)) xyz.push_back(place + ending);
    if (fs::is_directory(place))
      for (const fs::directory_entry& file : fs::directory_iterator(place))
        if (file.path().extension() == ".json") json.push_back(file.path().string());
    std::ranges::sort(json);
    const bool takes_xyz = !xyz.empty() && (prefers_xyz_ || json.empty());
    if (!takes_xyz && json.empty())
      throw InputError("group '" + group.name + "' has no files in '" + folder + "'", group.where,
                       "write GROUP.xyz, or a folder GROUP of JSON files; --data names the folder "
                       "of all groups");
    return takes_xyz ? xyz : json;
  }

  std::string path_, data_;
  bool prefers_xyz_ = false;
  Settings settings_;
  std::map<std::string, Keys> keys_;
  Entry types_, names_, weights_, radii_, inner_middles_, inner_widths_, data_path_, group_file_,
      style_;
  std::vector<Entry> shifts_, pair_coefficients_, rows_;
  std::vector<std::string> columns_{"name", "size", "eweight", "fweight", "vweight"};
  std::vector<std::string> types_of_columns_{"str", "float", "float", "float", "float"};
};

}  // namespace

Settings read_fitsnap_input(const std::string& path, const std::string& data) {
  return Input(path, data).settings();
}

}  // namespace larmor::fitting
