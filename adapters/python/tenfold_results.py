"""Result files of tenfold as tidy frames.

    import tenfold_results as tf
    tf.metrics("runs/quickstart")       # data set, algorithm, parameters of grids, repeat, fold, metric, value
    tf.selections("runs/quickstart")    # the selected features of every fit
    tf.summary("runs/quickstart")       # means over folds with standard errors

Frames are pandas', polars' or DuckDB's, whichever is installed first in this order, or as `using` says: "pandas", "polars", "duckdb".
pandas needs pyarrow or fastparquet to read Parquet; without them, and without any frame library, the program tenfold has to be in
the PATH (or in TENFOLD), since its command export reads the files. Without a library a table is a list of dicts.
docs/results.md says what the columns are.
"""

import csv
import importlib.util
import io
import json
import math
import os
import subprocess

KEY = ["cell", "repeat", "fold"]
LABELS = ["dataset", "algorithm"]
GRID = ("param_", "data_")  # how columns of parameters of grids begin


def results(run, using=None):
    """One row for each cell, repeat and fold: status, sizes, times, and every metric as a column."""
    return _table(run, "results", _library(using))


def metrics(run, using=None):
    """One row for each metric of each fit, with the labels of its cell."""
    return _labelled(run, "metrics", using)


def selections(run, using=None):
    """One row for each selected feature of each fit: rank, coefficient, score."""
    return _labelled(run, "selections", using)


def paths(run, using=None):
    """One row for each recorded step of each fit: errors, non-zero coefficients, penalty."""
    return _labelled(run, "paths", using)


def predictions(run, using=None):
    """One row for each test row of each fit, where the experiment kept predictions."""
    return _labelled(run, "predictions", using)


def inner(run, using=None):
    """One row for each candidate and inner fold of each fit that searches: metric, value, seconds, chosen."""
    return _labelled(run, "inner", using)


def folds(run, using=None):
    """One row for each data set, repeat and fold: digest and sizes. Fits of one digest are paired."""
    wanted = ["dataset", "repeat", "fold", "fold_digest", "rows_train", "rows_test"]
    library = _library(using)
    rows, seen = [], set()
    for row in _dicts(results(run, using), library):
        values = tuple(row[name] for name in wanted)
        if values not in seen:
            seen.add(values)
            rows.append(dict(zip(wanted, values)))
    return _frame(rows, library)


def summary(run, using=None):
    """Mean, standard error and number of folds of each metric of each cell, without fits that failed and folds without a value.

    The standard error is corrected for the training rows that folds share, as in tables."""
    library = _library(using)
    groups = {}
    ratio = {}
    for row in _dicts(results(run, using), library):
        if row["rows_train"]:
            ratio[tuple(row[name] for name in KEY)] = row["rows_test"] / row["rows_train"]
    for row in _dicts(metrics(run, using), library):
        value = row["value"]
        if value is None or row.get("output") is not None or row.get("point") is not None:
            continue
        label = tuple((name, row[name]) for name in row if name in LABELS or name.startswith(GRID))
        groups.setdefault((label, row["metric"]), []).append((value, ratio.get(tuple(row[name] for name in KEY), 0)))
    out = []
    for (label, metric), found in groups.items():
        values, shared = [v for v, _ in found], math.fsum(r for _, r in found) / len(found)
        mean = math.fsum(values) / len(values)
        spread = None
        if len(values) > 1 and math.isfinite(mean):
            spread = math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1) * (1 / len(values) + shared))
        out.append({**dict(label), "metric": metric, "mean": mean, "se": spread, "folds": len(values)})
    return _frame(out, library)


def provenance(run):
    """Where the results come from: experiment file, data with digests, version, commit (plan.json)."""
    with open(os.path.join(run, "plan.json"), encoding="utf-8") as file:
        return json.load(file)


# What follows reads and joins, for each library.


def _there(name):
    return importlib.util.find_spec(name) is not None


def _missing(value):
    return value is None or value != value


def _library(using):
    if using is not None:
        if using not in ("pandas", "polars", "duckdb", "dicts"):
            raise ValueError(f"using {using!r}: expected pandas, polars, duckdb or dicts")
        return using
    return next((name for name in ("pandas", "polars", "duckdb") if _there(name)), "dicts")


def _table(run, name, library):
    path = os.path.join(run, name + ".parquet")
    if not os.path.exists(path):
        raise FileNotFoundError(f"{run} has no {name}.parquet" + ("" if os.path.isdir(run) else ": there is no such folder"))
    if library == "polars":
        import polars

        return polars.read_parquet(path)
    if library == "duckdb":
        import duckdb

        return duckdb.read_parquet(path)
    if library == "pandas":
        import pandas

        if _there("pyarrow") or _there("fastparquet"):
            return pandas.read_parquet(path)
        return pandas.read_csv(io.StringIO(_exported(run, name)), float_precision="round_trip")
    return [{k: _value(v) for k, v in row.items()} for row in csv.DictReader(io.StringIO(_exported(run, name)))]


def _exported(run, name):
    program = os.environ.get("TENFOLD") or "tenfold"
    try:
        done = subprocess.run([program, "export", run, name, "--raw"], capture_output=True, check=True)
    except FileNotFoundError:
        raise RuntimeError(f"nothing here reads Parquet: install polars, duckdb, or pyarrow with pandas, or put {program} into the PATH") from None
    except subprocess.CalledProcessError as failed:
        raise RuntimeError(failed.stderr.decode("utf-8", "replace").strip()) from None
    return done.stdout.decode("utf-8")


def _value(text):
    """A cell of CSV: a number where it is one, None where it is empty."""
    if text == "":
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return {"true": True, "false": False}.get(text, text)


def _labelled(run, name, using):
    library = _library(using)
    table, rows = _table(run, name, library), _table(run, "results", library)
    if library == "duckdb":
        labels = KEY + LABELS + [c for c in rows.columns if c.startswith(GRID)]
        quoted = ", ".join('"' + c.replace('"', '""') + '"' for c in labels)
        return rows.project(quoted).set_alias("labels").join(table.set_alias("rows"), ", ".join(KEY))
    if library == "dicts":
        names = [c for c in rows[0] if c in LABELS or c.startswith(GRID)] if rows else []
        labels = {tuple(r[k] for k in KEY): {c: r[c] for c in names} for r in rows}
        return [{**labels[tuple(r[k] for k in KEY)], **r} for r in table]
    labels = KEY + LABELS + [c for c in rows.columns if c.startswith(GRID)]
    if library == "pandas":  # of the command export, tables have labels
        table = table[[c for c in table.columns if c in KEY or c not in labels]]
    if library == "polars":
        return rows.select(labels).join(table, on=KEY, how="inner")
    return rows[labels].merge(table, on=KEY)


def _dicts(frame, library):
    if library == "dicts":
        return frame
    if library == "polars":
        return frame.to_dicts()
    if library == "pandas":
        return [{k: None if _missing(v) else v for k, v in row.items()} for row in frame.to_dict("records")]
    return [dict(zip(frame.columns, row)) for row in frame.fetchall()]


def _frame(rows, library):
    if library == "polars":
        import polars

        return polars.DataFrame(rows)
    if library == "pandas":
        import pandas

        return pandas.DataFrame(rows)
    return rows
