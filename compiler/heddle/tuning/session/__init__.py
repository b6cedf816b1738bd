"""A search from its first generation to its last: the driver, its log, and its replay."""
