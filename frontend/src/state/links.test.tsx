import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { createLinks, linkId, linkIdsOf, links, matches, useLinked } from './links';
import type { LinkId } from './links';

function Node({ name, ids }: { readonly name: string; readonly ids: LinkId | readonly LinkId[] }) {
  const { props } = useLinked(ids);
  return (
    <button type="button" {...props}>
      {name}
    </button>
  );
}

const isLit = (name: string): boolean => screen.getByRole('button', { name }).hasAttribute('data-linked');

afterEach(() => {
  cleanup();
  links.clear();
});

describe('linked highlighting', () => {
  it('lights every object of the same identity, and the levels of a tensor', () => {
    expect(matches([linkId.variable('i')], ['var:i'])).toBe(true);
    expect(matches([linkId.level('A', 2)], ['tensor:A'])).toBe(true);
    expect(matches([linkId.tensor('A')], ['level:A:2'])).toBe(false);
    expect(matches([linkId.command(1)], ['command:10'])).toBe(false);
  });

  it('names an origin by its parts, a level instead of its tensor', () => {
    expect(linkIdsOf({ variable: 'j', tensor: 'A', level: 2, command: 0 })).toEqual([
      'var:j',
      'level:A:2',
      'command:0',
    ]);
    expect(linkIdsOf({ variable: null, tensor: 'A', level: null, command: null })).toEqual(['tensor:A']);
  });

  it('tells its listeners only of real changes', () => {
    const own = createLinks();
    let calls = 0;
    own.subscribe(() => calls++);
    own.point(['var:i']);
    own.point(['var:i']);
    own.point([]);
    own.point([]);
    expect(calls).toBe(2);
  });

  it('lights by pointer and by focus, and stays lit when pinned', () => {
    render(
      <>
        <Node name="graph" ids="var:i0" />
        <Node name="code" ids={['level:A:2', 'var:i0']} />
        <Node name="other" ids="var:i1" />
      </>,
    );
    fireEvent.pointerEnter(screen.getByRole('button', { name: 'graph' }));
    expect([isLit('graph'), isLit('code'), isLit('other')]).toEqual([true, true, false]);
    fireEvent.pointerLeave(screen.getByRole('button', { name: 'graph' }));
    expect(isLit('code')).toBe(false);
    fireEvent.focus(screen.getByRole('button', { name: 'other' }));
    expect(isLit('other')).toBe(true);
    fireEvent.keyDown(screen.getByRole('button', { name: 'other' }), { key: 'Enter' });
    fireEvent.blur(screen.getByRole('button', { name: 'other' }));
    expect(isLit('other')).toBe(true);
    fireEvent.keyDown(screen.getByRole('button', { name: 'other' }), { key: 'Escape' });
    expect(isLit('other')).toBe(false);
  });
});
