"""Expressions and formats that the tests of the rules share."""

from __future__ import annotations

SPMV, SPMM = "y(i) = A(i,j) * x(j)", "C(i,k) = A(i,j) * B(j,k)"
SDDMM = "A(i,j) = B(i,j) * C(i,k) * D(j,k)"
MTTKRP = "A(i,r) = B(i,k,l) * C(k,r) * D(l,r)"
MTTKRP4 = "A(i,r) = B(i,k,l,m) * C(k,r) * D(l,r) * E(m,r)"
MTTKRP5 = "A(i,r) = B(i,k,l,m,n) * C(k,r) * D(l,r) * E(m,r) * F(n,r)"
GEMM, SUM = "C(i,j) = A(i,k) * B(k,j)", "C(i,j) = A(i,j) + B(i,j)"
TTV, TTM = "A(i,j) = B(i,j,k) * c(k)", "A(i,j,l) = B(i,j,k) * C(k,l)"
ALL_CSR = {"A": "csr", "B": "csr", "C": "csr"}
