/** Provenance graph → places of everything that is drawn. Pure: runs in a worker and in tests without a DOM. */
import type { ProvenanceView, RelationView, Space, VariableView } from '../../api/types';
import { arrowHead, throughPoints, type Point } from '../curves';
import { unitBadges } from '../iteration/measure';
import { inEachSpacing, inRows, ROOMY, type AtLeastOne, type Spacing } from '../spacing';
import { clip, codeWidth, interfaceWidth } from '../text-width';
import { arrangeLayers, stackLayers, type Arranged, type Layered, type LayeredEdge, type LayeredNode } from './layered';

export interface ProvenanceInput {
  readonly provenance: ProvenanceView;
  readonly variables: readonly VariableView[];
  /** Loop variables from the outermost to the innermost. */
  readonly loopOrder: readonly string[];
  readonly showBounds: boolean;
  readonly showRecovery: boolean;
}

export interface VariableNote {
  readonly kind: 'bounds' | 'recovery';
  readonly text: string;
}

export interface PlacedVariable {
  readonly name: string;
  readonly space: Space;
  readonly underived: boolean;
  readonly loop: boolean;
  readonly reduction: boolean;
  /** One line under the node: its place in the loop nest, its parallel unit. */
  readonly badges: readonly string[];
  readonly notes: readonly VariableNote[];
  /** Nothing leaves this node downwards: the notes stand under it, otherwise to its right. */
  readonly notesUnder: boolean;
  readonly x: number;
  readonly y: number;
  readonly halfWidth: number;
  readonly halfHeight: number;
}

export interface PlacedRelation {
  /** Index in `ProvenanceView.relations`. */
  readonly index: number;
  readonly kind: string;
  readonly command: number | null;
  readonly x: number;
  readonly y: number;
  readonly halfWidth: number;
  readonly halfHeight: number;
}

/** Path data of a line and of its arrow head, which is empty where a longer line goes on. */
export interface Arrow {
  readonly data: string;
  readonly head: string;
}

/** One line between a variable and a relation. */
export interface PlacedEdge {
  readonly key: string;
  readonly relation: number;
  readonly variable: string;
  /** Down from a parent into the relation, or from the relation to a child. */
  readonly toChild: boolean;
  readonly line: Arrow;
  /** The same line moved aside, for the flow of bounds (down) and of recovery (up). */
  readonly bounds: Arrow;
  readonly recovery: Arrow;
  /** Recovery here reads the data (a search, then tracking) instead of computing. */
  readonly searches: boolean;
  /** Nothing is recovered over a workspace: its producer and its consumer have loops of their own. */
  readonly recovers: boolean;
}

export interface ProvenanceLayout {
  /** Where one begins to look: the first variable. */
  readonly root?: Point | undefined;
  readonly width: number;
  readonly height: number;
  readonly variables: readonly PlacedVariable[];
  readonly relations: readonly PlacedRelation[];
  readonly edges: readonly PlacedEdge[];
}

export const NAME_SIZE = 15;
export const RELATION_SIZE = 12;
export const VARIABLE_NOTE_SIZE = 12;
export const NOTE_LINE = 15;
export const NOTE_OFFSET = 10;
/** Middle of the first line under the node, from its rim. */
export const UNDER_OFFSET = 12;
export const COMMAND_RADIUS = 9;
const RELATION_HALF_HEIGHT = 11;
const NOTE_LIMIT = 52;
const ASIDE = 4;
const SEARCHING = new Set(['pos', 'coord']);

const variableKey = (name: string): string => `variable ${name}`;
const relationKey = (index: number): string => `relation ${index}`;

/** One drawing of a graph for each spacing, the roomiest first. */
export const drawProvenance = (input: ProvenanceInput): AtLeastOne<ProvenanceLayout> => inEachSpacing(drawerOf(input));

/** The graph in the usual spacing. */
export const layoutProvenance = (input: ProvenanceInput): ProvenanceLayout => drawerOf(input)(ROOMY)[0];

function drawerOf(input: ProvenanceInput): (spacing: Spacing) => AtLeastOne<ProvenanceLayout> {
  const parts = unjoined(input.provenance);
  const known = new Map<string, readonly Arranged[]>();
  return (spacing) => inRows(parts, (rows) => place(input, rows, spacing, known));
}

function place(
  input: ProvenanceInput,
  rows: readonly (readonly ReadonlySet<string>[])[],
  spacing: Spacing,
  known: Map<string, readonly Arranged[]>,
): ProvenanceLayout {
  const { provenance } = input;
  const { margin } = spacing;
  const showBoth = input.showBounds && input.showRecovery;
  const named = new Map(input.variables.map((variable) => [variable.name, variable]));
  const drafts = variableNames(provenance).map((name) =>
    draftVariable(name, named.get(name), input, spacing.halfHeight),
  );
  const draftOf = new Map(drafts.map((draft) => [draft.name, draft]));
  const nodes: LayeredNode[] = drafts.map((draft) => ({ ...draft.extent, id: variableKey(draft.name) }));
  provenance.relations.forEach((relation, index) => {
    const half = relationHalfWidth(relation);
    nodes.push({
      id: relationKey(index),
      left: half,
      right: half,
      above: RELATION_HALF_HEIGHT,
      below: RELATION_HALF_HEIGHT,
    });
  });
  const ends = provenance.relations.flatMap((relation, index) => [
    ...relation.parents.map((variable) => ({ relation: index, variable, toChild: false })),
    ...relation.children.map((variable) => ({ relation: index, variable, toChild: true })),
  ]);
  const edges: LayeredEdge[] = ends.map(({ relation, variable, toChild }) =>
    toChild
      ? { from: relationKey(relation), to: variableKey(variable) }
      : { from: variableKey(variable), to: relationKey(relation) },
  );
  // A higher drawing is arranged as the usual one.
  const key = `${rows.length} ${spacing.across} ${spacing.halfHeight}`;
  const arranged = known.get(key) ?? arrangeRows(nodes, edges, rows, spacing);
  known.set(key, arranged);
  const { places, waypoints, width, height } = stackRows(arranged, edges, rows, spacing);
  const at = (key: string): Point => ({ x: (places.get(key)?.x ?? 0) + margin, y: (places.get(key)?.y ?? 0) + margin });
  const [first] = drafts;
  return {
    root: first && at(variableKey(first.name)),
    width: width + 2 * margin,
    height: height + 2 * margin,
    variables: drafts.map(({ extent, ...draft }) => {
      void extent;
      return { ...draft, ...at(variableKey(draft.name)) };
    }),
    relations: provenance.relations.map((relation, index) => ({
      index,
      kind: titleOf(relation),
      command: relation.command,
      ...at(relationKey(index)),
      halfWidth: relationHalfWidth(relation),
      halfHeight: RELATION_HALF_HEIGHT,
    })),
    edges: ends.map(({ relation, variable, toChild }, index) => {
      const place = at(variableKey(variable));
      const half = draftOf.get(variable)?.halfHeight ?? spacing.halfHeight;
      const box = at(relationKey(relation));
      const middle = (waypoints[index] ?? []).map((point) => ({ x: point.x + margin, y: point.y + margin }));
      const points = toChild
        ? [{ x: box.x, y: box.y + RELATION_HALF_HEIGHT }, ...middle, { x: place.x, y: place.y - half }]
        : [{ x: place.x, y: place.y + half }, ...middle, { x: box.x, y: box.y - RELATION_HALF_HEIGHT }];
      const first = points[0] ?? box;
      const last = points.at(-1) ?? place;
      const arrow = (aside: number, down: boolean): Arrow => ({
        data: throughPoints(points, aside),
        head:
          toChild === down
            ? arrowHead({ ...(down ? last : first), x: (down ? last : first).x + aside }, down ? 1 : -1)
            : '',
      });
      return {
        key: `${relation} ${variable} ${toChild ? 'child' : 'parent'}`,
        relation,
        variable,
        toChild,
        line: arrow(0, true),
        bounds: arrow(showBoth ? ASIDE : 0, true),
        recovery: arrow(showBoth ? -ASIDE : 0, false),
        searches: SEARCHING.has(provenance.relations[relation]?.kind ?? ''),
        recovers: provenance.relations[relation]?.workspace === null,
      };
    }),
  };
}

/** Groups of nodes (by key) that no relation joins with each other, in the order of the view. */
function unjoined(provenance: ProvenanceView): ReadonlySet<string>[] {
  const groups: Set<string>[] = variableNames(provenance).map((name) => new Set([variableKey(name)]));
  provenance.relations.forEach(({ parents, children }, index) => {
    const touched = groups.filter((group) => [...parents, ...children].some((name) => group.has(variableKey(name))));
    const [first, ...rest] = touched;
    first?.add(relationKey(index));
    for (const group of rest) {
      for (const key of group) first?.add(key);
      groups.splice(groups.indexOf(group), 1);
    }
  });
  return groups;
}

/** Rows of groups, one under the other. */
type Rows = readonly (readonly ReadonlySet<string>[])[];

const isIn = (groups: readonly ReadonlySet<string>[], key: string): boolean => groups.some((group) => group.has(key));

const edgesIn = (groups: readonly ReadonlySet<string>[], edges: readonly LayeredEdge[]): [number, LayeredEdge][] =>
  [...edges.entries()].filter(([, { from }]) => isIn(groups, from));

const arrangeRows = (
  nodes: readonly LayeredNode[],
  edges: readonly LayeredEdge[],
  rows: Rows,
  { across }: Spacing,
): Arranged[] =>
  rows.map((groups) =>
    arrangeLayers(
      nodes.filter(({ id }) => isIn(groups, id)),
      edgesIn(groups, edges).map(([, edge]) => edge),
      across,
    ),
  );

function stackRows(
  arranged: readonly Arranged[],
  edges: readonly LayeredEdge[],
  rows: Rows,
  spacing: Spacing,
): Layered {
  const places = new Map<string, Point>();
  const waypoints: (readonly Point[])[] = edges.map(() => []);
  let width = 0;
  let height = 0;
  for (const [index, layers] of arranged.entries()) {
    const chosen = edgesIn(rows[index] ?? [], edges);
    const row = stackLayers(layers, spacing.down);
    const top = height === 0 ? 0 : height + spacing.down;
    const lower = ({ x, y }: Point): Point => ({ x, y: y + top });
    for (const [id, at] of row.places) places.set(id, lower(at));
    chosen.forEach(([index], at) => (waypoints[index] = (row.waypoints[at] ?? []).map(lower)));
    width = Math.max(width, row.width);
    height = top + row.height;
  }
  return { places, waypoints, width, height };
}

/** In the order of the view; a variable that only a relation names still gets its node. */
function variableNames(provenance: ProvenanceView): string[] {
  const named = provenance.relations.flatMap((relation) => [...relation.parents, ...relation.children]);
  return [...new Set([...provenance.variables, ...named])];
}

/** What stands in the box: `split`, or `precompute w`, the workspace between the two variables. */
const titleOf = ({ kind, workspace }: RelationView): string => (workspace === null ? kind : `${kind} ${workspace}`);

function relationHalfWidth(relation: RelationView): number {
  const number = relation.command === null ? 0 : 2 * COMMAND_RADIUS + 2;
  return (interfaceWidth(titleOf(relation), RELATION_SIZE) + number + 18) / 2;
}

/** `i0 ∈ [0, n)` next to the node of i0: the name need not be repeated. */
function withoutName(formula: string, name: string): string {
  return formula.startsWith(`${name} ∈ `) || formula.startsWith(`${name} = `)
    ? formula.slice(name.length + 1)
    : formula;
}

type Draft = Omit<PlacedVariable, 'x' | 'y'> & { readonly extent: Omit<LayeredNode, 'id'> };

function draftVariable(
  name: string,
  variable: VariableView | undefined,
  input: ProvenanceInput,
  halfHeight: number,
): Draft {
  const notes: VariableNote[] = [];
  if (input.showBounds && variable?.bounds)
    notes.push({ kind: 'bounds', text: clip(withoutName(variable.bounds, name), NOTE_LIMIT) });
  if (input.showRecovery && variable?.recovery) {
    notes.push({ kind: 'recovery', text: clip(withoutName(variable.recovery, name), NOTE_LIMIT) });
  }
  const depth = input.loopOrder.indexOf(name);
  const badges = [...(depth < 0 ? [] : [`loop ${depth + 1}`]), ...unitBadges(variable)];
  const halfWidth = Math.max(halfHeight, interfaceWidth(name, NAME_SIZE) / 2 + 11);
  const notesUnder = !input.provenance.relations.some((relation) => relation.parents.includes(name));
  // Each note has an icon in front.
  const notesWidth = Math.max(0, ...notes.map((note) => codeWidth(`⟷ ${note.text}`, VARIABLE_NOTE_SIZE)));
  const badgesWidth = badges.length > 0 ? interfaceWidth(badges.join(' · '), VARIABLE_NOTE_SIZE) : 0;
  const underWidth = Math.max(badgesWidth, notesUnder ? notesWidth : 0) / 2;
  const underLines = (badges.length > 0 ? 1 : 0) + (notesUnder ? notes.length : 0);
  const besideWidth = notesUnder || notes.length === 0 ? 0 : NOTE_OFFSET + notesWidth;
  const besideHeight = notesUnder ? 0 : (notes.length * NOTE_LINE) / 2;
  return {
    name,
    space: variable?.space ?? 'coordinate',
    underived: variable?.underived ?? false,
    loop: variable?.loop ?? false,
    reduction: variable?.reduction ?? false,
    badges,
    notes,
    halfWidth,
    halfHeight,
    notesUnder,
    extent: {
      left: Math.max(halfWidth, underWidth),
      right: Math.max(halfWidth + besideWidth, underWidth),
      above: Math.max(halfHeight, besideHeight),
      below: Math.max(halfHeight + (underLines > 0 ? UNDER_OFFSET + (underLines - 0.5) * NOTE_LINE : 0), besideHeight),
    },
  };
}
