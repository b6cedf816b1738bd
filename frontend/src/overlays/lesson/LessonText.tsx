import { Fragment } from 'react';
import { Terms } from '../../components/Term';
import { useStore } from '../../state/store';
import { blocksOf, piecesOf } from '../guide/markdown';
import type { Block } from '../guide/markdown';

/** Prose of a lesson. It is Markdown that is drawn piece by piece: what looks like HTML in it is shown as text. */
export function LessonText({ markdown }: { readonly markdown: string }) {
  return (
    <>
      {blocksOf(markdown).map((block, index) => (
        <BlockView key={index} block={block} />
      ))}
    </>
  );
}

function BlockView({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case 'heading':
      return (
        <h3>
          <LessonLine text={block.text} />
        </h3>
      );
    case 'paragraph':
      return (
        <p>
          <LessonLine text={block.text} terms />
        </p>
      );
    case 'code':
      return (
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
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
    case 'table':
      return (
        <table>
          <tbody>
            {block.rows.map((row, index) => (
              <tr key={index}>
                {row.map((cell, number) => (
                  <td key={number}>
                    <LessonLine text={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      );
  }
}

/** One line. Links lead to the web or, as `lesson:id`, to another lesson. */
export function LessonLine({ text, terms = false }: { readonly text: string; readonly terms?: boolean }) {
  const store = useStore();
  return (
    <>
      {piecesOf(text).map(({ kind, text: said, to = '' }, index) => {
        if (kind === 'code') return <code key={index}>{said}</code>;
        if (kind === 'strong') return <strong key={index}>{said}</strong>;
        if (kind === 'emphasis') return <em key={index}>{said}</em>;
        if (kind === 'link' && to.startsWith('https://')) {
          return (
            <a key={index} href={to} target="_blank" rel="noreferrer">
              {said}
            </a>
          );
        }
        if (kind === 'link' && to.startsWith('lesson:')) {
          const open = (): void => store.patch({ lesson: to.slice('lesson:'.length) });
          return (
            <button key={index} type="button" className="link-button" onClick={open}>
              {said}
            </button>
          );
        }
        return <Fragment key={index}>{terms && kind === 'text' ? <Terms text={said} /> : said}</Fragment>;
      })}
    </>
  );
}
