"""Colours of unit vectors: hue shows the direction in the plane, lightness the normal component.

Hue and lightness are those of OKLCH, in which equal steps look equal: B. Ottosson, "A perceptual
color space for image processing" (2020). Both ends of the normal have a faint tint, so that they
differ from white paper and from black ink.
"""

from __future__ import annotations

import numpy as np

_LMS_FROM_LAB = np.array([[1, 0.3963377774, 0.2158037573],
                          [1, -0.1055613458, -0.0638541728],
                          [1, -0.0894841775, -1.2914855480]])
_RGB_FROM_LMS = np.array([[4.0767416621, -3.3077115913, 0.2309699292],
                          [-1.2684380046, 2.6097574011, -0.3413193965],
                          [-0.0041960863, -0.7034186147, 1.7076147010]])
_DARKEST, _MIDDLE, _LIGHTEST, _CHROMA = 0.25, 0.66, 0.90, 0.145
# Tints (a, b) of OKLAB at both ends: sand for +1, night blue for -1.
_TINT_UP, _TINT_DOWN = np.array([0.005, 0.065]), np.array([-0.01, -0.075])


def _srgb(lab: np.ndarray) -> np.ndarray:
    linear = np.clip((lab @ _LMS_FROM_LAB.T) ** 3 @ _RGB_FROM_LMS.T, 0, 1)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)


def spin_colours(spins: np.ndarray) -> np.ndarray:
    """[..., 3] unit vectors -> [..., 3] sRGB in [0, 1]: +z is the colour of sand, -z night blue, and
    directions in the plane have the hues of the colour circle."""
    z = np.clip(spins[..., 2], -1, 1)
    lightness = np.interp(z, (-1, 0, 1), (_DARKEST, _MIDDLE, _LIGHTEST))
    # The length of the component in the plane, so that small tilts of aligned spins are visible.
    chroma = _CHROMA * np.sqrt(1 - z**2)
    hue = np.arctan2(spins[..., 1], spins[..., 0])
    tint = np.where(z[..., None] > 0, _TINT_UP, _TINT_DOWN) * z[..., None] ** 2
    ab = chroma[..., None] * np.stack([np.cos(hue), np.sin(hue)], axis=-1) + tint
    return _srgb(np.concatenate([lightness[..., None], ab], axis=-1))


def normal_bar(steps: int = 256) -> np.ndarray:
    """[steps, 1, 3] colours of the components -1 (row 0) to 1 along the normal, without a hue in the plane."""
    z = np.linspace(-1, 1, steps)[:, None]
    lightness = np.interp(z, (-1, 0, 1), (_DARKEST, _MIDDLE, _LIGHTEST))
    tint = np.where(z[..., None] > 0, _TINT_UP, _TINT_DOWN) * z[..., None] ** 2
    return _srgb(np.concatenate([lightness[..., None], tint], axis=-1))


def colour_disc(is_upper: bool = True, pixels: int = 201) -> np.ndarray:
    """[pixels, pixels, 4] RGBA of the upper or lower half-sphere seen from above, row 0 at the bottom."""
    x, y = np.meshgrid(*2 * [np.linspace(-1, 1, pixels)])
    inside = x**2 + y**2 <= 1
    z = np.sqrt(np.clip(1 - x**2 - y**2, 0, 1)) * (1 if is_upper else -1)
    colours = spin_colours(np.stack([x, y, z], axis=-1))
    return np.concatenate([colours, inside[..., None].astype(float)], axis=-1)
