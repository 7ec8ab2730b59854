#!/usr/bin/env python3
"""Records the page references of a shop's database: traces/orders.txt.zst.

Needs: apt-get install python3 strace zstd. Takes half a minute.
Usage: orders.py [OUTPUT-FOLDER]

A day-like mix runs on SQLite: look-ups of skewed products, order histories,
new orders, and now and then a report that scans. The key of a request is the
number of the 4 KiB page of the database file, reads and writes alike.
"""
import pathlib, random, re, sqlite3, subprocess, sys, tempfile

PAGE = 4096
CUSTOMERS, PRODUCTS, ORDERS, DAYS = 40_000, 8_000, 100_000, 365
OPERATIONS = 24_000

# Only random() is used: its sequence for a seed is the same in every Python.
generator = random.Random(42)


def below(n):
    return int(generator.random() * n)


def skewed(n):
    """A rank with probability about 1/rank, scattered so that hot rows share no page."""
    rank = int(n ** generator.random()) - 1
    return rank * 2_654_435_761 % n


def text(length):
    return "".join("abcdefghijklmnopqrstuvwxyz "[below(27)] for _ in range(length))


def create(path):
    db = sqlite3.connect(path)
    db.executescript(f"""
        PRAGMA page_size = {PAGE};
        CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT, address TEXT, email TEXT UNIQUE);
        CREATE TABLE product(id INTEGER PRIMARY KEY, category INT, price INT, stock INT,
            description TEXT);
        CREATE TABLE orders(id INTEGER PRIMARY KEY, customer INT, day INT, state INT);
        CREATE TABLE item(id INTEGER PRIMARY KEY, orders INT, product INT, quantity INT);
        CREATE INDEX product_category ON product(category);
        CREATE INDEX orders_customer ON orders(customer);
        CREATE INDEX orders_day ON orders(day);
        CREATE INDEX item_orders ON item(orders);
        CREATE INDEX item_product ON item(product);
    """)
    for i in range(CUSTOMERS):
        db.execute("INSERT INTO customer VALUES(?,?,?,?)",
                   (i, text(18), text(60), f"{text(8)}.{i}@example.org"))
    for i in range(PRODUCTS):
        db.execute("INSERT INTO product VALUES(?,?,?,?,?)",
                   (i, below(80), 100 + below(9_900), 1_000, text(200 + below(500))))
    for i in range(ORDERS):
        db.execute("INSERT INTO orders VALUES(?,?,?,2)",
                   (i, skewed(CUSTOMERS), i * DAYS // ORDERS))
        for _ in range(1 + below(4)):
            db.execute("INSERT INTO item(orders, product, quantity) VALUES(?,?,?)",
                       (i, skewed(PRODUCTS), 1 + below(3)))
    db.commit()
    # Loaded row by row, pages of tables and indexes lie interleaved; VACUUM would tidy them away.
    db.close()


def work(path):
    db = sqlite3.connect(path, isolation_level=None)
    # SQLite keeps a cache of its own; kept to 16 pages it holds the trees' roots and little else.
    # Exclusive locking spares page 1 a read per transaction, and the journal is no page of ours.
    db.executescript("PRAGMA cache_size = 16; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY;"
                     "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY;"
                     "PRAGMA synchronous = OFF; PRAGMA cache_spill = OFF;")

    def ask(query, *arguments):
        return db.execute(query, arguments).fetchall()

    today = DAYS
    for operation in range(OPERATIONS):
        dice = generator.random()
        if dice < 0.55:
            ask("SELECT * FROM product WHERE id = ?", skewed(PRODUCTS))
        elif dice < 0.70:
            ask("SELECT * FROM orders JOIN item ON item.orders = orders.id WHERE customer = ?"
                " ORDER BY orders.id DESC LIMIT 10", skewed(CUSTOMERS))
        elif dice < 0.78:
            ask("SELECT id, price FROM product WHERE category = ? LIMIT 20", below(80))
        elif dice < 0.86:
            ask("SELECT * FROM customer WHERE id = ?", skewed(CUSTOMERS))
        elif dice < 0.93:
            order(db, today)
        elif dice < 0.997:
            ask("UPDATE orders SET state = state + 1 WHERE id ="
                " (SELECT max(id) - ? FROM orders)", below(400))
        else:
            first = below(DAYS - 7)
            ask("SELECT category, sum(quantity * price) FROM orders"
                " JOIN item ON item.orders = orders.id JOIN product ON product.id = item.product"
                " WHERE day BETWEEN ? AND ? GROUP BY category", first, first + 1)
        if operation % 200 == 199:
            today += 1
        if operation % 4_000 == 3_999:
            ask("SELECT product, sum(quantity) FROM item GROUP BY +product")
            ask("SELECT count(*) FROM customer WHERE address LIKE '%zz%'")
    db.close()


def order(db, today):
    db.execute("BEGIN")
    number = db.execute("INSERT INTO orders(customer, day, state) VALUES(?,?,0)",
                        (skewed(CUSTOMERS), today)).lastrowid
    for _ in range(1 + below(4)):
        product = skewed(PRODUCTS)
        db.execute("INSERT INTO item(orders, product, quantity) VALUES(?,?,1)", (number, product))
        db.execute("UPDATE product SET stock = stock - 1 WHERE id = ?", (product,))
    db.execute("COMMIT")


def record(folder):
    with tempfile.TemporaryDirectory() as scratch:
        path, log = f"{scratch}/shop.db", f"{scratch}/log"
        create(path)
        subprocess.run(["strace", "-o", log, "-P", path, "-e", "trace=pread64,pwrite64",
                        "-s", "0", sys.executable, __file__, "--work", path], check=True)
        call = re.compile(r"^p(?:read|write)64\(.*, (\d+), (\d+)\) += \d+")
        calls = (call.match(line) for line in open(log))
        # Shorter transfers than a page are looks at the file's header.
        pages = [int(c[2]) // PAGE for c in calls if c and int(c[1]) == PAGE]
    trace = pathlib.Path(folder, "orders.txt.zst")
    subprocess.run(["zstd", "-19", "-q", "-f", "-o", trace],
                   input="".join(f"{page}\n" for page in pages).encode(), check=True)
    print(f"{trace}: {len(pages)} requests, SQLite {sqlite3.sqlite_version}")


if sys.argv[1:2] == ["--work"]:
    work(sys.argv[2])
else:
    record(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
