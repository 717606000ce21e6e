# Reads problems as the generator writes them, and prints what an answer is worth.
suppressPackageStartupMessages({library(Matrix); library(glmnet)})
arguments <- commandArgs(TRUE)
folder <- arguments[1]
raw <- function(name, what, size) {
  path <- file.path(folder, name)
  readBin(path, what, file.size(path) / size, size = size)
}
numbers <- function(name) raw(name, "double", 8)
sparse <- function(part) {
  starts <- raw(paste0(part, ".indptr.i32"), "integer", 4)
  sparseMatrix(i = rep.int(seq_len(length(starts) - 1), diff(starts)), j = raw(paste0(part, ".indices.i32"), "integer", 4) + 1L,
               x = 1, dims = c(length(starts) - 1, raw("columns", "integer", 4)))
}
dense <- function(name, rows) matrix(numbers(name), nrow = rows, byrow = TRUE)
table.of <- function(name) {
  path <- file.path(folder, name)
  width <- length(scan(path, "", sep = ",", nlines = 1, quiet = TRUE))
  matrix(scan(path, sep = ",", skip = 1, quiet = TRUE), ncol = width, byrow = TRUE)
}
say <- function(...) cat(sprintf("quality %s %.10g\n", names(list(...)), unlist(list(...))), sep = "")
