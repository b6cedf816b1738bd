"""Not a package: a folder that holds the package ``heddle``."""

raise ImportError("there is no package named compiler: its name is heddle (import heddle as hd)")
