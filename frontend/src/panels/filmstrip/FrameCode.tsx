import { useMemo, useState } from 'react';
import type { CodeView, CompileView } from '../../api/types';
import { Prose } from '../../components/Prose';
import CodeListing from '../../components/code/CodeListing';
import IdlePasses from '../../components/code/IdlePasses';
import { diffLines } from '../../text/line-diff';
import { changeText, diffCode, idlePasses, isPass, shownStages } from '../../components/code/stage-views';
import { counted } from '../../text/quantities';

interface Props {
  readonly view: CompileView;
  readonly code: CodeView;
  /** The code of the frame before. */
  readonly old: CodeView | null;
  readonly count: number;
}

/** What a frame's command changed in the code, or what one of the passes over its loops did. */
export default function FrameCode({ view, code, old, count }: Props) {
  const [line, setLine] = useState<number | null>(null);
  // Kept from frame to frame, so that one can follow a pass along the schedule.
  const [wanted, setWanted] = useState<string | null>(null);
  const passes = useMemo(() => shownStages(view.stages).filter(({ stage }) => isPass(stage)), [view.stages]);
  const pass = passes.find(({ stage }) => stage.id === wanted) ?? null;
  const codeDiff = useMemo(() => (old ? diffLines(old.text, code.text) : null), [code, old]);
  const diff = pass?.diff ?? codeDiff;
  const shown = useMemo(() => {
    if (pass?.diff) return diffCode(pass.diff, pass.stage, view);
    return codeDiff ? { ...code, text: codeDiff.map(({ text }) => text).join('\n'), spans: [] } : code;
  }, [pass, codeDiff, code, view]);

  const choose = (id: string | null): void => {
    setWanted(id);
    setLine(null);
  };
  return (
    <div className="frame-code">
      <div className="frame-passes">
        <div className="segments" role="group" aria-label="Code, or a pass over the loops">
          <button type="button" aria-pressed={pass === null} onClick={() => choose(null)}>
            Code
          </button>
          {passes.map((one) => (
            <button key={one.stage.id} type="button" aria-pressed={one === pass} onClick={() => choose(one.stage.id)}>
              {one.stage.title} <span className="muted">{changeText(one.diff)}</span>
            </button>
          ))}
        </div>
        <IdlePasses passes={idlePasses(view.stages)} />
      </div>
      <h3>{pass ? <Prose text={pass.stage.summary ?? ''} terms /> : codeDiff ? 'What changed in the code' : 'Code'}</h3>
      <CodeListing
        code={shown}
        label={pass ? `Loops after the pass ${pass.stage.title}` : `Code after ${counted(count, 'command')}`}
        current={line}
        onCurrent={setLine}
        marks={diff?.map(({ mark }) => mark)}
      />
    </div>
  );
}
