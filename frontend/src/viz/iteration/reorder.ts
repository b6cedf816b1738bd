/** Moving a loop to another place of its nest: which loops can change places, and where a dragged one would fall. */
import type { GraphNodeView, LegalView } from '../../api/types';
import type { PlacedLoop } from './types';

/** The loops directly nested around and inside `variable`, outermost first; a branch of the nest ends the chain. */
export function chainAround(nodes: readonly GraphNodeView[], variable: string): string[] {
  const childrenOf = (name: string): GraphNodeView[] => nodes.filter(({ parent }) => parent === name);
  const chain = [variable];
  for (;;) {
    const parent = nodes.find((node) => node.variable === chain[0])?.parent ?? null;
    if (parent === null || childrenOf(parent).length !== 1) break;
    chain.unshift(parent);
  }
  for (;;) {
    const [child, ...others] = childrenOf(chain.at(-1) ?? '');
    if (child === undefined || others.length > 0) break;
    chain.push(child.variable);
  }
  return chain;
}

export function moved(chain: readonly string[], variable: string, place: number): string[] {
  const rest = chain.filter((name) => name !== variable);
  return rest.toSpliced(place, 0, variable);
}

/** The `reorder` command for a new order of a chain: it names only the loops that change places. Null for none. */
export function reorderCommand(chain: readonly string[], order: readonly string[]): string | null {
  const first = chain.findIndex((name, place) => name !== order[place]);
  if (first < 0) return null;
  const last = chain.findLastIndex((name, place) => name !== order[place]);
  return `reorder(${order.slice(first, last + 1).join(', ')})`;
}

/** Whether the service lists this order among those that may come next; null while it has not answered. */
export function isLegalOrder(view: LegalView | null, order: readonly string[]): boolean | null {
  if (view === null) return null;
  const text = `reorder(${order.join(', ')})`;
  const candidates = view.commands.find(({ name }) => name === 'reorder')?.candidates ?? [];
  return candidates.some((one) => one.text === text && one.why_not === null);
}

export interface DropPlace {
  /** Place in the chain, 0 is outermost. */
  readonly place: number;
  readonly x: number;
  readonly y: number;
}

const BESIDE = 12;

/** Where a dragged loop can fall: a line above each loop outside of it and below each loop inside of it. */
export function dropPlaces(chain: readonly PlacedLoop[], variable: string): DropPlace[] {
  const home = chain.findIndex((loop) => loop.variable === variable);
  return chain.flatMap(({ x, y, halfHeight }, place) => {
    if (place === home) return [];
    return [{ place, x, y: place < home ? y - halfHeight - BESIDE : y + halfHeight + BESIDE }];
  });
}

/** The place in the chain of a loop held at height `y`. */
export function placeAt(chain: readonly PlacedLoop[], variable: string, y: number): number {
  return chain.filter((loop) => loop.variable !== variable && loop.y < y).length;
}
