"""What Sphinx is told. Everything comes from the site itself: no fonts, scripts or pictures of other servers."""

from __future__ import annotations

from heddle.version import VERSION

project = "Heddle"
author = "The Heddle authors"
copyright = "The Heddle authors, MIT licence"
version = release = VERSION

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "docs.site.grammar",
    "docs.site.plan_link",
    "docs.site.offline",
    "docs.site.signatures",
]
source_suffix = {".md": "markdown"}
exclude_patterns: list[str] = []

myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "deflist"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

autodoc_preserve_defaults = True
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100

html_theme = "furo"
html_title = "Heddle"
html_static_path = ["_static"]
html_css_files = ["heddle.css"]
html_favicon = "_static/heddle.svg"
html_copy_source = False
html_show_sphinx = False
html_use_index = False
html_theme_options = {
    "light_css_variables": {
        "font-stack": "system-ui, -apple-system, 'Segoe UI', Roboto, Ubuntu, sans-serif",
        "font-stack--monospace": "ui-monospace, 'SFMono-Regular', 'DejaVu Sans Mono', Menlo, Consolas, monospace",
    },
}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
