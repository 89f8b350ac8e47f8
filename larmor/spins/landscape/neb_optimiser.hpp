#pragma once
// The optimiser of a path: velocity projection of each image, or one L-BFGS of all images. It
// chooses directions and lengths of turns from inner products. The vectors are on the device.

#include <memory>

#include "larmor/spins/landscape/direction.hpp"

namespace larmor::spins {

/// Method of moving images. L-BFGS starts after velocity projection has come close to the path.
enum class NebMethod { velocity_projection, lbfgs };

class NebOptimiser {
 public:
  /// The next turn of all images by L-BFGS.
  struct Step {
    NextDirection direction;
    double length = 0;                     ///< in units of the direction
    double last_length = 0, reflects = 0;  ///< length and reflects of the last turn
  };

  /// @param max_rotation largest rotation of a spin in one step
  NebOptimiser(std::size_t images, double max_rotation)
      : images_(images), max_rotation_(max_rotation) {}

  NebMethod method() const { return method_; }
  /// Starts a method without memory of past steps.
  void use(NebMethod method);
  /// Forgets past steps, so the next directions are along the gradient.
  void restart();
  /// In velocity projection, the last direction of an image is this multiple of the gradient.
  double of_gradient(std::size_t image) const;

  /// The next turn of an image by velocity projection, as a multiple of its gradient.
  /// @param curvature upper estimate of the second derivative of the energy
  /// @param force largest force on a spin of the image
  double next_turn(std::size_t image, const StepProducts& products, double curvature, double force);
  /// The next step of all images by L-BFGS.
  /// @param products sums over all images between the ends
  /// @param place index of the history at which the last step is stored
  Step next_step(const StepProducts& products, double curvature, int place);

  void save(std::vector<double>& out) const;
  /// Removes the numbers from the front of `saved`; call `use` first.
  void load(std::span<const double>& saved);

 private:
  /// The rule of motion of images. With L-BFGS all images have one rule, otherwise each has its
  /// own.
  struct Motion {
    std::unique_ptr<Direction> direction;
    double slope = 0, square = 0;  ///< slope and square of the gradient at the last choice
    double length = 0;             ///< length of the last turn
    bool restarts = true;          ///< is the next direction along the gradient?
  };
  static Step next(Motion& motion, const StepProducts& products, double curvature, int place);

  std::size_t images_;
  double max_rotation_;
  NebMethod method_ = NebMethod::velocity_projection;
  std::vector<Motion> motion_;
};

}  // namespace larmor::spins
