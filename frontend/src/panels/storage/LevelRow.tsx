import type { LevelChoiceView, LevelKindView } from '../../api/types';
import { NumberField } from '../../components/NumberField';
import { linkId, useLinked } from '../../state/links';
import { storedOrder, withKind, withNumber, withProperty } from '../../viz/storage/build-format';
import type { BuiltLevel } from '../../viz/storage/build-format';
import { levelPart } from '../../viz/storage/level-parts';

interface Props {
  readonly name: string;
  readonly built: readonly BuiltLevel[];
  readonly index: number;
  /** Index variables by dimension. */
  readonly variables: readonly string[];
  /** The kinds that may be here. */
  readonly choices: readonly LevelChoiceView[];
  readonly kinds: readonly LevelKindView[];
  readonly onWrite: (levels: readonly BuiltLevel[]) => void;
  /** A dimension goes to another place in the order of the dimensions. */
  readonly onMove: (dimension: number, place: number) => void;
  readonly onDrag: (dimension: number | null) => void;
}

/** One level: its dimension, its kind, and what else can be chosen of it. */
export default function LevelRow({ name, built, index, variables, choices, kinds, onWrite, onMove, onDrag }: Props) {
  const level = built[index];
  if (level === undefined) return null;
  const { dimension, number } = level;
  const variable = variables[dimension] ?? String(dimension);
  const order = storedOrder(built);
  const place = order.indexOf(dimension);
  const first = built.findIndex((one) => one.dimension === dimension) === index;
  const moved = (text: string, by: number) => (
    <button
      type="button"
      className="level-move"
      aria-label={`Move dimension ${variable} ${by < 0 ? 'outwards' : 'inwards'}`}
      disabled={order[place + by] === undefined}
      onClick={() => onMove(dimension, place + by)}
    >
      {text}
    </button>
  );
  return (
    <>
      <span className="level-number">{index + 1}</span>
      <StoredDimension name={name} built={built} index={index} variables={variables} onDrag={onDrag} />
      <span className="level-moves">
        {first && moved('↑', -1)}
        {first && moved('↓', 1)}
      </span>
      <select
        aria-label={`Kind of level ${index + 1}`}
        data-tip={kinds.find((kind) => kind.name === level.kind)?.summary}
        value={level.kind}
        onChange={(event) => {
          const choice = choices.find(({ kind }) => kind === event.target.value);
          if (choice !== undefined) onWrite(withKind(built, index, choice));
        }}
      >
        {choices.every(({ kind }) => kind !== level.kind) && <option>{level.kind}</option>}
        {choices.map(({ kind }) => (
          <option key={kind} title={kinds.find(({ name }) => name === kind)?.summary}>
            {kind}
          </option>
        ))}
      </select>
      {number !== null && (
        <NumberField
          of="Format"
          label={`${number.counts === 'block' ? 'Block size' : capitalised(number.counts)} of ${variable}`}
          value={number.value}
          minimum={1}
          maximum={number.most}
          integer
          onChange={(value) => {
            if (value !== null) onWrite(withNumber(built, index, value));
          }}
        />
      )}
      {level.properties && (
        <span className="level-properties">
          <Property
            title="unique"
            hint="Each coordinate appears at most once under each parent"
            on={level.unique}
            onChange={(unique) => onWrite(withProperty(built, index, { unique }))}
          />
          <Property
            title="ordered"
            hint="Coordinates are in ascending order under each parent"
            on={level.ordered}
            onChange={(ordered) => onWrite(withProperty(built, index, { ordered }))}
          />
        </span>
      )}
    </>
  );
}

function StoredDimension({
  name,
  built,
  index,
  variables,
  onDrag,
}: Pick<Props, 'name' | 'built' | 'index' | 'variables' | 'onDrag'>) {
  const dimension = built[index]?.dimension ?? 0;
  const variable = variables[dimension] ?? String(dimension);
  const { text, said } = levelPart(built, index, variables);
  const { props: link } = useLinked([linkId.level(name, index + 1), linkId.variable(variable)]);
  return (
    <button
      type="button"
      className="level-dimension"
      draggable
      data-tip="Drag onto another level to store the dimensions in another order"
      aria-label={`Level ${index + 1} stores ${said}`}
      {...link}
      onDragStart={(event) => {
        event.dataTransfer.setData('text/plain', variable);
        event.dataTransfer.effectAllowed = 'move';
        onDrag(dimension);
      }}
      onDragEnd={() => onDrag(null)}
    >
      ⠿ {text}
    </button>
  );
}

interface PropertyProps {
  readonly title: string;
  readonly hint: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

function Property({ title, hint, on, onChange }: PropertyProps) {
  return (
    <label className="level-property" data-tip={hint}>
      <input type="checkbox" checked={on} onChange={(event) => onChange(event.target.checked)} />
      {title}
    </label>
  );
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
