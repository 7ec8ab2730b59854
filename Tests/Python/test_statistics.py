"""Checks the package's statistics against SciPy, or against plain NumPy where SciPy has no such method.

StatisticsProbe, which `swift build --build-tests` builds, answers questions as JSON.
"""

import itertools
import json
import math
import pathlib
import subprocess
import unittest

try:
    import numpy
    from scipy import optimize, stats
except ImportError:
    numpy = None

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROBES = [ROOT / ".build" / mode / "StatisticsProbe" for mode in ("release", "debug")]
PROBE = next((probe for probe in PROBES if probe.exists()), None)
CLOSE = 1e-9


def ask(*questions):
    """The answers; single numbers come bare."""
    text = subprocess.run(
        [PROBE], input=json.dumps(questions), check=True, capture_output=True, text=True).stdout
    return [
        {key: value[0] if len(value) == 1 else value for key, value in answer.items()}
        for answer in json.loads(text)
    ]


@unittest.skipIf(numpy is None, "SciPy is not installed")
@unittest.skipIf(PROBE is None, "StatisticsProbe is not built; make test builds it")
class StatisticsTest(unittest.TestCase):
    def setUp(self):
        self.random = numpy.random.RandomState(1)

    def expect(self, found, expected, tolerance=CLOSE):
        numpy.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)

    def test_mean(self):
        for count, confidence in [(2, 0.95), (5, 0.99), (1000, 0.5)]:
            sample = self.random.lognormal(size=count)
            (answer,) = ask(
                {"method": "mean", "values": list(sample), "confidence": confidence})
            error = stats.sem(sample)
            self.expect(answer["mean"], sample.mean())
            self.expect(answer["standardError"], error)
            self.expect(
                answer["interval"],
                stats.t.interval(confidence, count - 1, loc=sample.mean(), scale=error))

    def expect_inverts(self, interval, p_value):
        """An interval holds what its test does not reject, and no more."""
        for end, outward in zip(interval, (-1, 1)):
            self.assertLessEqual(p_value(end + outward * 1e-7), 0.05)
            self.assertGreater(p_value(end - outward * 1e-7), 0.05)

    def test_rank_sum(self):
        for count, other in [(4, 4), (7, 12), (20, 20)]:
            first = self.random.normal(size=count)
            second = self.random.normal(loc=0.5, size=other)
            (answer,) = ask({"method": "rankSum", "values": list(first), "others": list(second)})
            test = stats.mannwhitneyu(second, first, method="exact")
            self.expect(answer["statistic"], test.statistic)
            self.expect(answer["pValue"], test.pvalue)
            self.expect(answer["estimate"], numpy.median(numpy.subtract.outer(second, first)))
            self.expect_inverts(
                answer["interval"],
                lambda shift: stats.mannwhitneyu(second - shift, first, method="exact").pvalue)

    def test_rank_sum_with_ties_by_listing_all_draws(self):
        first, second = [1, 2, 2, 3, 5.0], [2, 3, 3, 8.0]
        (answer,) = ask({"method": "rankSum", "values": first, "others": second})
        ranks = stats.rankdata(second + first)
        sums = numpy.array([sum(draw) for draw in itertools.combinations(ranks, 4)])
        found = ranks[:4].sum()
        tail = min(numpy.mean(sums <= found), numpy.mean(sums >= found))
        self.expect(answer["pValue"], min(1, 2 * tail))

    def test_rank_sum_of_many(self):
        first = numpy.round(self.random.normal(size=90), 1)
        second = numpy.round(self.random.normal(loc=0.2, size=70), 1)
        (answer,) = ask({"method": "rankSum", "values": list(first), "others": list(second)})
        test = stats.mannwhitneyu(second, first, method="asymptotic")
        self.expect(answer["pValue"], test.pvalue)

    def test_quantile(self):
        for count, quantile, confidence in [(10, 0.5, 0.95), (500, 0.9, 0.99), (5000, 0.99, 0.95)]:
            sample = self.random.exponential(size=count)
            (answer,) = ask(
                {"method": "quantile", "values": list(sample), "parameter": quantile,
                 "confidence": confidence})
            self.expect(answer["value"], numpy.quantile(sample, quantile))
            tail, ordered = (1 - confidence) / 2, numpy.sort(sample)
            below = stats.binom(count, quantile)
            lower = max(rank for rank in range(1, count) if below.cdf(rank - 1) <= tail)
            upper = min(rank for rank in range(1, count + 1) if below.sf(rank - 1) <= tail)
            self.expect(answer["interval"], [ordered[lower - 1], ordered[upper - 1]])

    @staticmethod
    def neumann(values):
        ranks = stats.rankdata(values)
        return (numpy.diff(ranks) ** 2).sum() / ((ranks - ranks.mean()) ** 2).sum()

    def test_serial_independence(self):
        for sample in [self.random.normal(size=20), numpy.round(self.random.normal(size=40), 1)]:
            (answer,) = ask({"method": "serial", "values": list(sample)})
            ratio, n = self.neumann(sample), len(sample)
            self.expect(answer["ratio"], ratio)
            deviation = math.sqrt(
                4 * (n - 2) * (5 * n**2 - 2 * n - 9) / (5 * n * (n + 1) * (n - 1) ** 2))
            self.expect(answer["pValue"], stats.norm.cdf((ratio - 2) / deviation))
            # The normal approximation against random orders.
            orders = [self.neumann(self.random.permutation(sample)) for _ in range(4000)]
            self.expect(answer["pValue"], numpy.mean(numpy.array(orders) <= ratio), 0.03)

    @staticmethod
    def lag_window(deviations):
        """Politis and White's length of circular blocks, and the variance through its lag window."""
        n = len(deviations)
        run = max(5, math.ceil(math.sqrt(math.log10(n))))
        most = math.ceil(math.sqrt(n)) + run
        covariances = numpy.array(
            [numpy.dot(deviations[:n - lag], deviations[lag:]) / n for lag in range(most + 1)])
        chance = abs(covariances / covariances[0]) < 2 * math.sqrt(math.log10(n) / n)
        # R's b.star: the first lag after which `run` lags are chance; none is beyond what is looked at.
        last = next((lag for lag in range(most - run + 1) if chance[lag + 1:lag + run + 1].all()),
                    max(numpy.flatnonzero(~chance)))
        bandwidth = min(2 * max(last, 1), most)
        lags = numpy.arange(-bandwidth, bandwidth + 1)
        window = numpy.clip(2 * (1 - abs(lags) / bandwidth), 0, 1) * covariances[abs(lags)]
        optimum = (2 * (window * abs(lags)).sum() ** 2 / (4 / 3 * window.sum() ** 2)) ** (1 / 3)
        longest = math.ceil(min(3 * math.sqrt(n), n / 3))
        return min(max(round(optimum * n ** (1 / 3)), 1), longest), window.sum()

    def test_stationary_mean(self):
        windows = 240
        for memory in [0.0, 0.5, 0.9]:
            noise = self.random.normal(size=windows)
            for index in range(1, windows):
                noise[index] += memory * noise[index - 1]
            requests = self.random.randint(800, 1200, size=windows)
            second = (requests * self.random.uniform(0.4, 0.6, size=windows)).astype(int)
            first = second + numpy.rint(20 + 10 * noise).astype(int)
            (answer,) = ask(
                {"method": "stationary", "counts": first.tolist(), "otherCounts": second.tolist(),
                 "requests": requests.tolist()})
            value = (first - second).sum() / requests.sum()
            self.expect(answer["value"], value)
            deviations = (first - second - value * requests) / requests.mean()
            length, variance = self.lag_window(deviations)
            self.assertEqual(answer["blockLength"], length)
            circle = numpy.concatenate([deviations, deviations])

            def block_variance(length):
                sums = [circle[start:start + length].sum() for start in range(windows)]
                return numpy.square(sums).mean() / length

            error = math.sqrt(max(block_variance(length), variance) / (windows - length))
            self.expect(answer["standardError"], error)
            self.expect(answer["interval"], stats.t.interval(
                0.95, windows / length - 1, loc=value, scale=error))
            self.expect(answer["nextTrace"], stats.t.interval(
                0.95, windows / length - 1, loc=value, scale=math.sqrt(2) * error))
            paths = deviations.cumsum()
            lags = min(length, math.floor(12 * (windows / 100) ** 0.25))
            statistic = (paths ** 2).sum() / windows ** 2 / block_variance(lags)
            self.expect(answer["statistic"], statistic)
            # The limit distribution is that of a sum of squares over squared multiples of pi.
            draws = self.random.chisquare(1, size=(4000, 200)) @ (
                1 / (math.pi * numpy.arange(1, 201)) ** 2)
            self.expect(answer["pValue"], numpy.mean(draws >= statistic), 0.03)

    def test_key_sample(self):
        requests = 1 + self.random.poisson(20, size=3000)
        misses = self.random.binomial(requests, self.random.beta(2, 4, size=3000))[:300]
        (answer,) = ask(
            {"method": "keySample", "counts": misses.tolist(), "requests": requests.tolist()})
        scale = 3000 / requests.sum()
        self.expect(answer["value"], misses.mean() * scale)
        error = math.sqrt(0.9) * stats.sem(misses) * scale
        self.expect(answer["standardError"], error)
        self.expect(
            answer["interval"], stats.t.interval(0.95, 299, loc=misses.mean() * scale, scale=error))
        # SciPy's bootstrap over keys, without what a finite number of them takes off.
        other = stats.bootstrap((misses,), numpy.mean, random_state=1)
        self.expect(error / math.sqrt(0.9), other.standard_error * scale, 0.1 * error)

    def test_timing_change(self):
        before = self.random.lognormal(sigma=0.1, size=24)
        after = 1.1 * self.random.lognormal(sigma=0.1, size=24)
        (answer,) = ask({"method": "timing", "values": list(before), "others": list(after)})
        self.assertEqual(answer["batchLength"], 1)
        self.expect(
            answer["pValue"], stats.mannwhitneyu(after, before, method="asymptotic").pvalue)
        ratios = numpy.divide.outer(after, before)
        self.expect(math.log(answer["ratio"]), numpy.median(numpy.log(ratios)))

    def test_zipf(self):
        counts = numpy.sort(self.random.zipf(2, size=200))[::-1]
        (answer,) = ask({"method": "zipf", "counts": counts.tolist()})
        logs, shares = numpy.log(numpy.arange(1, 201)), counts / counts.sum()

        def law(alpha):
            weights = numpy.exp(-alpha * logs)
            return weights / weights.sum()

        alpha = optimize.brentq(
            lambda alpha: numpy.dot(shares - law(alpha), logs), 0, 20, xtol=1e-13)
        self.expect(answer["alpha"], alpha)
        variance = numpy.dot(law(alpha), logs**2) - numpy.dot(law(alpha), logs) ** 2
        self.expect(answer["standardError"], 1 / math.sqrt(counts.sum() * variance))
        self.expect(answer["distance"], abs(numpy.cumsum(shares - law(alpha))).max())


if __name__ == "__main__":
    unittest.main()
