/**
 * Linked highlighting: every object of the page has one identity; pointing at it in one panel lights it up in all.
 *
 * Hover and keyboard focus light for the moment; a pin (click, Enter) stays until it is pressed again or Escape.
 * In React use {@link useLinked}; editors and canvases use {@link links} directly.
 */
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { FocusEvent, KeyboardEvent, MouseEvent, PointerEvent } from 'react';

export type LinkId =
  `var:${string}` | `tensor:${string}` | `level:${string}:${number}` | `command:${number}` | `phase:${string}`;

export interface LinksState {
  /** What the pointer or the keyboard focus is on now. */
  readonly pointed: readonly LinkId[];
  readonly pinned: readonly LinkId[];
}

export const linkId = {
  variable: (name: string): LinkId => `var:${name}`,
  tensor: (name: string): LinkId => `tensor:${name}`,
  /** `level` is the 1-based storage level. */
  level: (tensor: string, level: number): LinkId => `level:${tensor}:${level}`,
  /** `index` is the 0-based schedule command. */
  command: (index: number): LinkId => `command:${index}`,
  /** Of a decomposition's sweep, as the service names it: `mttkrp.0`, `fit`. */
  phase: (name: string): LinkId => `phase:${name}`,
};

/** Whether an object known by `ids` is lit while `lit` is: by equality, and a tensor lights all of its levels. */
export function matches(ids: readonly LinkId[], lit: readonly LinkId[]): boolean {
  return ids.some(
    (id) => lit.includes(id) || (id.startsWith('level:') && lit.includes(`tensor:${id.split(':')[1] ?? ''}`)),
  );
}

/** Identities of an origin or a symbol of generated code, the most specific first. */
export function linkIdsOf(part: {
  variable?: string | null;
  tensor?: string | null;
  level?: number | null;
  command?: number | null;
}): LinkId[] {
  const ids: LinkId[] = [];
  if (part.variable) ids.push(linkId.variable(part.variable));
  if (part.tensor && part.level) ids.push(linkId.level(part.tensor, part.level));
  else if (part.tensor) ids.push(linkId.tensor(part.tensor));
  if (part.command !== null && part.command !== undefined) ids.push(linkId.command(part.command));
  return ids;
}

const sameIds = (left: readonly LinkId[], right: readonly LinkId[]): boolean =>
  left.length === right.length && left.every((id, index) => id === right[index]);

export function createLinks() {
  let state: LinksState = { pointed: [], pinned: [] };
  const listeners = new Set<() => void>();
  const set = (next: LinksState): void => {
    if (sameIds(next.pointed, state.pointed) && sameIds(next.pinned, state.pinned)) return;
    state = next;
    listeners.forEach((listener) => listener());
  };
  return {
    get: (): LinksState => state,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Lights `ids` until the next call; an empty list puts the light out. */
    point: (ids: readonly LinkId[]): void => set({ ...state, pointed: [...ids] }),
    /** Pins `ids`, or releases them when they are all pinned already. */
    togglePin: (ids: readonly LinkId[]): void => {
      const all = ids.every((id) => state.pinned.includes(id));
      const rest = state.pinned.filter((id) => !ids.includes(id));
      set({ ...state, pinned: all ? rest : [...rest, ...ids] });
    },
    clear: (): void => set({ pointed: [], pinned: [] }),
    isLit: (ids: readonly LinkId[]): boolean =>
      matches(ids, state.pointed) || (state.pinned.length > 0 && matches(ids, state.pinned)),
  };
}

/** The one link state of the page. */
export const links = createLinks();

export interface Linked {
  readonly lit: boolean;
  readonly pinned: boolean;
  /** Spread on the element: handlers for pointer, focus, click and Enter, and the attributes that the theme styles. */
  readonly props: {
    readonly 'data-link': string;
    readonly 'data-linked': '' | undefined;
    readonly 'data-pinned': '' | undefined;
    readonly onPointerEnter: (event: PointerEvent) => void;
    readonly onPointerLeave: (event: PointerEvent) => void;
    readonly onFocus: (event: FocusEvent) => void;
    readonly onBlur: (event: FocusEvent) => void;
    readonly onClick: (event: MouseEvent) => void;
    readonly onKeyDown: (event: KeyboardEvent) => void;
  };
}

/**
 * Links one element to all others of the same identities.
 *
 * The element should be focusable (`tabIndex={0}` and a role with a name, or a button), so that the keyboard does what
 * the pointer does. An object with several identities (a position belongs to a variable and a level) passes them all.
 */
export function useLinked(id: LinkId | readonly LinkId[]): Linked {
  const key = typeof id === 'string' ? id : id.join(' ');
  const ids = useMemo(() => key.split(' ').filter(Boolean) as LinkId[], [key]);
  const lit = useSyncExternalStore(links.subscribe, () => links.isLit(ids));
  const pinned = useSyncExternalStore(links.subscribe, () => matches(ids, links.get().pinned));
  const point = useCallback(() => links.point(ids), [ids]);
  const leave = useCallback(() => links.point([]), []);
  const pin = useCallback(
    (event: MouseEvent) => {
      event.stopPropagation();
      links.togglePin(ids);
    },
    [ids],
  );
  const onKeyDown = useCallback(
    (event: KeyboardEvent) => {
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        links.togglePin(ids);
      } else if (event.key === 'Escape') {
        links.clear();
      }
    },
    [ids],
  );
  return {
    lit,
    pinned,
    props: {
      'data-link': key,
      'data-linked': lit ? '' : undefined,
      'data-pinned': pinned ? '' : undefined,
      onPointerEnter: point,
      onPointerLeave: leave,
      onFocus: point,
      onBlur: leave,
      onClick: pin,
      onKeyDown,
    },
  };
}
