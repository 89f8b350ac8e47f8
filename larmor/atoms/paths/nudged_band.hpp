#pragma once
// The minimum-energy path of atoms in a fixed box, by the nudged elastic band with a climbing image
// (G. Henkelman, B. P. Uberuaga, H. Jonsson, J. Chem. Phys. 113, 9901 (2000); tangents: G.
// Henkelman, H. Jonsson, J. Chem. Phys. 113, 9978 (2000)). The images of the path are the replicas
// of one state, so one evaluation of the force field serves all images. With the forces f of an
// image, the unit tangent t, and the way d along the path to the balance of the springs, the image
// moves by
//
//   F = f - (f.t) t + k d t,   climbing image: F = f - 2 (f.t) t.
//
// Both ends have no force. FIRE (minimisers/fire.hpp) moves all images as one system: if each image
// had its own velocity and stopped by its own power, waves along the chain of springs would decay
// slowly.

#include <memory>

#include "larmor/atoms/minimisers/fire.hpp"
#include "larmor/paths/geometry.hpp"

namespace larmor::atoms {

struct BandSettings {
  /// Stiffness of springs next to the highest image relative to those at the ends.
  double spring_ratio = 1;
  /// Largest force across the path on an atom at convergence, eV/Angstrom. If an image climbs, this
  /// is the tolerance of its whole force, and all other images have ten times this tolerance.
  double tolerance = 1e-3;
  double max_step = 0.1;  ///< longest displacement of an atom in a step, Angstrom
  bool climb = true;
};

/// The forces F of all images, from the forces of a force field. The images are the replicas of one
/// state, and their atoms are also a single replica of a joint state, which FIRE moves.
class BandForces : public ForceField {
 public:
  BandForces(const AtomLayout& layout, const BandSettings& settings, int threads);

  /// @param images, field outlive the evaluations
  void use(AtomState& images, ForceField& field) {
    images_ = &images;
    field_ = &field;
  }
  /// Moves the images to the joint positions. The joint energy becomes the sum of all energies, and
  /// the joint forces become F.
  void evaluate(AtomState& joint) override;

  const paths::NebPath& path() const { return path_; }
  /// The largest force on an atom of each image, without springs. [images]
  const std::vector<double>& largest_forces() const { return largest_force_; }
  /// @param image the image that climbs at the next evaluation; 0: none
  void let_climb(std::size_t image) { path_.climbing = image; }

 private:
  void find_tangents();
  void set_forces(AtomState& joint);
  void add_along_path(const std::vector<double>& length, AtomState& joint) const;

  AtomState* images_ = nullptr;
  ForceField* field_ = nullptr;
  BandSettings settings_;
  int threads_;
  paths::NebPath path_;
  std::vector<double> largest_force_;
};

class NudgedBand {
 public:
  /// @param layout one replica for each image, with equally many atoms
  NudgedBand(const AtomLayout& layout, const BandSettings& settings, int threads);

  /// Begins at the images of the state.
  void start(AtomState& images, ForceField& field);
  /// Makes at most `iterations` steps, each with one evaluation of all images.
  /// @return the number of steps
  Index run(AtomState& images, ForceField& field, Index iterations);
  /// Evaluates images that the caller has moved.
  void evaluate(AtomState& images, ForceField& field);

  bool converged() const;
  /// Has the climbing image converged?
  bool saddle_converged() const;
  /// Energies, distances, tangents and slopes of the images.
  const paths::NebPath& path() const { return forces_.path(); }
  /// The largest force on an atom of each image, without springs, eV/Angstrom: across the path; for
  /// the climbing image the whole force. [images]
  const std::vector<double>& forces() const { return forces_.largest_forces(); }
  double largest_force() const;

  /// All numbers of the band, without the positions of the images. FORMAT: in checkpoints.
  std::vector<double> save() const;
  /// Continues a saved band. @param images with the positions that they had at `save`
  void load(std::span<const double> saved, AtomState& images, ForceField& field);

 private:
  bool select_climbing_image();
  bool climbing_is_highest() const;

  BandSettings settings_;
  BandForces forces_;
  AtomState joint_;  ///< all images as one replica
  Fire fire_;
  Index steps_ = 0;
  Index reselection_step_ = 0;  ///< step from which another image may climb
};

/// Bytes of the work arrays. @param atoms those of all images
double band_bytes(Index atoms);

}  // namespace larmor::atoms
