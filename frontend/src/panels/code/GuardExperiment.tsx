import { useState } from 'react';
import { toProblem, whatIf } from '../../api/client';
import type { CodeView, CompileView, WhatIfView } from '../../api/types';
import { operandsOf } from '../../state/data/example-data';
import { useStore } from '../../state/store';
import type { CodeLine } from '../../components/code/lines';

interface Properties {
  readonly result: CompileView;
  readonly language: CodeView['language'];
  readonly lines: readonly CodeLine[];
}

/** "What if this guard were gone": the interpreter runs the kernel without it on small data, and says what happens. */
export default function GuardExperiment({ result, language, lines }: Properties) {
  const guards = lines.filter(({ origin, text }) => origin?.role === 'guard' && /\b(el)?if\b/.test(text));
  const { playback } = useStore();
  const [wished, setWished] = useState<number | null>(null);
  const [answer, setAnswer] = useState<{
    readonly of: CompileView;
    readonly line: number;
    readonly view: WhatIfView;
  } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const guard = guards.find(({ number }) => number === wished) ?? guards[0];
  // What the service removes is a statement of the loops; of the targets it knows the lines of C.
  if (guard === undefined || (language !== 'c' && language !== 'loops')) return null;

  const ask = (): void => {
    setProblem(null);
    whatIf(result.plan, guard.number, language, operandsOf(playback.get().data, result)).then(
      (view) => setAnswer({ of: result, line: guard.number, view }),
      (error: unknown) => setProblem(toProblem(error).title),
    );
  };
  const shown = answer !== null && answer.of === result && answer.line === guard.number ? answer.view : null;
  return (
    <details className="guard-experiment">
      <summary>What if a guard were gone?</summary>
      <div className="guard-choice">
        <select aria-label="Guard" value={guard.number} onChange={(event) => setWished(Number(event.target.value))}>
          {guards.map((line) => (
            <option key={line.number} value={line.number}>
              {line.number}: {line.text.trim()}
            </option>
          ))}
        </select>
        <button type="button" onClick={ask}>
          Run without it
        </button>
      </div>
      <div role="status" data-outcome={shown?.outcome ?? ''}>
        {problem !== null && <p>The run failed: {problem}</p>}
        {shown !== null && (
          <>
            <p>{shown.summary}</p>
            {shown.diagnostics.map((diagnostic, index) => (
              <p key={index}>{diagnostic.message}</p>
            ))}
          </>
        )}
      </div>
    </details>
  );
}
