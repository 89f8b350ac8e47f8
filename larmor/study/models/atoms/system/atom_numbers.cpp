#include "larmor/study/models/atoms/system/atom_numbers.hpp"

#include "larmor/core/maths/vectors.hpp"

namespace larmor::study {
namespace {

std::vector<Vec3<double>> vectors_of(const std::vector<double>& numbers) {
  std::vector<Vec3<double>> vectors;
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3)
    vectors.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
  return vectors;
}

}  // namespace

AtomNumbers numbers_of(const atoms::AtomState& state, Index replicas) {
  const Index count = state.layout.first(replicas);
  const auto of_atoms = [&](const atoms::AtomArray<Vec3<double>>& array) {
    std::vector<Vec3<double>> vectors = array.to_host();
    vectors.resize(static_cast<std::size_t>(count));
    return flattened(vectors);
  };
  const std::vector<atoms::Box> all = boxes_of(state);
  std::vector<Vec3<double>> boxes;
  for (Index r = 0; r < replicas; ++r)
    for (const Vec3<double>& v : all[static_cast<std::size_t>(r)].vectors) boxes.push_back(v);
  return {of_atoms(state.position), of_atoms(state.velocity), flattened(boxes)};
}

void set_numbers(atoms::AtomState& state, const AtomNumbers& numbers) {
  state.position = vectors_of(numbers.positions);
  state.velocity = vectors_of(numbers.velocities);
  const std::vector<Vec3<double>> vectors = vectors_of(numbers.boxes);
  std::vector<atoms::Box> boxes = boxes_of(state);
  for (std::size_t r = 0; r < boxes.size(); ++r)
    for (std::size_t d = 0; d < 3; ++d) boxes[r].vectors[d] = vectors[3 * r + d];
  state.box = boxes;
}

std::vector<double> potential_energies(const atoms::AtomState& state) {
  return state.energy.to_host();
}

std::vector<atoms::Box> boxes_of(const atoms::AtomState& state) { return state.box.to_host(); }

}  // namespace larmor::study
