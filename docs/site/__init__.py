"""The documents as a site: what Sphinx is told, the pages that are generated, and how both come together."""
