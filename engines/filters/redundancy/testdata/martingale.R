# Writes the cases testdata/oracle/coxph-martingale_filter-*.json:  Rscript testdata/martingale.R
# Residuals of R's coxph without columns, F of each column on them by lm, and FCQ or FCD (Ding & Peng 2005, table 1) from both. R 4.2.2, survival 3.5-3.
library(survival)
number <- function(v, digits = 17) paste0("[", paste(format(v, digits = digits, trim = TRUE), collapse = ", "), "]")
write <- function(name, note, n, p, form, size, seed, step) {
  set.seed(seed)
  x <- round(matrix(rnorm(n * p), n), 3)
  x[, 2] <- round(0.8 * x[, 1] + 0.4 * x[, 2], 3)
  time <- ceiling(rexp(n, exp(x[, 1] - x[, 3] / 2)) * step) / step
  event <- as.integer(runif(n) < 0.7)
  m <- residuals(coxph(Surv(time, event) ~ 1, ties = "breslow"), type = "martingale")
  f <- apply(x, 2, function(column) summary(lm(m ~ column))$fstatistic[1])
  r <- abs(cor(x))
  chosen <- c(); scores <- c()
  for (k in seq_len(size)) {
    left <- setdiff(seq_len(p), chosen)
    score <- f[left]
    if (form == "quotient" && k > 1) score <- score / sapply(left, function(j) mean(pmax(0.001, r[j, chosen])))
    if (form == "difference" && k > 1) score <- score - sapply(left, function(j) mean(r[j, chosen]))
    scores <- c(scores, max(score)); chosen <- c(chosen, left[which.max(score)])
  }
  rows <- paste(apply(x, 1, number, digits = 7), collapse = ",\n   ")
  cat(sprintf('{\n "kind": "martingale_filter",\n "note": "%s",\n "options": {"form": "%s", "size": %d},\n "input": {\n  "X": [\n   %s\n  ],\n  "time": %s,\n  "event": %s\n },\n "expected": {\n  "residuals": %s,\n  "relevance": %s,\n  "scores": %s,\n  "selected": %s\n }\n}\n',
    note, form, size, rows, number(time, 7), number(event), number(m), number(f), number(scores), number(chosen - 1)),
    file = file.path("testdata", "oracle", paste0("coxph-martingale_filter-", name, ".json")))
}
write("01", "F of the residuals", 25, 5, "relevance", 5, 1, 1e6)
write("02", "tied times, quotient", 30, 6, "quotient", 4, 2, 5)
write("03", "tied times, difference", 30, 6, "difference", 4, 3, 5)
