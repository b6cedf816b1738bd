import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import DiagramCanvas from './DiagramCanvas';
import { svgText } from './export-svg';

afterEach(cleanup);

function show(): SVGSVGElement {
  render(
    <DiagramCanvas label="Graph" drawings={[{ width: 100, height: 50 }]} fileName="graph.svg">
      {() => (
        <>
          <g data-item="" data-link="var:i" className="node" role="button" aria-label="i" tabIndex={0}>
            <text>i</text>
          </g>
          <g data-item="" data-link="var:j" role="button" aria-label="j" tabIndex={-1}>
            <text>j</text>
          </g>
        </>
      )}
    </DiagramCanvas>,
  );
  return screen.getByRole('group', { name: 'Graph' }) as unknown as SVGSVGElement;
}

function choose(title: string): void {
  fireEvent.click(screen.getByRole('button', { name: 'View of the graph' }));
  fireEvent.click(screen.getByRole('menuitem', { name: new RegExp(`^${title}`) }));
}

const scaleOf = (svg: SVGSVGElement): number =>
  Number(/scale\((.*)\)/.exec(svg.firstElementChild?.getAttribute('transform') ?? '')?.[1]);

describe('diagram canvas', () => {
  it('zooms by keys and from its menu, and goes back to everything', () => {
    const svg = show();
    const before = scaleOf(svg);
    fireEvent.keyDown(svg, { key: '+' });
    expect(scaleOf(svg)).toBeCloseTo(before * 1.25);
    choose('Zoom out');
    expect(scaleOf(svg)).toBeCloseTo(before);
    choose('Zoom in');
    fireEvent.keyDown(svg, { key: '0' });
    expect(scaleOf(svg)).toBe(before);
  });

  it('pans by the arrow keys', () => {
    const svg = show();
    const place = (): string | null | undefined => svg.firstElementChild?.getAttribute('transform');
    const before = place();
    fireEvent.keyDown(svg, { key: 'ArrowDown' });
    expect(place()).not.toBe(before);
    fireEvent.keyDown(svg, { key: 'ArrowUp' });
    expect(place()).toBe(before);
  });

  it('goes from part to part by the arrow keys; Tab comes back to the last one', () => {
    show();
    const [i, j] = [screen.getByRole('button', { name: 'i' }), screen.getByRole('button', { name: 'j' })];
    i.focus();
    fireEvent.keyDown(i, { key: 'ArrowDown' });
    expect(document.activeElement).toBe(j);
    expect([i.getAttribute('tabindex'), j.getAttribute('tabindex')]).toEqual(['-1', '0']);
    fireEvent.keyDown(j, { key: 'ArrowUp' });
    expect(document.activeElement).toBe(i);
  });

  it('exports the drawing at its natural size, without what belongs to the page', () => {
    const text = svgText(show(), 100.4, 50, 'Graph');
    expect(text).toContain('viewBox="0 0 101 50"');
    expect(text).toContain('<title>Graph</title>');
    expect(text).not.toMatch(/class=|data-|aria-|tabindex|role=|scale\(/);
  });
});
