"""The document of an algorithm: read strictly, and its canonical form."""
