import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Tabs } from './Tabs';

const TABS = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id, title: id }));
const [WIDE, ROOM, ARROW] = [50, 100, 24];

/** A strip of six tabs of 50 px with room for two: `lay` tells it how much it has now. */
function strip(chosen: string): { list: HTMLElement; lay: (room: number) => void; show: (chosen: string) => void } {
  let room = ROOM;
  const tell: (() => void)[] = [];
  class Room {
    constructor(private readonly say: (entries: readonly object[]) => void) {}
    observe(): void {
      tell.push(() => this.say([{ contentRect: { width: room, height: 30 } }]));
    }
    disconnect(): void {}
  }
  vi.stubGlobal('ResizeObserver', Room);
  vi.spyOn(HTMLElement.prototype, 'offsetLeft', 'get').mockImplementation(function (this: HTMLElement) {
    return WIDE * TABS.findIndex(({ id }) => id === this.textContent);
  });
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(WIDE);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockImplementation(() => room);
  vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockReturnValue(WIDE * TABS.length);
  const drawn = (of: string) => (
    <Tabs label="Panels" tabs={TABS} chosen={of} onChoose={() => undefined}>
      panel
    </Tabs>
  );
  const { rerender } = render(drawn(chosen));
  return {
    list: screen.getByRole('tablist'),
    lay: (width) => {
      room = width;
      act(() => tell.forEach((one) => one()));
    },
    show: (other) => rerender(drawn(other)),
  };
}

function arrow(side: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-tip="More tabs ${side} these"]`);
}

function scrollTo(list: HTMLElement, left: number): void {
  list.scrollLeft = left;
  fireEvent.scroll(list);
}

describe('a strip of tabs with less room than they need', () => {
  beforeEach(() => vi.restoreAllMocks());
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it('keeps what was scrolled to in sight while an arrow takes its room', () => {
    const { list, lay } = strip('a');
    lay(ROOM);
    scrollTo(list, 200);
    expect(arrow('before')?.style.visibility).toBe('visible');
    lay(ROOM - ARROW);
    expect(list.scrollLeft).toBe(200);
  });

  it('keeps both arrows while the list scrolls: a tab stays where the pointer goes', () => {
    const { list, lay } = strip('a');
    lay(ROOM - 2 * ARROW);
    const arrows = () => ['before', 'after'].map((side) => arrow(side));
    const seen = () => arrows().map((arrow) => arrow?.style.visibility);
    expect(seen()).toEqual(['hidden', 'visible']);
    scrollTo(list, 100);
    expect(seen()).toEqual(['visible', 'visible']);
    scrollTo(list, WIDE * TABS.length - ROOM + 2 * ARROW);
    expect(seen()).toEqual(['visible', 'hidden']);
    // All tabs fit as soon as the arrows' room is counted.
    lay(WIDE * TABS.length - 2 * ARROW);
    expect(arrows()).toEqual([null, null]);
  });

  it('follows the chosen tab, and again after somebody looked around', () => {
    const { list, lay, show } = strip('a');
    show('d');
    expect(list.scrollLeft).toBe(100);
    fireEvent.scroll(list);
    lay(ROOM - ARROW);
    expect(list.scrollLeft).toBe(100 + ARROW);
    scrollTo(list, 0);
    lay(ROOM);
    expect(list.scrollLeft).toBe(0);
    show('f');
    expect(list.scrollLeft).toBe(200);
  });

  it('goes on to follow it where the room alone moved what is seen', () => {
    const { list, lay } = strip('e');
    expect(list.scrollLeft).toBe(150);
    list.scrollLeft = 140; // the browser: no more can be scrolled
    lay(ROOM + 60);
    fireEvent.scroll(list);
    lay(ROOM);
    expect(list.scrollLeft).toBe(150);
  });

  it('keeps what was scrolled to in the very moment in which it is laid out', () => {
    const { list, lay } = strip('f');
    list.scrollLeft = 40; // the event comes with the next frame
    lay(ROOM - ARROW);
    fireEvent.scroll(list);
    expect(list.scrollLeft).toBe(40);
  });
});
