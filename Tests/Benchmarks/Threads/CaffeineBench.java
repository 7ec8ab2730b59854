// Caffeine under the requests of Tests/Benchmarks/threads.py, which says what the lines and files are.
//
//     javac -cp caffeine.jar -d . CaffeineBench.java && java -cp .:caffeine.jar CaffeineBench FOLDER
//
// The cache is as its builder makes it: its upkeep runs in the common pool, beside the threads that are counted.
// A text computes its hash once: each round has texts of its own, as requests from outside bring. Bytes are those of the
// heap in use after a collection.
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CyclicBarrier;

final class CaffeineBench {
  static final int BLOCK = 64;
  static final int SAMPLES = 1 << 17;

  static final class Tally {
    long operations, gets, hits, nanoseconds;
    int sampled;
    final long[] samples = new long[SAMPLES];
  }

  static Path folder;
  static long[] numbers;
  static final List<int[]> requests = new ArrayList<>();
  static boolean isText;
  static Cache<Object, Long> cache;
  static volatile boolean isOver;

  static ByteBuffer read(Path path) throws Exception {
    return ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
  }

  static Object key(long number) {
    return isText ? (Object) ("https://example.org/" + Long.toUnsignedString(number >>> 16)) : (Object) number;
  }

  static void serve(Object[] keys, byte[] rolls, int sets, boolean fills, Tally tally) {
    Cache<Object, Long> cache = CaffeineBench.cache;
    int place = 0;
    long start = System.nanoTime();
    do {
      boolean isSampled = tally.sampled < SAMPLES;
      for (int end = place + BLOCK; place < end; place++) {
        Object key = keys[place];
        if (rolls[place] < sets) {
          cache.put(key, (long) place);
          continue;
        }
        long asked = isSampled ? System.nanoTime() : 0;
        boolean isFound = cache.getIfPresent(key) != null;
        if (isSampled) tally.samples[tally.sampled++] = System.nanoTime() - asked;
        isSampled = false;
        tally.gets++;
        if (isFound) tally.hits++;
        else if (fills) cache.put(key, (long) place);
      }
      tally.operations += BLOCK;
      if (place == keys.length) place = 0;
    } while (!isOver);
    tally.nanoseconds = System.nanoTime() - start;
  }

  static String run(int first, int threads, String mix, double seconds) throws Exception {
    boolean fills = mix.equals("miss");
    int sets = fills ? 0 : Integer.parseInt(mix);
    isOver = false;
    CyclicBarrier start = new CyclicBarrier(threads + 1);
    List<Thread> running = new ArrayList<>();
    List<Tally> tallies = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      int[] words = requests.get((first + thread) % requests.size());
      int count = isText ? words.length / 2 : words.length;
      Object[] keys = new Object[count];
      byte[] rolls = new byte[count];
      for (int place = 0; place < count; place++) {
        keys[place] = key(numbers[words[place] & 0xFFFFFF]);
        rolls[place] = (byte) (words[place] >>> 24);
      }
      Tally tally = new Tally();
      tallies.add(tally);
      running.add(new Thread(() -> {
        try {
          start.await();
        } catch (Exception error) {
          throw new IllegalStateException(error);
        }
        serve(keys, rolls, sets, fills, tally);
      }));
      running.get(thread).start();
    }
    System.gc();
    start.await();
    Thread.sleep((long) (seconds * 1000));
    isOver = true;
    for (Thread thread : running) thread.join();
    long gets = 0, hits = 0, longest = 0;
    List<Long> operations = new ArrayList<>();
    long[] samples = new long[tallies.stream().mapToInt(tally -> tally.sampled).sum()];
    int copied = 0;
    for (Tally tally : tallies) {
      gets += tally.gets;
      hits += tally.hits;
      longest = Math.max(longest, tally.nanoseconds);
      operations.add(tally.operations);
      System.arraycopy(tally.samples, 0, samples, copied, tally.sampled);
      copied += tally.sampled;
    }
    Arrays.sort(samples);
    return String.format(
        Locale.ROOT, "{\"seconds\": %.9f, \"operations\": %s, \"gets\": %d, \"hits\": %d, \"p50\": %d, \"p99\": %d, \"p999\": %d}",
        longest / 1e9, operations, gets, hits, percentile(samples, .5), percentile(samples, .99), percentile(samples, .999));
  }

  static long percentile(long[] sorted, double part) {
    return sorted.length == 0 ? 0 : sorted[Math.min((int) (part * sorted.length), sorted.length - 1)];
  }

  static long used() {
    for (int times = 0; times < 3; times++) System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  static String fill(boolean isText, int capacity) {
    CaffeineBench.isText = isText;
    cache = null;
    long before = used();
    cache = Caffeine.newBuilder().maximumSize(capacity).build();
    for (int place = capacity - 1; place >= 0; place--) cache.put(key(numbers[place]), (long) place);
    cache.cleanUp();
    long entries = cache.estimatedSize();
    return String.format(
        Locale.ROOT, "{\"entries\": %d, \"bytesPerEntry\": %.1f}", entries, (used() - before) / (double) entries);
  }

  public static void main(String[] arguments) throws Exception {
    folder = Path.of(arguments[0]);
    ByteBuffer keys = read(folder.resolve("keys.bin"));
    numbers = new long[keys.remaining() / 8];
    keys.asLongBuffer().get(numbers);
    for (int thread = 0; Files.exists(folder.resolve("requests-" + thread + ".bin")); thread++) {
      ByteBuffer words = read(folder.resolve("requests-" + thread + ".bin"));
      int[] all = new int[words.remaining() / 4];
      words.asIntBuffer().get(all);
      requests.add(all);
    }
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ");
      System.out.println(
          words[0].equals("fill")
              ? fill(words[2].equals("String"), Integer.parseInt(words[3]))
              : run(Integer.parseInt(words[1]), Integer.parseInt(words[2]), words[3], Double.parseDouble(words[4])));
      System.out.flush();
    }
  }
}
