"""The style of the notebooks' charts. It needs matplotlib."""

from typing import Any, List, Sequence, Tuple

import matplotlib.pyplot as plt
from matplotlib import ticker

#: One colour for one policy, in every chart: Okabe and Ito's, which the colour-blind can tell apart.
_COLOURS = {
    "lru": "#0072B2", "fifo": "#999999", "lfu": "#56B4E9", "arc": "#E69F00", "sieve": "#D55E00",
    "s3fifo": "#CC79A7", "wtinylfu": "#009E73", "lip": "#CC79A7", "slru": "#882255",
    "gdsf": "#882255", "opt": "#000000",
}


def colour(label: str) -> str:
    """The colour of a policy; policies without one of their own share a grey."""
    return _COLOURS.get(label.split(":")[0], "#666666")


def style() -> None:
    """Quiet charts: no boxes, light grids, names at the lines instead of legends."""
    plt.rcParams.update({
        "figure.dpi": 100, "figure.constrained_layout.use": True, "font.size": 10,
        "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
        "grid.color": "#e6e6e6", "axes.axisbelow": True, "axes.titlesize": 11,
        "axes.titlelocation": "left", "legend.frameon": False,
    })


def logarithmic(axis: Any, base: int = 10) -> None:
    """Makes an axis (ax.xaxis, ax.yaxis) of what is drawn logarithmic, with plain numbers at it: 1, 2, 5, 10, …, or
    only 1, 10, … where it is long.
    """
    (axis.axes.set_xscale if axis.axis_name == "x" else axis.axes.set_yscale)("log", base=base)
    low, high = axis.get_view_interval()
    is_short = base == 10 and high / low < 500
    axis.set_major_locator(ticker.LogLocator(base=base, subs=(1, 2, 5) if is_short else (1,)))
    axis.set_major_formatter(ticker.StrMethodFormatter("{x:,g}"))
    axis.set_minor_locator(ticker.NullLocator())


def panels(
    names: Sequence[str], width: float = 3.6, height: float = 2.9, columns: int = 3, **options: Any,
) -> List[Tuple[str, Any]]:
    """A grid of charts, one for each name: pairs of a name and its axes."""
    rows = -(-len(names) // columns)
    figure, axes = plt.subplots(
        rows, columns, figsize=(width * columns, height * rows), squeeze=False, **options)
    for spare in axes.flat[len(names):]:
        spare.set_visible(False)
    for name, ax in zip(names, axes.flat):
        ax.set_title(name.removesuffix(".zst"), loc="left")
    return list(zip(names, axes.flat))
