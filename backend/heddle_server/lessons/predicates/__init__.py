"""The facts that checks are made of: one registry, a function for each, in a file for each name space."""
