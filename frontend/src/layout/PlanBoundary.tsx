import type { ReactNode } from 'react';
import { ErrorBoundary } from '../components/ErrorBoundary';
import { useSelect } from '../state/store';

interface Props {
  readonly name: string;
  readonly frame?: (message: ReactNode) => ReactNode;
  /** From a component that does not follow the plan itself: then a key draws again only what shows it. */
  readonly children: ReactNode;
}

/** Keeps a failure inside a part of the page; the next plan that is drawn tries again. */
export function PlanBoundary(props: Props) {
  const shown = useSelect((state) => state.compile.shown);
  return <ErrorBoundary {...props} resetKey={shown} />;
}
