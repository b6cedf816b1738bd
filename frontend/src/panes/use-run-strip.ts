import { useLayout } from '../state/media';
import { hasRun } from '../state/runs/run-state';
import { useSelect } from '../state/store';
import { DEFAULT_VIEW } from '../state/view-state';

/**
 * Whether the Run pane is a strip, so that the pictures get the space: until something was run, or asked for in it, and
 * whenever it was folded.
 */
export function useRunStrip(): boolean {
  const wide = useLayout() === 'wide';
  const asked = useSelect(({ view }) => view.run !== DEFAULT_VIEW.run || view.maximised === 'run');
  const ran = useSelect(({ run }) => hasRun(run));
  const folded = useSelect(({ run }) => run.folded === true);
  const maximised = useSelect(({ view }) => view.maximised === 'run');
  return wide && !maximised && (folded || (!asked && !ran));
}
