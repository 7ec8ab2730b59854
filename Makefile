# Each target works alone on a fresh Debian or Ubuntu machine with Swift, as root or with sudo.
EVICT = .build/release/evict
TRACES = $(wildcard traces/*.zst)
# What make replay compares: the family has many more (evict policies).
POLICIES = lru,fifo,lfu,random,clock,sieve,s3fifo,slru,2q,arc,lirs,wtinylfu

# Debian's, which has the packages that .ci/install brings.
PYTHON = $(firstword $(wildcard /usr/bin/python3) python3)

# Results say which commit they were measured with.
export EVICTIONLAB_COMMIT := $(shell git rev-parse HEAD 2>/dev/null)

.PHONY: replay test fuzz bench soak format clean build

# Replays the bundled traces through every policy: the table here, the report under results/.
replay: build
	@mkdir -p results
	$(EVICT) replay $(TRACES) --policy $(POLICIES) --capacity 1%,10% --threads 1,2 --format json --output results/replay.json
	$(EVICT) report results/replay.json --format markdown --output results/replay.md
	$(EVICT) report results/replay.json
	@echo "report: results/replay.md, document: results/replay.json"

# Every test: Swift with all invariants checked where there are any, Swift over whole traces, Python.
test:
	@.ci/install python3-scipy
	swift build --build-tests
	swift test --skip-build --filter '^(Parameters|Eviction|DiskTier|Traces|Statistics)Tests[.]'
	swift build -c release --build-tests
	swift test -c release --skip-build
	swift test --package-path Tests/Fixtures/BringYourOwn
	$(PYTHON) -m unittest discover --start-directory Tests/Python --verbose
	Tests/Fuzz/run 2

# Every trace reader against libFuzzer, a minute each.
fuzz:
	@.ci/install
	Tests/Fuzz/run 60

# Against libCacheSim, NSCache and a dictionary of class nodes, interleaved in one run.
bench: build
	Tests/Benchmarks/run

# Kills a process that works on a store, more than 500 times, and turns the power off after each call to the disk.
soak:
	@.ci/install
	swift build --build-tests
	EVICTIONLAB_THOROUGH=1 swift test --skip-build --filter '^DiskTierTests[.]'

format:
	swift format --in-place --recursive Package.swift Sources Tests

clean:
	rm -rf .build .venv

build:
	@.ci/install
	swift build -c release --product evict
