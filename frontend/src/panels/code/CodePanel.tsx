import { useId, useMemo, useState } from 'react';
import type { KeyboardEvent } from 'react';
import type { CodeView, CompileView, RoleName } from '../../api/types';
import CodeListing from './CodeListing';
import CopyButton from './CopyButton';
import { explainLine } from './explain';
import Legend from './Legend';
import { linesOf } from './lines';

interface Tab {
  readonly id: string;
  readonly title: string;
  readonly code: CodeView;
}

const LANGUAGES: Readonly<Record<CodeView['language'], string>> = {
  c: 'C',
  cuda: 'CUDA',
  opencl: 'OpenCL',
  loops: 'Loops',
};

/** The generated code, coloured by role and linked to everything else on the page. */
export default function CodePanel({ result }: { readonly result: CompileView }) {
  const tabs = useMemo(() => tabsOf(result), [result]);
  const [chosen, setChosen] = useState('');
  const [hidden, setHidden] = useState<ReadonlySet<RoleName>>(new Set());
  const [current, setCurrent] = useState<number | null>(null);
  const id = useId();
  const tab = tabs.find((one) => one.id === chosen) ?? tabs[0];
  const lines = useMemo(() => (tab ? linesOf(tab.code) : []), [tab]);
  const present = useMemo(() => new Set(tab?.code.spans.map((span) => span.origin.role)), [tab]);

  if (!tab) return <p className="code-empty">No code yet. It appears when the expression and the schedule compile.</p>;

  const line = current === null ? undefined : lines[current];
  const choose = (next: Tab | undefined): void => {
    if (!next) return;
    setChosen(next.id);
    setCurrent(null);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
    choose(next);
    if (next) document.getElementById(`${id}${next.id}`)?.focus();
  };
  const toggle = (role: RoleName): void => {
    const next = new Set(hidden);
    if (!next.delete(role)) next.add(role);
    setHidden(next);
  };

  return (
    <section className="code-panel" aria-label="Generated code">
      <div className="code-head">
        <div className="code-tabs" role="tablist" aria-label="Language" onKeyDown={onKeyDown}>
          {tabs.map((one) => (
            <button
              key={one.id}
              id={`${id}${one.id}`}
              type="button"
              role="tab"
              aria-selected={one === tab}
              aria-controls={`${id}listing`}
              tabIndex={one === tab ? 0 : -1}
              onClick={() => choose(one)}
            >
              {one.title}
            </button>
          ))}
        </div>
        <CopyButton text={tab.code.text} what={`the ${tab.title} code`} />
      </div>
      <Legend present={present} hidden={hidden} onToggle={toggle} />
      <div
        id={`${id}listing`}
        role="tabpanel"
        aria-labelledby={`${id}${tab.id}`}
        className={['code-body', ...[...hidden].map((role) => `hide-${role}`)].join(' ')}
      >
        <CodeListing
          code={tab.code}
          label={`${tab.title} code, line by line`}
          current={current}
          onCurrent={setCurrent}
        />
      </div>
      <p className="code-status" role="status">
        {line ? explainLine(line, result.commands) : 'Point at a line to see what it is for and which command made it.'}
      </p>
    </section>
  );
}

/** The target's text first, then the stages that are code. */
function tabsOf(result: CompileView): Tab[] {
  const tabs: Tab[] = [];
  if (result.code) tabs.push({ id: 'target', title: LANGUAGES[result.code.language], code: result.code });
  for (const stage of result.stages) {
    if (stage.code?.language === 'loops') tabs.push({ id: stage.id, title: stage.title, code: stage.code });
  }
  return tabs;
}
