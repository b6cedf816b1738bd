"""Experiments with decompositions (docs/sources.md X20 to X28)."""
