"""What the notebooks share: running evict, and its results documents as pandas tables.

    import evictionlab as lab

    frame = lab.sweep(lab.TRACES, "lru,arc,opt", "1%,10%")
    frame.pivot(index="label", columns=["trace", "capacity"], values="hitRatio")
"""

import json
import os
import pathlib
import subprocess

import matplotlib.pyplot as plt
import numpy
import pandas
from matplotlib import ticker

ROOT = pathlib.Path(__file__).resolve().parents[1]

#: The traces that come with the project.
TRACES = sorted((ROOT / "traces").glob("*.zst"))

SCHEMA = "evictionlab.results/1"
RANKING = "evictionlab.ranking/1"


class EvictError(Exception):
    """What evict said, one line: what, where, and what to do."""


def tool():
    """The evict that EVICT names, or the one that make builds."""
    path = pathlib.Path(os.environ.get("EVICT", ROOT / ".build/release/evict"))
    if not path.exists():
        raise EvictError(f"{path} is missing; make build it, or name another in EVICT")
    return path


def evict(*arguments, program=None):
    """What a run of evict prints."""
    done = subprocess.run(
        [program or tool(), *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        raise EvictError(done.stderr.strip())
    return done.stdout


def document(*arguments, program=None):
    """The JSON document that a run of evict prints."""
    return json.loads(evict(*arguments, "--format", "json", program=program))


def read(source):
    """A results document: of a path, or one that is read already."""
    if isinstance(source, dict):
        found, name = source, "the document"
    else:
        found, name = json.loads(pathlib.Path(source).read_text()), source
    if found.get("schema") not in (SCHEMA, RANKING):
        raise EvictError(f"{name} has the schema {found.get('schema')}; this reads {SCHEMA}")
    return found


def load(*sources):
    """The results of documents (paths, or what is in them), a row each.

    The document's names stay, those of what is nested are joined by “_” (get_p99, wait_p99, hold_p50). `label`
    is the policy with the parameters that were given, as on the command line.
    """
    documents = [read(source) for source in sources]
    results = [result for document in documents for result in document["results"]]
    frame = pandas.json_normalize(results, sep="_")
    frame.columns = [
        name.removeprefix("latency_operation_").removeprefix("contention_")
        for name in frame.columns]
    frame.insert(0, "label", [_label(result) for result in results])
    return frame


def estimates(*sources):
    """What documents say of what their runs stand for, a row for each estimate: the `value`, between which ends
    (`low`, `high`) lies what it stands for (`estimand`), and where there are none, the `reason`.
    """
    rows = [
        {**estimate, **dict(zip(("low", "high"), estimate["interval"] or (numpy.nan, numpy.nan)))}
        for source in sources for estimate in read(source).get("estimates", [])]
    return pandas.DataFrame(rows)


def arguments(files, policies, capacities, *options):
    """The arguments of evict for a file or files, policies and capacities."""
    files = [files] if isinstance(files, (str, os.PathLike)) else files
    return [*files, "--policy", policies, "--capacity", capacities, *options]


def sweep(files, policies, capacities, *options, program=None):
    """Simulates policies: the table of `evict sweep`."""
    return _run("sweep", files, policies, capacities, *options, program=program)


def replay(files, policies, capacities, *options, runs=1):
    """Drives real caches: the table of `evict replay`, `runs` times over, with the number of the `run`.

    All cells run once, then all again: what drifts then drifts for all.
    """
    frames = [
        _run("replay", files, policies, capacities, *options).assign(run=run)
        for run in range(runs)]
    return pandas.concat(frames, ignore_index=True)


def disk_times(frame):
    """The times by size of value that `evict disk` measured: a row for each size, threshold and round. Empty
    where a document has none.
    """
    names = {"trace": "trace", "disk_inlineThreshold": "inlineThreshold", "disk_round": "round"}
    rows = [
        {**{name: row.get(key) for key, name in names.items()}, **size}
        for row in frame.to_dict("records")
        for size in (row["disk_sizes"] if isinstance(row.get("disk_sizes"), list) else [])]
    return pandas.DataFrame(rows)


def capacity_for(curve, hit_ratio):
    """The capacity at which a curve (capacity → hit ratio) first reaches a hit ratio, between two of its
    points in proportion; NaN where it never does.
    """
    curve = curve.sort_index().cummax()
    if hit_ratio > curve.iloc[-1]:
        return numpy.nan
    # Of several points with one hit ratio the smallest capacity counts.
    curve = curve[~curve.duplicated()]
    return float(numpy.interp(hit_ratio, curve.values, curve.index.values.astype(float)))


def crossing(first, second):
    """Where a curve that was below another first rises to it, in proportion on a logarithmic axis; NaN where
    it does not.
    """
    gap = (first - second).dropna().sort_index()
    for (x, before), (next_x, after) in zip(gap.items(), list(gap.items())[1:]):
        if before < 0 <= after:
            share = -before / (after - before)
            return float(x * (next_x / x) ** share)
    return numpy.nan


# Drawing

#: One colour for one policy, in every chart: Okabe and Ito's, which the colour-blind can tell apart.
_COLOURS = {
    "lru": "#0072B2", "fifo": "#999999", "lfu": "#56B4E9", "arc": "#E69F00", "sieve": "#D55E00",
    "s3fifo": "#CC79A7", "wtinylfu": "#009E73", "lip": "#CC79A7", "slru": "#882255",
    "gdsf": "#882255", "opt": "#000000",
}


def colour(label):
    """The colour of a policy; policies without one of their own share a grey."""
    return _COLOURS.get(label.split(":")[0], "#666666")


def style():
    """Quiet charts: no boxes, light grids, names at the lines instead of legends."""
    plt.rcParams.update({
        "figure.dpi": 100, "figure.constrained_layout.use": True, "font.size": 10,
        "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
        "grid.color": "#e6e6e6", "axes.axisbelow": True, "axes.titlesize": 11,
        "axes.titlelocation": "left", "legend.frameon": False,
    })


def logarithmic(axis, base=10):
    """Makes an axis (ax.xaxis, ax.yaxis) of what is drawn logarithmic, with plain numbers at it: 1, 2, 5, 10, …, or
    only 1, 10, … where it is long.
    """
    (axis.axes.set_xscale if axis.axis_name == "x" else axis.axes.set_yscale)("log", base=base)
    low, high = axis.get_view_interval()
    is_short = base == 10 and high / low < 500
    axis.set_major_locator(ticker.LogLocator(base=base, subs=(1, 2, 5) if is_short else (1,)))
    axis.set_major_formatter(ticker.StrMethodFormatter("{x:,g}"))
    axis.set_minor_locator(ticker.NullLocator())


def panels(names, width=3.6, height=2.9, columns=3, **options):
    """A grid of charts, one for each name: pairs of a name and its axes."""
    rows = -(-len(names) // columns)
    figure, axes = plt.subplots(
        rows, columns, figsize=(width * columns, height * rows), squeeze=False, **options)
    for spare in axes.flat[len(names):]:
        spare.set_visible(False)
    for name, ax in zip(names, axes.flat):
        ax.set_title(name.removesuffix(".zst"), loc="left")
    return list(zip(names, axes.flat))


def _run(command, files, policies, capacities, *options, program=None):
    return load(document(
        command, *arguments(files, policies, capacities, *options), program=program))


def _label(result):
    given = [f"{key}={value}" for key, value in (result.get("parameters") or {}).items()]
    return ":".join([result["policy"], *given])
