"""What a compile makes on the way from a plan to code, one stage after the other."""
