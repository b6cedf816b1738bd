"""What the tests and the journeys share: samples of long tables of combinations, what tests cost, and
bounds of what one test does."""

pytest_plugins = ("tests.costs", "tests.combinations", "tests.bounded_counts")
