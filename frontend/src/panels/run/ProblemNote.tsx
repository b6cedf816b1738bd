import type { Problem } from '../../api/types';
import { Prose } from '../../components/Prose';

/** What went wrong with a file or a download. */
export function ProblemNote({ problem }: { readonly problem: Problem }) {
  return (
    <div role="alert" className="diagnostic diagnostic-error">
      <span className="diagnostic-icon" aria-hidden="true">
        ✕
      </span>
      <div>
        <strong>{problem.title}.</strong> <Prose text={problem.detail} />
      </div>
    </div>
  );
}
