"""Sweeps beyond one machine: the shares of a sweep as tasks of Dask's distributed.

    import evictionlab as lab
    import evictionlab_cluster as cluster
    from distributed import Client

    client = Client("scheduler:8786")  # or of a LocalCluster, or of a cluster of dask_jobqueue
    document = cluster.sweep(client, traces, "lru,arc,sieve", "1%,10%", shards=64)
    lab.load(document)

Workers need nothing but evict and the traces, under the paths that they have here.
"""

import pathlib
import subprocess
import tempfile

from distributed import as_completed

import evictionlab as lab


def sweep(client, files, policies, capacities, *options, shards=None, jobs=1, output=None,
          program=None):
    """Simulates policies on a cluster: the results document of the whole sweep.

    A share is a task, by default one for every thread of the cluster, with `jobs` threads of its own. Dask runs
    the share of a worker that is lost on another one. `output` names the file that keeps the document; the first
    error of a share ends the sweep.
    """
    shards = shards or sum(client.nthreads().values())
    command = [
        str(program or lab.tool()), "sweep",
        *map(str, lab.arguments(files, policies, capacities, *options)), "--jobs", str(jobs)]
    # A function that every worker has: nothing of this module must be there.
    futures = {
        client.submit(
            subprocess.run, [*command, "--shard", f"{share}/{shards}"], capture_output=True,
            text=True, pure=False): share
        for share in range(1, shards + 1)}
    with tempfile.TemporaryDirectory() as folder:
        parts = []
        try:
            for future, done in as_completed(futures, with_results=True):
                if done.returncode:
                    raise lab.EvictError(
                        f"share {futures[future]}/{shards}: "
                        + (done.stderr.strip() or f"evict ended with {done.returncode}"))
                parts.append(pathlib.Path(folder) / f"{futures[future]}.json")
                parts[-1].write_text(done.stdout)
        finally:
            client.cancel(list(futures))
        whole = output or pathlib.Path(folder) / "whole.json"
        lab.evict("sweep", "--merge", *parts, "--output", whole, program=program)
        return lab.read(whole)
