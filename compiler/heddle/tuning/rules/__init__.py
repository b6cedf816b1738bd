"""One rule per file; ``table.py`` says in which order they are asked."""
