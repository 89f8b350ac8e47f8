#include "larmor/study/kinds/atoms/system/atom_numbers.hpp"

#include "larmor/core/maths/flattened.hpp"

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
  const auto atoms = state.layout.first(replicas);
  const auto of_atoms = [&](const std::vector<Vec3<double>>& vectors) {
    return flattened({vectors.begin(), vectors.begin() + atoms});
  };
  std::vector<Vec3<double>> boxes;
  for (Index r = 0; r < replicas; ++r)
    for (const Vec3<double>& v : state.box[static_cast<std::size_t>(r)].vectors) boxes.push_back(v);
  return {of_atoms(state.position), of_atoms(state.velocity), flattened(boxes)};
}

void set_numbers(atoms::AtomState& state, const AtomNumbers& numbers) {
  state.position = vectors_of(numbers.positions);
  state.velocity = vectors_of(numbers.velocities);
  const std::vector<Vec3<double>> boxes = vectors_of(numbers.boxes);
  for (std::size_t r = 0; r < state.box.size(); ++r)
    for (std::size_t d = 0; d < 3; ++d) state.box[r].vectors[d] = boxes[3 * r + d];
}

std::vector<double> potential_energies(const atoms::AtomState& state) { return state.energy; }

std::vector<atoms::Box> boxes_of(const atoms::AtomState& state) { return state.box; }

}  // namespace larmor::study
