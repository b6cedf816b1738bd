"""The contractions of the tests of opt_einsum (dgasmith/opt_einsum, ``opt_einsum/tests/``), dense and sparse."""

from __future__ import annotations

from collections.abc import Iterator

from tests.peers.program import Program, einsum

_COMPARED = (
    # scalars, element by element, changed bases
    "a,->a ab,->ab ,ab,->ab ,,-> a,ab,abc->abc a,b,ab->ab "
    "ea,fb,gc,hd,abcd->efgh ea,fb,abcd,gc,hd->efgh abcd,ea,fb,gc,hd->efgh "
    # many operands
    "acdf,jbje,gihb,hfac,gfac,gifabc,hfac cd,bdhe,aidb,hgca,gc,hgibcd,hgac abhe,hidj,jgba,hiab,gab "
    "bde,cdh,agdb,hica,ibd,hgicd,hiac chd,bde,agbc,hiad,hgc,hgi,hiad chd,bde,agbc,hiad,bdi,cgh,agdb "
    "bdhe,acad,hiab,agac,hibd "
    # sums of everything, outer products
    "ab,ab,c-> ab,ab,c->c ab,ab,cd,cd-> ab,ab,cd,cd->ac ab,ab,cd,cd->cd ab,ab,cd,cd,ef,ef-> "
    "ab,cd,ef->abcdef ab,cd,ef->acdf ab,cd,de->abcde ab,cd,de->be ab,bcd,cd->abcd ab,bcd,cd->abd "
    # those that once failed there
    "eb,cb,fb->cef dd,fb,be,cdb->cef bca,cdb,dbf,afc-> dcc,fce,ea,dbf->ab fdf,cdd,ccd,afe->ae abcd,ad "
    "ed,fcd,ff,bcf->be baa,dcf,af,cde->be bd,db,eac->ace fff,fae,bef,def->abd efc,dbc,acf,fd->abe "
    # inner products, products of matrices and tensors
    "ab,ab ab,ba abc,abc abc,bac abc,cba ab,bc ab,cb ba,bc ba,cb "
    "abcd,cd abcd,ab abcd,cdef abcd,cdef->feba abcd,efdc "
    # diagonals
    "aab,bc->ac ab,bcc->ac aab,bcc->ac baa,bcc->ac aab,ccb->ac "
    "aab,fa,df,ecc->bde ecb,fef,bad,ed->ac bcf,bbb,fbf,fc-> bb,ff,be->e bcb,bb,fc,fff-> fbb,dfd,fc,fc-> "
    "afd,ba,cc,dc->bf adb,bc,fa,cfc->d bbd,bda,fc,db->acf dba,ead,cad->bce aef,fbc,dca->bde"
)
_BLAS = (
    "k,k-> ijk,ijk-> ij,jk->ik ijl,jlk->ik ij,kj->ik ijl,kjl->ik ji,jk->ik jli,jlk->ik ji,kj->ik jli,kjl->ik "
    "ij,jk->ki ijl,jlk->ki ij,kj->ki ijl,kjl->ki ji,jk->ki jli,jlk->ki ji,kj->ki jli,kjl->ki "
    "ilj,jlk->ik ijl,ljk->ik ilj,kjl->ik ijl,klj->ik lji,jlk->ik jli,ljk->ik lji,kjl->ik jli,klj->ik "
    "ijk,ikj-> i,j->ij ijk,ik->j ijj,jk->ik ijk,j->ij ij,ij->ij"
)
_PARSED = (
    "a,b-> ab,bc,bd->acd ab,bc,cd-> ab,bc,cd->a ab,bc,cd->b ab,bc,cd->c ab,bc,de-> abc,bcd,df->fa abc,bcd->da "
    "abc,def->fedcba ij,jk,kl-> ij,jk,kl->il ij,jk,kl->li ijk,k->ij nlp,nlq,pl->n a,bcd,efg-> ij,ij->j ii->i "
    "a,ac,ab,ad,cd,bd,bc-> ijab,acd,bce,df,ef->ji abc,bdef,fghj,cem,mhk,ljk->adgl obk,ijk->ioj"
)
_SIZES = dict(zip("abcdefghijklmnopqr", (2, 3, 4, 3, 2, 3, 2, 4, 3, 2, 4, 3, 2, 3, 4, 2, 3, 2), strict=True))


def _programs() -> Iterator[Program]:
    """Dense, with the first operand sparse, and with all."""
    for subscripts in dict.fromkeys((*_COMPARED.split(), *_BLAS.split(), *_PARSED.split())):
        terms = subscripts.partition("->")[0].split(",")
        sparse = [f"{tensor}={'s' * len(term)}" for tensor, term in zip("ABCDEFGH", terms, strict=False) if term]
        formats = tuple(dict.fromkeys(("", *sparse[:1], " ".join(sparse))))
        letters = {*subscripts} - {*",->"}
        sizes = _SIZES if len(letters) < 9 else dict.fromkeys(letters, 2)
        yield einsum(subscripts, sizes, formats=formats, density=0.6, options={"convert": "automatic"})


PROGRAMS = tuple(_programs())
