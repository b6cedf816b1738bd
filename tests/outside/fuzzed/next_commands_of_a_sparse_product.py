"""Every command that is offered for a sparse product compiles."""

import heddle as hd
from heddle.schedule.legal import legal

E, F = "C(i,k) = A(i,j) * B(j,k)", dict.fromkeys("ABC", "csr")
r = hd.lower(E, formats=F)
offered = [c.text for q in legal(r.graph) for c in q.candidates if c.why_not is None and "GPU" not in c.text]
refused = {t: d.diagnostics[0].message for t in offered if not (d := hd.lower(E, formats=F, schedule=t)).ok}
print(len(offered), "offered,", len(refused), "refused by the compile")
for t in list(refused)[:5]:
    print(" ", t, "->", refused[t][:140])
assert not refused
