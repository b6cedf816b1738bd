import { cleanup, render } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readSearch } from '../../viz/tuner/search-log';
import { Population } from './Population';

const LINES = [
  { event: 'header', plan: {}, strategy: 'random', seed: 7, points: 4, genes: [] },
  {
    event: 'candidate', id: 0, generation: 0, origin: 'random', parents: [], sources: [], mutated: [], genes: [],
    schedule: [], formats: {}, plan: 'one', seconds: 4e-6, reason: '',
  },
  { event: 'generation', number: 0, evaluations: 1, best: 4e-6, refused: { 'schedule/race': 3 } },
]; // prettier-ignore

/** A page on which the figure has so many px. */
function roomOf(width: number): void {
  class Room {
    constructor(private readonly tell: (entries: readonly object[]) => void) {}
    observe(): void {
      this.tell([{ contentRect: { width, height: 300 } }]);
    }
    disconnect(): void {}
  }
  vi.stubGlobal('ResizeObserver', Room);
}

describe('the picture of a population', () => {
  afterEach(() => vi.unstubAllGlobals());
  afterEach(cleanup);

  it.each([
    [296, 296],
    [570, 570],
    [2000, 900],
  ])('in %i px is %i px wide, and nothing in it is scaled', (room, width) => {
    roomOf(room);
    const search = readSearch(LINES);
    if (search === null) throw new Error('no search');
    const { container } = render(<Population search={search} chosen={null} onChoose={() => undefined} />);
    const picture = container.querySelector('svg');
    const [drawn, height] = ['width', 'height'].map((name) => picture?.getAttribute(name));
    expect(drawn).toBe(String(width));
    expect(picture?.getAttribute('viewBox')).toBe(`0 0 ${String(drawn)} ${String(height)}`);
    expect(picture?.textContent).toContain('−3');
  });
});
