"""What a person needs against a refusal: the evidence in their program, and every repair that compiles."""

from heddle.explorer.quick_fixes.explained import explain_result

__all__ = ["explain_result"]
