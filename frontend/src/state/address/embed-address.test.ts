import { expect, it } from 'vitest';
import { embedAddress, embedCode } from './embed-address';

const at = (pathname: string, search = '', hash = '') => ({ pathname, search, hash });

it('reads the plan, the panes and the theme of a frame', () => {
  expect(embedAddress(at('/embed/abc123', '?panes=code,provenance,code,nonsense&theme=dark'))).toEqual({
    rest: 's/abc123',
    hash: '',
    panes: ['code', 'provenance'],
    theme: 'dark',
    edit: false,
  });
  expect(embedAddress(at('/embed/abc123'))).toEqual({
    rest: 's/abc123',
    hash: '',
    panes: ['iteration', 'code'],
    theme: null,
    edit: false,
  });
  expect(embedAddress(at('/embed/abc123', '?edit=1'))).toMatchObject({
    panes: ['schedule', 'iteration', 'code', 'result'],
    edit: true,
  });
  expect(embedAddress(at('/s/abc123'))).toBeNull();
  expect(embedAddress(at('/embed/../x'))).toBeNull();
});

it('reads a frame of a folder, whose fragment may say what it shows', () => {
  const place = (search: string, hash: string) => embedAddress(at('/course/embed.html', search, hash), true);
  expect(place('?panes=code', '#plan=z1.abc')).toEqual({
    rest: '#plan=z1.abc',
    hash: '#plan=z1.abc',
    panes: ['code'],
    theme: null,
    edit: false,
  });
  expect(place('', '#link=Ab12&panes=schedule,code&theme=light')).toEqual({
    rest: '#link=Ab12',
    hash: '#link=Ab12',
    panes: ['schedule', 'code'],
    theme: 'light',
    edit: false,
  });
  expect(place('', '')?.rest).toBe('');
});

it('writes the frame for a page', () => {
  expect(embedCode('https://h/s/abc')).toContain('src="https://h/embed/abc?panes=iteration,code"');
  expect(embedCode('https://h/a%20b/heddle/index.html#plan=z1.x', undefined, true)).toContain(
    'src="https://h/a%20b/heddle/embed.html?panes=iteration,code#plan=z1.x"',
  );
  expect(embedCode('https://h/heddle/#link=Ab', null, true)).toContain('src="https://h/heddle/embed.html#link=Ab"');
});
