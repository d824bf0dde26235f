"""How Sphinx builds this documentation; `make docs` calls it."""

import sys
from pathlib import Path
from typing import Any

import gensim_bilbowa
from gensim_bilbowa.errors import BilBOWAError

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "gensim_bilbowa"
author = "The gensim_bilbowa developers"
copyright = author
version = release = gensim_bilbowa.__version__

extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx_click",
    "mathml",
    "offline",
]
exclude_patterns = ["_ext"]
suppress_warnings = ["config.cache"]  # values of myst_nb's that Sphinx cannot keep between builds

# Two hyphens are an option's, not a dash.
smartquotes = False
# Markdown, as GitHub shows it too: headings have GitHub's anchors.
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3
# The notebooks run anew at every build, and an error in one of them fails it.
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 60
nb_merge_streams = True

# The reference. Types stand in the docstrings, with shapes; signatures show the defaults.
autodoc_typehints = "none"
autodoc_preserve_defaults = True
autodoc_member_order = "bysource"
maximum_signature_line_length = 80
numpydoc_show_class_members = False
# Names of other packages, whose documentation is not looked up over the network.
nitpicky = True
nitpick_ignore_regex = [("py:.*", r"(gensim\.|numpy\.|bytes\.).*")]

html_theme = "furo"
html_title = f"gensim_bilbowa {release}"
html_math_renderer = "mathml"
html_show_copyright = False
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}


def public_bases(app: Any, name: str, obj: type, options: Any, bases: list[type]) -> None:
    """Show the builtin behind an error's private base class."""
    if issubclass(obj, BilBOWAError):
        bases[:] = [b.__base__ if b.__name__.startswith("_") else b for b in bases]


def plain_help(app: Any, ctx: Any, lines: list[str]) -> None:
    """Keep what stands in the commands' help from being read as markup."""
    lines[:] = [line.replace("*.", "\\*.").replace("PosixPath(", "(") for line in lines]


def setup(app: Any) -> None:
    """Connect the functions above."""
    app.connect("autodoc-process-bases", public_bases)
    for part in ("description", "options"):
        app.connect(f"sphinx-click-process-{part}", plain_help)
