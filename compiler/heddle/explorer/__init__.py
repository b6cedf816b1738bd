"""What shows a plan to a person: its stages, what it costs, sketches and repairs of schedules, other systems' text.

Compiling and calling a kernel need nothing of it.
"""
