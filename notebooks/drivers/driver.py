#!/usr/bin/env python3
"""Drives caches of other projects for `evict replay --system "exec:python3 driver.py NAME[:OPTION=VALUE…]"`.

    exact-lru                       a least recently used cache of the standard library, as an example
    cachetools:policy=lru           cachetools (lru, lfu, fifo, rr)
    cachebox:policy=lru             cachebox (lru, lfu, fifo, rr)
    theine                          theine (W-TinyLFU)
    moka                            moka-py (W-TinyLFU)
    lru-dict                        lru-dict
    diskcache:policy=least-recently-used
    redis:policy=allkeys-lru:samples=5      a server of its own on a free port of this machine, or port=N
    redis:threads=4:bytes=1000000           the same, asked by four threads at once
    memcached                       the same

The protocol is in the guide "Caches that are not ours". Servers and disks take bytes: where the capacity is in objects,
`bytes=N` says how many there are, by default 256 an object. Redis, without it, takes what it uses when the first objects
fill the capacity. Redis and memcached report the bytes that their entries take.
"""

import collections
import concurrent.futures
import copy
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time


class Cache:
    """A cache that one thread uses, that does not say how many bytes it holds, and needs no ending."""

    threads = 1

    def bytes(self):
        return None

    def close(self):
        pass


class ExactLRU(Cache):
    """Least recently used first, by objects or bytes."""

    def __init__(self, capacity, is_sized, options):
        self.capacity, self.is_sized, self.used = capacity, is_sized, 0
        self.values = collections.OrderedDict()

    def get(self, key):
        value = self.values.get(key)
        if value is not None:
            self.values.move_to_end(key)
        return value is not None

    def set(self, key, size):
        self.remove(key)
        cost = size if self.is_sized else 1
        if cost > self.capacity:
            return
        self.values[key] = bytes(size)
        self.used += cost
        while self.used > self.capacity:
            _, value = self.values.popitem(last=False)
            self.used -= len(value) if self.is_sized else 1

    def remove(self, key):
        value = self.values.pop(key, None)
        if value is not None:
            self.used -= len(value) if self.is_sized else 1

    def residents(self):
        return len(self.values)


class Mapping(Cache):
    """A cache that is a mapping from keys to values."""

    def __init__(self, cache):
        self.cache = cache

    def get(self, key):
        return self.cache.get(key) is not None

    def set(self, key, size):
        try:
            self.cache[key] = bytes(size)
        except ValueError:  # cachetools refuses what is too large
            pass

    def remove(self, key):
        self.cache.pop(key, None)

    def residents(self):
        return len(self.cache)


# Names that cachetools and cachebox share.
KINDS = {"lru": "LRUCache", "lfu": "LFUCache", "fifo": "FIFOCache", "rr": "RRCache"}


def cachetools(capacity, is_sized, options):
    import cachetools

    kind = getattr(cachetools, KINDS[choice(options, "policy", "lru", KINDS)])
    return Mapping(kind(capacity, getsizeof=len if is_sized else None))


def cachebox(capacity, is_sized, options):
    import cachebox

    objects_only(is_sized, "cachebox")
    return Mapping(getattr(cachebox, KINDS[choice(options, "policy", "lru", KINDS)])(capacity))


def lru_dict(capacity, is_sized, options):
    import lru

    objects_only(is_sized, "lru-dict")
    return Mapping(lru.LRU(capacity))


class Theine(Cache):
    def __init__(self, capacity, is_sized, options):
        import theine

        objects_only(is_sized, "theine")
        self.cache = theine.Cache(capacity)

    def get(self, key):
        return self.cache.get(key)[1]

    def set(self, key, size):
        self.cache.set(key, bytes(size))

    def remove(self, key):
        self.cache.delete(key)

    def residents(self):
        return len(self.cache)

    def close(self):
        self.cache.close()


class Moka(Cache):
    def __init__(self, capacity, is_sized, options):
        import moka_py

        objects_only(is_sized, "moka")
        self.cache = moka_py.Moka(capacity)

    def get(self, key):
        return self.cache.get(key) is not None

    def set(self, key, size):
        self.cache.set(key, bytes(size))

    def remove(self, key):
        self.cache.remove(key)

    def residents(self):
        self.cache.run_pending_tasks()  # or the count is of some time ago
        return self.cache.count()


class DiskCache(Cache):
    def __init__(self, capacity, is_sized, options):
        import diskcache

        policy = choice(options, "policy", "least-recently-used", diskcache.EVICTION_POLICY)
        limit = capacity if is_sized else number(options, "bytes", max(65_536, 256 * capacity))
        self.folder = tempfile.mkdtemp(prefix="evict-driver-")
        self.cache = diskcache.Cache(self.folder, size_limit=limit, eviction_policy=policy)

    def get(self, key):
        return self.cache.get(key) is not None

    def set(self, key, size):
        self.cache.set(key, bytes(size))

    def remove(self, key):
        self.cache.delete(key)

    def residents(self):
        return len(self.cache)

    def close(self):
        self.cache.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Server(Cache):
    """A server of its own in a temporary folder, on a free port of this machine."""

    def __init__(self, program, arguments, port=None):
        if not shutil.which(program):
            raise SystemExit(f"{program} is not installed (Debian: {self.package})")
        if port and is_taken(port):
            raise SystemExit(f"port {port} is in use or not allowed; give {program} a free one, or leave port= out")
        self.folder = tempfile.mkdtemp(prefix="evict-driver-")
        for _ in range(5 if port is None else 1):
            self.port = port or free_port()
            with open(os.path.join(self.folder, "log"), "wb") as log:
                self.process = subprocess.Popen(
                    [program, *arguments(self.port, self.folder)], cwd=self.folder,
                    stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                )
            if self.connect():
                return
            self.stop()
        with open(os.path.join(self.folder, "log"), errors="replace") as log:
            reason = (log.read().strip() or "it says nothing").splitlines()[-1]
        shutil.rmtree(self.folder, ignore_errors=True)
        raise SystemExit(f"{program} does not start: {reason}")

    def client(self):
        """Another connection to the same server, for another thread."""
        other = copy.copy(self)
        if not other.connect():
            raise SystemExit("the server takes no second connection")
        return other

    def connect(self):
        for _ in range(200):
            if self.process.poll() is not None:
                return False  # another program took the port
            try:
                self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=30)
                self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self.input = self.socket.makefile("rb")
                return True
            except OSError:
                time.sleep(0.02)
        return False

    def stop(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        self.socket.close()
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def is_taken(port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return True
    return False


class Redis(Server):
    package = "redis-server"

    def __init__(self, capacity, is_sized, options):
        limit = capacity if is_sized else number(options, "bytes", None)
        policy, samples = options.pop("policy", "allkeys-lru"), number(options, "samples", 5)
        super().__init__("redis-server", lambda port, folder: [
            "--port", str(port), "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "no",
            "--maxmemory", str(limit or 0), "--maxmemory-policy", policy, "--maxmemory-samples", str(samples),
        ], number(options, "port", None))
        self.idle = self.used()
        self.threads = number(options, "threads", 1)
        if self.threads > 1 and not limit:
            self.close()
            raise SystemExit("threads of redis need its capacity in bytes: give bytes=N, or --sized")
        # Without a limit in bytes: how many more objects may come before there is one.
        self.capacity, self.room = capacity, None if limit else capacity

    def command(self, *words):
        words = [word if isinstance(word, bytes) else str(word).encode() for word in words]
        self.socket.sendall(
            b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words)
        )
        line = self.input.readline()
        if not line:
            raise SystemExit("redis-server ended")
        if line[:1] == b"$":
            length = int(line[1:])
            return None if length < 0 else self.input.read(length + 2)[:-2]
        return line.rstrip()

    def get(self, key):
        return self.command("GET", key) is not None

    def set(self, key, size):
        self.command("SET", key, bytes(size))  # an error says that it is too large
        if self.room is not None:
            self.room -= 1
            if self.room == 0:
                self.limit_to_current_use()

    def limit_to_current_use(self):
        """Ends the filling of a cache whose capacity is in objects."""
        self.room = self.capacity - self.residents()
        if self.room <= 0:
            self.command("CONFIG", "SET", "maxmemory", self.used())
            self.room = None

    def remove(self, key):
        self.command("DEL", key)

    def residents(self):
        return int(self.command("DBSIZE")[1:])

    def used(self):
        lines = self.command("INFO", "memory").splitlines()
        return next(int(line[12:]) for line in lines if line.startswith(b"used_memory:"))

    def bytes(self):
        return max(0, self.used() - self.idle)


class Memcached(Server):
    package = "memcached"

    def __init__(self, capacity, is_sized, options):
        limit = capacity if is_sized else number(options, "bytes", 256 * capacity)
        megabytes = max(2, -(-limit // (1 << 20)))
        user = ["-u", "root"] if os.getuid() == 0 else []
        super().__init__("memcached", lambda port, folder: [
            "-p", str(port), "-l", "127.0.0.1", "-m", str(megabytes), "-U", "0", "-t", "1",
            "-I", f"{min(8, megabytes // 2)}m", *user,
        ], number(options, "port", None))

    def line(self):
        line = self.input.readline()
        if not line:
            raise SystemExit("memcached ended")
        return line

    def get(self, key):
        self.socket.sendall(f"get {key}\r\n".encode())
        line = self.line()
        if line.startswith(b"END"):
            return False
        self.input.read(int(line.split()[3]) + 2)
        self.line()
        return True

    def set(self, key, size):
        self.socket.sendall(f"set {key} 0 0 {size}\r\n".encode() + bytes(size) + b"\r\n")
        self.line()

    def remove(self, key):
        self.socket.sendall(f"delete {key}\r\n".encode())
        self.line()

    def statistic(self, name):
        self.socket.sendall(b"stats\r\n")
        lines = iter(self.line, b"END\r\n")
        return int(dict(line.split()[1:3] for line in lines)[name])

    def residents(self):
        return self.statistic(b"curr_items")

    def bytes(self):
        return self.statistic(b"bytes")


def choice(options, name, default, choices):
    """Takes an option that is one of some words."""
    value = options.pop(name, default)
    if value not in choices:
        raise SystemExit(f"{name}={value} is unknown; give {', '.join(choices)}")
    return value


def number(options, name, default):
    """Takes an option that is a positive whole number."""
    value = options.pop(name, None)
    if value is None:
        return default
    if not (value.isascii() and value.isdigit() and int(value) > 0):
        raise SystemExit(f"{name}={value} is no number above 0")
    return int(value)


def objects_only(is_sized, name):
    if is_sized:
        raise SystemExit(f"{name} counts objects only; leave out --sized")


CACHES = {
    "exact-lru": ExactLRU, "cachetools": cachetools, "cachebox": cachebox, "theine": Theine, "moka": Moka,
    "lru-dict": lru_dict, "diskcache": DiskCache, "redis": Redis, "memcached": Memcached,
}


def access(cache, words, times):
    """Makes some accesses; the answers to them, and, in `times`, how long the gets took."""
    answer = []
    clock, get, set_, remove = time.perf_counter_ns, cache.get, cache.set, cache.remove
    for word in words:
        if word[0] == "-":
            remove(int(word[1:]))
            answer.append(".")
        elif word[0] == "=":
            key, size = word[1:].split(":")
            set_(int(key), int(size))
            answer.append(".")
        else:
            key, size = map(int, word.split(":"))
            start = clock()
            is_hit = get(key)
            if not is_hit:
                set_(key, size)
            nanoseconds = clock() - start
            # Three digits of each time are enough.
            digits = max(0, len(str(nanoseconds)) - 3)
            times[nanoseconds // 10**digits * 10**digits] += 1
            answer.append("1" if is_hit else "0")
    return answer


def serve(cache):
    """Answers batches until the end. Entries and bytes are means of the second half, when the cache is full."""
    times, residents, bytes_ = collections.Counter(), [], []
    clients = [cache] + [cache.client() for _ in range(cache.threads - 1)]
    pool = concurrent.futures.ThreadPoolExecutor(cache.threads)
    for line in sys.stdin:
        words = line.split()
        if words[0] == "end":
            histogram = ",".join(f"{time}:{count}" for time, count in sorted(times.items()))
            facts = {"residents": later_mean(residents), "bytes": later_mean(bytes_), "histogram": histogram}
            words = [f"{name}={fact}" for name, fact in facts.items() if fact is not None]
            print("done", *words, flush=True)
            return
        words = words[1:]
        if len(clients) == 1:
            answer = access(cache, words, times)
        else:
            # Each thread makes every fourth access of four.
            answer, counts = [""] * len(words), [collections.Counter() for _ in clients]
            parts = [words[index::len(clients)] for index in range(len(clients))]
            for index, part in enumerate(pool.map(access, clients, parts, counts)):
                answer[index::len(clients)] = part
            times.update(sum(counts, collections.Counter()))
        residents.append(cache.residents())
        bytes_.append(cache.bytes())
        print("".join(answer), flush=True)


def later_mean(samples):
    """The mean of the second half, rounded; nothing where there is none."""
    samples = samples[len(samples) // 2:]
    return round(sum(samples) / len(samples)) if samples and None not in samples else None


def main():
    name, *pairs = (sys.argv[1] if len(sys.argv) > 1 else "").split(":")
    if name not in CACHES:
        raise SystemExit(f"no cache is called “{name}”; there are {', '.join(CACHES)}")
    options = {option: value for option, _, value in (pair.partition("=") for pair in pairs)}
    greeting = sys.stdin.readline().split()
    if greeting[:2] != ["evictionlab-driver", "1"]:
        raise SystemExit("this is a driver: give it to evict replay --system \"exec:…\"")
    facts = dict(word.split("=") for word in greeting[2:])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by a signal"))  # closes the cache
    try:
        cache = CACHES[name](int(facts["capacity"]), facts["unit"] == "bytes", options)
    except ModuleNotFoundError as error:
        raise SystemExit(f"the package {error.name} is not installed (pip install …)")
    try:
        if options:
            raise SystemExit(f"{name} has no option {', '.join(options)}")
        print("ready" if cache.threads == 1 else f"ready threads={cache.threads}", flush=True)
        serve(cache)
    finally:
        cache.close()


if __name__ == "__main__":
    main()
