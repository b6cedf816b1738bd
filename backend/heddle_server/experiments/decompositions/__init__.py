"""Experiments with decompositions (docs/sources.toml X20 to X28)."""
