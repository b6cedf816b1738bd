import type { KeyboardEvent } from 'react';
import { linkId } from '../../state/links';
import type { PlacedLoop } from '../../viz/iteration/types';
import { badgeWidth } from '../../viz/iteration/measure';
import NodeShape from '../diagram/NodeShape';
import type { Reorder } from './reorder';

const BADGE_HEIGHT = 17;
const MARK_RADIUS = 9;

interface Properties {
  readonly loop: PlacedLoop;
  readonly first: boolean;
  /** Opens the merge lattice. */
  readonly onMerge?: (() => void) | undefined;
  /** How far it is dragged, in px; null when it is at home. */
  readonly lift?: number | null;
  readonly handlers?: ReturnType<Reorder['handlers']> | undefined;
}

/** One loop: its variable, how tensors meet there, whether it reduces, and what runs in parallel. */
export default function LoopNode({ loop, first, onMerge, lift = null, handlers }: Properties) {
  const hasText = loop.note !== '';
  const badgeY = hasText ? -10 : 0;
  const node = (
    <NodeShape
      link={linkId.variable(loop.variable)}
      name={loop.variable}
      description={describeLoop(loop)}
      strong
      first={first}
      {...loop}
      y={loop.y + (lift ?? 0)}
    >
      {loop.merge && (
        <Mark x={-loop.halfWidth} text={loop.merge} name="mark-merge" title={MERGES[loop.merge]} onOpen={onMerge} />
      )}
      {loop.reduction && (
        <Mark
          x={loop.halfWidth}
          text="Σ"
          name="mark-reduction"
          title="reduction: the result does not have this variable"
        />
      )}
      {placeBadges(loop).map(({ text, x, width }) => (
        <g key={text} className="loop-badge" transform={`translate(${x} ${badgeY})`}>
          <rect y={-BADGE_HEIGHT / 2} width={width} height={BADGE_HEIGHT} rx={BADGE_HEIGHT / 2} />
          <text x={width / 2} y={0.5}>
            {text}
          </text>
        </g>
      ))}
      {hasText && (
        <text className="loop-iteration" x={loop.noteX} y={loop.badges.length > 0 ? 9 : 0}>
          {loop.note}
        </text>
      )}
    </NodeShape>
  );
  return handlers === undefined ? (
    node
  ) : (
    <g className={lift === null ? 'loop-movable' : 'loop-movable loop-lifted'} {...handlers}>
      {node}
    </g>
  );
}

const MERGES = {
  '∩': 'intersection: only coordinates that all of these tensors store',
  '∪': 'union: coordinates that any of these tensors stores',
} as const;

function placeBadges(loop: PlacedLoop): { text: string; x: number; width: number }[] {
  let x = loop.noteX - 2;
  return loop.badges.map((text) => {
    const width = badgeWidth(text);
    const placed = { text, x, width };
    x += width + 4;
    return placed;
  });
}

interface MarkProperties {
  readonly x: number;
  readonly text: string;
  readonly name: string;
  readonly title: string;
  readonly onOpen?: (() => void) | undefined;
}

function Mark({ x, text, name, title, onOpen }: MarkProperties) {
  const button =
    onOpen === undefined
      ? {}
      : {
          role: 'button',
          tabIndex: -1,
          'aria-label': `Open the merge lattice: ${title}`,
          'data-item': '',
          'data-link': '',
          onClick: onOpen,
          onKeyDown: (event: KeyboardEvent) => {
            if (event.key !== 'Enter' && event.key !== ' ') return;
            event.preventDefault();
            onOpen();
          },
        };
  return (
    <g className={`mark ${name}${onOpen ? ' mark-opens' : ''}`} transform={`translate(${x} 0)`} {...button}>
      <title>{title}</title>
      <circle r={MARK_RADIUS} />
      <text y={0.5}>{text}</text>
    </g>
  );
}

function describeLoop(loop: PlacedLoop): string {
  const parts = [
    `Loop ${loop.depth + 1}: ${loop.variable}`,
    `${loop.space} variable`,
    loop.reduction ? 'reduction' : '',
    loop.merge ? MERGES[loop.merge] : '',
    ...loop.badges,
    loop.iteration,
  ];
  return parts.filter(Boolean).join(', ');
}
