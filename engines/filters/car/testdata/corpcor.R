# Writes the cases testdata/oracle/corpcor-car*_score-*.json:  Rscript testdata/corpcor.R
# Shrunk correlations, their inverse roots and the intensity are those of corpcor 1.6.10, the weights of survival 3.5-3, in R 4.2.2. G is the
# probability to be uncensored just before a time, with events before censorings.
library(corpcor)
library(survival)
number <- function(v, digits = 17) paste0("[", paste(format(v, digits = digits, trim = TRUE), collapse = ", "), "]")
save <- function(kind, name, note, options, input, x, expected) {
  rows <- paste(apply(x, 1, number, digits = 7), collapse = ",\n   ")
  cat(sprintf('{\n "kind": "%s",\n "note": "%s",\n "options": %s,\n "input": {\n  "X": [\n   %s\n  ],\n%s\n },\n "expected": {\n%s\n }\n}\n', kind, note, options, rows, input, expected),
    file = file.path("testdata", "oracle", paste0("corpcor-", kind, "-", name, ".json")))
}
result <- function(omega, intensity, more = "") sprintf('  "intensity": %.17g,\n%s  "car": %s,\n  "scores": %s,\n  "selected": %s',
  intensity, more, number(omega), number(omega^2), number(order(-omega^2)[sort(-omega^2) < -1e-12] - 1))
adjusted <- function(x, r, intensity) {
  vary <- apply(x, 2, sd) > 0
  omega <- numeric(ncol(x))
  omega[vary] <- crossprod.powcor.shrink(x[, vary], r[vary], alpha = -1/2, lambda = intensity, verbose = FALSE)
  omega
}
car <- function(name, note, x, y, given = NULL) {
  vary <- apply(x, 2, sd) > 0
  intensity <- if (is.null(given)) estimate.lambda(cbind(y, x[, vary]), verbose = FALSE) else given
  r <- numeric(ncol(x)); r[vary] <- (1 - intensity) * cor(x[, vary], y)
  save("car_score", name, note, sprintf('{"intensity": %s}', if (is.null(given)) "null" else format(given)), paste0('  "y": ', number(y, 7)), x, result(adjusted(x, r, intensity), intensity))
}
cars <- function(name, note, x, time, event, denominator = "weights", cap = 10) {
  g <- survfit(Surv(time + 1e-9 * (event == 0), event == 0) ~ 1, timefix = FALSE) # censorings after events
  weights <- ifelse(event == 1, pmin(cap, 1 / sapply(time, function(t) c(1, g$surv)[1 + sum(g$time < t)])), 0)
  total <- if (denominator == "rows") length(time) else sum(weights)
  centred <- log(time) - sum(weights * log(time)) / total
  r <- colSums(weights * scale(x) * centred) / total / sqrt(sum(weights * centred^2) / total)
  intensity <- estimate.lambda(x, verbose = FALSE)
  omega <- pmax(-1, pmin(1, adjusted(x, r, intensity)))
  save("cars_score", name, note, sprintf('{"intensity": null, "denominator": "%s", "cap": %g}', denominator, cap),
    paste0('  "time": ', number(time, 7), ',\n  "event": ', number(event)), x, result(omega, intensity, sprintf('  "weights": %s,\n', number(weights))))
}
set.seed(5)
correlated <- function(n, p) round(matrix(rnorm(n * p), n) + 0.8 * rnorm(n), 3)
x <- correlated(25, 5); y <- round(x[, 1] - x[, 4] + 0.5 * rnorm(25), 3)
car("01", "not shrunk", x, y, 0)
car("02", "estimated intensity, a constant column", cbind(x[, 1:2], 1, x[, 3:5]), y)
x <- correlated(12, 20); y <- round(x[, 3] + x[, 7] + rnorm(12), 3)
car("03", "more columns than rows", x, y)
car("04", "more columns than rows, hardly shrunk", x, y, 0.01)
x <- correlated(30, 6); time <- round(exp(x[, 2] - x[, 5] + 0.5 * rnorm(30)), 3); event <- as.integer(runif(30) < 0.6)
cars("01", "estimated intensity", x, time, event)
cars("02", "tied times, weights up to 2", x, pmax(0.5, round(2 * time) / 2), event, cap = 2)
cars("03", "sums divided by the number of rows", x, time, event, "rows")
x <- correlated(15, 25); time <- round(exp(x[, 2] + 0.5 * rnorm(15)), 3)
cars("04", "more columns than rows", x, time, as.integer(runif(15) < 0.8))
