"""What ./heddle runs before and around the project: set-up, the test run, upkeep of pins. Standard library only."""
