import { Suspense, useState } from 'react';
import type { CompileView } from '../../api/types';
import { launchesText } from '../../viz/gpu/launch-text';
import { lazyFile } from '../loading/lazy-file';
import './launches.css';

const LaunchTable = lazyFile(() => import('./LaunchTable'));

/** The launches of a GPU kernel in one line; opened, with grids, memory, registers and occupancy. */
export default function Launches({ result }: { readonly result: CompileView }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="launches" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{launchesText(result.launches)}</summary>
      {open && (
        <Suspense fallback={<p className="panel-message">Loading…</p>}>
          <LaunchTable result={result} />
        </Suspense>
      )}
    </details>
  );
}
