/** Everything that the palette can do: one list, from the tables that the page itself is made of. */
import { keyText, SHORTCUTS } from '../keyboard';
import type { ShortcutId } from '../keyboard';
import type { Knowledge } from '../../editor/knowledge';
import { copyMarkdown } from '../../state/address/copy-markdown';
import type { Actions } from '../../state/actions';
import type { Catalog } from '../../state/catalog';
import { compareWith, endComparison, swapPlans } from '../../state/comparison-actions';
import { PLAN_VERSION } from '../../plan/plan';
import { readPlan } from '../../plan/plan-reader';
import { setTheme } from '../../state/kept/preferences';
import type { Store } from '../../state/store';
import { CODE_TABS, RUN_TABS, UNDERSTAND_TABS } from '../../panes/tabs';
import { DECOMPOSITIONS, namesOf, shortPlaceOf } from '../examples';
import { focusSoon } from '../../state/focus';
import { draftCommand } from '../../panels/rows/fields';

export interface PaletteEntry {
  readonly title: string;
  readonly group: string;
  readonly keys?: string;
  /** Where a paper prints it: shown in place of the group. */
  readonly place?: string;
  /** What it is known by beside its title, in falling weight. */
  readonly names?: readonly string[];
  readonly run: () => void;
}

/** What finds an entry. */
export const textsOf = ({ title, group, names = [] }: PaletteEntry): string[] => [title, ...names, group];

const keysOf = (id: ShortcutId): string => keyText(SHORTCUTS.find((one) => one.id === id)?.keys[0] ?? '');

export function paletteEntries(store: Store, actions: Actions, catalog: Catalog, knowledge: Knowledge): PaletteEntry[] {
  const page = (title: string, run: () => void, id?: ShortcutId): PaletteEntry => ({
    title,
    group: 'Page',
    run,
    ...(id ? { keys: keysOf(id) } : {}),
  });
  return [
    page('Browse the examples', () => store.patch({ overlay: 'examples' })),
    page('Read a plan from a TACO command line or C++', () => store.openImport()),
    page('Take the tour', () => store.patch({ tour: 0 })),
    page('Do the lessons', () => store.patch({ overlay: 'lessons' })),
    page('Teach a class', () => store.patch({ overlay: 'class' })),
    page('Read the guide', () => store.patch({ overlay: 'guide' })),
    page('Look up a term in the glossary', () => store.patch({ overlay: 'glossary' })),
    page('Run and time this kernel', actions.runNow, 'run'),
    page('Choose the inputs of a run, its target, threads and baselines', () => {
      store.look({ inputs: true, front: 'run', maximised: null });
      focusSoon('.pane-run .inputs', 'select');
    }),
    ...tabEntries(store, 'run', RUN_TABS, 'Page'),
    page('Compile now', actions.compileNow),
    page('Undo', store.undo, 'undo'),
    page('Redo', store.redo, 'redo'),
    page('History of changes', () => store.patch({ overlay: 'history' })),
    page('Keyboard', () => store.patch({ overlay: 'keys' }), 'keys'),
    page('Edit the schedule as rows', () => store.look({ schedule: 'rows' })),
    page('Edit the schedule as text', () => store.look({ schedule: 'text' })),
    page('Compare with this plan as it is now', () => compareWith(store, store.get().draft, 'Before')),
    page('Compare with no schedule', () => compareWith(store, { ...store.get().draft, schedule: '' }, 'No schedule')),
    ...orderEntries(store).map(({ title, run }) => page(title, run)),
    ...comparisonEntries(store).map(({ title, run }) => page(title, run)),
    page('Presentation', () => store.look({ present: !store.get().view.present }), 'present'),
    page('Copy as Markdown', () => void copyMarkdown(store)),
    page('Print', () => window.print()),
    page('Light theme', () => setTheme('light')),
    page('Dark theme', () => setTheme('dark')),
    page('System theme', () => setTheme('system')),
    ...tabEntries(store, 'understand', UNDERSTAND_TABS, 'Show'),
    ...tabEntries(store, 'code', CODE_TABS, 'Show'),
    ...catalog.commands.map((spec) => ({
      title: `Add ${spec.name}: ${spec.summary}`,
      group: 'Schedule',
      run: () => {
        const command = draftCommand(spec, store.get().draft.schedule, knowledge);
        store.update({ kind: 'row', change: { kind: 'insert', before: null, command } });
      },
    })),
    ...catalog.examples.map((example) => {
      const { title, topic } = example;
      const place = shortPlaceOf(example.mention);
      return {
        title: place === '' ? `Open ${title} (${topic})` : `Open ${title}`,
        group: 'Example',
        names: namesOf(example).slice(1),
        ...(place === '' ? {} : { place }),
        run: () => store.update({ kind: 'open', draft: readPlan(example.plan) }),
      };
    }),
    ...DECOMPOSITIONS.map(({ title, texts, address }) => ({
      title,
      group: 'Decomposition',
      names: texts,
      run: () => window.location.assign(address),
    })),
  ];
}

/** Each tab of a pane that the palette offers: it comes to the front, with its pane. */
function tabEntries(
  store: Store,
  pane: 'understand' | 'code' | 'run',
  tabs: readonly { readonly id: string; readonly name: string | null }[],
  group: string,
): PaletteEntry[] {
  return tabs.flatMap(({ id, name }) => {
    const open = (): void => {
      store.look({ [pane]: id, front: pane, maximised: null });
      focusSoon(`.pane-${pane} [role=tabpanel]`, '[aria-current=step]');
    };
    return name === null ? [] : [{ title: `Show ${name}`, group, run: open }];
  });
}

/** A plan of an earlier version keeps the order of loops that it was written for, until somebody wants the other. */
function orderEntries(store: Store): { readonly title: string; readonly run: () => void }[] {
  if (store.get().draft.version === PLAN_VERSION) return [];
  const run = (): void => store.update({ kind: 'version', version: PLAN_VERSION });
  return [{ title: `Use the default loop order of version ${PLAN_VERSION}`, run }];
}

/** What can be done about the comparison, once there is one, and with the history of changes. */
function comparisonEntries(store: Store): { readonly title: string; readonly run: () => void }[] {
  const { comparison, history } = store.get();
  const before = history.past.at(-1);
  return [
    ...(before
      ? [
          {
            title: 'Compare with before the last change',
            run: () => compareWith(store, before, 'Before the last change'),
          },
        ]
      : []),
    ...(comparison
      ? [
          { title: 'Swap the compared plans', run: () => swapPlans(store) },
          { title: 'End the comparison', run: () => endComparison(store) },
        ]
      : []),
  ];
}
