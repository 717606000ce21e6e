# Rscript stabs.R > stabs.json, with stabs 0.6-4 and jsonlite in R 4.2.2
library(stabs)
parameters <- NULL
for (p in c(50, 200, 1000)) for (q in c(5, 10, 20)) for (B in c(20, 50)) for (tau in c(0.6, 0.7, 0.75, ceiling(1.52 * B) / (2 * B), 0.9, 1)) for (a in c("none", "unimodal", "r-concave")) {
  r <- tryCatch(suppressWarnings(stabsel_parameters(p = p, q = q, cutoff = tau, B = B, sampling.type = "SS", assumption = a)), error = function(e) NULL)
  if (!is.null(r)) parameters <- rbind(parameters, data.frame(columns = p, q = q, threshold = tau, draws = B, bound = a, pfer = r$PFER))
}
set.seed(1)
n <- 60; p <- 20; B <- 20
x <- round(matrix(rnorm(n * p), n), 3)
y <- round(x[, 1] - x[, 2] + 0.5 * x[, 3] + 0.3 * x[, 4] + rnorm(n), 3)
marginal <- function(x, y, q, ...) { # the q largest correlations
  r <- abs(cor(x, y))[, 1]
  list(selected = rank(-r) <= q, path = NULL)
}
colnames(x) <- seq_len(p) - 1
folds <- subsample(rep(1, n), B = B)
runs <- lapply(c("none", "unimodal"), function(a) {
  s <- stabsel(x, y, fitfun = marginal, q = 4, cutoff = 0.75, folds = folds, B = B, sampling.type = "SS", assumption = a, papply = lapply)
  list(bound = a, pfer = s$PFER, selected = unname(s$selected) - 1, share = unname(s$max[colnames(x)]))
})
cat(jsonlite::toJSON(list(source = "stabs 0.6-4 for R 4.2.2: stabs.R", parameters = as.list(parameters),
  x = x, y = y, folds = t(folds), q = 4, threshold = 0.75, runs = runs), digits = 12, auto_unbox = TRUE))
