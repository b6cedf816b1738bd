"""Other programs for the same decomposition, where somebody installed them: they are no dependencies."""
