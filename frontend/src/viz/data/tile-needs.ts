/** How large data must be for the tiles of a schedule to show: more than one of each, and a last one that is cut. */
import type { CompileView, RelationView, TraceView } from '../../api/types';

export interface TileNeeds {
  /** By index variable of the expression: how many coordinates. */
  readonly coordinates: ReadonlyMap<string, number>;
  /** Variables that were fused: how many coordinates they have together. */
  readonly products: readonly { readonly variables: readonly string[]; readonly extent: number }[];
  /** By tensor: how many nonzeros. */
  readonly nonzeros: ReadonlyMap<string, number>;
  /** By tensor: how many nonzeros its longest row has. */
  readonly segments: ReadonlyMap<string, number>;
}

/** `enough`: what shows tiles well; otherwise what is the least for a second tile. */
export function tileNeeds(result: CompileView, enough = true): TileNeeds {
  const relations = result.provenance?.relations ?? [];
  const nonzeros = new Map<string, number>();
  const segments = new Map<string, number>();
  const raise = (needs: Map<string, number>, name: string, extent: number): void => {
    if (extent > 1) needs.set(name, Math.max(needs.get(name) ?? 0, extent));
  };
  const argumentsOf = ({ command }: RelationView): readonly string[] =>
    command === null ? [] : (result.commands[command]?.arguments ?? []);
  const extent = (variable: string): number =>
    Math.max(1, ...relations.filter(({ parents }) => parents.includes(variable)).map(below));
  const below = (relation: RelationView): number => {
    const [first = '', ...others] = relation.children;
    const number = Number(argumentsOf(relation).at(-1));
    switch (relation.kind) {
      case 'split':
        return enough
          ? number * Math.max(2, extent(first)) + Math.ceil(number / 4)
          : number * Math.max(1, extent(first) - 1) + 1;
      case 'divide':
        return Math.max(enough ? 2 * number : 2, number * Math.max(1, ...others.map(extent)));
      case 'fuse':
        return 1;
      case 'pos': {
        const tensor = (argumentsOf(relation)[2] ?? '').split('(')[0] ?? '';
        const fused = relations.some(
          ({ kind, children }) => kind === 'fuse' && children.includes(relation.parents[0] ?? ''),
        );
        const order = result.tensors.find(({ name }) => name === tensor)?.order ?? 0;
        raise(fused || order === 1 ? nonzeros : segments, tensor, extent(first));
        return 1;
      }
      default:
        return extent(first);
    }
  };
  const originals = (variable: string): readonly string[] => {
    const maker = relations.find(({ children }) => children.includes(variable));
    return maker === undefined ? [variable] : maker.parents.flatMap(originals);
  };
  const coordinates = new Map<string, number>();
  for (const { name, underived } of result.variables) if (underived) raise(coordinates, name, extent(name));
  const products = relations
    .filter(({ kind }) => kind === 'fuse')
    .map(({ parents, children }) => ({ variables: parents.flatMap(originals), extent: extent(children[0] ?? '') }))
    .filter((product) => product.extent > 1);
  return { coordinates, products, nonzeros, segments };
}

export const needsNothing = ({ coordinates, products, nonzeros, segments }: TileNeeds): boolean =>
  coordinates.size + products.length + nonzeros.size + segments.size === 0;

/** Whether the data of a run has a second tile wherever the schedule cuts. */
export function tilesShow(result: CompileView, trace: TraceView): boolean {
  const needs = tileNeeds(result, false);
  const sizes = new Map(
    result.tensors.flatMap(({ name, dimensions }) => {
      const shape = trace.tensors.find(({ tensor }) => tensor === name)?.shape ?? [];
      return dimensions.map((variable, place) => [variable, shape[place] ?? 1] as const);
    }),
  );
  const sizeOf = (variable: string): number => sizes.get(variable) ?? 1;
  const stored = (name: string) => trace.tensors.find(({ tensor }) => tensor === name);
  return (
    [...needs.coordinates].every(([variable, extent]) => sizeOf(variable) >= extent) &&
    needs.products.every(
      ({ variables, extent }) => variables.map(sizeOf).reduce((all, one) => all * one, 1) >= extent,
    ) &&
    [...needs.nonzeros].every(([name, extent]) => (stored(name)?.nonzeros ?? 0) >= extent) &&
    [...needs.segments].every(([name, extent]) => longestRow(stored(name)?.coordinates ?? []) >= extent)
  );
}

function longestRow(coordinates: readonly (readonly number[])[]): number {
  const rows = new Map<string, number>();
  for (const at of coordinates) {
    const row = at.slice(0, -1).join(' ');
    rows.set(row, (rows.get(row) ?? 0) + 1);
  }
  return Math.max(0, ...rows.values());
}
