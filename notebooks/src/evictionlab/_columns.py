"""Columns of numbers and texts, as the library reads them: from lists, buffers, NumPy, pandas, Arrow and Polars.

None of these packages is imported: their objects are known by what they can do.
"""

import array
import ctypes
import datetime
import itertools
import sys
from typing import Any, Dict, List, NamedTuple, Union

from ._errors import ArgumentError

#: The largest number that a key can be.
LARGEST = 2**64 - 1
#: NumPy's types of times and durations, by their kinds.
_TYPES = {"M": "datetime64", "m": "timedelta64"}
#: The kinds that columns take beside integers.
_UNITS = {"times": "Mm", "ttls": "m"}


class Numbers(NamedTuple):
    """A column of 64-bit integers: where it lies, its length, and what keeps the memory alive."""

    address: int
    length: int
    owner: Any
    is_copy: bool


class Texts(NamedTuple):
    """A column of texts: their bytes one after another, and count + 1 places where they begin and end."""

    data: bytes
    offsets: Numbers
    length: int


Column = Union[Numbers, Texts]


def keys(values: Any, name: str = "keys") -> Column:
    """The column of keys: integers of 0 … 2**64 - 1 (negative ones count as their 64 bits), texts, or bytes."""
    values = unwrapped(values, name)
    found = _of_memory(values, name)
    if found is not None:
        return found
    objects = _listed(values, name)
    first = objects[0]
    if isinstance(first, (str, bytes)):
        return _texts(objects, name)
    found = _of_integers(objects, name)
    if found is not None:
        return found
    return _numbered(objects, name)


def numbers(values: Any, name: str, count: int, least: int = 0, most: int = 2**63 - 1, what: str = "") -> Numbers:
    """A column of `count` integers of `least` … `most`, such as sizes in bytes."""
    values = unwrapped(values, name, units=_UNITS.get(name, ""))
    found = _of_memory(values, name)
    if found is None:
        objects = _listed(values, name)
        found = _of_integers(objects, name)
        if found is None:
            place = _first(objects, lambda value: not hasattr(value, "__index__"))
            raise _wrong_kind(name, objects[place], f" at position {place}", _numbers_of(name, objects[place]))
    check_length(name, found.length, count)
    check_range(found, name, least, most, what)
    return found


def codes(values: Any, name: str, count: int, known: Dict[str, int]) -> Numbers:
    """A column of `count` bytes: texts of a list of names, or their numbers."""
    values = unwrapped(values, name)
    objects = _listed(values, name)
    check_length(name, len(objects), count)
    numbers_of: Dict[Any, int] = {number: number for number in known.values()}
    numbers_of.update(known)
    try:
        return _of_array(array.array("B", [numbers_of[value] for value in objects]))
    except (KeyError, TypeError):
        place = _first(objects, lambda value: not _is_key(numbers_of, value))
        raise ArgumentError(
            f"{name} are {', '.join(known)}, or 0 … {len(known) - 1}; the one at position {place} is "
            f"{objects[place]!r}") from None


def fractions(values: Any, name: str, count: int) -> Numbers:
    """A column of `count` floating-point numbers, finite and not negative."""
    values = unwrapped(values, name)
    objects = _listed(values, name)
    check_length(name, len(objects), count)
    try:
        column = array.array("d", objects)
    except TypeError:
        place = _first(objects, lambda value: not hasattr(value, "__float__") and not hasattr(value, "__index__"))
        raise _wrong_kind(name, objects[place or 0], f" at position {place or 0}") from None
    place = _first(column, lambda value: not 0 <= value < float("inf"))
    if place is not None:
        raise ArgumentError(f"{name} are finite and not negative; the one at position {place} is {column[place]}")
    return _of_array(column)


def whole(value: Any, name: str, least: int, most: int) -> int:
    """An integer of `least` … `most`."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} is of type {type(value).__name__}: pass an integer")
    number = value.__index__()
    if not least <= number <= most:
        raise ArgumentError(f"{name} is {number}: pass an integer of {least} … {most}")
    return int(number)


def items(values: Any, name: str) -> List[Any]:
    """The items of a list of arguments, such as capacities."""
    try:
        return list(values)
    except (TypeError, NotImplementedError):
        raise TypeError(f"{name} is {values!r}: pass a text or a list") from None


def _is_key(table: Dict[Any, int], value: Any) -> bool:
    try:
        return value in table
    except TypeError:
        return False


def check_length(name: str, found: int, count: int) -> None:
    if found != count:
        raise ArgumentError(f"{name} have {found} entries, keys have {count}: pass as many {name} as keys")


def check_range(column: Numbers, name: str, least: int, most: int, what: str) -> None:
    """Refuses numbers outside `least` … `most`, and says where the first one is."""
    numpy = sys.modules.get("numpy")
    view = (ctypes.c_int64 * column.length).from_address(column.address)
    if numpy is not None and hasattr(numpy, "frombuffer"):
        seen = numpy.frombuffer(view, dtype=numpy.int64)
        low, high = int(seen.min()), int(seen.max())
    else:
        seen = memoryview(view).cast("B").cast("q")
        low, high = min(seen), max(seen)
    if low < least or high > most:
        place = next(place for place, value in enumerate(seen) if not least <= value <= most)
        raise ArgumentError(
            f"{name} are integers of {least} … {most}{what}; the one at position {place} is {int(seen[place])}: "
            "change it, or leave the request out")


def unwrapped(values: Any, name: str, units: str = "") -> Any:
    """The values of a column of pandas, Arrow or Polars; other values as they are.

    NumPy's times ("M" in `units`) and durations ("m") become nanoseconds.
    """
    if isinstance(values, (str, bytes, bytearray)):
        raise TypeError(f"{name} is one text: pass a list or an array of {name}")
    if isinstance(values, dict) or hasattr(values, "columns"):
        raise TypeError(f"{name} is a table or a dictionary: pass one of its columns, such as table['key']")
    if hasattr(values, "levels") and hasattr(values, "to_flat_index"):
        raise TypeError(f"{name} are a MultiIndex of pandas: pass list(index)")
    if isinstance(values, (set, frozenset)):
        raise TypeError(f"{name} are a set, which has no order: pass a list in the order of the requests")
    missing = 0
    if hasattr(values, "null_count"):  # Arrow has an attribute, Polars a method.
        missing = values.null_count() if callable(values.null_count) else values.null_count
    elif hasattr(values, "isna") and hasattr(values, "to_numpy"):
        missing = int(values.isna().sum())
    elif hasattr(values, "mask") and hasattr(values, "filled"):  # NumPy's masked arrays.
        missing = int(values.mask.sum())
    if missing:
        objects = values.to_pylist() if hasattr(values, "to_pylist") else _listed(values, name)
        place = _first(objects, _is_missing)
        where = "" if place is None else f", the first at position {place}"
        raise ArgumentError(
            f"{name} lack {missing} of {len(values)} entries (NaN or null){where}: drop these rows, or fill them")
    if hasattr(values, "to_numpy"):
        if hasattr(values, "null_count") and not callable(values.null_count):
            try:
                values = values.to_numpy(zero_copy_only=False)
            except ImportError:
                values = values.to_pylist()
        elif "M" in units and str(getattr(values, "dtype", "")).startswith("datetime64"):
            values = values.to_numpy(dtype="datetime64[ns]")  # Those with a time zone would be objects.
        else:
            values = values.to_numpy()
    elif hasattr(values, "__array__") and not hasattr(values, "dtype"):
        values = values.__array__()
    kind = getattr(getattr(values, "dtype", None), "kind", None)
    if kind in _TYPES and kind in units:
        numpy = sys.modules["numpy"]
        if numpy.isnat(values).any():
            raise ArgumentError(f"{name} have entries without a time (NaT): drop these rows, or fill them")
        values = values.astype(f"{_TYPES[kind]}[ns]").view("int64")
    return values


def _of_memory(values: Any, name: str) -> Union[Numbers, None]:
    """The column of an array in memory; None for other values."""
    if hasattr(values, "__array_interface__") and hasattr(values, "astype"):
        return _of_numpy(values, name)
    try:
        view = memoryview(values)
    except (TypeError, ValueError, BufferError):
        return None
    if view.ndim != 1:
        raise ArgumentError(f"{name} have the shape {view.shape}: pass one axis")
    if not len(view):
        raise empty(name)
    code = view.format.lstrip("@=")
    if code in ("f", "d", "e"):
        raise _fractions(name, view.tolist())
    if code.lstrip("<>!") not in tuple("bBhHiIlLqQnN?"):
        return None
    return _of_view(view, code)


def _of_view(view: memoryview, code: str) -> Numbers:
    is_swapped = code[0] in "<>!" and (code[0] in ">!") == (sys.byteorder == "little")
    if view.itemsize == 8 and not is_swapped and view.c_contiguous:
        if not view.readonly:
            memory = (ctypes.c_char * view.nbytes).from_buffer(view)
            return Numbers(ctypes.addressof(memory), len(view), (memory, view), False)
    code = code.lstrip("<>!")
    code = {"n": "q", "N": "Q", "?": "B"}.get(code, code)
    part = array.array(code)
    part.frombytes(view.tobytes())
    if is_swapped:
        part.byteswap()
    if part.itemsize != 8:
        part = array.array("q", part)
    return _of_array(part)


def _of_array(numbers: "array.array[int]") -> Numbers:
    return Numbers(numbers.buffer_info()[0], len(numbers), numbers, True)


def _of_numpy(values: Any, name: str) -> Union[Numbers, None]:
    if values.ndim != 1:
        raise ArgumentError(f"{name} have the shape {values.shape}: pass one axis, such as {name}.ravel()")
    if not len(values):
        raise empty(name)
    kind = values.dtype.kind
    if kind == "f":
        raise _fractions(name, values)
    if kind in "OUS":
        return None
    if kind not in "iub":
        if name != "keys":
            remedy = _numbers_of(name)
        else:
            remedy = "keys.astype('int64')" if kind in _TYPES else "integers or texts"
        raise TypeError(f"{name} have the type {values.dtype}: pass {remedy}")
    numpy = sys.modules["numpy"]
    wide = numpy.ascontiguousarray(values, dtype="uint64" if kind == "u" else "int64")
    return Numbers(wide.__array_interface__["data"][0], len(wide), wide, wide is not values)


def _listed(values: Any, name: str) -> List[Any]:
    try:
        objects = values.tolist() if hasattr(values, "tolist") else list(values)
    except TypeError:
        raise TypeError(
            f"{name} is of type {type(values).__name__}: pass a list, a NumPy array, or a column of pandas or Arrow"
        ) from None
    if not objects:
        raise empty(name)
    return objects


def _of_integers(objects: List[Any], name: str) -> Union[Numbers, None]:
    """The column of integers; None where one is not an integer."""
    for code in "Qq":
        try:
            return _of_array(array.array(code, objects))
        except TypeError:
            return None
        except OverflowError:
            continue
    place = _first(objects, lambda value: not -2**63 <= value <= LARGEST)
    if place is None:
        raise ArgumentError(
            f"{name} have numbers below 0 and numbers above 2**63 - 1, which are the same 64 bits: "
            f"pass texts, such as [str(key) for key in {name}]")
    raise ArgumentError(
        f"{name} are 64-bit integers; the one at position {place} is {objects[place]}: "
        "pass texts, such as str(key)")


def _texts(objects: List[Any], name: str) -> Texts:
    try:
        if isinstance(objects[0], str):
            encoded = [text.encode("utf-8", "surrogatepass") for text in objects]
        else:
            encoded = objects
        data = b"".join(encoded)
    except (AttributeError, TypeError):
        kind = type(objects[0])
        place = _first(objects, lambda value: not isinstance(value, kind))
        raise _wrong_kind(name, objects[place], f" at position {place}, among texts") from None
    offsets = array.array("Q", itertools.accumulate(map(len, encoded), initial=0))
    return Texts(data, _of_array(offsets), len(objects))


def _numbered(objects: List[Any], name: str) -> Numbers:
    """Any other hashable keys, such as tuples: numbered in the order of their first requests."""
    kind = type(objects[0])
    place = _first(objects, lambda value: type(value) is not kind)
    if place is not None or _is_missing(objects[0]):
        missing = _first(objects, _is_missing)
        place = place if missing is None else missing
        raise _wrong_kind(name, objects[place], f" at position {place}")
    if isinstance(objects[0], float):
        raise _fractions(name, objects)
    known: Dict[Any, int] = {}
    try:
        return _of_array(array.array("Q", [known.setdefault(value, len(known)) for value in objects]))
    except TypeError:
        raise TypeError(
            f"{name} hold values of type {kind.__name__}, which cannot be hashed: pass integers, texts or tuples") from None


def empty(name: str) -> ArgumentError:
    return ArgumentError(f"{name} are empty: pass one request or more")


def _first(objects: Any, test: Any) -> Any:
    return next((place for place, value in enumerate(objects) if test(value)), None)


def _fractions(name: str, values: Any) -> Exception:
    place = _first(values, lambda value: value != value)
    if place is not None:
        return ArgumentError(f"{name} have no number (NaN) at position {place}: drop this row, or fill it")
    place = _first(values, lambda value: not float(value).is_integer() or abs(float(value)) >= 2**63)
    if place is None:
        cast = f"{name}.astype('int64')" if hasattr(values, "astype") else f"[int(value) for value in {name}]"
        return TypeError(f"{name} are floating-point numbers, all of them whole: pass integers, such as {cast}")
    if name == "keys":
        remedy = "number them: numpy.unique(keys, return_inverse=True)[1]"
    else:
        remedy = f"pass whole {'nanoseconds' if name in _UNITS else 'bytes'}"
    return TypeError(f"{name} are floating-point numbers; the one at position {place} is {values[place]}: {remedy}")


def _numbers_of(name: str, value: Any = None) -> str:
    """The values that a column of numbers takes, for one that has another value."""
    units = _UNITS.get(name, "")
    kind = getattr(getattr(value, "dtype", None), "kind", None)
    if isinstance(value, (datetime.date, datetime.timedelta)):
        kind = "m" if isinstance(value, datetime.timedelta) else "M"
    if kind in _TYPES and kind in units:
        return f"the column, or numpy.array({name}, '{_TYPES[kind]}[ns]')"
    return " or ".join(["integers", *([_TYPES[units[0]]] if units else [])])


def _is_missing(value: Any) -> bool:
    """True for None, NaN, and the values of pandas that stand for nothing."""
    if isinstance(value, float):
        return value != value
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def _wrong_kind(
    name: str, value: Any, where: str, kinds: str = "values of one kind, integers or texts",
) -> Exception:
    if _is_missing(value):
        return ArgumentError(f"{name} lack an entry{where} ({value}): drop this row, or fill it")
    return TypeError(f"{name} hold a value of type {type(value).__name__}{where}: pass {kinds}")
