# R functions as methods of tenfold (docs/methods.md), declared with matrix: mtx. The package Matrix, which R comes with, is all that it needs.
#
#   source("tenfold_method.R")
#   serve(function(x, y, request) {
#     model <- ...
#     list(selected = c(4, 1), predict = function(x) predict(model, x))
#   })
#
# x is a matrix of Matrix (dgCMatrix) without column names (request$features() are these), y a number a row, or a factor with all levels,
# also those that no row has; with several responses a data.frame of them, NA where one is not defined. set.seed() has been called.
#
# The answer is a list of some of:
#
#   selected       columns in order of entry, from 1
#   scores         of the selected columns
#   coef           linear model, columns x outputs or columns: a vector, or a matrix of base R or Matrix
#   intercept      a number, or one an output
#   predict        function of a matrix of rows: rows x outputs, or rows; levels that are missing have a name a column
#   probabilities  whether these are probabilities
#   baseline (of times: a list of time and hazard, the cumulative hazard of a prediction of 0)
#   iterations, stop, facts (a list of texts with names), notes (texts)
#
# An output is a number, or one a level; of two levels it may be the second alone.

suppressPackageStartupMessages(library(Matrix))

.keys <- c("selected", "scores", "coef", "intercept", "predict", "probabilities", "baseline", "iterations", "stop", "facts", "notes")

# serve answers requests until they end. fit is a function of x, y and request: a list with params, seed (a whole number below 2^31 - 1, made
# of the request's), workers, limits, rows, columns, outputs, output (what the declaration names), levels (of a class, else NULL), target or
# targets, weights, groups (NULL where there are none), events (of times: 1 where one ended in the event, 0 where censored; else NULL), test (of transductive methods, else NULL), and functions features() and classes() that
# read their files.
serve <- function(fit) {
  arguments <- commandArgs(trailingOnly = TRUE)
  sink(stderr()) # what libraries print
  answer <- function(line) {
    sink()
    cat(line, "\n", sep = "")
    flush(stdout())
    sink(stderr())
  }
  if (length(arguments) == 3 && arguments[1] == "predict") {
    model <- readRDS(.modelFile(arguments[2]))
    .predict(model, arguments[2], arguments[3])
    return(answer("predicted"))
  }
  if (length(arguments) > 1) stop("usage: METHOD [FOLDER | predict FOLDER FILE]: tenfold runs this program, see docs/methods.md")
  shared <- new.env()
  model <- NULL
  of <- ""
  if (length(arguments) == 1) {
    of <- arguments
    model <- .fit(fit, of, .json(.content(file.path(of, "request.json"))), shared)
    answer("fitted")
  }
  input <- file("stdin", "r")
  while (length(line <- readLines(input, 1, encoding = "UTF-8")) == 1) {
    verb <- sub(" .*", "", line)
    rest <- sub("^[^ ]* ", "", line)
    if (verb == "fit") {
      asked <- .json(rest)
      of <- asked$folder
      model <- .fit(fit, of, asked, shared)
      answer("fitted")
    } else if (verb == "predict") {
      folder <- sub("^[^ ]* ", "", rest)
      if (folder != of) {
        model <- readRDS(.modelFile(folder))
        of <- folder
      }
      .predict(model, folder, sub(" .*", "", rest))
      answer("predicted")
    } else {
      stop("line \"", line, "\" on standard input, expected fit REQUEST or predict FILE FOLDER")
    }
  }
}

.modelFile <- function(folder) file.path(folder, "model", "predict.rds")

.fit <- function(fit, folder, asked, shared) {
  request <- .request(folder, asked, shared)
  set.seed(request$seed)
  said <- fit(request$x, request$y, request)
  unknown <- setdiff(names(said), .keys)
  if (!is.list(said) || length(said) == 0 || is.null(names(said))) stop("fit returned no list with names, expected some of ", toString(.keys))
  if (length(unknown) > 0) stop("fit returned \"", unknown[1], "\", expected some of ", toString(.keys))
  if (any(c("predictions", "probabilities") %in% request$output) && !is.function(said$predict)) {
    stop("fit returned no function predict, and the declaration names predictions or probabilities as an output")
  }
  fitted <- list()
  if (!is.null(said$selected)) fitted$selected <- .array(.whole(said$selected - 1))
  for (name in c("scores", "intercept")) if (!is.null(said[[name]])) fitted[[name]] <- .array(.numbers(as.numeric(said[[name]]), name))
  if (!is.null(said$coef)) {
    fitted$coefficients <- .coefficients(said$coef, request)
    if (is.null(said$intercept)) fitted$intercept <- .array(rep("0", max(1, ncol(said$coef)))) # which says for how many outputs the list is
  }
  if (!is.null(said$probabilities)) fitted$probabilities <- if (isTRUE(said$probabilities)) "true" else "false"
  if (!is.null(said$baseline)) {
    fitted$baseline <- .object(list(time = .array(.numbers(said$baseline$time, "baseline")), hazard = .array(.numbers(said$baseline$hazard, "baseline"))))
  }
  if (!is.null(said$iterations)) fitted$iterations <- .whole(max(said$iterations))
  if (!is.null(said$stop)) fitted$stop <- .text(said$stop)
  if (length(said$facts) > 0) fitted$facts <- .object(lapply(said$facts, function(v) .text(paste(v, collapse = " "))))
  if (length(said$notes) > 0) fitted$notes <- .array(.text(said$notes))
  writeLines(.object(fitted), file.path(folder, "fitted.json"), useBytes = TRUE)
  model <- list(predict = said$predict, outputs = request$outputs, levels = request$levels, probabilities = isTRUE(said$probabilities))
  if (isTRUE(request$model)) {
    dir.create(file.path(folder, "model"), showWarnings = FALSE)
    saveRDS(model, .modelFile(folder), compress = FALSE)
  }
  model
}

# .coefficients are the entries that are not 0: column, output, value.
.coefficients <- function(coef, request) {
  if (is.null(dim(coef))) coef <- matrix(as.numeric(coef), ncol = 1)
  if (nrow(coef) != request$columns) {
    stop("coef has ", nrow(coef), " rows, expected one for each of ", request$columns, " columns (an intercept stands by itself)")
  }
  entries <- Matrix::summary(as(as(as(Matrix(coef, sparse = TRUE), "dMatrix"), "generalMatrix"), "CsparseMatrix"))
  entries <- entries[entries$x != 0, ]
  .array(sprintf("[%d, %d, %s]", entries$i - 1L, entries$j - 1L, .numbers(entries$x, "coef")))
}

.predict <- function(model, folder, name) {
  x <- .matrix(file.path(folder, name))
  p <- model$predict(x)
  if (is.data.frame(p)) p <- as.matrix(p)
  if (length(dim(p)) == 3) p <- p[, , 1, drop = TRUE] # glmnet's, of one penalty
  if (is.factor(p)) p <- outer(as.character(p), model$levels, "==") + 0
  if (is.null(dim(p))) p <- matrix(as.numeric(p), nrow = nrow(x))
  p <- as.matrix(p)
  if (!is.null(model$levels) && ncol(p) > 1 && ncol(p) < model$outputs && all(colnames(p) %in% model$levels)) {
    absent <- if (model$probabilities) 0 else apply(p, 1, min) - 1
    all <- matrix(absent, nrow(p), model$outputs, dimnames = list(NULL, model$levels))
    all[, colnames(p)] <- p
    p <- all
  }
  out <- file.path(folder, "predictions.mtx")
  writeLines(c("%%MatrixMarket matrix array real general", paste(nrow(p), ncol(p)), .numbers(as.numeric(p), "predictions")), out)
}

# .request is what was asked with the files that it names.
.request <- function(folder, r, shared) {
  files <- r$files
  r$files <- NULL
  at <- function(name) file.path(folder, files[[name]])
  read <- function(name, how) if (is.null(files[[name]])) NULL else .once(at(name), how, shared)
  tasks <- !is.null(r$targets)
  r$levels <- if (tasks) NULL else unlist(r$target$levels)
  r$output <- unlist(r$output)
  r$params <- lapply(r$params, unlist)
  r$seed <- .remainder(r$seed, 2147483647)
  typed <- function(y, target) if (target$type == "class") factor(unlist(target$levels)[y + 1], levels = unlist(target$levels)) else y
  y <- read("y", .values)
  if (tasks) {
    y[is.nan(y)] <- NA
    r$y <- as.data.frame(Map(function(k, target) typed(y[, k], target), seq_along(r$targets), r$targets))
    names(r$y) <- vapply(r$targets, function(target) target$name, "")
  } else {
    r$y <- typed(as.numeric(y), r$target)
  }
  r$x <- read("train", .matrix)
  r$weights <- if (is.null(files$weights)) NULL else as.numeric(read("weights", .values))
  r$groups <- if (is.null(files$groups)) NULL else as.integer(read("groups", .values))
  r$events <- if (is.null(files$events)) NULL else as.integer(read("events", .values))
  r$test <- read("test", .matrix)
  r$features <- function() readLines(at("features"), encoding = "UTF-8")
  r$classes <- function() {
    if (is.null(files$classes)) return(NULL)
    classes <- .json(.content(at("classes")))
    list(names = unlist(classes$names), of = unlist(classes$of) + 1) # 0 for none
  }
  r
}

# .once reads a file that fits of one process share once.
.once <- function(path, how, shared) {
  at <- file.info(path)
  name <- basename(path)
  kept <- shared[[name]]
  if (is.null(kept) || kept$size != at$size || kept$mtime != at$mtime) { # in a process that serves one fold there is one of each name
    kept <- list(size = at$size, mtime = at$mtime, value = how(path))
    assign(name, kept, envir = shared)
  }
  kept$value
}

# .matrix is a file of coordinates as a dgCMatrix.
.matrix <- function(path) {
  head <- .head(path)
  entries <- scan(path, list(0L, 0L, 0), skip = head$lines, nmax = head$size[3], quiet = TRUE)
  sparseMatrix(entries[[1]], entries[[2]], x = entries[[3]], dims = head$size[1:2])
}

# .values is a file of all entries as a matrix.
.values <- function(path) {
  head <- .head(path)
  matrix(scan(path, 0, skip = head$lines, quiet = TRUE, na.strings = character()), head$size[1], head$size[2])
}

.head <- function(path) {
  if (!endsWith(path, ".mtx")) stop(basename(path), " is a file for Python: add matrix: mtx to the declaration of the method")
  lines <- readLines(path, 50)
  at <- which(!startsWith(lines, "%"))[1]
  list(lines = at, size = as.numeric(strsplit(trimws(lines[at]), " +")[[1]]))
}

# .remainder of a whole number that is given as text, since it may be larger than R's numbers are exact.
.remainder <- function(text, by) {
  r <- 0
  for (digit in as.numeric(strsplit(text, "")[[1]])) r <- (r * 10 + digit) %% by
  as.integer(r)
}

# Writing JSON: values are texts already.
.array <- function(texts) paste0("[", paste(texts, collapse = ", "), "]")
.object <- function(texts) paste0("{", paste(sprintf("%s: %s", .text(names(texts)), unlist(texts)), collapse = ", "), "}")
.whole <- function(x) {
  if (anyNA(x) || any(x != round(x))) stop("expected whole numbers, found ", toString(utils::head(x)))
  sprintf("%.0f", x)
}
.numbers <- function(x, name) {
  if (any(!is.finite(x))) stop(name, " has a number that is not finite: ", x[!is.finite(x)][1])
  sprintf("%.17g", x)
}
.text <- function(x) {
  x <- gsub("\\", "\\\\", enc2utf8(as.character(x)), fixed = TRUE)
  x <- gsub("\"", "\\\"", x, fixed = TRUE)
  x <- gsub("\n", "\\n", x, fixed = TRUE)
  paste0("\"", gsub("[[:cntrl:]]", " ", x), "\"")
}

.content <- function(path) paste(readLines(path, encoding = "UTF-8", warn = FALSE), collapse = "\n")

# .json reads a text: objects and arrays as lists, texts, numbers, TRUE and FALSE as themselves, null as NULL.
.json <- function(text) {
  tokens <- regmatches(text, gregexpr("\"([^\"\\\\]|\\\\.)*\"|[][{}:,]|[^][{}:,\"[:space:]]+", text, perl = TRUE))[[1]]
  at <- 0
  take <- function() tokens[at <<- at + 1]
  value <- function(token = take()) {
    if (token == "{") {
      out <- list()
      if (tokens[at + 1] == "}") at <<- at + 1 else repeat {
        name <- .unquoted(take())
        take() # :
        out[name] <- list(value())
        if (take() == "}") break
      }
      return(out)
    }
    if (token == "[") {
      end <- at + match("]", tokens[-seq_len(at)])
      inside <- tokens[seq_len(max(0, end - at - 1)) + at]
      if (!any(c("[", "{") %in% inside)) { # values alone: all at once
        at <<- end
        return(lapply(inside[inside != ","], scalar))
      }
      out <- list()
      repeat {
        out <- c(out, list(value()))
        if (take() == "]") break
      }
      return(out)
    }
    scalar(token)
  }
  scalar <- function(token) {
    if (startsWith(token, "\"")) return(.unquoted(token))
    switch(token, true = TRUE, false = FALSE, null = NULL, as.numeric(token))
  }
  value()
}

.unquoted <- function(token) {
  text <- substr(token, 2, nchar(token) - 1)
  if (!grepl("\\", text, fixed = TRUE)) return(text)
  parts <- regmatches(text, gregexpr("\\\\u[0-9a-fA-F]{4}|\\\\.|[^\\\\]+", text, perl = TRUE))[[1]]
  escapes <- c("\\n" = "\n", "\\t" = "\t", "\\r" = "\r", "\\b" = "\b", "\\f" = "\f")
  paste(vapply(parts, function(p) {
    if (p %in% names(escapes)) escapes[[p]]
    else if (startsWith(p, "\\u")) intToUtf8(strtoi(substr(p, 3, 6), 16))
    else if (startsWith(p, "\\")) substr(p, 2, 2)
    else p
  }, ""), collapse = "")
}
