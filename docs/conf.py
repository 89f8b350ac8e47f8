"""Sphinx configuration."""

project = "Larmor"
author = "The Larmor developers"
version = release = "0.1.0"
extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "benchmarks/peers/*/README.md"]
html_theme = "furo"
html_title = "Larmor"
