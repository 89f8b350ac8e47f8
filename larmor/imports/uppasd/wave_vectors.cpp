#include "larmor/imports/uppasd/wave_vectors.hpp"

#include <utility>

namespace larmor::imports::uppasd {
namespace {

/// All wave vectors of the periodic lattice, around 0. Larmor's grid has them from 0 to 1, which is
/// the same for one atom a cell, and needs periodic boundaries. Other lattices get a list.
WaveVectors all_of_lattice(const lattice::Geometry& geometry, const Entry& qpoints) {
  constexpr Index most = 100000;
  WaveVectors points;
  points.where = qpoints.mark();
  const std::array<Index, 3>& size = geometry.size;
  bool periodic = true;
  for (std::size_t d = 0; d < 3; ++d) periodic = periodic && (geometry.periodic[d] || size[d] == 1);
  const bool is_long = geometry.cells() > most;
  points.grid = periodic && (geometry.crystal.basis.size() == 1 || is_long);
  if (points.grid) return points;
  if (is_long)
    qpoints.refuse("qpoints C of a lattice with open boundaries gives " +
                       std::to_string(geometry.cells()) + " wave vectors, which are too many",
                   "set qpoints F, and give the wave vectors by a qfile");
  for (Index z = -((size[2] - 1) / 2); z <= size[2] / 2; ++z)
    for (Index y = -((size[1] - 1) / 2); y <= size[1] / 2; ++y)
      for (Index x = -((size[0] - 1) / 2); x <= size[0] / 2; ++x) {
        points.q.push_back({double(x) / double(size[0]), double(y) / double(size[1]),
                            double(z) / double(size[2])});
        points.marks.push_back(points.where);
      }
  return points;
}

}  // namespace

WaveVectors read_wave_vectors(const InputFile& input, const UppasdCrystal& crystal) {
  const Entry& qpoints = input.require(
      "qpoints", "write `qpoints C` for all wave vectors, or `qpoints F` and a qfile");
  WaveVectors points;
  points.where = qpoints.mark();
  const char kind = qpoints.letter();
  if (kind == 'C') return all_of_lattice(crystal.geometry, qpoints);
  if (kind != 'F' && kind != 'D' && kind != 'I')
    qpoints.refuse("qpoints " + qpoints.word() + " cannot be imported",
                   "write F or D with a qfile, or C for all wave vectors of the lattice");
  const Entry& qfile =
      input.require("qfile", "name the file with the wave vectors: `qfile ./qfile`");
  const DataFile file = input.open(qfile);
  points.where = qfile.mark();
  if (file.rows().empty())
    throw InputError("the file has no wave vectors", file.end(),
                     "write their number, then one a line");
  const Index count = file.rows()[0].integer(0, "the number of wave vectors");
  if (count < 1 || count >= std::ssize(file.rows()))
    throw InputError("the file announces " + std::to_string(count) + " wave vectors, and has " +
                         std::to_string(file.rows().size() - 1),
                     file.rows()[0].position(0), "write their number, then one a line");
  const std::array<Vec3<double>, 3>& cell = crystal.geometry.crystal.cell;
  for (Index n = 1; n <= count; ++n) {
    const io::TextRow& row = file.rows()[static_cast<std::size_t>(n)];
    row.require_columns(3, "qx qy qz");
    Vec3<double> q{row.real(0, "qx"), row.real(1, "qy"), row.real(2, "qz")};
    if (kind != 'D') q = {dot(q, cell[0]), dot(q, cell[1]), dot(q, cell[2])};
    points.q.push_back(q);
    points.marks.push_back(file.mark(row));
  }
  return points;
}

void set_wave_vectors(Value& table, const WaveVectors& points) {
  if (points.grid) return table.set("grid", placed(true, points.where), points.where);
  Value::Array q;
  for (std::size_t n = 0; n < points.q.size(); ++n)
    q.push_back(placed(vector_value(points.q[n]), points.marks[n]));
  table.set("q", placed(Value(std::move(q)), points.where), points.where);
}

}  // namespace larmor::imports::uppasd
