import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CommandSpecView, ExampleView } from '../api/types';
import type { Knowledge } from '../editor/knowledge';
import type { Actions } from '../state/actions';
import type { Catalog } from '../state/catalog';
import { createStore } from '../state/store';
import { search } from '../text/search';
import { DECOMPOSITIONS, placeOf, textsOf } from './examples';
import { paletteEntries, textsOf as paletteTexts } from './palette/commands';

const FOLDER = join(process.cwd(), '..', 'backend', 'heddle_server', 'examples');
const read = (path: string): unknown => JSON.parse(readFileSync(join(FOLDER, path), 'utf8'));
type Table = { papers: Record<string, unknown>; mentions: Record<string, { paper: string | null }> };
const TABLE = read('words/papers.json') as Table;

/** The examples as the service gives them. */
const EXAMPLES: readonly ExampleView[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .map((name) => {
    const id = name.replace(/^\d+-|\.json$/g, '');
    const line = TABLE.mentions[id];
    const paper = typeof line?.paper === 'string' ? TABLE.papers[line.paper] : null;
    return { id, ...(read(name) as object), mention: { ...line, paper } } as ExampleView;
  });

/** Of commands those whose words are words of the papers too. */
const COMMANDS = ['fuse', 'pos', 'precompute', 'mapPar', 'pack', 'represent'].map(
  (name) => ({ name, summary: `the ${name} of nonzeros, rows, tiles and CSR` }) as unknown as CommandSpecView,
);

/** What a reader of the five papers types first, and the program that it means. */
const PHRASES: readonly (readonly [string, string])[] = [
  // Senanayake et al. 2020
  ['A.2', 'A.2: SpMV on a GPU'],
  ['listing A.10', 'A.10: SpMM on a CPU, tiled'],
  ['Figure 20', 'A.6: MTTKRP on a GPU'],
  ['warp per row', 'A.8: SpMV on a GPU, a warp per row'],
  ['figure 14 position space', 'SpMV, equal shares of nonzeros'],
  ['SpMSpV', 'Sparse matrix times sparse vector'],
  ['TACO A.3', 'A.3: SpMM on a CPU'],
  ['MTTKRP', 'MTTKRP'],
  // Pizzuti et al. 2020
  ['packed CSR', 'CSR-packed: columns and values in pairs'],
  ['CSR-unpacked', 'CSR-unpacked: SpMV from types'],
  ['LIL', 'LIL: lists of lists'],
  ['list of lists', 'LIL: lists of lists'],
  ['listing 7', 'Parallel CSR SpMV for OpenCL'],
  ['Listing 1', 'Dense matrix times vector'],
  ['listing 6 sum of rows', 'Sum of rows of a CSR matrix'],
  ['BSR', 'BSR: block compressed sparse rows'],
  ['lower triangular matrix', 'A triangle, packed by rows'],
  ['ragged', 'LIL: lists of lists'],
  ['Lift mapWorkgroup', 'Parallel CSR SpMV for OpenCL'],
  // Phipps and Kolda 2019
  ['MTTKRP-C', 'MTTKRP-C: permuted nonzeros'],
  ['genten permutation', 'MTTKRP-C: permuted nonzeros'],
  ['TinyVec', 'MTTKRP-B: columns in registers'],
  ['SPLATT', 'MTTKRP over CSF, as SPLATT does'],
  ['cp-als', 'Decompose a tensor: CP-ALS, least squares mode by mode'],
  ['decomp', 'Decompose a tensor: CP-ALS, least squares mode by mode'],
  // Ye et al. 2023
  ['hyb', 'SpMM on a graph, rows in buckets (hyb)'],
  ['hyb(2,3)', 'hyb(2,3): SpMM in column partitions and buckets'],
  ['SDDMM', 'SDDMM on a graph'],
  ['SparseTIR pruned', 'Weights pruned in blocks'],
  ['pruned layer', 'Weights pruned one by one'],
  ['RGCN', 'Gather, multiply and scatter by relation'],
  ['DecomposeFormat', 'CSR decomposed into BSR and ELL'],
  // Vasilache et al. 2018
  ['Figure 1 of Tensor Comprehensions', 'sgemm: the product of BLAS'],
  ['gemm', 'sgemm: the product of BLAS'],
  ['mv', 'mv: matrix times vector'],
  ['tmm', 'tmm: a product with the transposed'],
  ['tbmm', 'tbmm: a batch of products with the transposed'],
  ['transposed batched matrix multiplication', 'tbmm: a batch of products with the transposed'],
  ['fcrelu', 'fcrelu: a layer with bias and activation'],
  ['conv2d', 'conv2d: a convolution'],
  ['grouped convolution', 'gconv: a grouped convolution'],
  ['max pooling', 'maxpool2x2: the maximum of each window'],
  ['lut', '2LUT: sums of rows of two tables'],
  ['MLP3', 'MLP3: three layers in one kernel'],
  ['MLP', 'MLP1: one layer of a perceptron'],
  ['softmax', 'softmax: exponentials over their sum'],
  ['outerProductMM', 'outerProductMM: an outer product of products'],
];

const entries = [...EXAMPLES.map((example) => ({ title: example.title, texts: textsOf(example) })), ...DECOMPOSITIONS];
const catalog = { commands: COMMANDS, examples: EXAMPLES } as unknown as Catalog;
const palette = paletteEntries(createStore(), {} as Actions, catalog, {} as Knowledge);

describe('the examples in the words of the papers', () => {
  it.each(PHRASES)('finds by "%s": %s', (phrase, title) => {
    const inBrowser = search(entries, phrase, ({ texts }) => texts).slice(0, 3);
    expect(inBrowser.map((entry) => entry.title)).toContain(title);
    const inPalette = search(palette, phrase, paletteTexts).slice(0, 3);
    expect(
      inPalette.filter((entry) => entry.title.includes(title)).length,
      inPalette.map((entry) => entry.title).join(' | '),
    ).toBeGreaterThan(0);
  });

  it('finds each program of a paper by its name there, and by where it is printed', () => {
    for (const example of EXAMPLES) {
      const { term, place, paper } = example.mention;
      expect(example.title.toLowerCase()).toContain(term.toLowerCase());
      if (paper === null) continue;
      for (const part of place.split(', ').filter(Boolean)) {
        const found = search(entries, `${paper.name} ${part}`, ({ texts }) => texts).slice(0, 12);
        expect(
          found.map(({ title }) => title),
          `${paper.name} ${part}`,
        ).toContain(example.title);
      }
    }
  });

  it('says where a program is printed', () => {
    const places = Object.fromEntries(EXAMPLES.map(({ id, mention }) => [id, placeOf(mention)]));
    expect(places['patterns-lil']).toBe('Lift (Pizzuti et al. 2020), listing 3, §3.4, figure 7');
    expect(places['graph-sddmm']).toBe('SparseTIR (Ye et al. 2023)');
    expect(places['spgemm']).toBe('');
  });

  it('calls no two entries of the palette alike', () => {
    expect(new Set(palette.map(({ title }) => title)).size).toBe(palette.length);
  });
});
