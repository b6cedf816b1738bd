"""Guided experiments over what the service measures: plans that differ in one parameter, a figure over their runs."""
