"""Lessons: one Markdown file each, with tasks that are checked by what the compiler knows of a plan."""
