"""What a search may change of a plan: genes, each with its values, and the commands that a choice of values means."""
