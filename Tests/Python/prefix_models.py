"""Caches of prefixes by the rules of PrefixCaches.md, in dictionaries and heaps, and readers of raw traces.

A prompt is a list of nodes, which are numbers from 0 on: a node is a block behind all that precede it in its prompt, so equal
ids behind different blocks are different nodes.
"""

import collections
import functools
import heapq
import itertools
import json
import lzma
import math


class Prompts:
    """The prompts of a trace: chains of nodes, and the tokens of each prompt and of its first blocks."""

    def __init__(self):
        self.chains = []
        self.tokens = []
        self.heads = []  # heads[p][n]: the tokens of the first n blocks of prompt p
        self.sessions = []
        self.answers = []
        self.parents = []
        self._nodes = {}

    def add(self, ids, lengths, tokens, session=None, answer=0):
        """Adds a prompt of these blocks, which hold these tokens."""
        chain, heads, parent = [], [0], -1
        for block, length in zip(ids, lengths, strict=True):
            node = self._nodes.setdefault((parent, block), len(self.parents))
            if node == len(self.parents):
                self.parents.append(parent)
            chain.append(node)
            heads.append(heads[-1] + length)
            parent = node
        self.chains.append(chain)
        self.heads.append(heads)
        self.tokens.append(tokens)
        self.sessions.append(session)
        self.answers.append(answer)

    def add_equal(self, ids, size, tokens, session=None, answer=0):
        """Adds a prompt of equal blocks: the last one holds the tokens that are left, a whole block's at most."""
        last = min(size, tokens - (len(ids) - 1) * size)
        self.add(ids, [size] * (len(ids) - 1) + [last], tokens, session, answer)

    @property
    def distinct(self):
        return len(self.parents)

    @property
    def blocks(self):
        return sum(map(len, self.chains))

    @functools.cached_property
    def needs(self):
        """By prompt, the next prompt that needs each of its blocks."""
        following, needs = {}, []
        for number in reversed(range(len(self.chains))):
            needs.append([following.get(node, math.inf) for node in self.chains[number]])
            following.update(dict.fromkeys(self.chains[number], number))
        return needs[::-1]

    def part(self, numbers):
        """The prompts of these numbers."""
        part = Prompts()
        part.parents = self.parents
        for name in ("chains", "tokens", "heads", "sessions", "answers"):
            setattr(part, name, [getattr(self, name)[number] for number in numbers])
        return part


def lines(path):
    with (lzma.open if str(path).endswith(".xz") else open)(path, "rt") as file:
        return [json.loads(line) for line in file if line.strip()]


def mooncake(path):
    """A prompt in each line, 512 tokens in a block."""
    prompts = Prompts()
    for line in lines(path):
        prompts.add_equal(
            line["hash_ids"], line.get("block_size", 512), line["input_length"], line.get("session_id"),
            line.get("output_length", 0))
    return prompts


def weka(path, distance=60):
    """Sessions, one in each line: the requests and those of their subagents by time, and blocks of 64 tokens."""
    found = []

    def collect(requests, session, start, begin):
        for request in requests:
            # A subagent's requests count from its begin, unless their times are no smaller than it.
            time = request["t"] if request["t"] >= begin > 0 else begin + request["t"]
            if request.get("hash_ids"):
                found.append((start + time, session, len(found), request))
            collect(request.get("requests", []), session, start, time)

    sessions = lines(path)
    for number, session in enumerate(sessions):
        collect(session["requests"], number, number * distance, 0)
    prompts = Prompts()
    for _, number, _, request in sorted(found, key=lambda entry: entry[:3]):
        prompts.add_equal(
            [(number, block) for block in request["hash_ids"]], sessions[number].get("block_size", 64), request["in"],
            number, request["out"])
    return prompts


def ragpulse(path, lists):
    """Lists of chunks, one behind the other; the tokens of the chunks are in files of their own."""
    lengths = {}
    for file in lists:
        for line in lines(file):
            (name,) = line.keys() - {"token_length"}
            lengths[line[name]] = line["token_length"]
    prompts = Prompts()
    for line in lines(path):
        ids = [chunk for chunks in line["hash_ids"].values() for chunk in chunks]
        prompts.add(
            ids, [lengths[chunk] for chunk in ids], line["input_length"], line.get("session_id"), line["output_length"])
    return prompts


# Caches: each yields the blocks that each prompt hits, and at the end the blocks that have entered.


def lru(prompts, capacity):
    """The end of a chain that was used longest ago leaves."""
    parents, entered = prompts.parents, 0
    order = collections.OrderedDict()  # the oldest first
    behind = collections.Counter()  # resident blocks directly behind a block
    hits = []
    for chain in prompts.chains:
        hit = next((place for place, node in enumerate(chain) if node not in order), len(chain))
        hits.append(hit)
        kept = chain[:capacity]
        # From the last to the first. What is younger than all others does not leave for its own prompt.
        for node in reversed(kept[:hit]):
            order.move_to_end(node)
        for _ in range(len(order) + len(kept) - hit - capacity):
            victim = next(node for node in order if not behind[node])
            del order[victim]
            behind[parents[victim]] -= 1
        for node in kept[hit:]:
            behind[parents[node]] += 1
        entered += len(kept) - hit
        if hit < len(kept):
            order.update((node, None) for node in reversed(kept[hit:]))
            for node in reversed(kept[:hit]):
                order.move_to_end(node)
    return hits, entered


def fifo(prompts, capacity):
    """The end of a chain that entered first leaves; of those that enter together, the last block enters first."""
    parents, clock = prompts.parents, 0
    entry = {}  # resident blocks and the numbers of their entries
    behind = collections.Counter()
    ends = []  # a heap of entries of those behind which there was none
    hits = []
    for chain in prompts.chains:
        hit = next((place for place, node in enumerate(chain) if node not in entry), len(chain))
        hits.append(hit)
        kept = chain[:capacity]
        own, passed = set(kept), []
        for _ in range(len(entry) + len(kept) - hit - capacity):
            while True:
                number, victim = heapq.heappop(ends)
                if entry.get(victim) != number or behind[victim]:
                    continue
                if victim not in own:
                    break
                passed.append((number, victim))
            del entry[victim]
            parent = parents[victim]
            behind[parent] -= 1
            if parent >= 0 and not behind[parent]:
                heapq.heappush(ends, (entry[parent], parent))
        for end in passed:
            heapq.heappush(ends, end)
        for node in reversed(kept[hit:]):
            entry[node] = clock
            behind[parents[node]] += 1
            clock += 1
        if hit < len(kept):
            heapq.heappush(ends, (entry[kept[-1]], kept[-1]))
    return hits, clock


def free(prompts, capacity, *, renews):
    """A cache that knows no chains: from the first block to the last, each miss takes the place of the oldest block."""
    order, entered, hits = collections.OrderedDict(), 0, []
    for chain in prompts.chains:
        hits.append(next((place for place, node in enumerate(chain) if node not in order), len(chain)))
        for node in chain:
            if node in order:
                if renews:
                    order.move_to_end(node)
                continue
            if len(order) == capacity:
                order.popitem(last=False)
            order[node] = None
            entered += 1
    return hits, entered


def optimum(prompts, capacity):
    """Of what is there and what a prompt brings, the blocks stay that are needed soonest; of equals the nearer to the root.

    Blocks that no prompt needs again are dropped at once, as they hit nothing."""
    resident, farthest, hits = {}, [], []
    for chain, need in zip(prompts.chains, prompts.needs, strict=True):
        hits.append(next((place for place, node in enumerate(chain) if node not in resident), len(chain)))
        for place, node in enumerate(chain):
            if need[place] == math.inf:
                resident.pop(node, None)
            else:
                resident[node] = (-need[place], -place)
                heapq.heappush(farthest, (-need[place], -place, node))
        while len(resident) > capacity:
            *key, node = heapq.heappop(farthest)
            if resident.get(node) == tuple(key):
                del resident[node]
    return hits, None


MODELS = {
    "lru": lru,
    "fifo": fifo,
    "opt": optimum,
    "free lru": functools.partial(free, renews=True),
    "free fifo": functools.partial(free, renews=False),
}


def divided(prompts, router, workers):
    """The numbers of the prompts that each worker has."""
    parts, loads, homes = [[] for _ in range(workers)], [0] * workers, {}
    for number, session in enumerate(prompts.sessions):
        if router == "round-robin":
            worker = number % workers
        elif router == "sticky":
            worker = homes.setdefault(session, len(homes)) % workers
        else:
            worker = loads.index(min(loads))
        parts[worker].append(number)
        loads[worker] += prompts.tokens[number] + prompts.answers[number]
    return parts


def curve(prompts):
    """The tokens that lru hits at each size from 1 on, by the place of each block in one list of all."""
    order, gained = [], collections.Counter()
    for number, chain in enumerate(prompts.chains):
        places = {node: place for place, node in enumerate(order)}
        deepest = 0
        for place, node in enumerate(chain):
            if node not in places:
                break
            # A block is of use only where all that precede it are there.
            deepest = max(deepest, places[node] + 1)
            gained[deepest] += prompts.heads[number][place + 1] - prompts.heads[number][place]
        own = set(chain)
        order = chain + [node for node in order if node not in own]
    total, hits = 0, []
    for size in range(1, prompts.distinct + 1):
        total += gained[size]
        hits.append(total)
    return hits


def exhausted(prompts, capacity):
    """The most blocks and the most tokens that any cache of as many blocks hits, chains kept or not.

    All choices are tried: after a prompt the cache may hold any of its blocks and of those that it held."""
    chains = prompts.chains

    @functools.cache
    def best(number, held):
        if number == len(chains):
            return 0, 0
        chain = chains[number]
        hit = next((place for place, node in enumerate(chain) if node not in held), len(chain))
        blocks = tokens = 0
        for later in choices(held | frozenset(chain)):
            more = best(number + 1, later)
            blocks, tokens = max(blocks, more[0]), max(tokens, more[1])
        return hit + blocks, prompts.heads[number][hit] + tokens

    def choices(nodes):
        # A cache that holds fewer blocks hits no more.
        return map(frozenset, itertools.combinations(sorted(nodes), min(capacity, len(nodes))))

    return best(0, frozenset())
