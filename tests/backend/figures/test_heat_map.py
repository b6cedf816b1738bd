"""A heat map of bars: each cell stands where its row and column are, with a text that can be read on its colour."""

from __future__ import annotations

from heddle_server.figures.heat_map import Cell, heat_map


def test_a_row_is_a_series_of_bars_on_its_place() -> None:
    rows = {"low": {"1": Cell(0.0, "slow"), "2": Cell(1.0, "fast")}, "high": {"1": Cell(0.5, "middle")}}
    figure, names = heat_map(rows, "%{x} of {row}")
    low, high = figure.data
    assert (list(low.x), list(low.base), list(low.text)) == (["1", "2"], [0, 0], ["slow", "fast"])
    assert (list(high.x), list(high.base)) == (["1"], [1])
    assert list(low.insidetextfont.color) == ["#ffffff", "#000000"], "white on dark, black on bright"
    assert high.hovertemplate == "%{x} of high<extra></extra>"
    assert names["ticktext"] == ["low", "high"]
    assert names["tickvals"] == [0.5, 1.5]
