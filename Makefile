# Each target works alone on a fresh Debian or Ubuntu machine with Swift, as root or with sudo.
EVICT = .build/release/evict
TRACES = $(wildcard traces/*.zst)
# What make replay compares: the family has many more (evict policies).
POLICIES = lru,fifo,lfu,random,clock,sieve,s3fifo,slru,2q,arc,lirs,wtinylfu

# Debian's, which has the packages that .ci/install brings.
PYTHON = $(firstword $(wildcard /usr/bin/python3) python3)

# Results say which commit they were measured with.
export EVICTIONLAB_COMMIT := $(shell git rev-parse HEAD 2>/dev/null)

# What make latency replays, of the folder that EVICTIONLAB_TRACES names (evict trace fetch fills one).
PUBLIC = OLTP.lis.zst P3.lis.zst cloudPhysicsIO.oracleGeneral.bin lirs-2_pools.trace.gz lirs-sprite.trace.gz

.PHONY: replay latency test fuzz bench format clean build

# Replays the bundled traces through every policy: the table here, the report under results/.
replay: build
	@mkdir -p results
	$(EVICT) replay $(TRACES) --policy $(POLICIES) --capacity 1%,10% --threads 1,2 --format json --output results/replay.json
	$(EVICT) report results/replay.json --format markdown --output results/replay.md
	$(EVICT) report results/replay.json
	@echo "report: results/replay.md, document: results/replay.json"

# Latency percentiles of every policy on public traces, with 95 % intervals, and what an overload does
# to them: results/latency.md and results/overload.md, with their documents.
latency: build
	@test -n "$(EVICTIONLAB_TRACES)" || { echo "name the folder of the public traces: EVICTIONLAB_TRACES=… make latency"; exit 1; }
	@mkdir -p results
	$(EVICT) replay $(addprefix $(EVICTIONLAB_TRACES)/,$(PUBLIC)) --policy $(POLICIES) --capacity 10% --threads 1,2 \
	  --limit 5e5 --repeat 5 --sample 8 --resources --no-yardstick --format json --output results/latency.json
	$(EVICT) report results/latency.json --format markdown --output results/latency.md
	$(EVICT) replay $(EVICTIONLAB_TRACES)/OLTP.lis.zst --policy lru,sieve,arc,wtinylfu --capacity 10% --limit 2e5 \
	  --rate 50%,80%,120% --miss-penalty spin:2us --repeat 5 --no-yardstick --format json --output results/overload.json
	$(EVICT) report results/overload.json --format markdown --output results/overload.md
	@echo "reports: results/latency.md, results/overload.md"

# Every test: Swift with all invariants checked where there are any, Swift over whole traces, Python.
test:
	@.ci/install python3-scipy
	swift build --build-tests
	swift test --skip-build --filter '^(Parameters|Eviction|Traces|Statistics)Tests[.]'
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

format:
	swift format --in-place --recursive Package.swift Sources Tests

clean:
	rm -rf .build .venv

build:
	@.ci/install
	swift build -c release --product evict
