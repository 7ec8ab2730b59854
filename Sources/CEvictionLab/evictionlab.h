/// The C interface of EvictionLab: traces, simulations of eviction policies, and a cache.
///
///     evl_trace *trace = NULL;
///     evl_error *error = NULL;
///     if (evl_trace_from_ids(ids, count, NULL, NULL, &trace, &error) != EVL_OK) {
///       fprintf(stderr, "%s\n", evl_error_message(error));
///       evl_error_free(error);
///     }
///
/// Results. A function that can fail returns an `evl_status`. Where that is not EVL_OK, and `error` is not NULL,
/// `*error` is an error that the caller frees; on success it is NULL. Other results are written on success only, except
/// that a pointer which is to be written is set to NULL first.
///
/// Memory. The library keeps no pointer of the caller after a call. What it returns as `type **` belongs to the caller,
/// who gives it to the function that the comment names. What it returns as `const type *` belongs to the object that
/// was asked, and is valid until that is freed. To free NULL does nothing. To use or to free an object after it was
/// freed is an error of the caller that the library cannot see, as with free() of the C library.
///
/// Threads. Every function may be called on any thread, also with the same object on several threads at once. A call
/// that has begun keeps its object: another thread may close it meanwhile. Callbacks are called on the thread of the
/// call, and must return: by no exception and no longjmp(). A child of fork() may use what its parent made, unless another
/// thread of the parent was inside the library.
///
/// The library sets no signal handler, and has no global settings but the policies that evl_policy_add names. Memory or a
/// thread that the system refuses ends the process. Once loaded, the library stays: dlclose() does not unload it.
///
/// Texts are UTF-8 and end with a zero byte, unless a length stands beside them.
#ifndef EVICTIONLAB_H
#define EVICTIONLAB_H

#include <stdint.h>

#include "evictionlab_policy.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The version of this interface. It changes with every function or structure that changes or goes away.
#define EVL_ABI_VERSION 1

/// Returns the library's EVL_ABI_VERSION. A program compares it with that of its header before it calls anything else.
uint32_t evl_abi_version(void);

/// Returns the version of the program, such as "0.1.0". It is never freed.
const char *evl_version(void);

// MARK: Errors

/// The outcome of a call.
typedef int32_t evl_status;
enum {
  EVL_OK = 0,
  /// An argument is wrong: a null pointer, an unknown policy, a text that is no capacity.
  EVL_USAGE = 1,
  /// The trace lacks what is needed, or its content is wrong.
  EVL_DATA = 2,
  /// There is no such file.
  EVL_MISSING = 3,
  /// The system refuses to read a file.
  EVL_IO = 4,
  /// There is not enough memory.
  EVL_MEMORY = 5,
  /// The progress callback stopped the call.
  EVL_CANCELLED = 6,
  /// A policy failed on the way: an error of the library.
  EVL_INTERNAL = 7
};

/// The reason of a failure.
typedef struct evl_error evl_error;

/// Returns the status that the call returned; EVL_OK for NULL.
evl_status evl_error_status(const evl_error *error);

/// Returns one line that says what is wrong and what to do. It belongs to the error; empty for NULL.
const char *evl_error_message(const evl_error *error);

/// Frees an error.
void evl_error_free(evl_error *error);

/// Frees what a comment says is freed so.
void evl_free(void *memory);

// MARK: Progress

/// Called about ten times a second while a call works, on the thread of the call.
///
/// `done` never falls. It counts bytes or requests of `total`; `total` is 0 where it is not known.
/// Returns 0 to go on. Any other number stops the call, which then returns EVL_CANCELLED, usually within milliseconds.
typedef int32_t (*evl_progress)(void *context, uint64_t done, uint64_t total);

// MARK: Catalogs

/// Describes policies, admission filters and trace formats, as `evict policies --format json` does.
///
/// `*json` becomes an object with the members "policies", "admission" and "formats": arrays of objects with "name",
/// "summary" and "parameters" at least. Freed by evl_free.
evl_status evl_catalog(char **json, evl_error **error);

// MARK: Traces

/// The requests of a trace. It never changes.
typedef struct evl_trace evl_trace;

/// The columns that a trace may have beside its keys.
enum {
  EVL_SIZES = 1,
  EVL_TIMES = 2,
  EVL_OPERATIONS = 4,
  EVL_TTLS = 8,
  EVL_COSTS = 16,
  EVL_KEY_LENGTHS = 32,
  EVL_ALL_COLUMNS = 63
};

/// The operations of requests. Gets, reads and writes of blocks are counted as hits or misses; the others write or
/// remove their object, or give it another time to live (EVL_TOUCH).
enum {
  EVL_GET = 0,
  EVL_SET = 1,
  EVL_ADD = 2,
  EVL_DELETE = 3,
  EVL_REPLACE = 4,
  EVL_COMPARE_AND_SET = 5,
  EVL_APPEND = 6,
  EVL_PREPEND = 7,
  EVL_INCREMENT = 8,
  EVL_DECREMENT = 9,
  EVL_READ = 10,
  EVL_WRITE = 11,
  EVL_TOUCH = 12
};

/// The size of a request that tells none: its object has the size that an earlier request of the key told.
#define EVL_UNKNOWN_SIZE UINT64_MAX

/// The columns of requests beside their keys: each NULL, or an array with one value for each request.
typedef struct evl_columns {
  /// The bytes of the object, or EVL_UNKNOWN_SIZE. Their sum is less than 2^63.
  const uint64_t *sizes;
  /// The time in nanoseconds, from any zero.
  const int64_t *times;
  /// One of EVL_GET … EVL_TOUCH.
  const uint8_t *operations;
  /// The time to live in nanoseconds from the request's time on, 0 for ever; never negative.
  const int64_t *ttls;
  /// The penalty of a miss; finite and not negative.
  const double *costs;
} evl_columns;

/// Copies a trace from numbers: ids, or hashes of 64 bits. Equal numbers are the same key.
///
/// `count` is 1 or more; `columns` and `name` may be NULL. Freed by evl_trace_close.
evl_status evl_trace_from_ids(
    const uint64_t *ids, uint64_t count, const evl_columns *columns, const char *name,
    evl_trace **trace, evl_error **error);

/// Copies a trace from texts: that of request i is the bytes from `offsets[i]` to `offsets[i + 1]`.
///
/// There are `count + 1` offsets, none less than the one before, and none more than `length`, the number of bytes.
/// Texts may hold any bytes. `count` is 1 or more; `columns` and `name` may be NULL. Freed by evl_trace_close.
evl_status evl_trace_from_texts(
    const uint8_t *bytes, uint64_t length, const uint64_t *offsets, uint64_t count,
    const evl_columns *columns, const char *name, evl_trace **trace, evl_error **error);

/// Reads a trace from a file.
///
/// - path: the file, which may be packed by gzip, zstd or xz; several with + between them are one trace.
/// - format: as `--trace-format` has it, such as "lis" or "csv:key=lbn:size=size"; NULL detects it.
/// - limit: the most requests to read; 0 reads all.
/// - columns: the columns to keep where the file has them, EVL_ALL_COLUMNS or fewer.
/// - progress: may be NULL; `context` is passed to it. It counts bytes of the file.
///
/// Freed by evl_trace_close.
evl_status evl_trace_open(
    const char *path, const char *format, uint64_t limit, uint32_t columns, evl_progress progress,
    void *context, evl_trace **trace, evl_error **error);

/// Facts about a trace.
typedef struct evl_trace_info {
  uint64_t requests;
  /// Distinct keys.
  uint64_t keys;
  /// The bytes of all requests together, and of all distinct keys, each with the first size that a request tells;
  /// 0 without sizes.
  uint64_t requested_bytes;
  uint64_t key_bytes;
  /// The earliest and the latest time in nanoseconds; 0 without times.
  int64_t first_time;
  int64_t last_time;
  /// The columns that the trace has: EVL_SIZES | …
  uint32_t columns;
} evl_trace_info;

/// Computes the facts about a trace. O(requests) where it has sizes or times.
evl_status evl_trace_get_info(const evl_trace *trace, evl_trace_info *info, evl_error **error);

/// Returns the name of the trace. It belongs to the trace; NULL for NULL.
const char *evl_trace_name(const evl_trace *trace);

/// Returns the name of the format that it was read from, or "memory". It belongs to the trace; NULL for NULL.
const char *evl_trace_format(const evl_trace *trace);

/// Closes a trace.
void evl_trace_close(evl_trace *trace);

// MARK: Simulations

/// The options of simulations. NULL in place of a pointer to them means EVL_DEFAULT_OPTIONS.
typedef struct evl_options {
  /// The random seed; 42 by default, as in `evict`.
  uint64_t seed;
  /// Requests at the start that are run but not counted.
  uint64_t warmup;
  /// The threads that work; 0 for as many as the process has cores. Results do not depend on it.
  uint32_t threads;
  /// 1 if objects count their bytes. A capacity in bytes ("64MiB") implies it.
  uint32_t sized;
  /// 1 if sets are counted as hits or misses, too.
  uint32_t counts_sets;
  /// 1 if objects leave when their time to live is over.
  uint32_t expires;
} evl_options;

#define EVL_DEFAULT_OPTIONS {42, 0, 0, 0, 0, 0}

/// The counts of one policy at one capacity, without the warm-up.
typedef struct evl_row {
  /// The policy: see evl_results_policy.
  uint32_t policy;
  /// The index of the capacity among those that were given.
  uint32_t capacity_index;
  /// That capacity in objects, or in bytes where the run is sized.
  uint64_t capacity;
  /// Counted requests, and those of them that found their object.
  uint64_t requests;
  uint64_t hits;
  /// The bytes of both; 0 unless the run is sized.
  uint64_t requested_bytes;
  uint64_t hit_bytes;
  /// Objects that entered, that the policy evicted, and whose time to live was over.
  uint64_t insertions;
  uint64_t evictions;
  uint64_t expirations;
  /// Objects that were larger than the cache or refused.
  uint64_t rejections;
  /// Counted requests of objects whose size no request had told yet: misses that insert nothing.
  uint64_t unknown_sizes;
  /// The penalties of a miss of all counted requests, and of those that hit; 0 without costs.
  double cost;
  double hit_cost;
  /// The time of the run in seconds.
  double seconds;
} evl_row;

/// The rows of a simulation.
typedef struct evl_results evl_results;

/// Simulates every policy at every capacity.
///
/// - policies: texts as on the command line, such as "arc" and "slru:protected=0.8"; "all" stands for every policy that
///   is no bound, those left out that cannot run on the trace. Bounds are "opt", "opt:bypass=true", "belady-size" and
///   "infinite".
/// - capacities: texts: objects ("1000"), a fraction of the distinct keys or their bytes ("1%"), bytes ("64MiB").
///   A number is written as text. Those that are equal on this trace run once, under the first index.
/// - progress: may be NULL; `context` is passed to it. It counts requests of all rows.
///
/// The rows stand in the order of the capacities, and at each in that of the policies. Their hits are those of
/// `evict sweep`. Freed by evl_results_free.
evl_status evl_simulate(
    const evl_trace *trace, const char *const *policies, uint64_t policy_count,
    const char *const *capacities, uint64_t capacity_count, const evl_options *options,
    evl_progress progress, void *context, evl_results **results, evl_error **error);

/// Sets `*columns` to the columns of a trace that such a simulation reads, where the trace has them: those with which
/// evl_trace_open need keep it. Bounds and LRU's curve read no others.
evl_status evl_trace_columns(
    const char *const *policies, uint64_t policy_count, const char *const *capacities,
    uint64_t capacity_count, const evl_options *options, uint32_t *columns, evl_error **error);

/// Returns the number of rows; 0 for NULL.
uint64_t evl_results_count(const evl_results *results);

/// Returns the rows. They belong to the results; NULL for NULL.
const evl_row *evl_results_rows(const evl_results *results);

/// Returns the number of policies, "all" counted as those for which it stands; 0 for NULL.
uint64_t evl_results_policy_count(const evl_results *results);

/// Returns a policy with its parameters, such as "slru:protected=0.8". It belongs to the results; NULL for an index that
/// there is not.
const char *evl_results_policy(const evl_results *results, uint64_t index);

/// Returns notes on what was left out, one a line; empty if there are none. They belong to the results; NULL for NULL.
const char *evl_results_notes(const evl_results *results);

/// Frees results.
void evl_results_free(evl_results *results);

/// Counts the hits of LRU at every capacity in one pass, objects counting one, exactly.
///
/// `(*hits)[c]` becomes the hits at a capacity of c objects, from 0 to the number of distinct keys, which is
/// `*count - 1`; `*requests` the counted requests. Sets are not counted, and nothing expires. `progress` may be NULL. Freed by
/// evl_free. O(requests × log keys).
evl_status evl_lru_curve(
    const evl_trace *trace, evl_progress progress, void *context, uint64_t **hits, uint64_t *count,
    uint64_t *requests, evl_error **error);

/// The hit ratio that no policy can exceed at one capacity, even if it knows all requests to come.
typedef struct evl_bound {
  /// The index of the capacity among those that were given, and the capacity in objects or bytes.
  uint64_t capacity_index;
  uint64_t capacity;
  /// Counted requests.
  uint64_t requests;
  /// The highest hit ratio lies between these: equal where objects count one, as then it is known exactly.
  double hit_ratio_low;
  double hit_ratio_high;
  /// The same of the byte hit ratio of the policy that maximises it; not a number unless the run is sized.
  double byte_hit_ratio_low;
  double byte_hit_ratio_high;
} evl_bound;

/// Bounds the optimum at every capacity, as `evict bounds` does.
///
/// `*bounds` becomes an array of `*count`, freed by evl_free. `options` and `progress` may be NULL.
evl_status evl_bounds(
    const evl_trace *trace, const char *const *capacities, uint64_t capacity_count,
    const evl_options *options, evl_progress progress, void *context, evl_bound **bounds,
    uint64_t *count, evl_error **error);

// MARK: Policies of one's own

/// Names a policy in this process: from here on a text "plugin:NAME", with parameters behind it, stands for it in evl_simulate,
/// evl_cache_create and wherever else policies are named. A shared library needs no such call: "plugin:./mine.so" loads it.
///
/// `name` is not that of another policy here, and has neither colon nor comma nor space. `policy` is a table as a shared
/// library of evictionlab_policy.h exports one. It and all that it points to must stay until the name was removed, and until
/// every call and cache that uses it has ended. A policy that breaks its contract in a simulation or a cache ends the process;
/// evl_policy_check finds that first.
evl_status evl_policy_add(const char *name, const evl_policy *policy, evl_error **error);

/// Takes a name of evl_policy_add away. Calls and caches that use the policy go on. Does nothing for NULL and for other names.
void evl_policy_remove(const char *name);

/// Runs the conformance suite of `evict policies check` on any policy.
///
/// - policy: a text as on the command line, such as "plugin:NAME" or "slru:protected=0.8", without an admission filter.
/// - seed, rounds, operations: the seed of the first workload, the seeds for each property, the operations of each workload;
///   42, 10 and 200 in `evict`. Rounds and operations are 1 to 1000000.
/// - progress: may be NULL; `context` is passed to it. It counts properties, and stops the call before the next one.
///
/// `*json` becomes an object with the member "violations": an array, empty if the policy conforms, of objects with the texts
/// "property" and "message", and the flag "breaksContract". Freed by evl_free. A policy that crashes ends the process.
evl_status evl_policy_check(
    const char *policy, uint64_t seed, uint64_t rounds, uint64_t operations, evl_progress progress,
    void *context, char **json, evl_error **error);

// MARK: A cache

/// A cache of bytes by keys of bytes, with any policy that is no bound.
typedef struct evl_cache evl_cache;

/// No limit of a cache.
#define EVL_NO_LIMIT UINT64_MAX
/// The cost of an entry that costs as much as its value has bytes.
#define EVL_COST_OF_LENGTH UINT64_MAX

/// The options of a cache.
typedef struct evl_cache_options {
  /// The most entries, and the largest sum of their costs; EVL_NO_LIMIT for none. At 0 it holds none.
  uint64_t count_limit;
  uint64_t cost_limit;
  /// The random seed; 0 for a random one, which strangers who choose keys do not know.
  uint64_t seed;
  /// 1 if values that leave are kept for evl_cache_take_removed.
  uint32_t keeps_removed;
} evl_cache_options;

/// Makes an empty cache.
///
/// `policy` is a text as on the command line; NULL for S3-FIFO. Freed by evl_cache_free.
evl_status evl_cache_create(
    const char *policy, const evl_cache_options *options, evl_cache **cache, evl_error **error);

/// Looks a key up.
///
/// `*value` becomes a copy of the value, freed by evl_free, and `*length` its bytes. If there is none, `*value` is NULL.
/// The copy of an empty value is not NULL.
evl_status evl_cache_get(
    evl_cache *cache, const void *key, uint64_t key_length, void **value, uint64_t *length,
    evl_error **error);

/// Stores a copy of a value. What the key had before leaves, also where the new value is refused.
///
/// - cost: what it takes of the cost limit; EVL_COST_OF_LENGTH for its length.
/// - ttl: the time after which it expires in nanoseconds; 0 for never.
/// - stored: becomes 1 if the cache took it, 0 if it or the policy refused. May be NULL.
evl_status evl_cache_set(
    evl_cache *cache, const void *key, uint64_t key_length, const void *value,
    uint64_t value_length, uint64_t cost, uint64_t ttl, uint32_t *stored, evl_error **error);

/// Removes a key. `*removed`, which may be NULL, becomes 1 if it had a value, else 0.
evl_status evl_cache_remove(
    evl_cache *cache, const void *key, uint64_t key_length, uint32_t *removed, evl_error **error);

/// Sets `*contained` to 1 if a key has a value, else to 0. The policy does not learn of it.
evl_status evl_cache_contains(
    evl_cache *cache, const void *key, uint64_t key_length, uint32_t *contained, evl_error **error);

/// Takes the value that left first among those kept (`keeps_removed`), for whatever cause: evicted, replaced, removed,
/// expired.
///
/// `*value` is freed by evl_free; NULL if there is none. They take memory until they are taken. A value that was refused is
/// not among them.
evl_status evl_cache_take_removed(
    evl_cache *cache, void **value, uint64_t *length, evl_error **error);

/// Looks up the key that consists of the eight bytes of a number, as evl_cache_get does, without a copy of its value.
///
/// Returns 1 if it has one, 0 if it has none, and -1 for a NULL cache.
int32_t evl_cache_touch(evl_cache *cache, uint64_t key);

/// Stores the eight bytes of a number under those of another, as evl_cache_set does.
///
/// Returns 1 if the cache took it, 0 if it was refused, and -1 for an error.
int32_t evl_cache_put(
    evl_cache *cache, uint64_t key, uint64_t value, uint64_t cost, uint64_t ttl, evl_error **error);

/// Takes values that left as evl_cache_take_removed does, as long as they have eight bytes, but at most `capacity`.
///
/// Returns their number; 0 where the cache keeps none, and for NULL.
uint64_t evl_cache_take_numbers(evl_cache *cache, uint64_t *values, uint64_t capacity);

/// Looks up `count` numbers in their order, as evl_cache_touch does each. Returns how many have a value; 0 for NULL.
uint64_t evl_cache_touch_all(evl_cache *cache, const uint64_t *keys, uint64_t count);

/// The most gets of a batch.
#define EVL_BATCH_GETS 64

/// Gets of numbers, then a set of one, and the values that leave: for languages in which a call is dear.
typedef struct evl_cache_batch {
  evl_cache *cache;
  /// The set: the arguments of evl_cache_put.
  uint64_t key;
  uint64_t value;
  uint64_t cost;
  uint64_t ttl;
  /// Room for values that left, as evl_cache_take_numbers takes them; may be NULL if the capacity is 0.
  uint64_t *removed;
  uint64_t removed_capacity;
  /// The keys of the gets, at most EVL_BATCH_GETS. No more than `get_count` of them are read.
  uint64_t get_count;
  uint64_t gets[EVL_BATCH_GETS];
} evl_cache_batch;

/// Makes the gets of a batch in their order, then its set, and takes values that left.
///
/// Returns the number of those values. If the set was refused, the number is complemented: -1 for none, -2 for one.
/// INT64_MIN is an error, and nothing was done.
int64_t evl_cache_run_batch(const evl_cache_batch *batch);

/// The counts of a cache since it was made.
typedef struct evl_cache_statistics {
  /// Gets that found a value, and that found none.
  uint64_t hits;
  uint64_t misses;
  /// Entries that came, that the limits drove out, and that expired.
  uint64_t insertions;
  uint64_t evictions;
  uint64_t expirations;
  /// Sets that replaced a value, and that were refused.
  uint64_t replacements;
  uint64_t rejections;
  /// Entries that the user removed.
  uint64_t removals;
  /// The entries now, and the sum of their costs.
  uint64_t count;
  uint64_t cost;
} evl_cache_statistics;

/// Reads the counts of a cache.
evl_status evl_cache_get_statistics(
    evl_cache *cache, evl_cache_statistics *statistics, evl_error **error);

/// Removes every entry.
evl_status evl_cache_clear(evl_cache *cache, evl_error **error);

/// Frees a cache and all that it holds.
void evl_cache_free(evl_cache *cache);

#ifdef __cplusplus
}
#endif

#endif
