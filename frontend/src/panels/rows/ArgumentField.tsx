import { useId, useState } from 'react';
import { useComplaint } from '../../state/editing/complaints';
import { linkId, useLinked } from '../../state/links';
import type { LinkId } from '../../state/links';
import { complaintAbout } from './fields';
import type { Field } from './fields';

interface Props {
  readonly field: Field;
  /** 1-based number of the row. */
  readonly row: number;
  readonly onChange: (value: string) => void;
}

/** The field of one argument: a choice where the program knows the candidates, else a text that must fit its kind. */
export function ArgumentField({ field, row, onChange }: Props) {
  const { parameter, value, choices, known } = field;
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const { props: link } = useLinked(linkOf(field));
  const complaint = typed === null ? null : complaintAbout(parameter, typed, field.ofParts);
  const label = `${parameter.name} of row ${row}`;
  useComplaint(complaint === null ? null : `${label}: ${complaint}`);
  const pointing = {
    'data-link': link['data-link'] || undefined,
    'data-linked': link['data-linked'],
    onPointerEnter: link.onPointerEnter,
    onPointerLeave: link.onPointerLeave,
    onFocus: link.onFocus,
  };
  return (
    <span className={`argument argument-${parameter.kind}`} data-tip={`${parameter.name}: ${parameter.doc}`}>
      {choices !== null ? (
        <select
          aria-label={label}
          aria-invalid={!known}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          {...pointing}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      ) : (
        <input
          className="code-input"
          aria-label={label}
          aria-invalid={complaint !== null}
          aria-describedby={complaint === null ? undefined : id}
          inputMode={parameter.kind === 'integer' && !field.ofParts ? 'numeric' : 'text'}
          spellCheck={false}
          autoCapitalize="off"
          placeholder={parameter.name}
          style={{ width: `${Math.max(4, (typed ?? value).length + 2.5)}ch` }}
          value={typed ?? value}
          onChange={(event) => {
            setTyped(event.target.value);
            if (complaintAbout(parameter, event.target.value, field.ofParts) === null)
              onChange(event.target.value.trim());
          }}
          onBlur={() => {
            if (complaint === null) setTyped(null);
          }}
          {...pointing}
        />
      )}
      {complaint !== null && (
        <span className="complaint" id={id}>
          {complaint}
        </span>
      )}
    </span>
  );
}

function linkOf({ parameter, value }: Field): LinkId | [] {
  if (value === '') return [];
  if (parameter.kind === 'tensor') return linkId.tensor(value);
  const names = parameter.kind === 'variable' || parameter.kind === 'variables' || parameter.kind === 'new-variable';
  return names ? linkId.variable(value) : [];
}
