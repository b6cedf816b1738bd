"""The door for expressions: every language that a Plan may be written in, and where its programs enter the compiler."""
