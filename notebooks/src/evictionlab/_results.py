"""The results of simulations: objects with members, and dictionaries."""

import dataclasses
import math
from typing import Any, Dict, Iterator, List, Optional

from ._errors import ArgumentError


@dataclasses.dataclass(frozen=True)
class Result:
    """The counts of one policy at one capacity, without the warm-up.

    - trace, policy: names; the policy's with its parameters, such as "slru:protected=0.8".
    - capacity: how much fits, in objects or bytes.
    - requests, hits: counted requests, and those of them that found their object.
    - hit_ratio, miss_ratio: 0 … 1.
    - unit: that of the capacity, "objects" or "bytes".
    - requested_bytes, hit_bytes, byte_hit_ratio: the same in bytes; None unless the unit is bytes.
    - insertions, evictions, expirations: objects that entered, that the policy evicted, and whose time was over.
    - rejections: objects that were larger than the cache, or refused.
    - unknown_sizes: requests of objects whose size no request had told yet: misses that insert nothing.
    - cost, hit_cost, cost_hit_ratio: penalties of a miss of all requests, and of those that hit; None without costs.
    - seconds: the time of the run.
    """

    trace: str
    policy: str
    capacity: int
    requests: int
    hits: int
    hit_ratio: float
    miss_ratio: float
    unit: str
    requested_bytes: Optional[int]
    hit_bytes: Optional[int]
    byte_hit_ratio: Optional[float]
    insertions: int
    evictions: int
    expirations: int
    rejections: int
    unknown_sizes: int
    cost: Optional[float]
    hit_cost: Optional[float]
    cost_hit_ratio: Optional[float]
    seconds: float

    def to_dict(self) -> Dict[str, Any]:
        """The members by their names."""
        return dataclasses.asdict(self)


class Results(List[Result]):
    """The results of a sweep: a list of `Result`, in the order of the capacities and at each in that of the policies.

    `pandas.DataFrame(results)` is a table with a row for each, and so is `print(results)`, of fewer columns. `notes` says
    what was left out.
    """

    notes: List[str]

    def __str__(self) -> str:
        rows = [("policy", "capacity", "unit", "requests", "hits", "hit_ratio")] + [
            (row.policy, str(row.capacity), row.unit, str(row.requests), str(row.hits), f"{row.hit_ratio:.4f}")
            for row in self]
        widths = [max(map(len, column)) for column in zip(*rows)]
        return "\n".join(
            "  ".join(
                word.ljust(width) if place in (0, 2) else word.rjust(width)
                for place, (word, width) in enumerate(zip(row, widths)))
            for row in rows)

    def to_dicts(self) -> List[Dict[str, Any]]:
        """A dictionary for each result."""
        return [result.to_dict() for result in self]


@dataclasses.dataclass(frozen=True)
class Curve:
    """The hits of one policy at many capacities.

    `pandas.DataFrame(curve)` is a table with a row for each capacity: it iterates over the dictionaries of `to_dicts`.

    - trace, policy: names.
    - unit: "objects" or "bytes".
    - requests: counted requests.
    - capacities, hits: sequences of one length, in the order of the capacities.
    """

    trace: str
    policy: str
    unit: str
    requests: int
    capacities: List[int]
    hits: List[int]

    @property
    def hit_ratios(self) -> List[float]:
        """The hit ratio at each capacity, 0 … 1."""
        return [hits / self.requests if self.requests else 0.0 for hits in self.hits]

    @property
    def miss_ratios(self) -> List[float]:
        """The miss ratio at each capacity, 0 … 1."""
        return [1 - ratio for ratio in self.hit_ratios]

    def capacity_for(self, hit_ratio: float) -> float:
        """The capacity at which the curve first reaches a hit ratio of 0 … 1: 0.9 for 90 %.

        Between two of its capacities it is in proportion, and below the smallest between that and a capacity of 0,
        which hits nothing. It is NaN if no capacity of the curve reaches the hit ratio.
        """
        if not 0 <= hit_ratio <= 1:
            raise ArgumentError(f"hit_ratio is {hit_ratio}: pass a number of 0 … 1, such as 0.9 for 90 %")
        if hit_ratio == 0:
            return 0.0
        low, low_ratio = 0, 0.0
        for capacity, ratio in zip(self.capacities, self.hit_ratios):
            if ratio >= hit_ratio:
                return low + (hit_ratio - low_ratio) / (ratio - low_ratio) * (capacity - low)
            if ratio > low_ratio:
                low, low_ratio = capacity, ratio
        return math.nan

    def to_dict(self) -> Dict[str, Any]:
        """The names, and the lists by their names: capacities, hits, hit_ratios, miss_ratios."""
        return {
            **dataclasses.asdict(self), "hit_ratios": self.hit_ratios, "miss_ratios": self.miss_ratios}

    def to_dicts(self) -> List[Dict[str, Any]]:
        """A dictionary for each capacity, of which pandas makes a table."""
        return [
            {"trace": self.trace, "policy": self.policy, "capacity": capacity, "requests": self.requests,
             "hits": hits, "hit_ratio": ratio, "miss_ratio": 1 - ratio, "unit": self.unit}
            for capacity, hits, ratio in zip(self.capacities, self.hits, self.hit_ratios)]

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return iter(self.to_dicts())


@dataclasses.dataclass(frozen=True)
class Bound:
    """The highest hit ratio that any policy could have at one capacity lies between two numbers.

    - trace, capacity, unit, requests: as in `Result`.
    - hit_ratio_low, hit_ratio_high: equal where the unit is objects.
    - byte_hit_ratio_low, byte_hit_ratio_high: the same of the byte hit ratio; None unless the unit is bytes.
    """

    trace: str
    capacity: int
    unit: str
    requests: int
    hit_ratio_low: float
    hit_ratio_high: float
    byte_hit_ratio_low: Optional[float]
    byte_hit_ratio_high: Optional[float]

    def to_dict(self) -> Dict[str, Any]:
        """The members by their names."""
        return dataclasses.asdict(self)
