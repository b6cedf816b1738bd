import { useEffect, useState } from 'react';
import { requestLayout } from '../../viz/layout-client';
import type { LayoutKind, Layouts } from '../../viz/layout-requests';

interface State<Layout> {
  readonly layout: Layout | null;
  readonly error: string | null;
}

/**
 * The layout of `input`, computed in the worker. While a new one is under way the last one stays, so that nothing
 * flickers. Memoise `input`: a new object is a new question.
 */
export function useLayout<Kind extends LayoutKind>(
  kind: Kind,
  input: Layouts[Kind]['input'] | null,
): State<Layouts[Kind]['layout']> {
  const [state, setState] = useState<State<Layouts[Kind]['layout']>>({ layout: null, error: null });
  useEffect(() => {
    if (input === null) return;
    let current = true;
    requestLayout(kind, input).then(
      (layout) => {
        if (current) setState({ layout, error: null });
      },
      (error: unknown) => {
        if (current) setState((last) => ({ ...last, error: error instanceof Error ? error.message : String(error) }));
      },
    );
    return () => {
      current = false;
    };
  }, [kind, input]);
  return state;
}
