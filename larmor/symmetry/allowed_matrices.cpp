#include "larmor/symmetry/allowed_matrices.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "larmor/lattice/input.hpp"
#include "larmor/symmetry/matrices.hpp"

namespace larmor::symmetry {
namespace {

constexpr double rounding = 1e-7;

double& entry(Mat3<double>& m, int i, int j) {
  Vec3<double>& row = m.row[i];
  return j == 0 ? row.x : j == 1 ? row.y : row.z;
}

double entry(const Mat3<double>& m, int i, int j) {
  const Vec3<double>& row = m.row[i];
  return j == 0 ? row.x : j == 1 ? row.y : row.z;
}

double largest_of(const Mat3<double>& m) {
  double largest = 0;
  for (const Vec3<double>& r : m.row)
    largest = std::max({largest, std::abs(r.x), std::abs(r.y), std::abs(r.z)});
  return largest;
}

/// Places of a matrix whose entries determine a symmetric or an antisymmetric matrix, in the order
/// in which letters are given.
using Places = std::vector<std::array<int, 2>>;
const Places places_of_symmetric{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
const Places places_of_antisymmetric{{1, 2}, {2, 0}, {0, 1}};

/// The reduced row echelon form of matrices, which keeps the space that they span. Rows that are 0
/// are left out.
std::vector<Mat3<double>> reduced(std::vector<Mat3<double>> rows, const Places& places) {
  std::size_t done = 0;
  for (const auto& [i, j] : places) {
    if (done == rows.size()) break;
    const auto pivot =
        std::max_element(rows.begin() + static_cast<std::ptrdiff_t>(done), rows.end(),
                         [&, i = i, j = j](const Mat3<double>& a, const Mat3<double>& b) {
                           return std::abs(entry(a, i, j)) < std::abs(entry(b, i, j));
                         });
    if (std::abs(entry(*pivot, i, j)) < rounding) continue;
    std::iter_swap(rows.begin() + static_cast<std::ptrdiff_t>(done), pivot);
    rows[done] = (1 / entry(rows[done], i, j)) * rows[done];
    for (std::size_t n = 0; n < rows.size(); ++n)
      if (n != done) rows[n] = rows[n] + -entry(rows[n], i, j) * rows[done];
    ++done;
  }
  rows.resize(done);
  for (Mat3<double>& m : rows)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (std::abs(entry(m, i, j)) < rounding) entry(m, i, j) = 0;
  return rows;
}

/// A basis of the symmetric or antisymmetric matrices that the group allows.
std::vector<Mat3<double>> allowed(const std::vector<MatrixOperation>& group, const Places& places,
                                  double sign, bool without_trace) {
  std::vector<Mat3<double>> rows;
  for (const auto& [i, j] : places) {
    Mat3<double> unit{};
    entry(unit, i, j) = 1;
    entry(unit, j, i) = i == j ? 1 : sign;
    if (without_trace) unit = unit + (-trace(unit) / 3) * identity;
    rows.push_back(allowed_part(group, unit));
  }
  return reduced(std::move(rows), places);
}

/// A factor such as "sqrt(3)/2", without its sign.
struct Factor {
  std::string before, behind;  ///< of the letter
};

Factor factor_text(double value) {
  for (const int root : {1, 3, 2, 6})
    for (const int below : {1, 2, 3, 4, 6, 8}) {
      const double above = value / std::sqrt(root) * below;
      const double whole = std::round(above);
      if (whole < 1 || whole > 12 || std::abs(above - whole) > 10 * rounding) continue;
      Factor factor;
      if (whole > 1) factor.before = fmt::format("{:.0f}*", whole);
      if (root > 1) factor.before += fmt::format("sqrt({})*", root);
      if (below > 1) factor.behind = fmt::format("/{}", below);
      return factor;
    }
  return {fmt::format("{:.6g}*", value), ""};
}

std::string sum_text(const std::vector<double>& factors, std::size_t first) {
  std::string text;
  for (std::size_t n = 0; n < factors.size(); ++n) {
    const double value = factors[n];
    if (std::abs(value) < rounding) continue;
    const char* const sign = text.empty() ? (value < 0 ? "-" : "") : (value < 0 ? " - " : " + ");
    const Factor factor = factor_text(std::abs(value));
    text += sign + factor.before + letter(first + n) + factor.behind;
  }
  return text.empty() ? "0" : text;
}

}  // namespace

Mat3<double> MatrixOperation::apply(const Mat3<double>& matrix) const {
  return conjugated(rotation, reverses ? matrix.transposed() : matrix);
}

std::vector<Mat3<double>> MatrixSpace::all() const {
  std::vector<Mat3<double>> basis = symmetric;
  basis.insert(basis.end(), antisymmetric.begin(), antisymmetric.end());
  return basis;
}

Mat3<double> allowed_part(const std::vector<MatrixOperation>& group, const Mat3<double>& matrix) {
  Mat3<double> sum{};
  for (const MatrixOperation& operation : group) sum = sum + operation.apply(matrix);
  return (1 / static_cast<double>(group.size())) * sum;
}

MatrixSpace allowed_exchange(const std::vector<MatrixOperation>& group) {
  return {allowed(group, places_of_symmetric, 1, false),
          allowed(group, places_of_antisymmetric, -1, false)};
}

MatrixSpace allowed_anisotropy(const std::vector<MatrixOperation>& group) {
  return {allowed(group, places_of_symmetric, 1, true), {}};
}

std::optional<MatrixOperation> forbidding(const std::vector<MatrixOperation>& group,
                                          const Mat3<double>& matrix) {
  std::optional<MatrixOperation> worst;
  double largest = lattice::input_tolerance * largest_of(matrix);
  for (const MatrixOperation& operation : group) {
    const double change = largest_of(operation.apply(matrix) + -1.0 * matrix);
    if (change <= largest) continue;
    largest = change * (1 + rounding);
    worst = operation;
  }
  return worst;
}

std::string letter(std::size_t parameter) {
  std::string text(1, static_cast<char>('A' + parameter % 26));
  if (parameter >= 26) text += std::to_string(parameter / 26);
  return text;
}

std::array<std::array<std::string, 3>, 3> with_letters(const std::vector<Mat3<double>>& basis,
                                                       std::size_t first) {
  std::array<std::array<std::string, 3>, 3> entries;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      std::vector<double> factors;
      for (const Mat3<double>& m : basis) factors.push_back(entry(m, i, j));
      entries[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = sum_text(factors, first);
    }
  return entries;
}

std::array<std::string, 3> dmi_with_letters(const std::vector<Mat3<double>>& antisymmetric,
                                            std::size_t first) {
  const auto entries = with_letters(antisymmetric, first);
  return {entries[1][2], entries[2][0], entries[0][1]};
}

std::string matrix_text(const std::array<std::array<std::string, 3>, 3>& entries) {
  std::string text;
  for (const auto& row : entries)
    text += fmt::format("{}[{}, {}, {}]", text.empty() ? "[" : ", ", row[0], row[1], row[2]);
  return text + "]";
}

}  // namespace larmor::symmetry
