# Each target works alone on a fresh Debian or Ubuntu machine with Swift, as root or with sudo.
EVICT = .build/release/evict
TRACES = $(wildcard traces/*.zst)
# What make replay compares: the family has many more (evict policies).
POLICIES = lru,fifo,lfu,random,clock,sieve,s3fifo,slru,2q,arc,lirs,wtinylfu

# What results/vectors.json pins down: every policy and bound, and the forms that other implementations have.
VECTORS = all,lfru,pannier,dynamic-adaptive-climb,opt,opt:bypass=true,belady-size,infinite,arc:arithmetic=integer,lirs:ghosts=2,s3fifo:form=libcachesim,$\
  slru:segments=4,2q:version=simple,lfu:history=perfect,lru:admission=tinylfu,$\
  wtinylfu:main=s4lru,wtinylfu:main=random,wtinylfu:feedback=window,wtinylfu:window=0:protected=0:feedback=gain,$\
  wtinylfu:climb=true:climber=correlation,wtinylfu:climb=true:climber=indicator:period=1000,$\
  frd:climb=simple,frd:climb=indicator:period=1000

# Debian's, which has the packages that .ci/install brings.
PYTHON = $(firstword $(wildcard /usr/bin/python3) python3)

# Results say which commit they were measured with.
export EVICTIONLAB_COMMIT := $(shell git rev-parse HEAD 2>/dev/null)

# The example package, built where this one is, so that what both need is built once.
EXAMPLE = --package-path Tests/Fixtures/BringYourOwn --scratch-path $(CURDIR)/.build
# The tests whose sources assert invariants, in debug.
INVARIANTS = --package-path Tests/Invariants --scratch-path $(CURDIR)/.build/invariants

# The example service, with the package's traits and hence a build of its own, in debug: what it needs is much.
SERVICE = --package-path Tests/Fixtures/Service --scratch-path $(CURDIR)/.build/service

# What the regression gate runs: exact counts, instructions, and the time of some rounds, of each policy alone, inside
# MemoryCache, and where a loop counts for it, of that loop.
GATE = $(EVICT) speed traces/orders.txt.zst traces/hotscan.txt.zst --policy $(POLICIES),opt,belady-size \
  --capacity 10% --limit 4e4 --no-baselines --rounds 10 --format json --output .build/gate.json
# On GitHub, what differs becomes annotations.
FORMAT = $(if $(GITHUB_ACTIONS),github,table)

# What make latency replays and make results simulates, of the folder that EVICTIONLAB_TRACES names (evict trace fetch fills one).
PUBLIC = OLTP.lis.zst P3.lis.zst cloudPhysicsIO.oracleGeneral.bin lirs-2_pools.trace.gz lirs-sprite.trace.gz

# What make results simulates on them: windows say how far policies are apart in traffic like theirs.
REFERENCE = --policy $(POLICIES),wtinylfu:climb=true --capacity 0.1%,1%,10% --windows 100

.PHONY: replay chart states latency locks systems results coverage ranking prefix crossover claims test library check baseline catalog notebooks docs names soak verify interleavings sanitize fuzz bench lines format clean build install wheel dist

# Replays the bundled traces through every policy, for some two minutes: the table here, the reports under results/. The
# page begins with the same policies at five sizes, which take two seconds to simulate.
replay: build
	@mkdir -p results
	$(EVICT) replay $(TRACES) --policy $(POLICIES) --capacity 10% --threads 1,2 --repeat 6 --format json --output results/replay.json
	$(EVICT) report results/replay.json --format markdown --output results/replay.md
	$(EVICT) sweep $(TRACES) --policy $(POLICIES) --capacity 1%,2%,5%,10%,20% --format json --output results/replay.sizes.json
	$(EVICT) report results/replay.json results/replay.sizes.json --format html --output results/replay.html
	$(EVICT) report results/replay.json
	@echo "results/replay.md says the same, results/replay.json and replay.sizes.json hold everything"
	@.ci/open $(CURDIR)/results/replay.html

# The README's chart, for light and dark pages.
CHARTS = results
CHART = $(EVICT) sweep traces/build.csv.zst --policy lru,arc,s3fifo,wtinylfu --capacity 1%,2%,3%,4%,5%,6%,7%,8%,9%,10%,12%,14%
chart: build
	$(CHART) --format svg --output $(CHARTS)/curves-light.svg
	$(CHART) --format svg-dark --output $(CHARTS)/curves-dark.svg

# The picture of the guide When order matters: what two policies do in the trace's order and in another.
STATES = Sources/EvictionLab/EvictionLab.docc/OrdersOverTime
STATE = --policy lirs,sieve --capacity 660 --windows 100 --trace-internals 100 --no-baselines
states: build
	$(EVICT) trace convert traces/history.txt.zst --jitter 16 --output .build/jittered.txt
	$(EVICT) sweep traces/history.txt.zst $(STATE) --output .build/history.json
	$(EVICT) sweep .build/jittered.txt $(STATE) --output .build/jittered.json
	$(EVICT) report .build/history.json .build/jittered.json --charts over-time,internals --columns 2 --format svg --output $(STATES).svg
	$(EVICT) report .build/history.json .build/jittered.json --charts over-time,internals --columns 2 --format svg-dark --output $(STATES)~dark.svg

# Latency percentiles of every policy on public traces, with 95 % intervals, and response times by load:
# results/latency.md and results/overload.md, with their documents. A quarter of an hour, on a quiet machine.
latency: build
	@test -n "$(EVICTIONLAB_TRACES)" || { echo "name the folder of the public traces: EVICTIONLAB_TRACES=… make latency"; exit 1; }
	@mkdir -p results
	cd "$(EVICTIONLAB_TRACES)" && "$(CURDIR)/$(EVICT)" replay $(PUBLIC) --policy $(POLICIES) --capacity 10% --threads 1,2 \
	  --limit 5e5 --resources --time 1s --no-baselines --format json >"$(CURDIR)/.build/latency.json"
	mv .build/latency.json results/latency.json
	$(EVICT) report results/latency.json --format markdown --output results/latency.md
	cd "$(EVICTIONLAB_TRACES)" && "$(CURDIR)/$(EVICT)" replay OLTP.lis.zst --policy lru,sieve,arc,wtinylfu --capacity 10% --limit 5e4 \
	  --rate 10%,25%,50%,75%,90%,120% --miss-penalty spin:2us --time 1s --no-baselines --format json >"$(CURDIR)/.build/overload.json"
	mv .build/overload.json results/overload.json
	$(EVICT) report results/overload.json --format markdown --output results/overload.md
	@echo "reports: results/latency.md, results/overload.md"

# What shards and buffered reads save in waiting and cost in hits, beside one lock: results/locks.md. Some minutes.
locks: build
	@mkdir -p results
	$(EVICT) trace generate zipf:alpha=1:keys=1e5:requests=2e6 --output .build/zipf.oracleGeneral
	cd .build && "$(CURDIR)/$(EVICT)" replay zipf.oracleGeneral --policy lru,sieve --capacity 10%,80% --warmup 5e5 --threads 1,2 \
	  --lock adaptive,mutex,sharded:64:adaptive,sharded:64:big-reader --reads strict,buffered --time 1s --no-baselines --format json >locks.json
	mv .build/locks.json results/locks.json
	$(EVICT) report results/locks.json --format markdown --output results/locks.md
	@echo "report: results/locks.md"

# Well-known libraries' caches beside LRU, with values and files, and servers beside exact LRU: results/systems.md,
# systems-sized.md, fsfilecache.md and servers.md. Half an hour.
SYSTEMS = yycache,afnetworking,sdwebimage,nscache,nscache-documented,dictionary-lock,memorycache,diskcache
DRIVE = exec:python3 $$DRIVER
LISTS = TMPDIR=$(firstword $(wildcard /dev/shm) /tmp)
SERVERS = --system '$(DRIVE) redis:policy=allkeys-lru' --system '$(DRIVE) redis:policy=allkeys-lru:samples=10' \
  --system '$(DRIVE) redis:policy=allkeys-lfu' --system '$(DRIVE) memcached'
systems: build
	@.ci/install redis-server memcached
	@test -n "$(EVICTIONLAB_TRACES)" || { echo "name the folder of the public traces: EVICTIONLAB_TRACES=… make systems"; exit 1; }
	@mkdir -p results
	cd "$(EVICTIONLAB_TRACES)" && "$(CURDIR)/$(EVICT)" replay OLTP.lis.zst lirs-sprite.trace.gz cache2k-web12.trace.xz \
	  --policy lru --system $(SYSTEMS) --limit 2e5 --capacity 10% --repeat 1 --format json >"$(CURDIR)/.build/systems.json"
	cd "$(EVICTIONLAB_TRACES)" && "$(CURDIR)/$(EVICT)" replay cloudPhysicsIO.oracleGeneral.bin --sized \
	  --policy lru --system $(SYSTEMS) --limit 3e4 --capacity 10% --repeat 1 --format json >"$(CURDIR)/.build/systems-sized.json"
	@# Property lists are in memory where that is a place: a disk syncs each of them, which takes hours.
	cd "$(EVICTIONLAB_TRACES)" && $(LISTS) "$(CURDIR)/$(EVICT)" replay lirs-sprite.trace.gz \
	  --policy lru --system fsfilecache:files=1024:all=true --capacity 10% --repeat 1 --format json >"$(CURDIR)/.build/fsfilecache-whole.json"
	cd "$(EVICTIONLAB_TRACES)" && $(LISTS) "$(CURDIR)/$(EVICT)" replay OLTP.lis.zst cache2k-web12.trace.xz \
	  --policy lru --system fsfilecache:files=1024 --limit 2e4 --capacity 10% --repeat 1 --format json >"$(CURDIR)/.build/fsfilecache-limited.json"
	cd "$(EVICTIONLAB_TRACES)" && $(LISTS) "$(CURDIR)/$(EVICT)" replay cloudPhysicsIO.oracleGeneral.bin \
	  --policy lru --system fsfilecache:files=16384 --limit 2e4 --capacity 10% --repeat 1 --format json >"$(CURDIR)/.build/fsfilecache-sized.json"
	$(EVICT) report .build/fsfilecache-whole.json .build/fsfilecache-limited.json .build/fsfilecache-sized.json --format json --output .build/fsfilecache.json
	cd "$(EVICTIONLAB_TRACES)" && DRIVER="$(CURDIR)/notebooks/drivers/driver.py" "$(CURDIR)/$(EVICT)" replay OLTP.lis.zst \
	  lirs-sprite.trace.gz cache2k-web12.trace.xz cloudPhysicsIO.oracleGeneral.bin --policy lru,lfu $(SERVERS) \
	  --limit 2e5 --capacity 10% --repeat 1 --format json >"$(CURDIR)/.build/servers.json"
	mv .build/systems.json results/systems.json
	mv .build/systems-sized.json results/systems-sized.json
	mv .build/fsfilecache.json results/fsfilecache.json
	mv .build/servers.json results/servers.json
	$(EVICT) report results/systems.json --format markdown --output results/systems.md
	$(EVICT) report results/systems-sized.json --format markdown --output results/systems-sized.md
	$(EVICT) report results/fsfilecache.json --format markdown --output results/fsfilecache.md
	$(EVICT) report results/servers.json --format markdown --output results/servers.md
	$(EVICT) report results/systems.json results/systems-sized.json --format html --output results/systems.html
	@echo "reports: results/systems.html, systems.md, systems-sized.md, fsfilecache.md, servers.md"

# Every policy over every bundled and public trace that is there: results/ranking.json and ranking.html.
# Two to four minutes on two cores.
ranking: build
	@mkdir -p results
	$(EVICT) suite --format json --output results/ranking.json
	$(EVICT) report results/ranking.json --format html --output results/ranking.html
	@echo "page: results/ranking.html"

# Reference reports of public traces: results/reference. About a minute.
results: build
	@test -n "$(EVICTIONLAB_TRACES)" || { echo "name the folder of the public traces: EVICTIONLAB_TRACES=… make results"; exit 1; }
	results/run $(PUBLIC) -- $(REFERENCE)
	@echo "reports: results/reference"

# How often every printed interval holds the truth, simulated: results/interval-coverage.md. A minute.
coverage:
	swift build -c release --product CoverageBenchmark
	.build/release/CoverageBenchmark >.build/interval-coverage.md
	mv .build/interval-coverage.md results/interval-coverage.md
	@echo "report: results/interval-coverage.md"

# Every policy as a prefix cache on Mooncake's synthetic trace: results/prefix.html with its document. A minute.
prefix: build
	@test -n "$(EVICTIONLAB_TRACES)" || { echo "name the folder of the public traces: EVICTIONLAB_TRACES=… make prefix"; exit 1; }
	cd "$(EVICTIONLAB_TRACES)" && "$(CURDIR)/$(EVICT)" prefix mooncake-synthetic.jsonl --policy all,opt \
	  --capacity 512,1000,2818,5000,8000,11275,16000,20000 --format json >"$(CURDIR)/.build/prefix.json"
	mv .build/prefix.json results/prefix.json
	$(EVICT) report results/prefix.json --format html --output results/prefix.html
	@echo "report: results/prefix.html"

# From which size on files are faster than the database, on this disk, at three page sizes: results/disk-crossover.md.
# A generated trace whose sizes lie around the store's own threshold, in .build, as temporary files may be in memory.
crossover: build
	@mkdir -p results
	$(EVICT) trace generate zipf:alpha=0.8:keys=600:requests=4000 --sizes lognormal:mean=48KiB:sigma=1.5:max=1MiB --output .build/sizes.oracleGeneral
	cd .build && "$(CURDIR)/$(EVICT)" disk sizes.oracleGeneral --capacity 20% --sized --threshold 0,1MiB \
	  --page-size 4KiB,8KiB,16KiB --rounds 6 --recommend --folder . --format json >disk-crossover.json
	mv .build/disk-crossover.json results/disk-crossover.json
	$(EVICT) report results/disk-crossover.json --format markdown --output results/disk-crossover.md
	@echo "report: results/disk-crossover.md"

# Every test: Swift with all invariants checked where there are any (Tests/Invariants), Swift over whole traces,
# Python.
test:
	@.ci/install g++ python3-scipy python3-yaml chromium btrfs-progs redis-server memcached
	swift build $(INVARIANTS) --build-tests
	swift test $(INVARIANTS) --skip-build
	swift build -c release --build-tests
	swift test -c release --skip-build
	@rm -f .build/release/description.json
	swift build -c release --build-tests $(EXAMPLE)
	swift test -c release --skip-build $(EXAMPLE)
	swift build $(SERVICE)
	Tests/Python/run $(PYTHON)
	Tests/Fuzz/run 2

# The library for other languages: .build/release/libevictionlab.so, whose header is Sources/CEvictionLab/evictionlab.h.
library:
	@.ci/install
	swift build -c release --product evictionlab

# Holds hits, instructions and times against results/baseline.json; fails when they fell behind. One machine
# counts the same to 0.02 %; this baseline is for every machine of its image, whose patches change the C library and
# the Swift runtime a little: 2 %.
check: build
	@.ci/install
	$(GATE)
	$(EVICT) check .build/gate.json --baseline results/baseline.json --instruction-tolerance 2 --require-instructions --format $(FORMAT)

# Tests all claims about caches in three orders, on a machine that does nothing else: results/claims. Half an hour.
# One claim compares SQLite's versions, and needs apsw from PyPI.
claims: build
	@.ci/install python3-venv
	$(PYTHON) -m venv .venv
	.venv/bin/pip install --quiet --disable-pip-version-check --requirement notebooks/requirements.txt
	$(EVICT) claims --repeat 3 --budget 8min --output results/claims

# Makes what is measured now the baseline.
baseline: build
	$(GATE)
	$(EVICT) check .build/gate.json --baseline results/baseline.json --update

# Writes what follows from the catalogs: the tables of the guides, and what every policy does on the bundled traces,
# which make test compares with. After a policy was added, or its definition changed.
catalog: build
	$(PYTHON) Tests/Python/test_pages.py --write
	$(PYTHON) Tests/Python/test_prefix_vectors.py --write
	$(EVICT) policies vectors $(TRACES) --policy $(VECTORS) --capacity 500 --output results/vectors.json

# Runs every notebook from start to end; their pages come under .build/notebooks.
notebooks: build wheel
	@rm -f .build/release/description.json  # SwiftPM plans again for the other package of .build
	swift build -c release $(EXAMPLE) --product my-lab
	.venv/bin/pip install --quiet --disable-pip-version-check --requirement notebooks/requirements.txt
	.venv/bin/pip install --quiet --disable-pip-version-check --no-deps --no-index --force-reinstall $(WHEEL)
	.venv/bin/python -m unittest Tests/Python/test_notebooks.py Tests/Python/test_cluster.py Tests/Python/test_drivers.py
	MY_LAB=$(CURDIR)/.build/release/my-lab .venv/bin/jupyter nbconvert --execute --to html --output-dir .build/notebooks notebooks/*.ipynb
	@echo "pages: .build/notebooks"

# The newest wheel.
WHEELS = .build/wheels
WHEEL = $$(ls -t $(WHEELS)/evictionlab-*.whl | head -1)

# The Python package as a wheel, with the library inside: .build/wheels. Where it is installed, it needs no Swift.
wheel: library
	@.ci/install python3-venv binutils
	$(PYTHON) -m venv .venv
	.venv/bin/pip wheel --quiet --disable-pip-version-check --no-deps --no-index --wheel-dir $(WHEELS) ./notebooks
	@echo "install it: pip install $(WHEEL)"

# The documentation, in which a warning is an error: .build/documentation; and the public names against their list.
docs: build
	swift build $(SERVICE)
	.ci/docs

# Writes the list of public names, after one has changed. Changes.md then has to tell of it.
names: build
	swift build $(SERVICE)
	.ci/docs --write

# Every trace reader against libFuzzer, a minute each.
fuzz:
	@.ci/install
	Tests/Fuzz/run 60

# Against libCacheSim, NSCache and a dictionary of class nodes, and under several threads Caffeine, RocksDB and Go's
# caches, where Debian's packages of them can be had: each interleaved in one run.
bench: build
	Tests/Benchmarks/run

# Lines of memory that a get and a set take from other cores, counted, and what 16 and 64 cores would do by a model:
# results/lines.json. A quarter of an hour on two idle cores; it needs valgrind, without which it says so.
lines:
	@.ci/install
	swift build -c release --product LineBenchmark
	@mkdir -p results
	Tests/Benchmarks/lines.py --output results/lines.json

# Kills a process that works on a store, more than 500 times, turns the power off after each call to the disk, sends the
# example service a million requests, closes the terminal of each command at 50 moments, and plants faults in policies
# and in the caches' concurrency, which the gate and the explorer must find.
soak: build
	swift build --build-tests
	EVICTIONLAB_THOROUGH=1 swift test --skip-build --filter '^DiskTierTests[.]'
	swift build $(SERVICE)
	EVICTIONLAB_THOROUGH=1 $(PYTHON) -m unittest Tests/Python/test_service.py Tests/Python/test_endings.py \
	  Tests/Python/test_gate.py Tests/Python/test_interleavings.py

# Every cache behind every lock under load for so many seconds (make verify SECONDS=600).
SECONDS = 3600
verify:
	@.ci/install
	swift build -c release --product CacheStress
	.build/release/CacheStress $(SECONDS)

# Locks, buffers, loads and caches under schedules that a seed decides (make interleavings SECONDS=600); a schedule that
# fails is printed with the seed that shows it again. make test does so for less than a minute.
interleavings:
	@.ci/install
	swift build --package-path Tests/Interleavings --scratch-path .build/interleavings --product Interleavings
	.build/interleavings/debug/Interleavings $(SECONDS)

# Every cache under load with the thread sanitizer, behind the locks that it sees into. Loads wait for each other behind
# one that it does not, and so do updates. Then every cache is released, and LeakSanitizer looks for what is lost; and the
# library for other languages is given wrong input with the address sanitizer inside.
sanitize:
	@.ci/install
	swift build -c release --sanitize=thread --product CacheStress --scratch-path .build/sanitize
	.build/sanitize/release/CacheStress 0 adaptive,mutex,pthread,spin,rwlock,big-reader without-loads
	Tests/Leaks/run
	Tests/Leaks/library $(PYTHON)

format:
	swift format --in-place --recursive Package.swift Sources Tests

clean:
	rm -rf .build .venv

build:
	@.ci/install
	swift build -c release --product evict

# The tool, its manual page, completions for bash, zsh and fish, and the library for other languages with its headers:
# PREFIX=~/.local make install needs no root.
PREFIX ?= /usr/local
PLACE = $(DESTDIR)$(PREFIX)
SHARE = $(PLACE)/share
install: build library
	install -d $(PLACE)/bin $(PLACE)/lib $(PLACE)/include $(SHARE)/man/man1 $(SHARE)/bash-completion/completions \
	  $(SHARE)/zsh/site-functions $(SHARE)/fish/vendor_completions.d
	install $(EVICT) $(PLACE)/bin/evict
	install -m 644 .build/release/libevictionlab.so $(PLACE)/lib
	install -m 644 Sources/CEvictionLab/*.h $(PLACE)/include
	$(EVICT) --experimental-dump-help | $(PYTHON) .ci/manual >$(SHARE)/man/man1/evict.1
	$(EVICT) --generate-completion-script bash >$(SHARE)/bash-completion/completions/evict
	$(EVICT) --generate-completion-script zsh >$(SHARE)/zsh/site-functions/_evict
	$(EVICT) --generate-completion-script fish >$(SHARE)/fish/vendor_completions.d/evict.fish

# The same and the Python package as an archive for machines without Swift, stripped: .build/evictionlab-linux-x86_64.tar.xz.
ARCHIVE = evictionlab-linux-$(shell uname -m)
XZ_OPT = -T0
dist:
	@.ci/install binutils xz-utils
	@rm -rf .build/dist
	$(MAKE) --silent install DESTDIR=$(CURDIR)/.build/dist PREFIX=/$(ARCHIVE)
	strip .build/dist/$(ARCHIVE)/bin/evict
	strip --strip-unneeded .build/dist/$(ARCHIVE)/lib/libevictionlab.so
	$(MAKE) --silent wheel WHEELS=.build/dist/$(ARCHIVE)/python >/dev/null
	install -m 644 .ci/archive.txt .build/dist/$(ARCHIVE)/README.txt
	XZ_OPT="$(XZ_OPT)" tar --directory .build/dist --owner 0 --group 0 --xz --create --file .build/$(ARCHIVE).tar.xz $(ARCHIVE)
	@ls -l .build/$(ARCHIVE).tar.xz
