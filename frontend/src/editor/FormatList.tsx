import { useEffect, useId, useRef, useState } from 'react';
import type { RefObject } from 'react';
import type { ConversionView, DiagnosticView, TensorView } from '../api/types';
import { HybSliders } from '../components/composed/HybSliders';
import { Docked } from '../components/dock/Dock';
import { DiagnosticList } from '../components/DiagnosticList';
import { FormatCompletions } from './FormatCompletions';
import { useCatalog } from '../state/catalog';
import { linkId, useLinked } from '../state/links';
import type { Linked } from '../state/links';
import { diagnosticsOf } from '../state/diagnostics';
import { useTensors } from '../state/loading/expected';
import { becomesLoops } from '../plan/plan';
import { createExternal, useExternal } from '../state/external';
import { useSelect, useStore } from '../state/store';
import { isComposed } from '../viz/composition/format-text';
import { isNumbered } from '../viz/storage/build-format';

const NO_CONVERSIONS: readonly ConversionView[] = [];
const CUSTOM = '';
/** Letters of a tensor and its subscripts, beside which choices and levels still fit. */
const LONG_NAME = 8;

/** Tensors whose choices are open, in whatever arrangement of panes. */
const openedTensors = createExternal<ReadonlySet<string>>(new Set());

function toggle(name: string): void {
  const names = new Set(openedTensors.get());
  if (!names.delete(name)) names.add(name);
  openedTensors.set(names);
}

/** What each tensor is stored as; a press opens the choices of one: a preset, or the levels written out. */
export function FormatList() {
  const store = useStore();
  const all = useTensors();
  const diagnostics = useSelect(diagnosticsOf);
  const stored = !becomesLoops(useSelect((state) => state.draft.language));
  const parts = Object.values(useSelect((state) => state.draft.arguments));
  // Of a program of patterns only what arguments are parts of: its own arrays lie as their types say.
  const tensors = stored ? all : all.filter(({ name }) => parts.some((text) => text.startsWith(`${name}.`)));
  const opened = useExternal(openedTensors, (names) => names);
  return (
    <div className="part">
      <h2>Formats</h2>
      <ul className="formats">
        {tensors.map((tensor) => (
          <FormatRow
            key={tensor.name}
            tensor={tensor}
            opened={opened.has(tensor.name)}
            onToggle={() => toggle(tensor.name)}
            diagnostics={diagnostics.filter(
              ({ location }) => location?.part === 'format' && location.tensor === tensor.name,
            )}
          />
        ))}
      </ul>
      <Docked>
        <DiagnosticList
          label="Problems in the formats"
          diagnostics={diagnostics.filter(
            ({ location }) => location?.part === 'format' && !tensors.some(({ name }) => name === location.tensor),
          )}
          onFix={(fix) => store.update({ kind: 'fix', fix })}
        />
      </Docked>
      <Conversions />
      {tensors.length === 0 && (
        <p className="muted caption">
          {stored
            ? 'The tensors of the expression appear here.'
            : 'The types of a program of patterns say how its arrays are stored.'}
        </p>
      )}
    </div>
  );
}

/** Whether operands are converted when the kernel is called, and which are; nothing where the choice would change nothing. */
function Conversions() {
  const store = useStore();
  const automatic = useSelect((state) => state.draft.convert) === 'automatic';
  const made = useSelect((state) => state.compile.shown?.view.conversions ?? NO_CONVERSIONS);
  if (!automatic) return null;
  return (
    <div className="conversions">
      <label>
        <input
          type="checkbox"
          checked
          onChange={() => {
            store.update({ kind: 'convert', convert: 'never' });
          }}
        />{' '}
        Convert operands automatically
      </label>
      {made.map(({ tensor, name, format }) => (
        <p key={name} className="muted caption">
          {name === tensor
            ? `${tensor} is stored as ${format} when the kernel is called.`
            : `${tensor} is read in two orders: ${name} is ${tensor} stored as ${format}, made when the kernel is called.`}
        </p>
      ))}
      {made.length === 0 && <p className="muted caption">No operand needs converting.</p>}
    </div>
  );
}

interface RowProps {
  readonly tensor: TensorView;
  readonly diagnostics: readonly DiagnosticView[];
  readonly opened: boolean;
  readonly onToggle: () => void;
}

function FormatRow({ tensor, diagnostics, opened, onToggle }: RowProps) {
  const store = useStore();
  const id = useId();
  const spec = useSelect((state) => state.draft.tensors[tensor.name]);
  const presets = useCatalog((catalog) => catalog.formats);
  const { props: link } = useLinked(linkId.tensor(tensor.name));
  const row = useFocusAfter(opened);
  const { name, order } = tensor;
  const text = spec?.format ?? '';
  const fitting = presets.filter((preset) => preset.order === null || preset.order === order);
  const written = text.trim() === '' ? tensor.format : text.trim();
  const chosen = fitting.find((preset) => preset.name === written)?.name ?? CUSTOM;
  const invalid = diagnostics.some(({ severity }) => severity === 'error');
  const subscripts = order > 0 ? `(${tensor.dimensions.join(',')})` : '';
  const named = order > 0 && name.length + subscripts.length > LONG_NAME;
  // What is written out has a line of its own, from when one begins to write: nothing moves under the hands.
  const [writing, setWriting] = useState(false);
  const levels = useRef<HTMLTextAreaElement>(null);
  const setFormat = (format: string): void => store.update({ kind: 'format', tensor: name, text: format });
  const filled = spec?.fill !== undefined && (
    <p className="muted caption">
      Where {name} stores nothing, it is {String(spec.fill)}.
    </p>
  );
  if (!opened && diagnostics.length === 0) {
    return (
      <li className="format-row format-closed" ref={row}>
        <button
          type="button"
          className="format-chip"
          aria-expanded={false}
          data-tip={`Change how ${name} is stored`}
          {...pointing(link)}
          onClick={onToggle}
        >
          <span className="visually-hidden">Storage of </span>
          <code>
            {name}
            <span className="muted">{subscripts}</span>
          </code>{' '}
          {order === 0 ? 'scalar' : written}
          {tensor.dtype !== 'float64' && <span className="muted"> {tensor.dtype}</span>}
        </button>
        {filled}
      </li>
    );
  }
  return (
    <li className="format-row" ref={row}>
      <div
        className={[
          'format-line',
          named ? 'format-named' : '',
          writing || (chosen === CUSTOM && order > 0) ? 'format-long' : '',
        ].join(' ')}
      >
        <button type="button" className="name-button tensor-name" {...link} aria-label={`Tensor ${name}`}>
          {name}
          <span className="muted">{subscripts}</span>
        </button>
        {order === 0 ? (
          <span className="muted">scalar</span>
        ) : (
          <>
            <select
              aria-label={`Format of ${name}`}
              className="format-preset"
              value={chosen}
              onChange={(event) => {
                if (event.target.value !== CUSTOM) setFormat(event.target.value);
              }}
            >
              {chosen === CUSTOM && (
                <option value={CUSTOM}>
                  {fitting.some((preset) => isNumbered(written, preset)) ? written : 'custom'}
                </option>
              )}
              {fitting.map((preset) => (
                <option key={preset.name} value={preset.name} title={preset.summary}>
                  {preset.name}
                </option>
              ))}
            </select>
            {/* As high as its text, which the element around it repeats to measure it. */}
            <span className="format-levels" data-text={text === '' ? tensor.format : text}>
              <textarea
                ref={levels}
                className="code-input"
                rows={1}
                aria-label={`Levels of ${name}`}
                aria-invalid={invalid}
                aria-describedby={diagnostics.length > 0 ? `${id}-problems` : undefined}
                value={text}
                placeholder={tensor.format}
                spellCheck={false}
                autoCapitalize="off"
                onChange={(event) => setFormat(event.target.value.replaceAll('\n', ' '))}
                onKeyDown={(event) => {
                  if (event.key === 'Enter') event.preventDefault();
                }}
                onFocus={() => setWriting(true)}
                onBlur={() => setWriting(false)}
              />
            </span>
          </>
        )}
        <button
          type="button"
          className="icon-button"
          aria-label={`Show how ${name} is stored`}
          data-tip={`Levels and storage of ${name}`}
          onClick={() =>
            store.look({
              storage: name,
              understand: isComposed(written) ? 'composition' : 'storage',
              front: 'understand',
            })
          }
        >
          ⊞
        </button>
        <select
          aria-label={`Type of ${name}`}
          className="dtype"
          value={tensor.dtype}
          onChange={(event) => {
            const dtype = event.target.value === 'float64' ? null : event.target.value;
            store.update({ kind: 'dtype', tensor: name, dtype });
          }}
        >
          {DTYPES.map((dtype) => (
            <option key={dtype}>{dtype}</option>
          ))}
        </select>
        <button
          type="button"
          className="icon-button format-fold"
          aria-expanded
          aria-label={`Fold the storage of ${name}`}
          data-tip={`Fold the storage of ${name}`}
          onClick={onToggle}
        >
          ▴
        </button>
      </div>
      <FormatCompletions
        tensor={name}
        order={order}
        text={text}
        onChoose={(next) => {
          setFormat(next);
          levels.current?.focus();
        }}
      />
      <HybSliders tensor={name} text={text} />
      {filled}
      <Docked>
        <DiagnosticList
          id={`${id}-problems`}
          label={`Problems in the format of ${name}`}
          diagnostics={diagnostics}
          placeOf={() => `Format of ${name}`}
          onJump={() => levels.current?.focus()}
          onFix={(fix) => store.update({ kind: 'fix', fix })}
        />
      </Docked>
    </li>
  );
}

/** What lights a tensor, without the keys and the press that pin it. */
function pointing({ onClick, onKeyDown, ...rest }: Linked['props']): Omit<Linked['props'], 'onClick' | 'onKeyDown'> {
  void onClick;
  void onKeyDown;
  return rest;
}

/** A row whose first control has the focus after the row was opened or folded, which takes away what was pressed. */
function useFocusAfter(opened: boolean): RefObject<HTMLLIElement | null> {
  const row = useRef<HTMLLIElement>(null);
  const last = useRef(opened);
  useEffect(() => {
    if (last.current === opened) return;
    last.current = opened;
    row.current?.querySelector<HTMLElement>('select, .format-chip')?.focus();
  }, [opened]);
  return row;
}

const DTYPES = [
  'float64',
  'float32',
  'int64',
  'int32',
  'int16',
  'int8',
  'uint64',
  'uint32',
  'uint16',
  'uint8',
  'bool',
  'complex128',
  'complex64',
] as const;
