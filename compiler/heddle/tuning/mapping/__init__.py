"""Mapping options of Tensor Comprehensions (Vasilache et al. 2018): their text, and the commands that it stands for."""
