import type { StageView } from '../../api/types';
import { Prose } from '../Prose';
import { counted } from '../../text/quantities';

/** The passes over the loops that found nothing to do, with what they would have done. */
export default function IdlePasses({ passes }: { readonly passes: readonly StageView[] }) {
  if (passes.length === 0) return null;
  return (
    <details className="idle-passes">
      <summary>{counted(passes.length, 'pass', 'passes')} changed nothing</summary>
      <dl>
        {passes.map(({ id, title, summary }) => (
          <div key={id}>
            <dt>{title}</dt>
            <dd>
              <Prose text={summary ?? ''} terms />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
