import { Suspense, useState } from 'react';
import { useSelect } from '../../state/store';
import { lazyFile } from '../../components/loading/lazy-file';
import { NotLoadedDialog } from '../../components/loading/NotLoadedDialog';

const BridgeDialog = lazyFile(() => import('./BridgeDialog'), NotLoadedDialog);

const TITLES = { notation: 'As patterns', patterns: 'As index notation', comprehension: null } as const;

/** Offers the same computation in the other language, where there is one. */
export function BridgeButton() {
  const language = useSelect((state) => state.draft.language);
  const [opened, open] = useState(false);
  const title = TITLES[language];
  if (title === null) return null;
  return (
    <>
      <button type="button" className="button" onClick={() => open(true)}>
        {title}
      </button>
      {opened && (
        <Suspense fallback={null}>
          <BridgeDialog title={title} onClose={() => open(false)} />
        </Suspense>
      )}
    </>
  );
}
