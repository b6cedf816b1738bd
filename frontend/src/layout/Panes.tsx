import { Suspense } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import { Tabs } from '../components/Tabs';
import type { Comparison } from '../state/plans/comparison';
import { Pane } from '../panes/Pane';
import { RunPane } from '../panes/RunPane';
import { useLayout } from '../state/media';
import { DEFAULT_SIZES, setSizes, usePreferences } from '../state/kept/preferences';
import { useSelect, useStore } from '../state/store';
import { PANE_TITLES } from '../state/view-state';
import type { Pane as PaneName } from '../state/view-state';
import { CodePane } from '../panes/CodePane';
import { DefinePane } from '../panes/DefinePane';
import { PlanBoundary } from './PlanBoundary';
import { Splitter } from './Splitter';
import { useRunStrip } from '../panes/use-run-strip';
import { UnderstandPane } from '../panes/UnderstandPane';
import { lazyFile } from '../components/loading/lazy-file';

const ComparePane = lazyFile(() => import('../panes/ComparePane'));

function paneOf(name: PaneName): ReactNode {
  switch (name) {
    case 'define':
      return <DefinePane />;
    case 'understand':
      return <UnderstandPane />;
    case 'code':
      return <CodePane />;
    case 'run':
      return <RunPane />;
    default:
      throw new Error(`unexpected pane ${String(name satisfies never)}`);
  }
}

/** One pane: whatever it was answered, the others and the page around them stay. */
function Guarded({ name }: { readonly name: PaneName }) {
  const frame = (message: ReactNode) => <Pane name={name}>{message}</Pane>;
  return (
    <PlanBoundary name={PANE_TITLES[name]} frame={frame}>
      {paneOf(name)}
    </PlanBoundary>
  );
}

/** The four panes: all at once on a wide screen, Define next to one of the rest on a medium one, one at a time on a phone. */
export function Panes() {
  const layout = useLayout();
  const maximised = useSelect((state) => state.view.maximised);
  const present = useSelect((state) => state.view.present);
  const front = useSelect((state) => state.view.front);
  const comparison = useSelect((state) => state.comparison);
  const reading = useSelect((state) => state.lesson !== null);
  if (comparison !== null) return <Compared comparison={comparison} narrow={layout === 'narrow'} />;
  // One picture, in all of the window: code where that is in front.
  if (present) {
    return (
      <div className="panes panes-one panes-present">
        <Guarded name={front === 'code' || front === 'run' ? front : 'understand'} />
      </div>
    );
  }
  if (layout === 'narrow') return <Stacked names={['define', 'understand', 'code', 'run']} />;
  if (maximised !== null)
    return (
      <div className="panes panes-one">
        <Guarded name={maximised} />
      </div>
    );
  return layout === 'wide' && !reading ? <Grid /> : <Beside />;
}

/** The editors next to the comparison; on a phone one of them. */
function Compared({ comparison, narrow }: { readonly comparison: Comparison; readonly narrow: boolean }) {
  const store = useStore();
  const editing = useSelect((state) => state.view.front === 'define');
  const pane = (
    <Suspense fallback={<p className="panel-message">Loading…</p>}>
      <ComparePane comparison={comparison} />
    </Suspense>
  );
  if (!narrow) {
    return (
      <div className="panes panes-beside panes-compared">
        <Guarded name="define" />
        {pane}
      </div>
    );
  }
  return (
    <div className="panes panes-stacked">
      <Tabs
        label="Panes"
        tabs={[
          { id: 'define', title: PANE_TITLES.define },
          { id: 'compare', title: 'Compare' },
        ]}
        chosen={editing ? 'define' : 'compare'}
        onChoose={(id) => store.look({ front: id === 'define' ? 'define' : 'understand' })}
      >
        {editing ? <Guarded name="define" /> : pane}
      </Tabs>
    </div>
  );
}

function Grid() {
  const sizes = usePreferences((preferences) => preferences.sizes);
  const strip = useRunStrip();
  const style = {
    '--define': `${sizes.define}fr`,
    '--understand': `${sizes.understand}fr`,
    '--code': `${100 - sizes.define - sizes.understand}fr`,
    '--top': `${100 - sizes.run}fr`,
    '--run': `${sizes.run}fr`,
  } as CSSProperties;
  return (
    <div className={strip ? 'panes panes-grid panes-strip' : 'panes panes-grid'} style={style}>
      <div className="panes-top">
        <Guarded name="define" />
        <Splitter
          label="Width of Define"
          orientation="vertical"
          value={sizes.define}
          minimum={15}
          maximum={Math.min(45, 85 - sizes.understand)}
          onChange={(define) => setSizes({ define })}
          onReset={() => setSizes({ define: DEFAULT_SIZES.define })}
        />
        <Guarded name="understand" />
        <Splitter
          label="Width of Understand"
          orientation="vertical"
          value={sizes.understand}
          minimum={15}
          maximum={85 - sizes.define}
          offset={sizes.define}
          onChange={(understand) => setSizes({ understand })}
          onReset={() => setSizes({ understand: DEFAULT_SIZES.understand })}
        />
        <Guarded name="code" />
      </div>
      {!strip && (
        <Splitter
          label="Height of Run"
          orientation="horizontal"
          value={sizes.run}
          minimum={10}
          maximum={80}
          reversed
          onChange={(run) => setSizes({ run })}
          onReset={() => setSizes({ run: DEFAULT_SIZES.run })}
        />
      )}
      <Guarded name="run" />
    </div>
  );
}

function Beside() {
  return (
    <div className="panes panes-beside">
      <Guarded name="define" />
      <Stacked names={['understand', 'code', 'run']} />
    </div>
  );
}

function Stacked({ names }: { readonly names: readonly PaneName[] }) {
  const store = useStore();
  const front = useSelect((state) => state.view.front);
  const chosen = names.includes(front) ? front : (names[0] ?? 'define');
  return (
    <div className="panes panes-stacked">
      <Tabs
        label="Panes"
        tabs={names.map((id) => ({ id, title: PANE_TITLES[id] }))}
        chosen={chosen}
        onChoose={(id) => store.look({ front: id })}
      >
        <Guarded name={chosen} />
      </Tabs>
    </div>
  );
}
