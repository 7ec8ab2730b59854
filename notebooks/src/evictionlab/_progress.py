"""Calls that take long: their progress, and their end by Ctrl-C."""

import ctypes
import importlib.util
import sys
import threading
from typing import Any, Callable, Union

from . import _library
from ._errors import ArgumentError

#: False or None shows nothing, "auto" shows a bar where tqdm is installed and a person looks on, True always shows it,
#: and a function is called about ten times a second with (done, total).
ProgressOption = Union[bool, None, str, Callable[[int, int], Any]]

#: The seconds between two looks at a call that works.
_INTERVAL = 0.05


class _Call:
    """A call of the library that works: how far it is, and whether it is to stop."""

    def __init__(self) -> None:
        self.done = self.total = 0
        self.is_cancelled = self.has_begun = False
        self.lock = threading.Lock()
        self.callback = _library.Progress(self._step)

    def begin(self) -> bool:
        """Returns False if the call was cancelled before it began."""
        with self.lock:
            self.has_begun = not self.is_cancelled
            return self.has_begun

    def cancel(self) -> bool:
        """Returns True if the call has begun, and has to be waited for."""
        with self.lock:
            self.is_cancelled = True
            return self.has_begun

    def _step(self, context: Any, done: int, total: int) -> int:
        self.done, self.total = done, total
        return 1 if self.is_cancelled else 0


class _CallHere(_Call):
    """A call that works on the thread that waits for it; it reports its progress itself."""

    def __init__(self, report: Callable[[int, int], Any]) -> None:
        super().__init__()
        self._report = report
        self.failure: Any = None

    def _step(self, context: Any, done: int, total: int) -> int:
        try:
            self._report(done, total)
        except BaseException as failure:  # An exception cannot pass through the library.
            self.failure = failure
            return 1
        return 0


def run(call: Callable[[Any, ctypes.c_void_p], int], progress: ProgressOption, title: str, unit: str) -> None:
    """Calls the library, shows the progress, and raises the exception of what went wrong.

    `call(callback, error)` returns the status. On the main thread, where Python handles signals, it runs on another
    thread: Ctrl-C then stops it within a second. An exception of the progress function stops it, too.
    """
    reporter = _reporter(progress, title, unit)
    error = ctypes.c_void_p()
    with reporter:
        if threading.current_thread() is threading.main_thread():
            status = _watched(call, error, reporter)
        else:
            here = _CallHere(reporter.report)
            status = call(here.callback, error)
            if here.failure is not None:
                _library.lib.evl_error_free(error)
                raise here.failure
    _library.check(status, error)


def _watched(call: Any, error: ctypes.c_void_p, reporter: "_Reporter") -> int:
    state = _Call()
    ended = threading.Event()
    outcome: Any = []

    def work() -> None:
        if not state.begin():
            return
        try:
            outcome.append(call(state.callback, error))
        except BaseException as failure:  # Raised below, on the thread that waits.
            outcome.append(failure)
        finally:
            ended.set()

    try:
        threading.Thread(target=work, name="evictionlab", daemon=True).start()
        while not ended.wait(_INTERVAL):
            reporter.report(state.done, state.total)
    except BaseException:
        if state.cancel():
            _wait(ended)
        if outcome and not isinstance(outcome[0], BaseException):
            _library.lib.evl_error_free(error)
        raise
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    if outcome[0] == _library.OK:
        reporter.report(state.total, state.total)
    return int(outcome[0])


def _wait(ended: threading.Event) -> None:
    """Waits for a cancelled call, which uses the caller's memory; a second Ctrl-C waits, too."""
    while not ended.is_set():
        try:
            ended.wait()
        except KeyboardInterrupt:
            continue


class _Reporter:
    """Shows nothing."""

    def __enter__(self) -> "_Reporter":
        return self

    def __exit__(self, *raised: Any) -> None:
        pass

    def report(self, done: int, total: int) -> None:
        pass


class _Function(_Reporter):
    """Calls a function of the user's."""

    def __init__(self, function: Callable[[int, int], Any]) -> None:
        self.function = function

    def report(self, done: int, total: int) -> None:
        if total:
            self.function(done, total)


class _Bar(_Reporter):
    """Draws tqdm's bar. It appears after a second: calls that are shorter show none."""

    def __init__(self, title: str, unit: str, delay: float) -> None:
        self.options = {"desc": title, "unit": unit, "unit_scale": True, "delay": delay}
        self.bar: Any = None

    def report(self, done: int, total: int) -> None:
        if not total:
            return
        if self.bar is None:
            from tqdm.auto import tqdm

            self.bar = tqdm(total=total, **self.options)
        self.bar.update(done - self.bar.n)

    def __exit__(self, *raised: Any) -> None:
        if self.bar is not None:
            self.bar.close()


def _reporter(progress: ProgressOption, title: str, unit: str) -> _Reporter:
    if callable(progress):
        return _Function(progress)
    if progress is None or progress is False:
        return _Reporter()
    is_auto = isinstance(progress, str) and progress == "auto"
    if progress is not True and not is_auto:
        raise ArgumentError(
            f"progress is {progress!r}: pass True, False, 'auto', or a function of (done, total)")
    if importlib.util.find_spec("tqdm") is None:
        if progress is True:
            raise ArgumentError("progress=True needs tqdm: pip install tqdm, or pass a function of (done, total)")
        return _Reporter()
    if is_auto and not _is_watched():
        return _Reporter()
    return _Bar(title, unit, 0 if progress is True else 1)


def _is_watched() -> bool:
    """True in a notebook and at a terminal."""
    return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())
