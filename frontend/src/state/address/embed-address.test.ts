import { expect, it } from 'vitest';
import { embedAddress, embedCode } from './embed-address';

it('reads the plan, the panes and the theme of a frame', () => {
  expect(embedAddress('/embed/abc123', '?panes=code,provenance,code,nonsense&theme=dark')).toEqual({
    id: 'abc123',
    panes: ['code', 'provenance'],
    theme: 'dark',
    edit: false,
  });
  expect(embedAddress('/embed/abc123', '')).toEqual({
    id: 'abc123',
    panes: ['iteration', 'code'],
    theme: null,
    edit: false,
  });
  expect(embedAddress('/embed/abc123', '?edit=1')).toEqual({
    id: 'abc123',
    panes: ['schedule', 'iteration', 'code', 'result'],
    theme: null,
    edit: true,
  });
  expect(embedAddress('/s/abc123', '')).toBeNull();
  expect(embedAddress('/embed/../x', '')).toBeNull();
});

it('writes the frame for a page', () => {
  expect(embedCode('https://h/s/abc')).toContain('src="https://h/embed/abc?panes=iteration,code"');
});
