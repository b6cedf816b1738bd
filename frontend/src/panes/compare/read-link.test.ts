import { expect, it, vi } from 'vitest';
import { DEFAULT_DRAFT, toPlan } from '../../plan/plan';
import { encodeAddress } from '../../state/address/url-codec';
import { DEFAULT_VIEW } from '../../state/view-state';
import { readLink } from './read-link';

const nothing = (): Promise<never> => Promise.reject(new Error('not asked'));

it('reads the plan of a long address without asking the server', async () => {
  const hash = encodeAddress({ draft: DEFAULT_DRAFT, view: DEFAULT_VIEW });
  expect(await readLink(` http://127.0.0.1:8000/#${hash} `, nothing)).toEqual(DEFAULT_DRAFT);
});

it('asks the server for a short link', async () => {
  const link = { id: 'Ab12', plan: toPlan(DEFAULT_DRAFT), created: '', run: null };
  const getLink = vi.fn(() => Promise.resolve(link as never));
  expect(await readLink('https://example.org/s/Ab12', getLink)).toEqual(DEFAULT_DRAFT);
  expect(getLink).toHaveBeenCalledWith('Ab12');
});

it.each([
  ['http://127.0.0.1:8000/', 'not a link to a plan'],
  ['http://127.0.0.1:8000/s/Ab12', 'could not be opened: not asked'],
  ['http://127.0.0.1:8000/#z1.!!', 'This link is broken'],
])('says what is wrong with %s', async (text, words) => {
  await expect(readLink(text, nothing)).rejects.toThrow(words);
});
