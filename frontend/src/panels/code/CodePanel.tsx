import { useMemo, useState } from 'react';
import type { CompileView, RoleName } from '../../api/types';
import Launches from '../gpu/Launches';
import CodeListing from './CodeListing';
import { tabsOf } from './codeTabs';
import CopyButton from './CopyButton';
import { download } from '../diagram/exportSvg';
import { explainLine } from './explain';
import GuardExperiment from './GuardExperiment';
import Legend from './Legend';
import { linesOf } from './lines';
import Stepping, { useExecutingLine } from './Stepping';
import './code.css';

interface Props {
  readonly result: CompileView;
  /** The id of the text to show (see codeTabs.ts); the first one when there is none of that id. */
  readonly chosen?: string;
}

const FILES = { c: 'kernel.c', cuda: 'kernel.cu', opencl: 'kernel.cl', loops: 'kernel.loops.txt' } as const;

/** The generated code, coloured by role and linked to everything else on the page. */
export default function CodePanel({ result, chosen = 'target' }: Props) {
  const tabs = useMemo(() => tabsOf(result), [result]);
  const [hidden, setHidden] = useState<ReadonlySet<RoleName>>(new Set());
  // The line belongs to one text: another tab, or new code, starts without one.
  const [at, setAt] = useState<{ readonly text: string; readonly line: number | null }>({ text: '', line: null });
  const tab = tabs.find((one) => one.id === chosen) ?? tabs[0];
  const lines = useMemo(() => (tab ? linesOf(tab.code) : []), [tab]);
  const present = useMemo(() => new Set(tab?.code.spans.map((span) => span.origin.role)), [tab]);

  const [stepping, setStepping] = useState(false);
  const executing = useExecutingLine(result, tab?.code.language ?? '');

  if (!tab) return <p className="code-empty">No code yet. It appears when the expression and the schedule compile.</p>;

  const current = at.text === tab.code.text ? at.line : null;
  const line = current === null ? undefined : lines[current];
  const toggle = (role: RoleName): void => {
    const next = new Set(hidden);
    if (!next.delete(role)) next.add(role);
    setHidden(next);
  };

  return (
    <section className="code-panel" aria-label="Generated code">
      <div className="code-head">
        <Legend present={present} hidden={hidden} onToggle={toggle} />
        <div className="code-tools">
          <button type="button" aria-pressed={stepping} onClick={() => setStepping(!stepping)}>
            Step
          </button>
          <button
            type="button"
            aria-label={`Download the ${tab.title} code`}
            onClick={() => download(tab.code.text, 'text/plain', FILES[tab.code.language])}
          >
            Download
          </button>
          <CopyButton text={tab.code.text} what={`the ${tab.title} code`} />
        </div>
      </div>
      {result.launches.length > 0 && <Launches result={result} />}
      {stepping && <Stepping result={result} />}
      <div className={['code-body', ...[...hidden].map((role) => `hide-${role}`)].join(' ')}>
        <CodeListing
          code={tab.code}
          label={`${tab.title} code, line by line`}
          current={current}
          executing={executing}
          onCurrent={(line) => setAt({ text: tab.code.text, line })}
        />
      </div>
      <GuardExperiment result={result} language={tab.code.language} lines={lines} />
      <p className="code-status" role="status">
        {line ? explainLine(line, result.commands) : 'Point at a line to see what it is for and which command made it.'}
      </p>
    </section>
  );
}
