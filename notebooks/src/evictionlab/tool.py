"""Runs the command-line tool `evict`, for what it does beyond the package: replays, the disk tier, claims, intervals.

    from evictionlab import tool

    frame = tool.table("replay", "orders.txt.zst", "--policy", "lru,sieve", "--capacity", "10%", "--time", "300ms")
    frame[["label", "get_p50", "get_p99"]]
    tool.load("results/latency.json")                       # a table of a document that a run has written

Arguments are those of the command line. It needs pandas, and `evict`: see `path`. Failures are EvictionError.
"""

import json
import math
import os
import pathlib
import shutil
import subprocess
from typing import Any, Dict, Optional, Union

import pandas

from ._errors import EvictionError, MissingFileError

#: A results document: the path of one, or what it holds.
Source = Union[Dict[str, Any], str, "os.PathLike[str]"]
#: An executable: evict, or the tool of a package with policies of its own.
Program = Union[str, "os.PathLike[str]"]

SCHEMA = "evictionlab.results/1"
RANKING = "evictionlab.ranking/1"


def path() -> pathlib.Path:
    """The `evict` that EVICT names, that make built in the checkout around the current folder, or on the PATH."""
    here = pathlib.Path.cwd()
    built = (str(folder / ".build/release/evict") for folder in (here, *here.parents))
    named = os.environ.get("EVICT") or next(filter(os.path.exists, built), None) or shutil.which("evict") or "evict"
    if not os.path.exists(named):
        raise EvictionError(
            f"{named} is missing: make build builds it in a checkout; elsewhere name it in EVICT, or put it on the PATH")
    return pathlib.Path(named)


def evict(*arguments: object, program: Optional[Program] = None) -> str:
    """The output of a run of `evict`."""
    done = subprocess.run([program or path(), *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        raise EvictionError(done.stderr.strip())
    return done.stdout


def document(*arguments: object, program: Optional[Program] = None) -> Dict[str, Any]:
    """The JSON document that a run of `evict` prints."""
    return dict(json.loads(evict(*arguments, "--format", "json", program=program)))


def read(source: Source) -> Dict[str, Any]:
    """A results document: of a path, or one that is read already."""
    if isinstance(source, dict):
        found, name = source, "the document"
    else:
        found, name = _json(source), os.fspath(source)
    if not isinstance(found, dict):
        raise EvictionError(f"{name} holds no object of JSON: name a document of the schema {SCHEMA}")
    if found.get("schema") not in (SCHEMA, RANKING):
        raise EvictionError(f"{name} has the schema {found.get('schema')}; this reads {SCHEMA}")
    return found


def _json(path: Union[str, "os.PathLike[str]"]) -> Any:
    """The value in a file of JSON."""
    try:
        return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise MissingFileError(f"{path} is missing: name a document that evict wrote (--output)") from None
    except OSError as error:
        raise EvictionError(f"{path} cannot be read: {error.strerror}; name a document that evict wrote") from None
    except ValueError as error:
        raise EvictionError(f"{path} is no JSON: {error}; name a document that evict wrote (--output)") from None


def load(*sources: Source) -> pandas.DataFrame:
    """The results of documents, a row each.

    The document's names stay, those of nested members are joined by “_” (get_p99, wait_p99, hold_p50). `label` is the
    policy with the parameters that were given, as on the command line.
    """
    results = [result for source in sources for result in read(source)["results"]]
    frame = pandas.json_normalize(results, sep="_")
    frame.columns = [
        name.removeprefix("latency_operation_").removeprefix("contention_") for name in frame.columns]
    frame.insert(0, "label", [_label(result) for result in results])
    return frame


def table(*arguments: object, runs: int = 1, program: Optional[Program] = None) -> pandas.DataFrame:
    """The results that a run of `evict` prints, a row each; of several runs with the number of the `run`.

    All cells run once, then all again: what drifts then drifts for all.
    """
    return pandas.concat(
        [load(document(*arguments, program=program)).assign(run=run) for run in range(runs)], ignore_index=True)


def estimates(*sources: Source) -> pandas.DataFrame:
    """The estimates in documents, a row each: the `value`, the ends (`low`, `high`) of the interval for what it
    estimates (`estimand`), and where there is no interval, the `reason`.
    """
    rows = [
        {**estimate, **dict(zip(("low", "high"), estimate["interval"] or (math.nan, math.nan)))}
        for source in sources for estimate in read(source).get("estimates", [])]
    return pandas.DataFrame(rows)


def disk_times(frame: pandas.DataFrame) -> pandas.DataFrame:
    """The times by size of value that `evict disk` measured: a row for each size, threshold and round. Empty
    where a document has none.
    """
    names = {"trace": "trace", "disk_inlineThreshold": "inlineThreshold", "disk_round": "round"}
    rows = [
        {**{name: row.get(key) for key, name in names.items()}, **size}
        for row in frame.to_dict("records")
        for size in (row["disk_sizes"] if isinstance(row.get("disk_sizes"), list) else [])]
    return pandas.DataFrame(rows)


def crossing(first: pandas.Series, second: pandas.Series) -> float:
    """The point where a curve that was below another first rises to it, in proportion on a logarithmic axis; NaN
    where it does not.
    """
    gap = (first - second).dropna().sort_index()
    for (x, before), (next_x, after) in zip(gap.items(), list(gap.items())[1:]):
        if before < 0 <= after:
            return float(x * (next_x / x) ** (-before / (after - before)))
    return math.nan


def _label(result: Dict[str, Any]) -> str:
    given = [f"{key}={value}" for key, value in (result.get("parameters") or {}).items()]
    return ":".join([result["policy"], *given])
