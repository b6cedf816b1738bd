"""Programs over dense arrays, written with array libraries."""
