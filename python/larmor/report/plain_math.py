"""Turns the mathematics of labels into plain text and HTML."""

from __future__ import annotations

import html
import re

# Commands of mathematics that labels use, and the characters that stand for them.
_SIGNS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ",
    "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ",
    "phi": "φ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ",
    "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "hbar": "ħ", "ell": "ℓ",
    "langle": "⟨", "rangle": "⟩", "times": "×", "cdot": "·", "pm": "±", "infty": "∞", "partial": "∂", "sum": "Σ",
    "int": "∫", "to": "→", "rightarrow": "→", "leftarrow": "←", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥",
    "approx": "≈", "sim": "~", "propto": "∝", "parallel": "∥", "perp": "⊥", "degree": "°", "circ": "°", "prime": "′",
    "AA": "Å", "|": "‖", "%": "%", "$": "$", ",": "\u202f", ";": " ", ":": " ", " ": " ", "!": "", "quad": " ",
    "left": "", "right": "", "ldots": "…", "dots": "…", "dagger": "†", "min": "min", "max": "max", "ln": "ln",
    "log": "log", "exp": "exp", "sin": "sin", "cos": "cos", "tanh": "tanh", "_": "_", "{": "{", "}": "}", "#": "#",
}
_STYLES = ("mathrm", "mathbf", "mathit", "mathcal", "mathsf", "text", "rm", "bf", "it", "operatorname")
_OVER = {"bar": "\u0304", "hat": "\u0302", "tilde": "\u0303", "vec": "\u20d7", "dot": "\u0307", "overline": "\u0304"}
_TOKEN = re.compile(r"\\([A-Za-z]+|.)|([{}^_])|(.)", re.DOTALL)
_SCRIPT = {"^": "sup", "_": "sub"}


def to_html(text: str) -> str:
    """A label with its mathematics as HTML; everything is escaped."""
    return _convert(text, lambda kind, inner: f"<{kind}>{inner}</{kind}>", html.escape)


def to_text(text: str) -> str:
    """A label with its mathematics as plain text: "M_x", "k_B T", "μ_B T^−1"."""
    def script(kind: str, inner: str) -> str:
        # A thin space divides the index from a letter that follows.
        return f"{'^' if kind == 'sup' else '_'}{inner}\u2009"

    return re.sub("\u2009(?!\\w)", "", _convert(text, script, lambda character: character))


def _convert(text: str, script, escape) -> str:
    # Text between two $ is mathematics; \$ is the character itself.
    parts = re.split(r"(?<!\\)\$", text)
    if len(parts) % 2 == 0:
        return escape(text.replace(r"\$", "$"))
    done = []
    for number, part in enumerate(parts):
        if number % 2 == 0:
            done.append(escape(part.replace(r"\$", "$")))
        else:
            tokens = [match.groups() for match in _TOKEN.finditer(part)]
            done.append(_group(tokens, script, escape, False))
    return "".join(done)


def _group(tokens: list, script, escape, inner: bool) -> str:
    """Reads tokens until the closing bracket; `tokens` loses those that were read."""
    done = []
    while tokens:
        command, mark, character = tokens.pop(0)
        if mark == "}" and inner:
            break
        if mark in _SCRIPT:
            done.append(script(_SCRIPT[mark], _argument(tokens, script, escape)))
        elif mark == "{":
            done.append(_group(tokens, script, escape, True))
        elif command in _STYLES or command == "sqrt":
            argument = _argument(tokens, script, escape)
            done.append(f"√({argument})" if command == "sqrt" else argument)
        elif command in _OVER:
            done.append(_argument(tokens, script, escape) + _OVER[command])
        elif command == "frac":
            first, second = _argument(tokens, script, escape), _argument(tokens, script, escape)
            done.append(f"{first}/{second}")
        elif command is not None:
            done.append(escape(_SIGNS.get(command, command)))
        elif character is not None and not character.isspace():
            sign = escape("−" if character == "-" else character)
            done.append(f" {sign} " if character in "-+=" and done else sign)
    return "".join(done)


def _argument(tokens: list, script, escape) -> str:
    while tokens and tokens[0][2] is not None and tokens[0][2].isspace():
        tokens.pop(0)
    if not tokens:
        return ""
    if tokens[0][1] == "{":
        tokens.pop(0)
        return _group(tokens, script, escape, True)
    only = [tokens.pop(0)]
    if only[0][0] in _STYLES or only[0][0] in _OVER:
        return _group([*only, (None, "{", None), *_taken(tokens)], script, escape, False)
    return _group(only, script, escape, False)


def _taken(tokens: list) -> list:
    """The bracket group that begins the tokens, without its first bracket; `tokens` loses it."""
    taken, depth = [], 0
    while tokens:
        taken.append(tokens.pop(0))
        depth += {"{": 1, "}": -1}.get(taken[-1][1], 0)
        if depth == 0:
            break
    return taken[1:] if taken and taken[0][1] == "{" else taken
