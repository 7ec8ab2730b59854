// RocksDB's block caches under the requests of Tests/Benchmarks/threads.py, which says what the lines and files are.
//
//     g++ -std=c++17 -O2 RocksDBBench.cc -lrocksdb -lpthread -o RocksDBBench && ./RocksDBBench FOLDER
//
// An entry is charged 1, so that a capacity is a number of entries, and its value is a number in place of a
// pointer. There are 64 shards: as many as the library makes at most by itself, which knows capacities in bytes only.
// HyperClockCache takes keys of 16 bytes: the number and eight zero bytes, and no texts.
#include <malloc.h>
#include <rocksdb/cache.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

using rocksdb::Slice;
using std::chrono::steady_clock;

struct NumberKey {
  uint64_t words[2];
  explicit NumberKey(uint64_t number) : words{number, 0} {}
  Slice slice() const { return Slice(reinterpret_cast<const char *>(words), sizeof words); }
};

struct TextKey {
  std::string text;
  explicit TextKey(uint64_t number) : text("https://example.org/" + std::to_string(number >> 16)) {}
  Slice slice() const { return Slice(text); }
};

template <class Key>
struct Requests {
  std::vector<Key> keys;
  std::vector<uint8_t> rolls;
};

struct Tally {
  long operations = 0, gets = 0, hits = 0;
  double seconds = 0;
  std::vector<uint32_t> samples;
};

static std::string folder;
static std::vector<uint64_t> numbers;
static std::shared_ptr<rocksdb::Cache> cache;
static std::vector<Requests<NumberKey>> integers;
static std::vector<Requests<TextKey>> texts;

template <class Word>
static std::vector<Word> read(const std::string &path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return {};
  std::vector<Word> words(static_cast<size_t>(file.tellg()) / sizeof(Word));
  file.seekg(0);
  file.read(reinterpret_cast<char *>(words.data()), words.size() * sizeof(Word));
  return words;
}

template <class Key>
static void load(std::vector<Requests<Key>> &all) {
  for (size_t thread = 0;; thread++) {
    auto words = read<uint32_t>(folder + "/requests-" + std::to_string(thread) + ".bin");
    if (words.empty()) return;
    if (std::is_same<Key, TextKey>::value) words.resize(words.size() / 2);
    Requests<Key> requests;
    for (auto word : words) {
      requests.keys.emplace_back(numbers[word & 0xFFFFFF]);
      requests.rolls.push_back(word >> 24);
    }
    all.push_back(std::move(requests));
  }
}

static void drop(const Slice &, void *) {}

static void set(Slice key, uint64_t value) {
  (void)cache->Insert(key, reinterpret_cast<void *>(value), 1, &drop);
}

static bool get(Slice key) {
  auto handle = cache->Lookup(key);
  if (!handle) return false;
  volatile auto value = cache->Value(handle);
  (void)value;
  cache->Release(handle);
  return true;
}

static uint64_t nanoseconds() {
  return std::chrono::nanoseconds(steady_clock::now().time_since_epoch()).count();
}

template <class Key>
static Tally serve(const Requests<Key> &requests, int sets, bool fills, const std::atomic<bool> &over) {
  const size_t block = 64, count = requests.keys.size();
  Tally tally;
  tally.samples.reserve(1 << 17);
  size_t place = 0;
  auto start = nanoseconds();
  do {
    bool sampled = tally.samples.size() < 1 << 17;
    for (size_t end = place + block; place < end; place++) {
      auto key = requests.keys[place].slice();
      if (requests.rolls[place] < sets) {
        set(key, place);
        continue;
      }
      auto asked = sampled ? nanoseconds() : 0;
      bool found = get(key);
      if (sampled) tally.samples.push_back(static_cast<uint32_t>(nanoseconds() - asked));
      sampled = false;
      tally.gets++;
      if (found) tally.hits++;
      else if (fills) set(key, place);
    }
    tally.operations += block;
    if (place == count) place = 0;
  } while (!over.load(std::memory_order_relaxed));
  tally.seconds = (nanoseconds() - start) / 1e9;
  return tally;
}

template <class Key>
static void run(const std::vector<Requests<Key>> &requests, int first, int threads, const std::string &mix, double seconds) {
  std::atomic<bool> over{false};
  std::atomic<int> ready{0};
  std::vector<Tally> tallies(threads);
  std::vector<std::thread> running;
  for (int thread = 0; thread < threads; thread++)
    running.emplace_back([&, thread] {
      ready++;
      while (ready.load() < threads) std::this_thread::yield();
      tallies[thread] = serve(requests[(first + thread) % requests.size()], std::atoi(mix.c_str()), mix == "miss", over);
    });
  while (ready.load() < threads) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  over = true;
  for (auto &thread : running) thread.join();
  Tally whole;
  std::ostringstream operations;
  for (auto &tally : tallies) {
    operations << (operations.tellp() ? ", " : "") << tally.operations;
    whole.gets += tally.gets;
    whole.hits += tally.hits;
    whole.seconds = std::max(whole.seconds, tally.seconds);
    whole.samples.insert(whole.samples.end(), tally.samples.begin(), tally.samples.end());
  }
  auto &samples = whole.samples;
  std::sort(samples.begin(), samples.end());
  auto percentile = [&](double part) {
    return samples.empty() ? 0 : samples[std::min(size_t(part * samples.size()), samples.size() - 1)];
  };
  printf("{\"seconds\": %.9f, \"operations\": [%s], \"gets\": %ld, \"hits\": %ld, \"p50\": %u, \"p99\": %u, \"p999\": %u}\n",
         whole.seconds, operations.str().c_str(), whole.gets, whole.hits, percentile(.5), percentile(.99), percentile(.999));
}

/// Memory of this process in use, without what was freed.
static long resident() {
  malloc_trim(0);
  long whole = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> whole >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

static void fill(const std::string &name, bool isText, size_t capacity) {
  cache = nullptr;
  if (isText) integers = {}; else texts = {};
  if (isText && texts.empty()) load(texts);
  if (!isText && integers.empty()) load(integers);
  auto before = resident();
  if (name == "hyperclock") {
    cache = rocksdb::HyperClockCacheOptions(capacity, 1, 6, false, nullptr, rocksdb::kDontChargeCacheMetadata).MakeSharedCache();
  } else {
    cache = rocksdb::NewLRUCache(capacity, 6, false, 0.5, nullptr, rocksdb::kDefaultToAdaptiveMutex, rocksdb::kDontChargeCacheMetadata);
  }
  for (size_t place = capacity; place-- > 0;)
    isText ? set(TextKey(numbers[place]).slice(), place) : set(NumberKey(numbers[place]).slice(), place);
  printf("{\"entries\": %zu, \"bytesPerEntry\": %.1f}\n", cache->GetUsage(), double(resident() - before) / cache->GetUsage());
}

int main(int, char **arguments) {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  folder = arguments[1];
  numbers = read<uint64_t>(folder + "/keys.bin");
  std::string line, word, first, second, third, fourth;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    words >> word >> first >> second >> third;
    if (word == "fill") fill(first, second == "String", std::stoul(third));
    else if (words >> fourth && texts.empty()) run(integers, std::stoi(first), std::stoi(second), third, std::stod(fourth));
    else run(texts, std::stoi(first), std::stoi(second), third, std::stod(fourth));
  }
}
