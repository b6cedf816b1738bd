"""What was found out about programs before: canonical forms, keys, and the schedules that files keep under them."""
