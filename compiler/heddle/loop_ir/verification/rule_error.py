"""What every rule of loop IR raises where it is broken."""


class RuleError(Exception):
    """A rule that an expression or a name breaks; the verifier adds the statement."""
