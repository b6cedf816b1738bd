"""What the tests and the journeys share: samples of long tables of combinations, and bounds of what one test does."""

pytest_plugins = ("tests.combinations", "tests.bounded_counts")
