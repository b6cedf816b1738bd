"""Heddle's compiler from a shell: ``python -m heddle.cli compile --expression "y(i) = A(i,j) * x(j)" -f A:csr``."""
