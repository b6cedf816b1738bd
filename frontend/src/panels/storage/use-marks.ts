import { useEffect, useMemo, useRef, useState } from 'react';
import type { FocusEvent, KeyboardEvent, MouseEvent, PointerEvent } from 'react';
import { linkId, links } from '../../state/links';
import type { LinkId } from '../../state/links';
import { marksOf } from '../../viz/storage/marks';
import type { Place, StorageModel } from '../../viz/storage/marks';

/**
 * Marks what belongs to the element under the pointer or the focus, in all parts of the picture at once. There may be
 * thousands of elements: their attributes are set directly, without rendering anything again.
 */
export function useMarks(model: StorageModel | null, name: string, dimensions: readonly string[]) {
  const root = useRef<HTMLDivElement>(null);
  const [pinned, setPinned] = useState<Place | null>(null);
  const [pointed, setPointed] = useState<Place | null>(null);
  const place = pointed ?? pinned;
  const marks = useMemo(() => {
    const known = model !== null && place !== null && model.parents[place.depth]?.has(place.position);
    return known ? marksOf(model, place) : null;
  }, [model, place]);

  // After every rendering: React may have replaced elements that carried a mark.
  useEffect(() => {
    const element = root.current;
    if (!element) return;
    element.querySelectorAll('[data-marked]').forEach((one) => one.removeAttribute('data-marked'));
    if (marks === null) return;
    element.querySelectorAll('[data-key]').forEach((one) => {
      const mark = marks.get(one.getAttribute('data-key') ?? '');
      if (mark) one.setAttribute('data-marked', mark);
    });
  });

  const placeOf = (target: EventTarget): Place | null => {
    const key = target instanceof Element ? target.closest('[data-key]')?.getAttribute('data-key') : null;
    return (key && model?.places.get(key)) || null;
  };
  const point = (found: Place | null): void => {
    setPointed(found);
    if (found !== null) links.point(linksOf(model, name, dimensions, found));
    else if (pointed !== null) links.point([]);
  };
  const pin = (found: Place | null): void => {
    if (found !== null) setPinned((last) => (samePlace(last, found) ? null : found));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      setPinned(null);
      setPointed(null);
      links.point([]);
    } else if ((event.key === 'Enter' || event.key === ' ') && placeOf(event.target) !== null) {
      event.preventDefault();
      pin(placeOf(event.target));
    } else if (event.target instanceof Element) moveFocus(event, event.target);
  };
  return {
    root,
    place,
    handlers: {
      onPointerOver: (event: PointerEvent) => point(placeOf(event.target)),
      onPointerLeave: () => point(null),
      onFocus: (event: FocusEvent) => point(placeOf(event.target)),
      onBlur: () => point(null),
      onClick: (event: MouseEvent) => pin(placeOf(event.target)),
      onKeyDown,
    },
  };
}

const samePlace = (left: Place | null, right: Place): boolean =>
  left !== null && left.depth === right.depth && left.position === right.position;

function linksOf(model: StorageModel | null, name: string, dimensions: readonly string[], place: Place): LinkId[] {
  const variable = dimensions[model?.tensor.levels[place.depth]?.dimension ?? -1];
  const level = linkId.level(name, place.depth + 1);
  return variable === undefined ? [level] : [level, linkId.variable(variable)];
}

/** Arrow keys go from one element to the next in the same group; up and down by the rows that the eye sees. */
function moveFocus(event: KeyboardEvent, target: Element): void {
  const group = target.closest('[data-elements]');
  if (!group || !target.hasAttribute('data-key')) return;
  const items = [...group.querySelectorAll<HTMLElement | SVGElement>('[data-key][tabindex]')];
  const index = items.indexOf(target as HTMLElement);
  const next =
    event.key === 'ArrowRight'
      ? items[index + 1]
      : event.key === 'ArrowLeft'
        ? items[index - 1]
        : event.key === 'Home'
          ? items[0]
          : event.key === 'End'
            ? items.at(-1)
            : event.key === 'ArrowDown' || event.key === 'ArrowUp'
              ? nearest(target, items, event.key === 'ArrowDown' ? 1 : -1)
              : undefined;
  if (!next) return;
  event.preventDefault();
  for (const item of items) item.setAttribute('tabindex', item === next ? '0' : '-1');
  next.focus();
}

function nearest<Item extends Element>(from: Element, items: readonly Item[], direction: 1 | -1): Item | undefined {
  const box = from.getBoundingClientRect();
  const distance = (item: Item): number => {
    const other = item.getBoundingClientRect();
    const down = (other.top - box.top) * direction;
    return down < 4 ? Infinity : down * 1000 + Math.abs(other.left - box.left);
  };
  const best = items.reduce<Item | undefined>(
    (last, item) => (last === undefined || distance(item) < distance(last) ? item : last),
    undefined,
  );
  return best && distance(best) < Infinity ? best : undefined;
}
