# Result files of tenfold as data frames.
#
#     source("tenfold_results.R")
#     tf_metrics("runs/quickstart")       # data set, algorithm, parameters of grids, repeat, fold, metric, value
#     tf_selections("runs/quickstart")    # the selected features of every fit
#     tf_summary("runs/quickstart")       # means over folds with standard errors
#
# Parquet is read by arrow, nanoparquet or duckdb, whichever is installed first; without any of them the program tenfold has to be in
# the PATH (or in the environment variable TENFOLD), since its command export reads the files. docs/results.md says what the columns are.

tf_key <- c("cell", "repeat", "fold")

# One row for each cell, repeat and fold: status, sizes, times, and every metric as a column.
tf_results <- function(run) tf_table(run, "results")

# One row for each metric of each fit, with the labels of its cell.
tf_metrics <- function(run) tf_labelled(run, "metrics")

# One row for each selected feature of each fit: rank, coefficient, score.
tf_selections <- function(run) tf_labelled(run, "selections")

# One row for each recorded step of each fit: errors, non-zero coefficients, penalty.
tf_paths <- function(run) tf_labelled(run, "paths")

# One row for each test row of each fit, where the experiment kept predictions.
tf_predictions <- function(run) tf_labelled(run, "predictions")

# One row for each candidate and inner fold of each fit that searches: metric, value, seconds, chosen.
tf_inner <- function(run) tf_labelled(run, "inner")

# One row for each data set, repeat and fold: digest and sizes. Fits of one digest are paired.
tf_folds <- function(run) {
  unique(tf_results(run)[c("dataset", "repeat", "fold", "fold_digest", "rows_train", "rows_test")])
}

# Mean, standard error and number of folds of each metric of each cell, without fits that failed and folds without a value. The standard
# error is corrected for the training rows that folds share, as in tables.
tf_summary <- function(run) {
  long <- tf_metrics(run)
  fits <- tf_results(run)
  id <- function(frame) do.call(paste, frame[tf_key])
  long$shared <- (fits$rows_test / fits$rows_train)[match(id(long), id(fits))]
  long <- long[!is.na(long$value) & is.na(long$output) & is.na(long$point), ]
  labels <- c(tf_labels(long), "metric")
  group <- do.call(paste, c(long[labels], sep = "\r"))
  rows <- lapply(split(long, group), function(part) {
    n <- nrow(part)
    cbind(part[1, labels], mean = mean(part$value), se = if (n > 1) sd(part$value) * sqrt(1 / n + mean(part$shared)) else NA, folds = n)
  })
  out <- do.call(rbind, rows[unique(group)])
  rownames(out) <- NULL
  out
}

tf_labels <- function(frame) c("dataset", "algorithm", grep("^(param|data)_", names(frame), value = TRUE))

tf_labelled <- function(run, name) {
  rows <- tf_results(run)
  long <- tf_table(run, name)
  labels <- tf_labels(rows)
  id <- function(frame) do.call(paste, frame[tf_key])
  cbind(rows[match(id(long), id(rows)), labels, drop = FALSE], long[setdiff(names(long), labels)], row.names = NULL)
}

tf_table <- function(run, name) {
  path <- file.path(run, paste0(name, ".parquet"))
  if (!file.exists(path)) stop(run, " has no ", name, ".parquet")
  has <- function(package) requireNamespace(package, quietly = TRUE)
  if (has("arrow")) return(as.data.frame(arrow::read_parquet(path)))
  if (has("nanoparquet")) return(as.data.frame(nanoparquet::read_parquet(path)))
  if (has("duckdb") && has("DBI")) {
    db <- DBI::dbConnect(duckdb::duckdb())
    on.exit(DBI::dbDisconnect(db, shutdown = TRUE))
    return(DBI::dbGetQuery(db, paste0("select * from read_parquet(", DBI::dbQuoteString(db, path), ")")))
  }
  program <- Sys.getenv("TENFOLD", "tenfold")
  if (Sys.which(program) == "") stop("nothing here reads Parquet: install arrow, nanoparquet or duckdb, or put ", program, " into the PATH")
  out <- tempfile(fileext = ".csv")
  on.exit(unlink(out))
  if (system2(program, c("export", shQuote(run), name, "--raw"), stdout = out) != 0) stop(program, " export ", run, " ", name, " failed")
  utils::read.csv(out, na.strings = "", check.names = FALSE, stringsAsFactors = FALSE, encoding = "UTF-8")
}
