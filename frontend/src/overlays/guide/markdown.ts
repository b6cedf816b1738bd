/** The part of Markdown that the guide is written in, as a tree: blocks, and the pieces of a line. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string; readonly id: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly (readonly Block[])[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] };

export interface Piece {
  readonly kind: 'text' | 'code' | 'strong' | 'emphasis' | 'link' | 'image';
  readonly text: string;
  /** Where a link leads, or an image is. */
  readonly to?: string;
}

const ITEM = /^(?:[-*]|(\d+)\.) +/;

export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s+/g, '-');

export function blocksOf(source: string): readonly Block[] {
  const lines = source.split('\n');
  const blocks: Block[] = [];
  let at = 0;
  const line = (): string => lines[at] ?? '';
  const takeWhile = (wanted: (line: string) => boolean): string[] => {
    const taken: string[] = [];
    while (at < lines.length && wanted(line())) {
      taken.push(line());
      at += 1;
    }
    return taken;
  };
  while (at < lines.length) {
    const heading = /^(#+) (.*)$/.exec(line());
    if (line().trim() === '') at += 1;
    else if (heading) {
      const text = heading[2] ?? '';
      blocks.push({ kind: 'heading', level: (heading[1] ?? '#').length, text, id: anchorOf(text) });
      at += 1;
    } else if (line().startsWith('```')) {
      at += 1;
      blocks.push({ kind: 'code', text: takeWhile((one) => !one.startsWith('```')).join('\n') });
      at += 1;
    } else if (line().startsWith('|')) {
      const rows = takeWhile((one) => one.startsWith('|')).map(cellsOf);
      blocks.push({ kind: 'table', rows: rows.filter((row) => !row.every((cell) => /^:?-+:?$/.test(cell))) });
    } else if (ITEM.test(line())) blocks.push(listOf(takeWhile((one) => ITEM.test(one) || /^ {2}|^$/.test(one))));
    else
      blocks.push({
        kind: 'paragraph',
        text: takeWhile((one) => one.trim() !== '' && !/^(#|```|\|)/.test(one)).join(' '),
      });
  }
  return blocks;
}

/** Each item is a little document of its own, indented by what marks it. */
function listOf(lines: readonly string[]): Block {
  const items: string[][] = [];
  for (const line of lines) {
    if (ITEM.test(line)) items.push([line.replace(ITEM, '')]);
    else items.at(-1)?.push(line.replace(/^ {2,3}/, ''));
  }
  return {
    kind: 'list',
    ordered: ITEM.exec(lines[0] ?? '')?.[1] !== undefined,
    items: items.map((item) => blocksOf(item.join('\n'))),
  };
}

const cellsOf = (row: string): string[] =>
  row
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

const PIECE =
  /`(?<code>[^`]+)`|!\[(?<alt>[^\]]*)\]\((?<source>[^)]+)\)|\[(?<label>[^\]]+)\]\((?<to>[^)]+)\)|\*\*(?<strong>[^*]+)\*\*|\*(?<emphasis>[^*]+)\*/g;

/** The pieces of a line, in order. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(PIECE)) {
    if (match.index > from) pieces.push({ kind: 'text', text: text.slice(from, match.index) });
    const { code, alt, source, label, to, strong, emphasis } = match.groups ?? {};
    if (code !== undefined) pieces.push({ kind: 'code', text: code });
    else if (source !== undefined) pieces.push({ kind: 'image', text: alt ?? '', to: source });
    else if (label !== undefined) pieces.push({ kind: 'link', text: label, to: to ?? '' });
    else if (strong !== undefined) pieces.push({ kind: 'strong', text: strong });
    else pieces.push({ kind: 'emphasis', text: emphasis ?? '' });
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) });
  return pieces;
}

const SOURCES = '/docs/reference/sources.html';

/**
 * The address of a page of the documents, which a service has under `/docs/`: of a link as pages of the reference have
 * it. Papers and ids lie in files of data, of which the site has one page. Undefined for another document.
 */
export function siteAddress(link: string): string | undefined {
  const id = /^\.\.\/sources\.toml(#[\w-]+)?$/.exec(link);
  if (id !== null) return `${SOURCES}${id[1] ?? ''}`;
  if (link === '../references.bib') return `${SOURCES}#papers`;
  const page = /^(?:\.\.\/((?:learn|how-to|understand)\/[\w/-]+)|([\w-]+))\.md(#[\w-]+)?$/.exec(link);
  return page === null ? undefined : `/docs/${page[1] ?? `reference/${page[2] ?? ''}`}.html${page[3] ?? ''}`;
}
