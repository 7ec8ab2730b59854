"""Sweeps beyond one machine, as tasks of Dask's distributed.

    import evictionlab_cluster as cluster
    from distributed import Client

    client = Client("scheduler:8786")  # or of a LocalCluster, or of a cluster of dask_jobqueue
    results = cluster.sweep(client, traces, "lru,arc,sieve", "1%,10%")
    document = cluster.document(client, *traces, "--policy", "all", "--capacity", "1%,10%", "--windows", 100)

Workers need the traces, under the paths that they have here, and the package `evictionlab`; for `document` only evict.
Dask runs the task of a worker that is lost on another one. The first error of a task ends the sweep.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import cloudpickle
import evictionlab as lab
from distributed import as_completed
from evictionlab import tool

# Workers do not have this module.
cloudpickle.register_pickle_by_value(sys.modules[__name__])


def sweep(client, files, policies="all", capacities=("0.1%", "1%", "10%"), *, limit=None, **options):
    """Simulates policies on a cluster: the `Results` of all files, those of each as `evictionlab.sweep` returns them.

    A task is a file at one capacity; it holds the file's first `limit` requests, or all, in memory. The options are
    those of `evictionlab.sweep`.
    """
    files = [files] if isinstance(files, (str, os.PathLike)) else files
    capacities = capacities.split(",") if isinstance(capacities, str) else capacities
    tasks = [
        client.submit(_simulate, file, policies, capacity, limit, options, pure=False)
        for file in files for capacity in capacities]
    try:
        parts = client.gather(tasks)
    finally:
        client.cancel(tasks)
    results = lab.Results(result for part in parts for result in part)
    results.notes = [note for part in parts for note in part.notes]
    return results


def _simulate(file, policies, capacity, limit, options):
    with lab.Trace.open(file, limit=limit, progress=False) as trace:
        return lab.sweep(trace, policies, capacity, **{"threads": 1, "progress": False, **options})


def document(client, *arguments, shards=None, jobs=1, output=None, program=None):
    """The results document of `evict sweep` with these arguments, on a cluster.

    A task is a partition of the sweep, by default one for every thread of the cluster, with `jobs` threads of its own.
    `output` names the file that keeps the document.
    """
    shards = shards or sum(client.nthreads().values())
    command = [str(program or tool.path()), "sweep", *map(str, arguments), "--jobs", str(jobs)]
    # A function that every worker has: the package need not be there.
    tasks = {
        client.submit(
            subprocess.run, [*command, "--shard", f"{shard}/{shards}"], capture_output=True, text=True,
            pure=False): shard
        for shard in range(1, shards + 1)}
    with tempfile.TemporaryDirectory() as folder:
        parts = []
        try:
            for task, done in as_completed(tasks, with_results=True):
                if done.returncode:
                    raise lab.EvictionError(
                        f"partition {tasks[task]}/{shards}: "
                        + (done.stderr.strip() or f"evict ended with {done.returncode}"))
                parts.append(pathlib.Path(folder) / f"{tasks[task]}.json")
                parts[-1].write_text(done.stdout)
        finally:
            client.cancel(list(tasks))
        whole = output or pathlib.Path(folder) / "whole.json"
        tool.evict("sweep", "--merge", *parts, "--output", whole, program=program)
        return tool.read(whole)
