import { Fragment } from 'react';
import guide from '../../../../docs/reference/explorer.md?raw';
import { IN_FOLDER } from '../../api/site';
import { Dialog } from '../../components/Dialog';
import { Terms } from '../../components/Term';
import { blocksOf, piecesOf, siteAddress } from './markdown';
import type { Block } from './markdown';
import '../reading.css';

const BLOCKS = blocksOf(guide);
const IMAGES: Readonly<Record<string, string>> = import.meta.glob('../../../../docs/images/*.png', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** What the reference says of the explorer, in the page itself: it is there where no site of documents is served. */
export default function GuideDialog({ onClose }: { readonly onClose: () => void }) {
  const sections = BLOCKS.flatMap((block) => (block.kind === 'heading' && block.level === 2 ? [block] : []));
  return (
    <Dialog title="Guide" className="reading" onClose={onClose}>
      <nav aria-label="Sections of the guide" className="guide-sections">
        {sections.map(({ id, text }) => (
          <button key={id} type="button" className="link-button" onClick={() => goTo(id)}>
            {text}
          </button>
        ))}
      </nav>
      <article className="guide">
        {BLOCKS.map((block, index) => (
          <BlockView key={index} block={block} />
        ))}
      </article>
    </Dialog>
  );
}

/** The address holds the plan, so the guide moves without it. */
function goTo(id: string): void {
  const heading = document.getElementById(`guide-${id}`);
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}

function BlockView({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case 'heading':
      // The dialog has the title of the document.
      return block.level === 1 ? null : (
        <h3 id={`guide-${block.id}`} tabIndex={-1}>
          <Line text={block.text} />
        </h3>
      );
    case 'paragraph':
      return (
        <p>
          <Line text={block.text} terms />
        </p>
      );
    case 'code':
      return (
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
    case 'table':
      return <TableView rows={block.rows} />;
    case 'list': {
      const items = block.items.map((item, index) => (
        <li key={index}>
          {item.map((inner, number) => (
            <BlockView key={number} block={inner} />
          ))}
        </li>
      ));
      return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
  }
}

function TableView({ rows: [head, ...rows] }: { readonly rows: readonly (readonly string[])[] }) {
  return (
    <div className="table-scroll" role="group" aria-label={`Table: ${(head ?? []).join(', ')}`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head?.map((cell, index) =>
              // The corner over the names of rows heads nothing.
              cell === '' ? (
                <td key={index} />
              ) : (
                <th key={index} scope="col">
                  <Line text={cell} />
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, number) => (
                <td key={number}>
                  <Line text={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Line({ text, terms = false }: { readonly text: string; readonly terms?: boolean }) {
  return (
    <>
      {piecesOf(text).map(({ kind, text: said, to = '' }, index) => {
        if (kind === 'code') return <code key={index}>{said}</code>;
        if (kind === 'strong') return <strong key={index}>{said}</strong>;
        if (kind === 'emphasis') return <em key={index}>{said}</em>;
        if (kind === 'image')
          return <img key={index} alt={said} src={IMAGES[to.replace('../', '../../../../docs/')]} loading="lazy" />;
        if (kind === 'text') return <Fragment key={index}>{terms ? <Terms text={said} /> : said}</Fragment>;
        const address = to.startsWith('http') ? to : IN_FOLDER ? undefined : siteAddress(to);
        if (address !== undefined) {
          return (
            <a key={index} href={address} target="_blank" rel="noreferrer">
              {said}
            </a>
          );
        }
        // Other documents are not served, and a folder has none: their name says where to look.
        return to.startsWith('#') ? (
          <button key={index} type="button" className="link-button" onClick={() => goTo(to.slice(1))}>
            {said}
          </button>
        ) : (
          <Fragment key={index}>{said}</Fragment>
        );
      })}
    </>
  );
}
