"""A language of patterns over arrays whose lengths may depend on positions and on data (Pizzuti et al. 2020): syntax,
types with proofs and claims, lowering into loops, and what programs mean."""
