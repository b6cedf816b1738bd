import { useEffect, useState } from 'react';
import type { AtLeastOne } from '../../viz/spacing';
import { requestLayout } from '../../viz/layout-client';
import type { LayoutKind, Layouts } from '../../viz/layout-requests';

interface State<Drawing> {
  readonly drawings: AtLeastOne<Drawing> | null;
  readonly error: string | null;
}

/**
 * The drawings of `input`, the roomiest first, computed in the worker. While new ones are under way the last stay, so that nothing
 * flickers. Memoise `input`: a new object is a new question.
 */
export function useDrawings<Kind extends LayoutKind>(
  kind: Kind,
  input: Layouts[Kind]['input'] | null,
): State<Layouts[Kind]['drawing']> {
  const [state, setState] = useState<State<Layouts[Kind]['drawing']>>({ drawings: null, error: null });
  useEffect(() => {
    if (input === null) return;
    let current = true;
    requestLayout(kind, input).then(
      (drawings) => {
        if (current) setState({ drawings, error: null });
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
