import Foundation

extension Claim {
  /// The system's SQLite against a newer one.
  static let newerSQLiteIsFaster = Claim(
    "C20", "A newer SQLite is 2–4× as fast as an old one.",
    hypothesis: "The SQLite in PyPI's apsw takes at most half the time of the system's.",
    effect: "time of apsw's SQLite / time of the system's",
    note: "runs a Python with apsw: .venv/bin/python, or the one that EVICTIONLAB_PYTHON names",
    conditions: ["insert", "select", "sort"].map { work in
      ClaimCondition(["work": work], ClaimRule(.ratio, .below, 0.5)) { context in
        let words = try python(work, newFirst: context.random.index(below: 2) == 0)
        guard words.count == 2, let new = Double(words[0]), let old = Double(words[1]) else {
          throw ClaimUnavailable("apsw is missing or its SQLite is not newer than the system's")
        }
        return Trial(claimed: new, other: old)
      }
    })

  /// The words that the script prints.
  private static func python(_ work: String, newFirst: Bool) throws -> [Substring] {
    let environment = ProcessInfo.processInfo.environment
    let process = Process()
    let program = environment["EVICTIONLAB_PYTHON"] ?? ".venv/bin/python"
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw ClaimUnavailable("\(program) is missing; install apsw there or set EVICTIONLAB_PYTHON")
    }
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["-c", script, work, newFirst ? "new" : "old"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.split(whereSeparator: \.isWhitespace)
  }

  private static let script = """
    import apsw, sqlite3, sys, time
    version = lambda text: tuple(map(int, text.split(".")))
    if version(apsw.sqlite_lib_version()) <= version(sqlite3.sqlite_version):
        sys.exit(1)
    numbers = "with recursive n(i) as (select 1 union all select i+1 from n where i<60000) "
    fill = "insert into t " + numbers + "select i, (i*7919)%60000, hex(i) from n"
    works = {"insert": fill, "select": "select sum(b) from t where c like '%A%'",
             "sort": "select count(*) from (select c from t order by c limit 60000)"}
    def run(module):
        connection = (apsw.Connection if module is apsw else sqlite3.connect)(":memory:")
        cursor = connection.cursor()
        cursor.execute("create table t(a integer primary key, b integer, c text)")
        if sys.argv[1] != "insert":
            cursor.execute(fill)
        start = time.perf_counter_ns()
        cursor.execute(works[sys.argv[1]]).fetchall()
        return time.perf_counter_ns() - start
    order = [apsw, sqlite3] if sys.argv[2] == "new" else [sqlite3, apsw]
    times = {module: run(module) for module in order}
    print(times[apsw], times[sqlite3])
    """
}
