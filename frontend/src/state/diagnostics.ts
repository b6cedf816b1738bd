/** What is wrong with the text in the editors, whether the compiler said so or the service before it. */
import type { DiagnosticView } from '../api/types';
import type { State } from './store';

const NONE: readonly DiagnosticView[] = [];

/** Those of the latest answer; a plan that is too large for the compiler is refused with its own. */
export function diagnosticsOf({ compile: { phase, problem, result } }: State): readonly DiagnosticView[] {
  return (phase === 'failed' ? problem?.diagnostics : result?.diagnostics) ?? NONE;
}
