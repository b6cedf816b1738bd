import { describe, expect, it } from 'vitest';
import guide from '../../../../docs/reference/explorer.md?raw';
import { blocksOf, piecesOf, siteAddress } from './markdown';
import type { Block } from './markdown';

describe('the Markdown of the guide', () => {
  it('has headings, paragraphs over several lines, lists, tables and code', () => {
    const source =
      '# A b\none\ntwo\n\n- x\n  y\n- z\n\n| a | b |\n|---|---|\n| `p \\| q` | 2 |\n\n```sh\nrun\n\nagain\n```\n1. first';
    expect(blocksOf(source)).toEqual([
      { kind: 'heading', level: 1, text: 'A b', id: 'a-b' },
      { kind: 'paragraph', text: 'one two' },
      {
        kind: 'list',
        ordered: false,
        items: [[{ kind: 'paragraph', text: 'x y' }], [{ kind: 'paragraph', text: 'z' }]],
      },
      {
        kind: 'table',
        rows: [
          ['a', 'b'],
          ['`p | q`', '2'],
        ],
      },
      { kind: 'code', text: 'run\n\nagain' },
      { kind: 'list', ordered: true, items: [[{ kind: 'paragraph', text: 'first' }]] },
    ]);
  });

  it('has code, links, images and two kinds of stress in a line', () => {
    expect(piecesOf('a `b*c` [d](e.md) **f** *g* ![h](i.png)').map(({ kind, text, to }) => [kind, text, to])).toEqual([
      ['text', 'a ', undefined],
      ['code', 'b*c', undefined],
      ['text', ' ', undefined],
      ['link', 'd', 'e.md'],
      ['text', ' ', undefined],
      ['strong', 'f', undefined],
      ['text', ' ', undefined],
      ['emphasis', 'g', undefined],
      ['text', ' ', undefined],
      ['image', 'h', 'i.png'],
    ]);
  });

  it('leads to pages of the documents, and to no other files', () => {
    expect(siteAddress('../understand/vectors.md')).toBe('/docs/understand/vectors.html');
    expect(siteAddress('commands.md#split')).toBe('/docs/reference/commands.html#split');
    expect(siteAddress('../sources.toml#t45')).toBe('/docs/reference/sources.html#t45');
    expect(siteAddress('../references.bib')).toBe('/docs/reference/sources.html#papers');
    expect(siteAddress('../architecture.md')).toBeUndefined();
    expect(siteAddress('understand/vectors.md')).toBeUndefined();
  });

  it('says everything that the guide uses: no mark of Markdown is left in its texts', () => {
    const texts = (block: Block): string[] =>
      block.kind === 'list'
        ? block.items.flatMap((item) => item.flatMap(texts))
        : block.kind === 'table'
          ? block.rows.flat()
          : block.kind === 'code'
            ? []
            : [block.text];
    const blocks = blocksOf(guide);
    expect(blocks.length).toBeGreaterThan(30);
    const links = blocks.flatMap(texts).flatMap((text) => piecesOf(text).filter(({ kind }) => kind === 'link'));
    expect(links.length).toBeGreaterThan(10);
    for (const { to = '' } of links) expect(to.startsWith('http') ? to : siteAddress(to)).toBeDefined();
    for (const text of blocks.flatMap(texts)) {
      for (const piece of piecesOf(text))
        if (piece.kind === 'text') expect(piece.text).not.toMatch(/[`[\]]|\*\*|^\||^#/);
    }
  });
});
