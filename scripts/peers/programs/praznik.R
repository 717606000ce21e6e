# The best columns by a criterion of information: Rscript praznik.R FOLDER CRITERION COLUMNS
suppressPackageStartupMessages(library(praznik))
arguments <- commandArgs(TRUE)
whole <- function(name) {
  path <- file.path(arguments[1], name)
  readBin(path, "integer", file.size(path) / 4, size = 4)
}
y <- factor(whole("class.i32"))
x <- as.data.frame(apply(matrix(whole("levels.i32"), nrow = length(y)), 2, factor, levels = 0:3, simplify = FALSE), col.names = NULL)
criterion <- get(toupper(arguments[2]), asNamespace("praznik"))
begun <- proc.time()
found <- criterion(x, y, k = as.integer(arguments[3]), threads = 1)
cat(sprintf("quality seconds_of_fits %.10g\n", sum((proc.time() - begun)[1:2])))
cat(sprintf("quality selected %d\n", length(found$selection)))
