import { useState } from 'react';
import { exportPlan, toProblem } from '../api/client';
import type { ExportKind } from '../api/types';
import { download } from '../components/download';
import { toPlan } from '../plan/plan';
import { CODE_LANGUAGE_NAMES, CODE_LANGUAGES } from '../plan/targets';
import { exportObstacle } from '../plan/export-obstacle';
import { useSelect, useStore } from '../state/store';

/** What the service makes of a plan, and what each is good for. */
const EXPORTS: readonly { readonly kind: ExportKind; readonly title: string; readonly use: string }[] = [
  ...CODE_LANGUAGE_NAMES.flatMap((kind) => {
    const { title, use } = CODE_LANGUAGES[kind];
    return kind === 'loops' || use === null ? [] : [{ kind, title, use }];
  }),
  { kind: 'python', title: 'Python', use: 'a script that compiles, verifies and times the plan again' },
  { kind: 'taco', title: 'TACO', use: 'the command line of public TACO' },
  { kind: 'bibtex', title: 'BibTeX', use: 'how to cite the plan' },
  { kind: 'plan', title: 'JSON', use: 'the plan itself, for the shell and the API' },
];

/** The plan in the forms in which it is taken elsewhere. */
export function Exports() {
  const store = useStore();
  const schedule = useSelect((state) => state.draft.schedule);
  const [said, setSaid] = useState<{ readonly failed: boolean; readonly text: string } | null>(null);
  const save = async (kind: ExportKind, title: string): Promise<void> => {
    setSaid(null);
    try {
      const { name, media_type, text } = await exportPlan(toPlan(store.get().draft), kind);
      download(text, media_type, name);
      setSaid({ failed: false, text: `Saved as ${name}.` });
    } catch (error) {
      setSaid({ failed: true, text: `There is no ${title} for this plan: ${toProblem(error).detail}` });
    }
  };
  return (
    <div className="exports" role="group" aria-label="Save the plan as">
      <span className="caption muted">Save as</span>
      <div className="share-more">
        {EXPORTS.map(({ kind, title, use }) => {
          const obstacle = exportObstacle(kind, schedule);
          return (
            <button
              key={kind}
              type="button"
              className="button"
              data-tip={obstacle ?? use}
              aria-label={`${title}: ${obstacle ?? use}`}
              disabled={obstacle !== null}
              onClick={() => void save(kind, title)}
            >
              {title}
            </button>
          );
        })}
      </div>
      {said !== null && (
        <p role={said.failed ? 'alert' : 'status'} className="caption">
          {said.text}
        </p>
      )}
    </div>
  );
}
