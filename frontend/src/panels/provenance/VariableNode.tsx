import { linkId } from '../../state/links';
import { NOTE_LINE, NOTE_OFFSET, UNDER_OFFSET, type PlacedVariable } from '../../viz/provenance/layout';
import NodeShape from '../diagram/NodeShape';

const ICONS = { bounds: '⟷', recovery: '↩' } as const;

/** One variable; those with a loop have a strong outline. */
export default function VariableNode({
  variable,
  first,
}: {
  readonly variable: PlacedVariable;
  readonly first: boolean;
}) {
  const { name, space, loop, reduction, badges, notes, underived } = variable;
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
    ...notes.map((note) => `${note.kind} ${note.text}`),
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
            {ICONS[note.kind]} {note.text}
          </text>
        ))}
      </NodeShape>
    </g>
  );
}
