"""Runs of tenfold in MLflow: a run for each cell of the tables, with a child for each fold.

    python3 tenfold_mlflow.py runs/quickstart            # once the run has ended; MLFLOW_TRACKING_URI says where to

    import tenfold_mlflow
    tenfold_mlflow.log("runs/quickstart", experiment="selectors")

Of a cell are logged: data set, algorithm, its parameters and those of grids, as params; the mean of each metric over folds, and its standard
error as METRIC.se; the number of folds. Of a fold: its metrics. The report, its figures and the files of results are artifacts of one
more run, which has the name of the experiment. A value that is missing or infinite is no metric: the tag "tenfold.no value" names it. A
fit that failed is a failed run with its error. All have the digest of the results as the tag tenfold.digest, and what is logged with one
digest is not logged again. It needs tenfold_results.py beside it, and mlflow, or mlflow-skinny.
"""

import json
import math
import os
import re
import sys
import time

import tenfold_results

ARTIFACTS = ["report.html", "report.md", "metrics.json", "plan.json", "results.parquet", "metrics.parquet", "selections.parquet", "figures"]


def log(run, experiment=None, client=None):
    """Logs the folder of a run; returns how many cells were logged, which are those that were not logged before with their digest."""
    from mlflow.tracking import MlflowClient

    with open(os.path.join(run, "metrics.json"), encoding="utf-8") as file:
        told = json.load(file)
    client = client or MlflowClient()
    name = experiment or told["experiment"]
    found = client.get_experiment_by_name(name)
    place = _Place(client, found.experiment_id if found else client.create_experiment(name), told["digest"])
    folds, measured = {}, {}
    for row in _rows(tenfold_results.results(run)):
        folds.setdefault(row["cell"], []).append(row)
    for row in _rows(tenfold_results.metrics(run)):
        if row.get("output") is None and row.get("point") is None:
            measured.setdefault((row["cell"], row["repeat"], row["fold"]), {})[row["metric"]] = row["value"]
    if not place.has("experiment", told["experiment"]):
        top = place.begin(told["experiment"], {"tenfold.experiment": told["experiment"]})
        for artifact in ARTIFACTS:
            path = os.path.join(run, artifact)
            if os.path.isdir(path):
                client.log_artifacts(top, path, artifact)
            elif os.path.exists(path):
                client.log_artifact(top, path)
        client.set_terminated(top)
    logged = 0
    for dataset, algorithms in told["results"].items():
        for label, cell in algorithms.items():
            if place.has("cell", cell["cell"]):
                continue
            logged += 1
            parts = folds.get(cell["cell"], [])
            parent = place.begin(f"{dataset}, {label}", {"tenfold.cell": cell["cell"]})
            params = {"dataset": dataset, "algorithm": label}
            for row in parts[:1]:
                params.update(json.loads(row["params"] or "{}"))
                grid = {k: v for k, v in row.items() if k.startswith(tenfold_results.GRID) and v is not None}
                params.update({k: v for k, v in grid.items() if k.removeprefix("param_") not in params})
            values = {"folds": cell["folds"], "folds.ok": cell["ok"]}
            for metric, m in cell["metrics"].items():
                if m["state"] != "missing":
                    values[metric], values[metric + ".se"] = m["mean"], m["se"]
            place.measure(parent, values, params)
            for row in parts:
                child = place.begin(f"repeat {row['repeat']}, fold {row['fold']}", {"tenfold.fold_digest": row["fold_digest"], "mlflow.parentRunId": parent})
                place.measure(child, measured.get((row["cell"], row["repeat"], row["fold"]), {}), {"repeat": row["repeat"], "fold": row["fold"], "seed": row["seed"]})
                if row["status"] != "ok":
                    client.set_tag(child, "tenfold.error", str(row.get("error") or row["status"])[:5000])
                client.set_terminated(child, "FINISHED" if row["status"] == "ok" else "FAILED")
            client.set_terminated(parent, "FINISHED" if cell["ok"] == cell["folds"] else "FAILED")
    return logged


class _Place:
    """The runs of an experiment of MLflow that have one digest."""

    def __init__(self, client, experiment, digest):
        self.client, self.experiment, self.digest = client, experiment, digest
        self.now = int(time.time() * 1000)

    def has(self, kind, value):
        wanted = " and ".join(f"tags.`tenfold.{k}` = '{v}'" for k, v in (("digest", self.digest), (kind, value)))
        runs = self.client.search_runs([self.experiment], wanted + " and attributes.status != 'RUNNING'")
        return len(runs) > 0

    def begin(self, name, tags):
        return self.client.create_run(self.experiment, tags={"mlflow.runName": name, "tenfold.digest": self.digest, **tags}).info.run_id

    def measure(self, run, values, params):
        from mlflow.entities import Metric, Param

        odd = sorted(k for k, v in values.items() if v is None or not math.isfinite(v))
        good = [Metric(_name(k), float(v), self.now, 0) for k, v in values.items() if k not in odd]
        told = [Param(_name(k), str(v)[:500]) for k, v in params.items()]
        for k in range(0, max(len(good), 1), 500):  # at most 1000 of both at a time
            self.client.log_batch(run, metrics=good[k : k + 500], params=told if k == 0 else [])
        if odd:
            self.client.set_tag(run, "tenfold.no value", ", ".join(odd)[:5000])


def _name(text):
    """A name that MLflow takes: letters, digits, and _-./ and blanks."""
    return re.sub(r"[^\w\-./ ]", "_", text)


def _rows(frame):
    return tenfold_results._dicts(frame, tenfold_results._library(None))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: tenfold_mlflow.py RUN...")
    for folder in sys.argv[1:]:
        print(f"{folder}: {log(folder)} cells logged")
