"""What the tests and the journeys share: samples of long tables of combinations, what tests cost, and bounds of
what one test does."""

pytest_plugins = ("tests.sampling.costs", "tests.sampling.combinations", "tests.sampling.bounded_counts")
