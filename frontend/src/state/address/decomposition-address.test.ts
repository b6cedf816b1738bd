import { describe, expect, it } from 'vitest';
import { decompositionAddress, documentAt } from './decomposition-address';

const document = { algorithm: 'cp-als', inputs: { X: { dataset: 'med' } }, parameters: { rank: 3 } };

describe('the address of a decomposition', () => {
  it('holds the document until something has run', () => {
    const address = decompositionAddress(document, null);
    expect(documentAt(new URL(address, 'http://here').hash)).toEqual(document);
    expect(new URL(address, 'http://here').searchParams.get('decomposition')).toBe('');
  });

  it('opens for ever', () => {
    expect(
      documentAt(
        '#a1.%7B%22algorithm%22%3A%22cp-als%22%2C%22inputs%22%3A%7B%22X%22%3A%7B%22dataset%22%3A%22med%22%7D%7D%2C%22parameters%22%3A%7B%22rank%22%3A3%7D%7D',
      ),
    ).toEqual(document);
  });

  it('is that of the run once there is one', () => {
    expect(decompositionAddress(document, 'a b')).toBe('/?decomposition=a%20b');
  });

  it('holds nothing where the text is none', () => {
    for (const wrong of [
      '',
      '#',
      '#j1.{}',
      '#a1.',
      '#a1.{',
      '#a1.%',
      '#a1.3',
      '#a1.{}',
      '#a1.{"algorithm":"cp-als","parameters":null}',
    ])
      expect(documentAt(wrong)).toBeNull();
  });
});
