"""How costs grow with the work: counts of compiles, and programs beside their natural alternatives."""
