"""What costs a plan something on the data that it was followed on: a rule in each file, with a tried repair."""
