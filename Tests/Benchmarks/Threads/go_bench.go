// Go's golang-lru and Ristretto under the requests of Tests/Benchmarks/threads.py, which says what the lines and
// files are.
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go build -o go_bench go_bench.go && ./go_bench FOLDER
//
// Ristretto takes sets later, in a goroutine of its own, and drops some: a fill sets again what was dropped. Its
// options are those that its documentation advises: ten counters an entry, buffers of 64. Bytes are those of the heap
// after a collection.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dgraph-io/ristretto"
	lru "github.com/hashicorp/golang-lru"
)

const block = 64
const mostSamples = 1 << 17

type cache interface {
	get(key interface{}) bool
	set(key interface{}, value uint64) bool
	count() int
}

type lruCache struct{ *lru.Cache }

func (c lruCache) get(key interface{}) bool { _, ok := c.Get(key); return ok }
func (c lruCache) count() int               { return c.Len() }
func (c lruCache) set(key interface{}, value uint64) bool {
	c.Add(key, value)
	return true
}

type ristrettoCache struct {
	*ristretto.Cache
	capacity int
}

func (c ristrettoCache) get(key interface{}) bool { _, ok := c.Get(key); return ok }
func (c ristrettoCache) count() int               { return c.capacity }
func (c ristrettoCache) set(key interface{}, value uint64) bool {
	return c.Set(key, value, 1)
}

type requests[Key any] struct {
	keys  []Key
	rolls []byte
}

type tally struct {
	operations, gets, hits int
	elapsed                time.Duration
	samples                []int
}

var folder = os.Args[1]
var numbers []uint64
var integers []requests[uint64]
var texts []requests[string]
var filled cache

func integer(number uint64) uint64 { return number }
func text(number uint64) string    { return "https://example.org/" + strconv.FormatUint(number>>16, 10) }

func load[Key any](part int, key func(uint64) Key) (all []requests[Key]) {
	for {
		data, err := os.ReadFile(fmt.Sprintf("%s/requests-%d.bin", folder, len(all)))
		if err != nil {
			return all
		}
		data = data[:len(data)/part]
		one := requests[Key]{make([]Key, len(data)/4), make([]byte, len(data)/4)}
		for place := range one.keys {
			word := binary.LittleEndian.Uint32(data[4*place:])
			one.keys[place] = key(numbers[word&0xFFFFFF])
			one.rolls[place] = byte(word >> 24)
		}
		all = append(all, one)
	}
}

func serve[Key any](r requests[Key], c cache, sets byte, fills bool, isOver *int32) tally {
	t := tally{samples: make([]int, 0, mostSamples)}
	start := time.Now()
	for place := 0; t.operations == 0 || atomic.LoadInt32(isOver) == 0; {
		isSampled := len(t.samples) < mostSamples
		for end := place + block; place < end; place++ {
			key := r.keys[place]
			if r.rolls[place] < sets {
				c.set(key, uint64(place))
				continue
			}
			var found bool
			if isSampled {
				asked := time.Now()
				found = c.get(key)
				t.samples = append(t.samples, int(time.Since(asked)))
				isSampled = false
			} else {
				found = c.get(key)
			}
			t.gets++
			if found {
				t.hits++
			} else if fills {
				c.set(key, uint64(place))
			}
		}
		t.operations += block
		if place == len(r.keys) {
			place = 0
		}
	}
	t.elapsed = time.Since(start)
	return t
}

func run[Key any](all []requests[Key], first, threads int, mix string, seconds float64) map[string]interface{} {
	percentage, _ := strconv.Atoi(mix)
	var isOver int32
	var start, done sync.WaitGroup
	start.Add(threads)
	done.Add(threads)
	tallies := make([]tally, threads)
	runtime.GC()
	for thread := 0; thread < threads; thread++ {
		go func(thread int) {
			runtime.LockOSThread()
			start.Done()
			start.Wait()
			tallies[thread] = serve(all[(first+thread)%len(all)], filled, byte(percentage), mix == "miss", &isOver)
			done.Done()
		}(thread)
	}
	start.Wait()
	time.Sleep(time.Duration(seconds * 1e9))
	atomic.StoreInt32(&isOver, 1)
	done.Wait()
	var operations, samples []int
	var longest time.Duration
	gets, hits := 0, 0
	for _, t := range tallies {
		operations = append(operations, t.operations)
		samples = append(samples, t.samples...)
		gets += t.gets
		hits += t.hits
		if t.elapsed > longest {
			longest = t.elapsed
		}
	}
	sort.Ints(samples)
	answer := map[string]interface{}{"seconds": longest.Seconds(), "operations": operations, "gets": gets, "hits": hits}
	for name, part := range map[string]int{"p50": 500, "p99": 990, "p999": 999} {
		answer[name] = 0
		if len(samples) > 0 {
			answer[name] = samples[len(samples)*part/1000]
		}
	}
	return answer
}

func heap() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

func fill(name string, isText bool, capacity int) map[string]interface{} {
	if r, ok := filled.(ristrettoCache); ok {
		r.Close()
	}
	filled = nil
	if isText {
		integers = nil
		if texts == nil {
			texts = load(2, text)
		}
	} else {
		texts = nil
		if integers == nil {
			integers = load(1, integer)
		}
	}
	before := heap()
	if name == "ristretto" {
		c, _ := ristretto.NewCache(&ristretto.Config{
			NumCounters: int64(10 * capacity), MaxCost: int64(capacity), BufferItems: 64})
		filled = ristrettoCache{c, capacity}
	} else {
		c, _ := lru.New(capacity)
		filled = lruCache{c}
	}
	for place := capacity - 1; place >= 0; place-- {
		var key interface{} = numbers[place]
		if isText {
			key = text(numbers[place])
		}
		for !filled.set(key, uint64(place)) {
			time.Sleep(time.Millisecond)
		}
	}
	time.Sleep(50 * time.Millisecond)
	return map[string]interface{}{
		"entries": filled.count(), "bytesPerEntry": float64(heap()-before) / float64(filled.count())}
}

func main() {
	data, _ := os.ReadFile(folder + "/keys.bin")
	for ; len(data) > 0; data = data[8:] {
		numbers = append(numbers, binary.LittleEndian.Uint64(data))
	}
	answers := json.NewEncoder(os.Stdout)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if words[0] == "fill" {
			capacity, _ := strconv.Atoi(words[3])
			answers.Encode(fill(words[1], words[2] == "String", capacity))
			continue
		}
		first, _ := strconv.Atoi(words[1])
		threads, _ := strconv.Atoi(words[2])
		seconds, _ := strconv.ParseFloat(words[4], 64)
		if texts != nil {
			answers.Encode(run(texts, first, threads, words[3], seconds))
		} else {
			answers.Encode(run(integers, first, threads, words[3], seconds))
		}
	}
}
