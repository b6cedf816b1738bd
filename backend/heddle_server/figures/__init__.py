"""Plotly figures of results, one function per figure: the same picture on the page and in notebooks."""
