"""From one language to another, where a program means the same in both."""
