"""The sandboxed child that builds, verifies and times one kernel."""
