import { linkId } from '../../state/links';
import { NOTE_LINE, NOTE_OFFSET, UNDER_OFFSET, type PlacedVariable } from '../../viz/provenance/layout';
import type { NodeNumbers } from '../../viz/provenance/numbers';
import { interfaceWidth } from '../../viz/text-width';
import NodeShape from '../../components/diagram/NodeShape';
import { domainText } from './domain-text';

const ICONS = { bounds: '⟷', recovery: '↩' } as const;

/** One variable; those with a loop have a strong outline. */
export default function VariableNode({
  variable,
  first,
  numbers,
}: {
  readonly variable: PlacedVariable;
  readonly first: boolean;
  /** At the current step of a run; they take the place of the formulas. */
  readonly numbers?: NodeNumbers | undefined;
}) {
  const { name, space, loop, reduction, badges, notes, underived } = variable;
  const value = numbers?.value ?? null;
  const under = variable.halfHeight + UNDER_OFFSET;
  const noteX = variable.notesUnder ? 0 : variable.halfWidth + NOTE_OFFSET;
  const noteY = variable.notesUnder
    ? under + (badges.length > 0 ? NOTE_LINE : 0)
    : (-(notes.length - 1) * NOTE_LINE) / 2;
  const description = [
    `${name}: ${space} variable`,
    underived ? 'from the expression' : 'derived',
    reduction ? 'reduction' : '',
    ...badges,
    value === null ? '' : `now ${value}`,
    ...notes.map((note) => `${note.kind} ${numberOf(note.kind, numbers) ?? note.text}`),
  ];
  return (
    <g data-subject={`variable ${name}`}>
      <NodeShape
        link={linkId.variable(name)}
        name={name}
        space={space}
        reduction={reduction && loop}
        strong={loop}
        first={first}
        halfWidth={variable.halfWidth}
        halfHeight={variable.halfHeight}
        x={variable.x}
        y={variable.y}
        description={description.filter(Boolean).join(', ')}
      >
        {badges.length > 0 && (
          <text className="variable-badges" y={under}>
            {badges.join(' · ')}
          </text>
        )}
        {notes.map((note, index) => (
          <text
            key={note.kind}
            className={`variable-note note-${note.kind}${variable.notesUnder ? ' note-under' : ''}`}
            x={noteX}
            y={noteY + index * NOTE_LINE}
          >
            {ICONS[note.kind]} {numberOf(note.kind, numbers) ?? note.text}
          </text>
        ))}
        {value !== null && <ValueBadge value={value} x={variable.halfWidth} y={-variable.halfHeight} />}
      </NodeShape>
    </g>
  );
}

/** The formula of a note with the numbers of the step, or null where they are not known. */
function numberOf(kind: keyof typeof ICONS, numbers: NodeNumbers | undefined): string | null {
  if (kind === 'bounds') return numbers?.domain ? domainText(numbers.domain) : null;
  return numbers?.recovery ?? null;
}

function ValueBadge({ value, x, y }: { readonly value: number; readonly x: number; readonly y: number }) {
  const text = String(value);
  const width = interfaceWidth(text, 12) + 10;
  return (
    <g className="value-badge" transform={`translate(${x - 8} ${y + 4})`}>
      <rect x={0} y={-9} width={width} height={18} rx={4} />
      <text x={width / 2} y={0.5}>
        {text}
      </text>
    </g>
  );
}
