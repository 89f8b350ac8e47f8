"""Colours of unit vectors: hue shows the direction in the plane, lightness the normal component.

Hue and lightness are those of OKLCH, in which equal steps look equal: B. Ottosson, "A perceptual
color space for image processing" (2020).
"""

from __future__ import annotations

import numpy as np

_LMS_FROM_LAB = np.array([[1, 0.3963377774, 0.2158037573],
                          [1, -0.1055613458, -0.0638541728],
                          [1, -0.0894841775, -1.2914855480]])
_RGB_FROM_LMS = np.array([[4.0767416621, -3.3077115913, 0.2309699292],
                          [-1.2684380046, 2.6097574011, -0.3413193965],
                          [-0.0041960863, -0.7034186147, 1.7076147010]])
_DARKEST, _MIDDLE, _LIGHTEST, _CHROMA = 0.18, 0.68, 0.98, 0.14


def _srgb(lightness: np.ndarray, chroma: np.ndarray, hue: np.ndarray) -> np.ndarray:
    lab = np.stack([lightness, chroma * np.cos(hue), chroma * np.sin(hue)], axis=-1)
    linear = np.clip((lab @ _LMS_FROM_LAB.T) ** 3 @ _RGB_FROM_LMS.T, 0, 1)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)


def _lightness(out_of_plane: np.ndarray) -> np.ndarray:
    return np.interp(out_of_plane, (-1, 0, 1), (_DARKEST, _MIDDLE, _LIGHTEST))


def spin_colours(spins: np.ndarray) -> np.ndarray:
    """[..., 3] unit vectors -> [..., 3] sRGB in [0, 1]: +z nearly white, -z nearly black."""
    out_of_plane = np.clip(spins[..., 2], -1, 1)
    chroma = _CHROMA * (1 - out_of_plane**2)
    return _srgb(_lightness(out_of_plane), chroma, np.arctan2(spins[..., 1], spins[..., 0]))


def lightness_bar(steps: int = 256) -> np.ndarray:
    """[steps, 1, 3] greys of the components -1 (row 0) to 1 along the normal."""
    lightness = _lightness(np.linspace(-1, 1, steps))[:, None]
    return _srgb(lightness, np.zeros_like(lightness), np.zeros_like(lightness))


def colour_disc(pixels: int = 201) -> np.ndarray:
    """[pixels, pixels, 4] RGBA of the upper half-sphere seen from above, row 0 at the bottom."""
    x, y = np.meshgrid(*2 * [np.linspace(-1, 1, pixels)])
    inside = x**2 + y**2 <= 1
    z = np.sqrt(np.clip(1 - x**2 - y**2, 0, 1))
    colours = spin_colours(np.stack([x, y, z], axis=-1))
    return np.concatenate([colours, inside[..., None].astype(float)], axis=-1)
