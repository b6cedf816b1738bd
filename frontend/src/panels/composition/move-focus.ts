import type { KeyboardEvent } from 'react';

/** Arrow keys go through the cells, and through the places of a part. */
export function moveFocus(event: KeyboardEvent): void {
  const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  const step = steps[event.key];
  const group = event.target instanceof Element ? event.target.closest('[data-elements]') : null;
  if (group === null || (step === undefined && event.key !== 'Home' && event.key !== 'End')) return;
  const items = [...group.querySelectorAll<SVGElement>('[role=img]')];
  const here = items.indexOf(event.target as SVGElement);
  const next = step === undefined ? items.at(event.key === 'Home' ? 0 : -1) : items[here + step];
  event.preventDefault();
  if (here < 0 || next === undefined) return;
  for (const item of items) item.setAttribute('tabindex', item === next ? '0' : '-1');
  next.focus();
}
