import { memo, useEffect, useId, useMemo, useRef } from 'react';
import type { CSSProperties, KeyboardEvent, PointerEvent } from 'react';
import type { CodeView } from '../../api/types';
import { linkIdsOf, links, type LinkId } from '../../state/links';
import './listing.css';
import { linesOf, type CodeLine, type Group } from './lines';
import { iconOf } from './roles';
import './roles.css';
import { useLitElements } from './use-lit-elements';

export type Mark = 'added' | 'removed' | 'same';

interface Properties {
  readonly code: CodeView;
  readonly label: string;
  /** 0-based line that is explained, or null. */
  readonly current: number | null;
  readonly onCurrent: (line: number | null) => void;
  /** 0-based line that a traced run is at. */
  readonly executing?: number | null | undefined;
  /** 0-based lines with a breakpoint. */
  readonly breakpoints?: ReadonlySet<number> | undefined;
  /** Sets or takes away the breakpoint of a 0-based line; without it there are none. */
  readonly onBreakpoint?: ((line: number) => void) | undefined;
  /** For a diff: what happened to each line. */
  readonly marks?: readonly Mark[] | undefined;
  /** For a diff: the number to show at each line; null for a gap that only keeps two listings level. */
  readonly numbers?: readonly (number | null)[] | undefined;
  /** Two listings that are level, line by line, scroll; all others break lines that are too long. */
  readonly level?: boolean;
}

const PAGE = 15;

/** The line that starts the kernel, and how many lines before it may stay in sight. */
const KERNEL = /\bkernel\w*\(/;
const HEAD = 6;
/** Lines in front of the first change that stay in sight. */
const BEFORE_CHANGE = 2;

/**
 * Code with a gutter of roles, linked names, and a line cursor: arrows go from line to line and from name to name,
 * Enter pins what is pointed at, Escape releases it.
 */
export default function CodeListing({
  code,
  label,
  current,
  onCurrent,
  executing = null,
  breakpoints,
  onBreakpoint,
  marks,
  numbers,
  level = false,
}: Properties) {
  const lines = useMemo(() => linesOf(code), [code]);
  const root = useRef<HTMLDivElement>(null);
  const name = useRef(-1); // which linked name of the current line the keyboard is on; -1: the line itself
  const id = useId();
  useLitElements(root, lines);

  // A shorter listing must not keep a cursor past its end.
  const cursor = current !== null && current < lines.length ? current : null;
  useEffect(() => {
    name.current = -1;
  }, [cursor]);

  // Follows the run where nobody is at the listing: an own scroll position is left alone.
  useEffect(() => {
    const frame = root.current;
    if (executing === null || frame === null || frame.matches(':hover')) return;
    frame.querySelector(`[data-line="${executing}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [executing]);

  // What comes first are functions that the kernel calls; one wants to see the kernel, and of changes the first.
  const start = useMemo(() => {
    if (marks === undefined) return lines.findIndex(({ text }) => KERNEL.test(text));
    return level ? -1 : Math.max(0, marks.findIndex((mark) => mark !== 'same') - BEFORE_CHANGE);
  }, [lines, marks, level]);
  useEffect(() => {
    const frame = root.current;
    const first = frame?.querySelector<HTMLElement>(`[data-line="${start}"]`);
    if (!frame || !first || frame.matches(':hover')) return;
    frame.scrollTop = start < HEAD ? 0 : first.offsetTop;
  }, [start]);

  const lineElement = (index: number): HTMLElement | null =>
    root.current?.querySelector<HTMLElement>(`[data-line="${index}"]`) ?? null;

  const go = (index: number): void => {
    const line = lines[Math.max(0, Math.min(lines.length - 1, index))];
    if (!line) return;
    onCurrent(line.number - 1);
    links.point(lineLinks(line));
    lineElement(line.number - 1)?.scrollIntoView({ block: 'nearest' });
  };

  const goToName = (step: number): void => {
    if (cursor === null) return;
    const names = [...(lineElement(cursor)?.querySelectorAll<HTMLElement>('[data-link]') ?? [])];
    if (names.length === 0) return;
    name.current = Math.max(0, Math.min(names.length - 1, name.current + step));
    links.point(linksOf(names[name.current]));
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = cursor ?? -1;
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      PageDown: () => go(at + PAGE),
      PageUp: () => go(at - PAGE),
      Home: () => go(0),
      End: () => go(lines.length - 1),
      ArrowRight: () => goToName(1),
      ArrowLeft: () => goToName(-1),
      Enter: () => links.togglePin(links.get().pointed),
      Escape: () => links.clear(),
      ...(onBreakpoint === undefined || cursor === null ? {} : { b: () => onBreakpoint(cursor) }),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  };

  const onPointerOver = (event: PointerEvent): void => {
    if (!(event.target instanceof Element)) return;
    const row = event.target.closest<HTMLElement>('[data-line]');
    const line = lines[Number(row?.dataset['line'] ?? -1)];
    if (!line) return;
    onCurrent(line.number - 1);
    const piece = event.target.closest<HTMLElement>('.code-name');
    const command = line.origin?.command;
    links.point(piece ? [...linksOf(piece), ...linkIdsOf({ command: command ?? null })] : lineLinks(line));
  };

  const onClick = (event: React.MouseEvent): void => {
    const target = event.target instanceof Element ? event.target : null;
    const row = target?.closest('.code-number')?.closest<HTMLElement>('[data-line]');
    if (row) onBreakpoint?.(Number(row.dataset['line']));
    const piece = target?.closest<HTMLElement>('.code-name') ?? null;
    if (piece && getSelection()?.isCollapsed !== false) links.togglePin(linksOf(piece));
  };

  const lineId = (index: number): string => `${id}line${index}`;
  return (
    <div
      ref={root}
      className={level ? 'code-listing code-level' : 'code-listing'}
      role="listbox"
      aria-label={label}
      data-breakable={onBreakpoint === undefined ? undefined : ''}
      aria-activedescendant={cursor === null ? undefined : lineId(cursor)}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerOver={onPointerOver}
      onPointerLeave={() => links.point([])}
      onBlur={() => links.point([])}
      onClick={onClick}
    >
      {lines.map((line, index) => (
        <Line
          key={index}
          id={lineId(index)}
          line={line}
          current={cursor === index}
          mark={marks?.[index]}
          number={numbers === undefined ? line.number : (numbers[index] ?? null)}
          executing={executing === index}
          broken={breakpoints?.has(index) === true}
        />
      ))}
    </div>
  );
}

const linksOf = (element: HTMLElement | undefined): LinkId[] =>
  (element?.dataset['link'] ?? '').split(' ').filter(Boolean) as LinkId[];

/** Pointing at a line points at the command that made it and at the variable that it is for. */
const lineLinks = (line: CodeLine): LinkId[] =>
  line.origin ? linkIdsOf({ variable: line.origin.variable, command: line.origin.command }) : [];

interface LineProperties {
  readonly id: string;
  readonly line: CodeLine;
  readonly current: boolean;
  readonly mark: Mark | undefined;
  readonly number: number | null;
  readonly executing: boolean;
  readonly broken: boolean;
}

const SIGNS: Readonly<Record<Mark, string>> = { added: '+', removed: '−', same: ' ' };

const Line = memo(function Line({ id, line, current, mark, number, executing, broken }: LineProperties) {
  const role = line.origin?.role;
  return (
    <div
      id={id}
      role="option"
      aria-selected={current}
      className={`code-line${mark && mark !== 'same' ? ` code-${mark}` : ''}${number === null ? ' code-gap' : ''}`}
      data-line={line.number - 1}
      data-executing={executing || undefined}
      data-breakpoint={broken || undefined}
      data-link={line.origin ? linkIdsOf({ command: line.origin.command }).join(' ') : ''}
    >
      <span className="code-number" aria-hidden="true">
        {executing ? '▶' : number}
      </span>
      {mark ? (
        <span className="code-icon">{SIGNS[mark]}</span>
      ) : (
        <span className={`code-icon${role ? ` role-${role}` : ''}`} aria-hidden="true">
          {role ? iconOf(role) : ''}
        </span>
      )}
      {broken && <span className="code-hidden">breakpoint </span>}
      {line.text.trim() === '' && (
        <span className="code-hidden">{number === null ? 'no line here' : 'empty line'}</span>
      )}
      <code className="code-text" style={{ '--indent': line.text.search(/\S|$/) } as CSSProperties}>
        {line.groups.map((group, index) => (
          <Pieces key={index} group={group} />
        ))}
      </code>
    </div>
  );
});

function Pieces({ group }: { readonly group: Group }) {
  const pieces = group.pieces.map((piece, index) => {
    if (piece.links.length > 0) {
      return (
        <span key={index} className="code-name" data-link={piece.links.join(' ')}>
          {piece.text}
        </span>
      );
    }
    if (piece.kind === 'plain') return piece.text;
    return (
      <span key={index} className={`syntax-${piece.kind}`}>
        {piece.text}
      </span>
    );
  });
  if (!group.origin || group.pieces.every((piece) => piece.text.trim() === '')) return pieces;
  return <span className={`code-tint tint-${group.origin.role}`}>{pieces}</span>;
}
