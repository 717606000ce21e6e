# ranger's ranking of columns by importances corrected for chance, as a method of suite-external.yaml.
source("../adapters/r/tenfold_method.R")

serve(function(x, y, request) {
  p <- request$params
  x <- as.matrix(x)
  colnames(x) <- paste0("c", seq_len(ncol(x)))
  forest <- ranger::ranger(x = x, y = droplevels(y), num.trees = p$trees, importance = "impurity_corrected", num.threads = 1, seed = request$seed)
  list(selected = head(order(-forest$variable.importance), p$columns))
})
