"""Ways of searching a space: each proposes generations of candidates, and is told what they took."""
