# SPDX-License-Identifier: LGPL-2.1-or-later
"""Databases of results that are made up."""
import hashlib
import sqlite3


def made(path, experiment, columns, rows, **meta):
    """A row has all `columns` (words of SQL) but the error; an error is one item more. Gives the path."""
    base = sqlite3.connect(path)
    base.execute("CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")
    base.execute("CREATE TABLE results(key TEXT NOT NULL, replication INTEGER NOT NULL, " + ", ".join(columns) +
                 ", error TEXT, PRIMARY KEY(key, replication)) WITHOUT ROWID")
    about = {"format": "iasim-results/1", "scenario": "made", "digest": "d", "experiment": experiment, "program": "0"}
    base.executemany("INSERT INTO meta VALUES(?, ?)", (about | meta).items())
    for row in rows:
        values = (hashlib.sha256(repr(row).encode()).hexdigest()[:32], 1, *row, None)[:len(columns) + 3]
        base.execute(f"INSERT INTO results VALUES({', '.join('?' * len(values))})", values)
    base.commit()
    base.close()
    return path
