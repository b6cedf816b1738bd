import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { useCallback, useMemo, useRef } from 'react';
import { Docked } from '../../components/dock/Dock';
import { DiagnosticList } from '../../components/DiagnosticList';
import { diagnosticsOf } from '../../state/diagnostics';
import { useSelect, useStore } from '../../state/store';
import { EXPRESSION_LANGUAGES } from '../../plan/plan';
import { BridgeButton } from '../bridge/BridgeButton';
import { CodeEditor } from '../CodeEditor';
import { rangeInExpression, toLint } from '../diagnostic-ranges';
import { marksOfExpression } from './expression-marks';
import { rangeInlays } from './range-inlays';
import { LanguageChoice } from './LanguageChoice';
import { pastedExpression, pastedProgram } from '../typing/pasting';
import { termTypes } from './term-types';
import { useKnowledge } from '../use-knowledge';
import { linkDecorations } from '../link-decorations';

const NOTATION: Extension = [linkDecorations(marksOfExpression), pastedExpression];
// Names before parentheses are tensors in index notation alone.
const PATTERNS: Extension = [termTypes, pastedProgram];
const COMPREHENSION: Extension = [rangeInlays, pastedProgram];

/** Where the computation is written, with its errors below it. */
export function ExpressionEditor() {
  const store = useStore();
  const text = useSelect((state) => state.draft.expression);
  const language = useSelect((state) => state.draft.language);
  const isNotation = language === EXPRESSION_LANGUAGES[0];
  const hasRanges = language === EXPRESSION_LANGUAGES[2];
  const view = useRef<EditorView | null>(null);
  const all = useSelect(diagnosticsOf);
  const knowledge = useKnowledge();
  // Errors of the document as a whole have no editor of their own; the expression stands first on the page.
  const here = useMemo(
    () => all.filter(({ location }) => location === null || location.part === 'expression' || location.part === 'plan'),
    [all],
  );
  const lint = useMemo(
    () =>
      here.flatMap((diagnostic) => {
        const range = rangeInExpression(diagnostic, text);
        return range === null ? [] : [toLint(diagnostic, range)];
      }),
    [here, text],
  );
  const change = useCallback((next: string) => store.update({ kind: 'expression', text: next }), [store]);
  return (
    <div className="part">
      <div className="part-head expression-head">
        <h2>Expression</h2>
        <LanguageChoice />
        <BridgeButton />
      </div>
      <CodeEditor
        key={isNotation ? 'line' : hasRanges ? 'ranges' : 'lines'}
        label="Expression"
        value={text}
        onChange={change}
        extensions={isNotation ? NOTATION : hasRanges ? COMPREHENSION : PATTERNS}
        diagnostics={lint}
        invalid={here.some(({ severity }) => severity === 'error')}
        describedBy={here.length > 0 ? 'expression-problems' : null}
        multiline={!isNotation}
        knowledge={knowledge}
        viewRef={view}
      />
      <Docked>
        <DiagnosticList
          id="expression-problems"
          label="Problems in the expression"
          diagnostics={here}
          placeOf={({ location }) => (location?.part === 'expression' ? 'Expression' : null)}
          onJump={() => view.current?.focus()}
          onFix={(fix) => store.update({ kind: 'fix', fix })}
        />
      </Docked>
    </div>
  );
}
