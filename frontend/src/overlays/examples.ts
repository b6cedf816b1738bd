/** What there is to open, from the catalogue and of decompositions, with the words that find it. */
import type { AlgorithmDocument, ExampleView } from '../api/types';
import { readPlan } from '../plan/plan-reader';
import { decompositionAddress } from '../state/address/decomposition-address';

type Mention = ExampleView['mention'];

/** Where the program is printed: `Lift (Pizzuti et al. 2020), listing 3, §3.4`; nothing for one of no paper. */
export const placeOf = ({ paper, place }: Mention): string =>
  paper === null ? '' : [`${paper.name} (${paper.cited})`, place].filter(Boolean).join(', ');

/** The same in short: `Lift, listing 3, §3.4`. */
export const shortPlaceOf = ({ paper, place }: Mention): string =>
  paper === null ? '' : [paper.name, place].filter(Boolean).join(', ');

/** The names that a person may know an example by, in falling weight. */
export function namesOf({ title, topic, mention }: ExampleView): string[] {
  const { paper, place, term, words } = mention;
  const printed = paper === null ? '' : `${paper.name} ${paper.cited} ${paper.words}`;
  return [title, `${term} ${words}`, place.replaceAll('§', 'section '), `${topic} ${printed}`];
}

/** All that can be searched for in the browser of examples: names, then what the plan holds. */
export function textsOf(example: ExampleView): string[] {
  const { expression, schedule, tensors } = readPlan(example.plan);
  const formats = Object.values(tensors).map(({ format }) => format ?? '');
  return [...namesOf(example), [expression, ...formats, schedule, example.summary].join(' ')];
}

/** A decomposition to begin with; it has a page of its own. */
export interface DecompositionEntry {
  readonly title: string;
  readonly summary: string;
  readonly address: string;
  readonly texts: readonly string[];
}

/** Made of five components and noise: small enough that sweeps are seen to pass. */
const PLANTED = { generator: 'kruskal', shape: [60, 80, 100], rank: 5, support: 12, noise: 0.01, seed: 7 };
const PARAMETERS = { rank: 5, sweeps: 50, tolerance: 1e-4, start: { kind: 'uniform', seed: 1 } };

function decomposition(algorithm: string, name: string, summary: string, words: string): DecompositionEntry {
  const title = `Decompose a tensor: ${name}`;
  const document: AlgorithmDocument = { algorithm, inputs: { X: PLANTED }, parameters: PARAMETERS };
  return {
    title,
    summary,
    address: decompositionAddress(document, null),
    texts: [title, `decomposition CANDECOMP PARAFAC GenTen sparse tensor ${words}`, summary],
  };
}

export const DECOMPOSITIONS: readonly DecompositionEntry[] = [
  decomposition(
    'cp-als',
    'CP-ALS, least squares mode by mode',
    'Factors in turn, each by least squares, by any method of MTTKRP: atomic (A), tiled (B), permuted (C), CSF.',
    'alternating least squares MTTKRP SPLATT Phipps and Kolda 2019',
  ),
  decomposition(
    'cp-apr',
    'CP-APR, counts',
    'Of counts: factors that are not negative, by multiplicative updates.',
    'Poisson nonnegative Chi and Kolda 2012',
  ),
  decomposition(
    'cp-opt',
    'CP-OPT, gradients of all modes',
    'All factors at once, by gradients and L-BFGS.',
    'gradient optimisation optimization Acar, Dunlavy and Kolda 2011',
  ),
];
