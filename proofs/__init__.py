"""Proofs that the service holds what it promises: each one command, with numbers and the machine that gave them."""
