#include "larmor/study/models/spins/system/textures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "larmor/core/error.hpp"
#include "larmor/core/input/lacking_key.hpp"
#include "larmor/core/maths/vectors.hpp"
#include "larmor/lattice/geometry.hpp"

namespace larmor::study {
namespace {

constexpr double pi = std::numbers::pi;
constexpr Vec3<double> z_axis{0, 0, 1};

/// A circular wall. `angle` is the angle between a spin at a distance from the centre and the
/// direction of the surroundings.
struct CircularWall {
  double radius, width;

  /// Is the distance so large that sinh(distance / width) may overflow?
  bool is_beyond(double distance) const { return distance > 300 * width; }
  double angle(double distance) const {
    return 2 * std::atan2(std::sinh(radius / width), std::sinh(distance / width));
  }
};

/// @param texture_name "a skyrmion" @param meaning of its radius
CircularWall circular_wall(const InitialTable& initial, const std::string& texture_name,
                           const std::string& meaning) {
  if (!initial.radius)
    throw LackingKey("radius", InputError(texture_name + " lacks its radius", initial.where,
                                          "give radius = ...: " + meaning));
  return {*initial.radius, initial.width.value_or(*initial.radius / 2)};
}

std::complex<double> power_of(const std::complex<double>& z, Index n) {
  std::complex<double> power = 1;
  for (Index k = 0; k < n; ++k) power *= z;
  return power;
}

/// The wave vectors of the three spirals of a lattice of skyrmions.
using ThreeWaves = std::array<Vec3<double>, 3>;

/// The nearest wave vector of a wave that closes along the periodic lattice vectors.
Vec3<double> closed_wave(const Vec3<double>& q, const lattice::Geometry& geometry) {
  const std::array<Vec3<double>, 3> reciprocal = geometry.crystal.reciprocal();
  Vec3<double> closed{0, 0, 0};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto cells = static_cast<double>(geometry.size[k]);
    const double turns = cells * dot(q, geometry.crystal.cell[k]) / (2 * pi);
    closed += ((geometry.periodic[k] ? std::round(turns) : turns) / cells) * reciprocal[k];
  }
  return closed;
}

ThreeWaves waves_of_lattice(const InitialTable& initial, const lattice::Geometry& geometry) {
  if (!initial.period)
    throw LackingKey("period",
                     InputError("a skyrmion lattice lacks its period", initial.where,
                                "give period = ..., the distance between neighbouring skyrmions"));
  const double q = 4 * pi / (std::sqrt(3.0) * *initial.period);
  const double first = initial.orientation.value_or(0) - pi / 6;
  const auto wave = [&](double angle) {
    return closed_wave({q * std::cos(angle), q * std::sin(angle), 0}, geometry);
  };
  const Vec3<double> a = wave(first), b = wave(first + 2 * pi / 3);
  // `area` is sqrt(3) / 2 for an ideal lattice. Beyond a strain of about a half, the lattice is not
  // the given one.
  const double area = cross(a, b).z / (q * q);
  if (!(area > 0.43 && area < 1.3))
    throw InputError("no skyrmion lattice of this period fits into the periodic lattice",
                     initial.where.of("period"),
                     "give a shorter period, or a lattice with room for whole periods");
  return {a, b, -(a + b)};
}

/// The vector to a position from the centre of a texture of finite size, or from the nearest
/// periodic image of the centre.
std::function<Vec3<double>(const Vec3<double>&)> from_nearest_centre(
    const InitialTable& initial, const lattice::Geometry& geometry) {
  return [centre = centre_of(initial, geometry), &geometry](const Vec3<double>& position) {
    const Vec3<double> d = position - centre, nearest = nearest_image(geometry, d);
    // If the nearest image is the position itself, d keeps its last bits.
    return length(nearest - d) < 1e-6 * length(d) ? d : nearest;
  };
}

}  // namespace

Vec3<double> centre_of(const InitialTable& initial, const lattice::Geometry& geometry) {
  if (initial.centre) return *initial.centre;
  Vec3<double> low = geometry.position(0), high = low;
  for (Index site = 1; site < geometry.sites(); ++site) {
    const Vec3<double> r = geometry.position(site);
    low = {std::min(low.x, r.x), std::min(low.y, r.y), std::min(low.z, r.z)};
    high = {std::max(high.x, r.x), std::max(high.y, r.y), std::max(high.z, r.z)};
  }
  return 0.5 * (low + high);
}

Texture spiral(const InitialTable& initial, const Vec3<double>& direction,
               const lattice::Geometry& geometry) {
  const Vec3<double> e = unit_vector(direction);
  const Vec3<double> n = unit_vector(normal_of(initial));
  if (length(cross(e, n)) < 1e-6)
    throw InputError("a spiral about its own direction does not turn",
                     initial.where.of({"normal", "direction"}),
                     "give a direction that is not along normal, for instance [1, 0, 0]");
  return [e, n, q = initial.q.value_or(Vec3<double>{0, 0, 0}), &geometry](const Vec3<double>& r) {
    const double angle = 2 * pi * dot(q, geometry.crystal.fractional(r));
    return std::cos(angle) * e + std::sin(angle) * cross(n, e) +
           ((1 - std::cos(angle)) * dot(n, e)) * n;
  };
}

TextureFamily domain_walls(const InitialTable& initial, const Vec3<double>& direction,
                           const Vec3<double>& inside, const lattice::Geometry& geometry) {
  const Vec3<double> d = unit_vector(direction);
  return {d,
          [d, inside, n = unit_vector(normal_of(initial)), centre = centre_of(initial, geometry),
           width = *initial.width](double angle) -> Texture {
            const Vec3<double> m = std::cos(angle) * inside + std::sin(angle) * cross(d, inside);
            return [=](const Vec3<double>& r) {
              const double x = dot(n, r - centre) / width;
              return (-std::tanh(x)) * d + (1 / std::cosh(x)) * m;
            };
          }};
}

TextureFamily skyrmions(const InitialTable& initial, double up, const lattice::Geometry& geometry) {
  const CircularWall wall =
      circular_wall(initial, "a skyrmion", "the distance at which spins lie in the plane");
  const Index usual = initial.state == "antiskyrmion" ? -1 : 1;
  return {
      z_axis,
      [=, from_centre = from_nearest_centre(initial, geometry),
       winding = static_cast<double>(initial.winding.value_or(usual))](double helicity) -> Texture {
        return [=](const Vec3<double>& r) {
          const Vec3<double> d = from_centre(r);
          const double rho = std::hypot(d.x, d.y);
          if (wall.is_beyond(rho)) return Vec3<double>{0, 0, up};
          const double theta = wall.angle(rho);
          const double azimuth = winding * std::atan2(d.y, d.x) + helicity;
          return Vec3<double>{std::sin(theta) * std::cos(azimuth),
                              std::sin(theta) * std::sin(azimuth), up * std::cos(theta)};
        };
      }};
}

TextureFamily skyrmion_lattices(const InitialTable& initial, double up,
                                const lattice::Geometry& geometry) {
  const ThreeWaves waves = waves_of_lattice(initial, geometry);
  const Index winding = initial.winding.value_or(1);
  if (winding != 1 && winding != -1)
    throw InputError(
        "the skyrmions of a lattice wind once, but winding = " + std::to_string(winding),
        initial.where.of("winding"), "give 1, or -1 for antiskyrmions");
  return {z_axis, [=, centre = centre_of(initial, geometry)](double helicity) -> Texture {
            ThreeWaves swings;  // in-plane directions of the spins of a spiral
            for (std::size_t n = 0; n < 3; ++n) {
              const double azimuth =
                  static_cast<double>(winding) * std::atan2(waves[n].y, waves[n].x) + helicity;
              swings[n] = {std::cos(azimuth), std::sin(azimuth), 0};
            }
            return [=](const Vec3<double>& r) {
              Vec3<double> sum{0, 0, 0};
              for (std::size_t n = 0; n < 3; ++n) {
                const double phase = dot(waves[n], r - centre);
                sum += std::sin(phase) * swings[n] - Vec3<double>{0, 0, up * std::cos(phase)};
              }
              return unit_vector(sum);
            };
          }};
}

TextureFamily vortices(const InitialTable& initial, double up, const lattice::Geometry& geometry) {
  if (!initial.width)
    throw LackingKey(
        "width",
        InputError("a vortex lacks the width of its core", initial.where,
                   "give width = ...: the core points out of the plane as 1 / cosh(r / width)"));
  return {z_axis,
          [=, width = *initial.width, centre = centre_of(initial, geometry),
           winding = static_cast<double>(initial.winding.value_or(1))](double helicity) -> Texture {
            return [=](const Vec3<double>& r) {
              const Vec3<double> d = r - centre;
              const double rho = std::hypot(d.x, d.y);
              const double azimuth = winding * std::atan2(d.y, d.x) + helicity;
              const double in_plane = std::tanh(rho / width);
              return Vec3<double>{in_plane * std::cos(azimuth), in_plane * std::sin(azimuth),
                                  up / std::cosh(rho / width)};
            };
          }};
}

TextureFamily hopfions(const InitialTable& initial, double up, const lattice::Geometry& geometry) {
  const CircularWall wall = circular_wall(
      initial, "a hopfion", "the radius of the ring of spins that point against direction");
  const Index index = initial.hopf_index.value_or(1);
  if (index == 0)
    throw InputError("a hopfion cannot have the Hopf index 0", initial.where.of("hopf_index"),
                     "give a whole number that is not 0");
  return {z_axis,
          [=, from_centre = from_nearest_centre(initial, geometry)](double helicity) -> Texture {
            const std::complex<double> turn = std::polar(1.0, helicity);
            return [=](const Vec3<double>& position) {
              const Vec3<double> d = from_centre(position);
              const double r = length(d);
              if (r == 0 || wall.is_beyond(r)) return Vec3<double>{0, 0, up};
              const double f = wall.angle(r), s = std::sin(f) / r;
              const std::complex<double> z1(s * d.x, index > 0 ? s * d.y : -s * d.y);
              const std::complex<double> z0(std::cos(f), -s * d.z);
              const std::complex<double> power = power_of(z1, std::abs(index));
              const double norm = std::norm(power) + std::norm(z0);
              const std::complex<double> in_plane = 2.0 * turn * power * std::conj(z0) / norm;
              return Vec3<double>{in_plane.real(), in_plane.imag(),
                                  up * (std::norm(z0) - std::norm(power)) / norm};
            };
          }};
}

}  // namespace larmor::study
