"""Searches for schedules with real times: slices of a search in child processes, and what queues them."""
