"""The modules `evictionlab.tool` and `evictionlab.plots`, and the notebooks as they are stored.

`make notebooks` runs this with the wheel and pandas, and then the notebooks.
"""

import json
import os
import pathlib
import stat
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))

try:
    import matplotlib

    matplotlib.use("agg")
    import evictionlab as lab
    import pandas
    from evictionlab import plots, tool
except ImportError:
    lab = None


class StoredNotebooksTest(unittest.TestCase):
    def test_there_are_six(self):
        self.assertEqual([path.name[0] for path in NOTEBOOKS], list("123456"))

    def test_nothing_of_a_run_is_stored(self):
        for path in NOTEBOOKS:
            with self.subTest(path.name):
                for cell in json.loads(path.read_text())["cells"]:
                    self.assertFalse(cell.get("outputs"))
                    self.assertIsNone(cell.get("execution_count"))
                    self.assertEqual(cell["metadata"], {})

    def test_each_begins_with_its_title_and_is_in_the_guide(self):
        guide = (ROOT / "Sources/EvictionLab/EvictionLab.docc/Notebooks.md").read_text()
        for path in NOTEBOOKS:
            with self.subTest(path.name):
                first = json.loads(path.read_text())["cells"][0]
                self.assertEqual(first["cell_type"], "markdown")
                self.assertTrue("".join(first["source"]).startswith("# "))
                self.assertTrue(f"`{path.stem}`" in guide, f"{path.stem} is not in Notebooks.md")


def document(*results, schema="evictionlab.results/1"):
    return {"schema": schema, "traces": [], "results": list(results)}


def result(policy="lru", **fields):
    return {"kind": "sweep", "policy": policy, "parameters": {}, "capacity": 10, "hits": 4, **fields}


@unittest.skipIf(lab is None, "the wheel or pandas is not installed; make notebooks runs this")
class HelperTest(unittest.TestCase):
    def test_documents_become_rows(self):
        slru = result("slru", parameters={"protected": 0.5, "admission": "bloom"})
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "results.json"
            path.write_text(json.dumps(document(slru)))
            frame = tool.load(document(result()), path)
        self.assertEqual(list(frame["label"]), ["lru", "slru:protected=0.5:admission=bloom"])
        self.assertEqual(list(frame["hits"]), [4, 4])

    def test_nested_figures_have_short_names(self):
        replay = result(
            latency={"unit": "ns", "operation": {"get": {"p99": 300}}},
            contention={"contended": 3, "wait": {"p99": 7}})
        frame = tool.load(document(replay))
        self.assertEqual(
            (frame.get_p99[0], frame.contended[0], frame.wait_p99[0]), (300, 3, 7))

    def test_unknown_keys_and_missing_figures_pass(self):
        frame = tool.load(document(result(novelty={"x": 1}), result(seconds=2)))
        self.assertTrue(pandas.isna(frame.seconds[0]))
        self.assertEqual(frame.novelty_x[0], 1)

    def test_other_schemas_are_refused(self):
        with self.assertRaisesRegex(lab.EvictionError, "the schema evictionlab.results/2; this reads"):
            tool.load(document(schema="evictionlab.results/2"))

    def test_files_that_are_no_documents_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "results.json"
            with self.assertRaisesRegex(lab.MissingFileError, "results.json is missing: name a document"):
                tool.load(path)
            for content, words in [
                    (b"no", "is no JSON"), (b"\xff", "is no JSON"), (b"[1]", "holds no object of JSON")]:
                path.write_bytes(content)
                with self.subTest(words), self.assertRaisesRegex(lab.EvictionError, f"results.json {words}"):
                    tool.load(path)
            with self.assertRaisesRegex(lab.EvictionError, "cannot be read: Is a directory"):
                tool.load(folder)

    def test_the_guide_names_a_document_of_the_checkout(self):
        guide = (ROOT / "Sources/EvictionLab/EvictionLab.docc/Python.md").read_text()
        name = guide.split('tool.load("')[1].split('"')[0]
        self.assertFalse(tool.load(ROOT / name).empty)

    def test_times_on_disk_are_listed_by_size(self):
        sizes = [{"from": 1024, "isInline": True, "read": 5}, {"from": 2048, "isInline": False}]
        disk = {"round": 2, "inlineThreshold": 1500, "sizes": sizes}
        times = tool.disk_times(tool.load(document(result(disk=disk), result())))
        self.assertEqual(list(times["from"]), [1024, 2048])
        self.assertEqual(list(times.inlineThreshold), [1500, 1500])
        self.assertEqual(list(times["round"]), [2, 2])
        self.assertTrue(tool.disk_times(tool.load(document(result()))).empty)

    def test_estimates_have_two_ends_or_a_reason(self):
        first = {"policy": "arc", "value": 0.06, "interval": [0.05, 0.07], "reason": None}
        second = {"policy": "lfu", "value": 0.01, "interval": None, "reason": "too short"}
        frame = tool.estimates({**document(), "estimates": [first, second]})
        self.assertEqual((frame.low[0], frame.high[0]), (0.05, 0.07))
        self.assertTrue(pandas.isna(frame.low[1]) and frame.reason[1] == "too short")
        self.assertTrue(tool.estimates(document()).empty)

    def test_crossing_is_on_a_logarithmic_axis(self):
        sizes = [1_000, 10_000, 100_000]
        inline, file = pandas.Series([1, 3, 9], sizes), pandas.Series([2, 4, 5], sizes)
        # One below at 10 000, four above at 100 000: a fifth of the decade.
        self.assertAlmostEqual(tool.crossing(inline, file), 10_000 * 10 ** 0.2)
        self.assertTrue(pandas.isna(tool.crossing(file + 10, inline)))

    def test_logarithmic_axes_have_plain_numbers(self):
        for high, labels in [(100, ["1", "2", "5", "10", "20", "50", "100"]),
                             (10_000, ["1", "10", "100", "1,000", "10,000"])]:
            figure, ax = plots.plt.subplots()
            ax.plot([1, high], [1, 2])
            plots.logarithmic(ax.xaxis)
            ax.set_xlim(1, high)
            figure.canvas.draw()
            shown = [label.get_text() for label in ax.get_xticklabels()
                     if 1 <= label.get_position()[0] <= high]
            self.assertEqual(shown, labels)
            plots.plt.close(figure)

    def test_panels_hide_what_is_left_over(self):
        pairs = plots.panels(["a.txt.zst", "b", "c", "d"])
        self.assertEqual([name for name, _ in pairs], ["a.txt.zst", "b", "c", "d"])
        self.assertEqual(pairs[0][1].get_title(loc="left"), "a.txt")
        figure = pairs[0][1].figure
        self.assertEqual(sum(ax.get_visible() for ax in figure.axes), 4)
        plots.plt.close(figure)


@unittest.skipIf(lab is None, "the wheel or pandas is not installed; make notebooks runs this")
class RunTest(unittest.TestCase):
    """A shell script stands in for evict."""

    def stand_in(self, script):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        path = pathlib.Path(temporary.name) / "evict"
        path.write_text("#!/bin/sh\n" + script)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        patch = mock.patch.dict(os.environ, {"EVICT": str(path)})
        patch.start()
        self.addCleanup(patch.stop)

    def test_arguments_arrive(self):
        self.stand_in('echo "$@"')
        self.assertEqual(tool.evict("sweep", 7), "sweep 7\n")

    def test_its_error_is_raised(self):
        self.stand_in("echo 'evict: no such file; name another' >&2; exit 66")
        with self.assertRaisesRegex(lab.EvictionError, "^evict: no such file; name another$"):
            tool.evict("sweep")

    def test_missing_tool_is_said(self):
        with mock.patch.dict(os.environ, {"EVICT": "/nowhere/evict"}):
            with self.assertRaisesRegex(lab.EvictionError, "/nowhere/evict is missing: make build builds it in a checkout"):
                tool.evict("sweep")

    def test_tool_of_the_checkout_or_on_the_path_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            built, installed, inner = (
                pathlib.Path(folder).resolve() / name for name in ("lab/.build/release", "bin", "lab/notebooks"))
            for place in (built, installed, inner):
                place.mkdir(parents=True)
            for place in (built, installed):
                (place / "evict").touch(0o755)
            self.addCleanup(os.chdir, os.getcwd())
            with mock.patch.dict(os.environ, {"EVICT": "", "PATH": str(installed)}):
                os.chdir(inner)
                self.assertEqual(tool.path(), built / "evict")
                os.chdir(installed)
                self.assertEqual(tool.path(), installed / "evict")

    def test_runs_are_numbered(self):
        text = json.dumps(document(result(), result("arc")))
        self.stand_in(f"echo '{text}'")
        frame = tool.table("replay", "a.lis", "--policy", "lru,arc", runs=2)
        self.assertEqual(list(frame["run"]), [0, 0, 1, 1])
        self.assertEqual(list(frame["label"]), ["lru", "arc"] * 2)


if __name__ == "__main__":
    unittest.main()
