"""The account of a plan: what its kernel does, counted on small data by the checked interpreter."""
