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

    def __init__(self, is_stopped: Callable[[], bool]) -> None:
        self._is_stopped = is_stopped
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
        return 1 if self.is_cancelled or self._is_stopped() else 0


class _CallHere(_Call):
    """A call that works on the thread that waits for it; it reports its progress itself."""

    def __init__(self, report: Callable[[int, int], Any], is_stopped: Callable[[], bool]) -> None:
        super().__init__(is_stopped)
        self._report = report
        self.failure: Any = None

    def _step(self, context: Any, done: int, total: int) -> int:
        try:
            self._report(done, total)
        except BaseException as failure:  # An exception cannot pass through the library.
            self.failure = failure
            return 1
        return 1 if self._is_stopped() else 0


def run(
    call: Callable[[Any, ctypes.c_void_p], int], progress: ProgressOption, title: str, unit: str,
    stop: Callable[[], None] = lambda: None, is_stopped: Callable[[], bool] = lambda: False,
) -> None:
    """Calls the library, shows the progress, and raises the exception of what went wrong.

    `call(callback, error)` returns the status. On the main thread, where Python handles signals, it runs on another
    thread: Ctrl-C then stops it within a second. An exception of the progress function stops it, too. `stop` is called then,
    and again each second until the call has ended.
    The call also ends once `is_stopped` returns True.
    """
    reporter = _reporter(progress, title, unit)
    error = ctypes.c_void_p()
    with reporter:
        if threading.current_thread() is threading.main_thread():
            status = _watched(call, error, reporter, stop, is_stopped)
        else:
            here = _CallHere(reporter.report, is_stopped)
            status = call(here.callback, error)
            if here.failure is not None:
                _library.lib.evl_error_free(error)
                raise here.failure
    _library.check(status, error)


def _watched(
    call: Any, error: ctypes.c_void_p, reporter: "_Reporter", stop: Callable[[], None], is_stopped: Callable[[], bool],
) -> int:
    state = _Call(is_stopped)
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

    thread = threading.Thread(target=work, name="evictionlab", daemon=True)
    try:
        thread.start()
    except RuntimeError:  # The system gives none, as to a judged policy. Without a callback the library needs none, either.
        return int(call(_library.Progress(), error))
    try:
        while not ended.wait(_INTERVAL):
            reporter.report(state.done, state.total)
    except BaseException:
        if state.cancel():
            _end(stop, ended)
        if outcome and not isinstance(outcome[0], BaseException):
            _library.lib.evl_error_free(error)
        raise
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    if outcome[0] == _library.OK:
        reporter.report(state.total, state.total)
    return int(outcome[0])


def _end(stop: Callable[[], None], ended: threading.Event) -> None:
    """Stops a cancelled call and waits for it, as it uses the caller's memory; a second Ctrl-C waits, too."""
    while not ended.is_set():
        try:
            stop()
            ended.wait(1)
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
