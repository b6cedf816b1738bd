"""What a person needs against a refusal: the evidence in their program, and every repair that compiles."""

from heddle.remedies.explained import explained

__all__ = ["explained"]
