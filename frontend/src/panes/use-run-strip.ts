import { useLayout } from '../state/media';
import { hasRun } from '../state/runs/run-state';
import { useSelect } from '../state/store';
import { DEFAULT_VIEW } from '../state/view-state';

/**
 * Whether the Run pane is a strip, so that the pictures get the space: until something was run, or asked for in it, and
 * whenever it was folded. Beside a lesson it is one pane of several, too narrow for a strip.
 */
export function useRunStrip(): boolean {
  const wide = useLayout() === 'wide';
  const asked = useSelect(({ view }) => view.run !== DEFAULT_VIEW.run || view.maximised === 'run');
  const ran = useSelect(({ run }) => hasRun(run));
  const folded = useSelect(({ run }) => run.folded === true);
  const maximised = useSelect(({ view }) => view.maximised === 'run');
  const reading = useSelect(({ lesson }) => lesson !== null);
  return wide && !reading && !maximised && (folded || (!asked && !ran));
}
