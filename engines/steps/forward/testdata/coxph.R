# Forward selection with R's coxph: Rscript coxph.R > coxph.json. The data are survival::veteran; each step takes the variable that
# raises the partial likelihood most (Efron's ties), until none lowers BIC, whose n is the events.
library(survival)
v <- veteran
x <- cbind(trt = v$trt, karno = v$karno, diagtime = v$diagtime, age = v$age, prior = v$prior,
  small = as.numeric(v$celltype == "smallcell"), adeno = as.numeric(v$celltype == "adeno"), large = as.numeric(v$celltype == "large"))
y <- Surv(v$time, v$status)
inside <- integer(0); logs <- c(); bics <- c(); scores <- c()
fit <- NULL
for (step in seq_len(ncol(x))) {
  best <- NULL
  for (j in setdiff(seq_len(ncol(x)), inside)) {
    f <- coxph(y ~ x[, c(inside, j)], control = coxph.control(eps = 1e-12, iter.max = 50))
    if (is.null(best) || f$loglik[2] > best$fit$loglik[2]) best <- list(j = j, fit = f)
  }
  inside <- c(inside, best$j); logs <- c(logs, best$fit$loglik[2]); bics <- c(bics, BIC(best$fit))
  if (step == 1) null <- best$fit$loglik[1]
  if (step == 3) three <- inside
}
d <- as.data.frame(x[, three])
three <- coxph(y ~ ., d, control = coxph.control(eps = 1e-12, iter.max = 50))
base <- basehaz(three, centered = FALSE)
list_ <- function(v) paste0("[", paste(sprintf("%.15g", v), collapse = ", "), "]")
cat(sprintf('{"x": [%s],\n"time": %s,\n"event": %s,\n"null": %.15g,\n"order": %s,\n"log": %s,\n"bic": %s,\n"three": %s,\n"hazard": %.15g, "at": %.15g}\n',
  paste(apply(x, 1, list_), collapse = ",\n"), list_(v$time), list_(v$status), null, list_(inside - 1), list_(logs), list_(bics), list_(coef(three)),
  base$hazard[50], base$time[50]))
