"""What the tests and the journeys share: samples of long tables of combinations."""

pytest_plugins = ("tests.combinations",)
