"""What a decomposition will do, before it does it: how each role is computed, and what that is predicted to take."""
