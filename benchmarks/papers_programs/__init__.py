"""Programs of two papers as a reader types them, each run and timed beside an opponent (Vasilache et al. 2018, Pizzuti
et al. 2020)."""
