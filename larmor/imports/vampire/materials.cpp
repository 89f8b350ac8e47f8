#include "larmor/imports/vampire/materials.hpp"

#include <algorithm>

namespace larmor::imports::vampire {
namespace {

constexpr Index most_materials = 1000;

bool is_random(const std::string& value) { return value == "random" || value == "true"; }

class MaterialReader {
 public:
  MaterialReader(const std::string& path, std::vector<std::string>& notes)
      : file_{TextLines(path).file_mark()}, keywords_(read_keywords(path), notes), notes_(notes) {}

  Materials read();

 private:
  void require_materials() const;
  const Keyword* find(const char* word, Index number) const {
    return keywords_.find("material:" + std::string(word), number);
  }
  std::string element_of(Index number) const;
  Material material(Index number);
  const Keyword* constant(const char* older, const char* newer, Index number) const;
  void read_anisotropy(Index number, Material& material);
  void read_direction(Index number, Material& material);
  void read_exchange(Materials& materials) const;

  SourceMark file_;
  Keywords keywords_;
  std::vector<std::string>& notes_;
  Index count_ = 1;
};

Materials MaterialReader::read() {
  if (const Keyword* number = keywords_.find("material:num-materials")) {
    count_ = count_of(*number, 1);
    if (count_ > most_materials)
      throw InputError("material:num-materials is too large", number->value_mark.position(),
                       "Vampire has at most 100 materials");
  }
  require_materials();
  Materials materials;
  materials.file_mark = file_;
  for (Index n = 1; n <= count_; ++n) materials.all.push_back(material(n));
  read_exchange(materials);
  return materials;
}

void MaterialReader::require_materials() const {
  for (const Keyword& keyword : keywords_.all()) {
    if (!keyword.name.starts_with("material:"))
      throw InputError(keyword.name + " stands in a material file", keyword.where.position(),
                       "write it into the file `input`");
    if (keyword.name == "material:num-materials") continue;
    if (!keyword.first)
      throw InputError(keyword.name + " lacks the number of its material", keyword.where.position(),
                       "write material[1]" + keyword.name.substr(keyword.name.find(':')));
    for (const std::optional<Index>& number : {keyword.first, keyword.second})
      if (number && *number > count_)
        throw InputError("there is no material " + std::to_string(*number),
                         keyword.where.position(),
                         "material:num-materials is " + std::to_string(count_));
  }
}

std::string MaterialReader::element_of(Index number) const {
  for (const char* word : {"material-element", "material-name"})
    if (const Keyword* keyword = find(word, number); keyword && !keyword->value.empty())
      return keyword->value;
  return "material";
}

Material MaterialReader::material(Index number) {
  Material material;
  material.species = element_of(number);
  for (Index other = 1; other <= count_; ++other)
    if (other != number && element_of(other) == material.species) {
      material.species += std::to_string(number);
      break;
    }
  const Keyword* const moment = find("atomic-spin-moment", number);
  if (moment == nullptr)
    throw InputError(
        "material[" + std::to_string(number) + "] has no atomic-spin-moment", file_.position(),
        "write material[" + std::to_string(number) + "]:atomic-spin-moment = 2.2 !muB");
  material.moment = quantity_of(*moment, Dimension::magnetic_moment, "muB");
  material.moment_mark = moment->where;
  if (material.moment.inner <= 0)
    throw InputError("the moment is not positive", moment->value_mark.position(),
                     "write a positive moment; the spin directions carry its sign");
  if (const Keyword* damping = find("damping-constant", number)) {
    material.damping = number_of(*damping);
    material.damping_mark = damping->where;
    if (material.damping < 0)
      throw InputError("the damping is negative", damping->value_mark.position(),
                       "write a number from 0");
  } else {
    material.damping_mark = file_;
    notes_.push_back("material[" + std::to_string(number) +
                     "] has no damping-constant; Vampire assumes 1");
  }
  if (const Keyword* category = find("unit-cell-category", number))
    if (count_of(*category, 0) != number && count_of(*category, 0) != 0)
      throw InputError("the category is not the number of the material",
                       category->value_mark.position(),
                       "give the atoms of the unit cell the numbers of their materials");
  read_anisotropy(number, material);
  read_direction(number, material);
  return material;
}

/// The constant with an older and a newer name; null if it is 0 or missing.
const Keyword* MaterialReader::constant(const char* older, const char* newer, Index number) const {
  const Keyword *const first = find(older, number), *const second = find(newer, number);
  if (first != nullptr && second != nullptr && number_of(*first) != number_of(*second))
    throw InputError(std::string(older) + " is given twice", second->where.position(),
                     "both names mean the same constant; keep one of the lines");
  const Keyword* const given = second != nullptr ? second : first;
  return given == nullptr || number_of(*given) == 0 ? nullptr : given;
}

void MaterialReader::read_anisotropy(Index number, Material& material) {
  if (const Keyword* cubic =
          constant("cubic-anisotropy-constant", "fourth-order-cubic-anisotropy-constant", number)) {
    Keyword half = *cubic;
    half.value = number_text(0.5 * number_of(*cubic));
    material.half_cubic = quantity_of(half, Dimension::energy, "J");
    material.cubic_mark = cubic->where;
  }
  const Keyword* const uniaxial =
      constant("uniaxial-anisotropy-constant", "second-order-uniaxial-anisotropy-constant", number);
  if (uniaxial == nullptr) return;
  material.anisotropy = quantity_of(*uniaxial, Dimension::energy, "J");
  material.anisotropy_mark = uniaxial->where;
  if (const Keyword* axis = find("uniaxial-anisotropy-direction", number)) {
    if (axis->value.starts_with("random"))
      throw InputError("random axes are not supported", axis->value_mark.position(),
                       "give one axis for each material, such as 0, 0, 1");
    material.axis = direction_of(*axis);
  }
}

void MaterialReader::read_direction(Index number, Material& material) {
  const Keyword* const direction = find("initial-spin-direction", number);
  material.direction_mark = direction != nullptr ? direction->where : file_;
  if (direction == nullptr) return;
  if (is_random(direction->value))
    material.direction.reset();
  else if (direction->value != "false")
    material.direction = direction_of(*direction);
}

/// Each pair of materials with its J. Both orders of two materials must agree.
void MaterialReader::read_exchange(Materials& materials) const {
  for (const Keyword& keyword : keywords_.all()) {
    if (keyword.name != "material:exchange-matrix") continue;
    if (!keyword.second)
      throw InputError("exchange-matrix lacks the number of the other material",
                       keyword.where.position(), "write exchange-matrix[1]");
    const double J = quantity_of(keyword, Dimension::energy, "J").inner * codata_2018.e;
    const auto i = static_cast<int>(*keyword.first - 1), j = static_cast<int>(*keyword.second - 1);
    const auto other = materials.exchange.find({j, i});
    if (i != j && other != materials.exchange.end() && other->second.J != J)
      throw InputError("exchange-matrix is not symmetric", keyword.value_mark.position(),
                       "line " + std::to_string(other->second.where.line) +
                           " has another value for these two materials; write equal values");
    materials.exchange[{i, j}] = {J, keyword.where};
  }
}

}  // namespace

Materials read_materials(const std::string& path, std::vector<std::string>& notes) {
  return MaterialReader(path, notes).read();
}

}  // namespace larmor::imports::vampire
