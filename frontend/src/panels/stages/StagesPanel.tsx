import { useMemo, useState } from 'react';
import type { CompileView } from '../../api/types';
import { Prose } from '../../components/Prose';
import { linkId, useLinked } from '../../state/links';
import CodeListing from '../../components/code/CodeListing';
import LeftOutLines from '../../components/code/LeftOutLines';
import './stages.css';
import IdlePasses from '../../components/code/IdlePasses';
import { diffLines } from '../../text/line-diff';
import {
  changeText,
  diffCode,
  idlePasses,
  isPass,
  shownStages,
  stageCode,
  type ShownStage,
} from '../../components/code/stage-views';

/** Every stage of the compile, with what it changed and how long it took. */
export default function StagesPanel({ result }: { readonly result: CompileView }) {
  const all = useMemo(() => shownStages(result.stages), [result.stages]);
  const [chosen, setChosen] = useState('');
  const [showChanges, setShowChanges] = useState(true);
  const [hideUnchanged, setHideUnchanged] = useState(false);
  const [current, setCurrent] = useState<number | null>(null);
  const shown =
    all.find((one) => one.stage.id === chosen) ?? all.findLast((one) => one.stage.command !== null) ?? all[0];
  const [against, setAgainst] = useState('');
  const base = all.find((one) => one.stage.id === against && one !== shown);
  const diff = useMemo(
    () => (shown && base ? diffLines(base.stage.text, shown.stage.text) : (shown?.diff ?? null)),
    [shown, base],
  );
  const asDiff = showChanges && diff !== null && (base !== undefined || Boolean(shown?.changed));
  const code = useMemo(() => {
    if (!shown) return null;
    return asDiff && diff ? diffCode(diff, shown.stage, result) : stageCode(shown.stage, result);
  }, [shown, asDiff, diff, result]);

  if (!shown || !code) return <p className="code-empty">No stages yet. They appear when the expression compiles.</p>;

  const choose = (id: string): void => {
    setChosen(id);
    setCurrent(null);
  };
  return (
    <section className="stages-panel" aria-label="Stages">
      <div className="stages-tools">
        <Check label="Mark changes" on={showChanges} onChange={setShowChanges} />
        <Check label="Hide unchanged" on={hideUnchanged} onChange={setHideUnchanged} />
        <label className="stages-check">
          Against
          <select value={base ? against : ''} onChange={(event) => setAgainst(event.target.value)}>
            <option value="">the stage before</option>
            {all
              .filter((one) => one !== shown)
              .map(({ stage }) => (
                <option key={stage.id} value={stage.id}>
                  {stage.title}
                </option>
              ))}
          </select>
        </label>
      </div>
      <div className="stages-layout">
        <div className="stages-side">
          <ol className="stages-list" aria-label="Stages in order">
            {all
              .filter((one) => one.changed || !hideUnchanged || one === shown)
              .map((one) => (
                <StageButton key={one.stage.id} shown={one} chosen={one === shown} onChoose={choose} />
              ))}
          </ol>
          <IdlePasses passes={idlePasses(result.stages)} />
        </div>
        <div className="stages-text">
          <h3>
            {shown.stage.title}{' '}
            <span>{base && asDiff ? `changes against ${base.stage.title}` : note(shown, asDiff)}</span>
            <span className="stages-took">{milliseconds(shown.stage.milliseconds)}</span>
          </h3>
          {shown.stage.summary !== null && (
            <p className="stage-summary">
              <Prose text={shown.stage.summary} terms />
            </p>
          )}
          <CodeListing
            code={code}
            label={shown.stage.title}
            current={current}
            onCurrent={setCurrent}
            marks={asDiff ? diff?.map((line) => line.mark) : undefined}
          />
          <LeftOutLines
            code={stageCode(shown.stage, result)}
            stage={shown.stage.id}
            leftOut={shown.stage.code ? shown.stage.code.left_out : shown.stage.left_out}
          />
        </div>
      </div>
    </section>
  );
}

function note({ diff, changed }: ShownStage, asDiff: boolean): string {
  if (asDiff) return 'changes against the stage before';
  if (diff && !changed) return 'same text as the stage before';
  return '';
}

interface ButtonProperties {
  readonly shown: ShownStage;
  readonly chosen: boolean;
  readonly onChoose: (id: string) => void;
}

function StageButton({ shown, chosen, onChoose }: ButtonProperties) {
  const { stage, changed, diff } = shown;
  const { props } = useLinked(stage.command === null ? [] : linkId.command(stage.command));
  return (
    <li>
      <button
        type="button"
        className={`stage${changed ? '' : ' stage-unchanged'}${isPass(stage) ? ' stage-pass' : ''}`}
        aria-current={chosen ? 'step' : undefined}
        onClick={() => onChoose(stage.id)}
        data-link={props['data-link']}
        data-linked={props['data-linked']}
        onPointerEnter={props.onPointerEnter}
        onPointerLeave={props.onPointerLeave}
        onFocus={props.onFocus}
        onBlur={props.onBlur}
      >
        {stage.command !== null && <span className="stage-command">{stage.command + 1}</span>}
        <span className="stage-title">{stage.title}</span>
        {isPass(stage) && <span className="stage-lines">{changeText(diff)}</span>}
        <span className="stage-time">{milliseconds(stage.milliseconds)}</span>
      </button>
    </li>
  );
}

const milliseconds = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;

function Check({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <label className="stages-check">
      <input type="checkbox" checked={on} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  );
}
