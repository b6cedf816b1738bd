import { describe, expect, it } from 'vitest';
import { GLOSSARY, termOf, withTerms } from './glossary';

const wordsOf = (text: string): string[] =>
  withTerms(text).flatMap((part) => (typeof part === 'string' ? [] : [part.word]));

describe('the glossary', () => {
  it('is in order, says each term once and each spelling once', () => {
    const terms = GLOSSARY.map(({ term }) => term);
    expect(terms).toEqual([...terms].sort((one, other) => one.toLowerCase().localeCompare(other.toLowerCase())));
    const words = GLOSSARY.flatMap(({ term, also }) => [term, ...also]);
    expect(new Set(words).size).toBe(words.length);
  });

  it('has definitions in whole sentences', () => {
    for (const { term, text } of GLOSSARY) expect(text, term).toMatch(/^[A-Z0-9].{20,}[.]$/);
  });
});

describe('the terms of a text', () => {
  it('are found as whole words, the longest first, where they come first', () => {
    expect(wordsOf('Positions, tiles of position space, and more positions.')).toEqual([
      'Positions',
      'tiles',
      'position space',
    ]);
    expect(wordsOf('retile the blockade, tile-wise')).toEqual([]);
  });

  it('are not ordinary words, which mean something else there', () => {
    expect(wordsOf('The loops run over the rows of a run.')).toEqual([]);
    expect(termOf('run')?.text).toMatch(/^Building the kernel/);
  });

  it('leave the text as it was', () => {
    const text = 'A schedule cuts a loop into tiles.';
    expect(
      withTerms(text)
        .map((part) => (typeof part === 'string' ? part : part.word))
        .join(''),
    ).toBe(text);
  });

  it('stand for one definition in all their spellings', () => {
    expect(termOf('Races')).toBe(termOf('race'));
    expect(termOf('csr')?.term).toBe('CSR');
    expect(termOf('constructor')).toBeUndefined();
  });
});
