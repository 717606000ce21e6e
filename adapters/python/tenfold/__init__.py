"""tenfold in Python: run an experiment file, read its results, be one of its methods.

    import tenfold
    run = tenfold.run("experiments/quickstart.yaml")    # what is stored is not fitted again
    run.summary()                                       # means over folds with standard errors, as a frame
    run                                                 # in a notebook: the report, with tables and figures

A method of an experiment file is a script of three lines (docs/methods.md):

    from sklearn.feature_selection import SelectKBest
    import tenfold
    tenfold.serve_sklearn(SelectKBest)

The frames are those of tenfold_results, which says what there is; serve and serve_sklearn are those of tenfold_method, which needs
NumPy and SciPy. tenfold_mlflow logs runs to MLflow. The program comes with the package, or else is the one in the PATH.
"""

from __future__ import annotations

import html
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from typing import Any, Iterable, Mapping, Optional

import tenfold_results
from tenfold_results import folds, inner, metrics, paths, predictions, provenance, results, selections, summary

__all__ = ["Failed", "Run", "folds", "inner", "metrics", "paths", "predictions", "program", "provenance", "results", "run", "selections",
           "serve", "serve_sklearn", "summary"]


class Failed(RuntimeError):
    """tenfold ended with an error. code is its exit code: 2 for what the experiment says, 4 for fits that failed or are missing."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def program() -> str:
    """Returns the path of the program: TENFOLD, else that which was installed with this package, else the one in the PATH."""
    name = "tenfold.exe" if os.name == "nt" else "tenfold"
    beside = [os.path.join(sysconfig.get_path("scripts"), name)]
    user = sysconfig.get_preferred_scheme("user")
    beside.append(os.path.join(sysconfig.get_path("scripts", scheme=user), name))
    found = os.environ.get("TENFOLD") or next((path for path in beside if os.path.isfile(path)), None) or shutil.which(name)
    if not found:
        raise FileNotFoundError("the program tenfold is neither installed with this package nor in the PATH; TENFOLD names it")
    return found


def run(file: str, *, out: Optional[str] = None, only: Iterable[str] = (), set: Optional[Mapping[str, Any]] = None, jobs: Optional[int] = None,
        arguments: Iterable[str] = (), quiet: bool = False) -> Run:
    """Runs an experiment file, as `tenfold run` does, and returns its run. Fits that are stored do not run again.

    out is the folder of the run, only limits it to some cells, set replaces values of the file by their paths
    ({"folds.k": 5}), jobs is how many fits run at the same time; arguments are further ones of the command. Progress and warnings go to
    standard error, unless quiet. It raises Failed with what the program says."""
    command = [program(), "run", file, "--format", "json"]
    command += ["--out", out] if out else []
    command += [f"--only={glob}" for glob in only]
    command += [f"--set={key}={json.dumps(value)}" for key, value in (set or {}).items()]
    command += ["--jobs", str(jobs)] if jobs else []
    command += ["--quiet"] if quiet else []
    done = subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8", errors="replace")
    said = []
    assert done.stderr and done.stdout
    for line in done.stderr:
        said.append(line)
        if not quiet:
            sys.stderr.write(line)
    printed = done.stdout.read()
    if done.wait() != 0:
        raise Failed(done.returncode, "".join(said[-50:]).strip())
    return Run(os.path.dirname(json.loads(printed)["results"]))


class Run:
    """The folder of a run. Its tables are those of tenfold_results, as frames of the library that is there or that `using` names."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def __repr__(self) -> str:
        return f"tenfold.Run({self.folder!r})"

    def _repr_html_(self) -> str:
        with open(os.path.join(self.folder, "report.html"), encoding="utf-8") as file:
            return f'<iframe srcdoc="{html.escape(file.read())}" title="report of {html.escape(self.folder)}" width="100%" height="720" style="border:0"></iframe>'

    @property
    def digest(self) -> str:
        """The digest of all results: the same experiment and data give the same one everywhere."""
        with open(os.path.join(self.folder, "metrics.json"), encoding="utf-8") as file:
            return json.load(file)["digest"]

    def __getattr__(self, name: str) -> Any:
        if name in _TABLES:
            return lambda using=None: getattr(tenfold_results, name)(self.folder, using)
        raise AttributeError(f"{type(self).__name__} has no {name}; tables are {', '.join(_TABLES)}")

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *_TABLES]


_TABLES = ("results", "metrics", "summary", "selections", "paths", "predictions", "inner", "folds")


def serve(fit: Any) -> None:
    """Answers the requests of an experiment by fit, a function of (x, y, request): see tenfold_method."""
    import tenfold_method

    tenfold_method.serve(fit)


def serve_sklearn(make_estimator: Any, dense: bool = False) -> None:
    """Answers the requests of an experiment by a scikit-learn selector or estimator: see tenfold_method."""
    import tenfold_method

    tenfold_method.serve_sklearn(make_estimator, dense)


try:  # tenfold_results reads Parquet by the program where no library does
    os.environ["TENFOLD"] = program()
except FileNotFoundError:
    pass
