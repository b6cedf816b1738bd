"""Mutants of solutions: programs that differ from the author's in one place, which a lesson must refuse."""
