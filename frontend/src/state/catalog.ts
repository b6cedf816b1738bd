/** What the service offers: all but the examples in one answer, and these when they are first needed. Uploads are added as they come. */
import { useEffect } from 'react';
import * as api from '../api/client';
import type {
  BaselineView,
  CatalogueView,
  CollectionView,
  CommandSpecView,
  DatasetView,
  ExampleView,
  FormatPresetView,
  GeneratorView,
  LanguageView,
  MachineFacts,
  QuantityView,
  SuggestionMachineView,
  VersionView,
  WorkerView,
} from '../api/types';
import { createExternal, useExternal } from './external';

export interface Catalog {
  /** What an expression can be written in. */
  readonly languages: readonly LanguageView[];
  readonly commands: readonly CommandSpecView[];
  readonly formats: readonly FormatPresetView[];
  /** What the tests of formats that are sums of parts ask of an entry. */
  readonly quantities: readonly QuantityView[];
  readonly examples: readonly ExampleView[];
  readonly baselines: readonly BaselineView[];
  readonly generators: readonly GeneratorView[];
  readonly collections: readonly CollectionView[];
  readonly datasets: readonly DatasetView[];
  /** What a schedule can be chosen for, the usual one first. */
  readonly suggestion_machines: readonly SuggestionMachineView[];
  readonly machine: MachineFacts | null;
  /** The workers that were connected when the page was opened. */
  readonly machines: readonly WorkerView[];
  readonly version: VersionView | null;
  /** Why machine code cannot be shown; null where it can. */
  readonly no_assembly: string | null;
}

const EMPTY: Catalog = {
  languages: [],
  commands: [],
  formats: [],
  quantities: [],
  examples: [],
  baselines: [],
  generators: [],
  collections: [],
  datasets: [],
  suggestion_machines: [],
  machine: null,
  machines: [],
  version: null,
  no_assembly: null,
};

export const catalog = createExternal<Catalog>(EMPTY);

/** True once the catalogue has come; what is drawn before has empty lists. */
export const catalogArrived = createExternal(false);

/** A request that fails is made again, as the compile loop does. */
export function loadCatalog(): void {
  const arrive = (view: CatalogueView): void => {
    // A part of another shape would take with it whatever lists it.
    const parts = Object.entries(view).filter(
      ([key, part]) => key in EMPTY && Array.isArray(part) === Array.isArray(EMPTY[key as keyof Catalog]),
    );
    catalog.set({ ...catalog.get(), ...(Object.fromEntries(parts) as Partial<Catalog>) });
    catalogArrived.set(true);
  };
  untilAnswered(api.getCatalogue, arrive);
}

let examples: Promise<readonly ExampleView[]> | undefined;

/** Examples are as much as all the rest: they come when somebody looks for them. */
export function loadExamples(): Promise<readonly ExampleView[]> {
  examples ??= new Promise((resolve) => {
    untilAnswered(api.getExamples, (answer) => {
      if (!Array.isArray(answer)) return;
      catalog.set({ ...catalog.get(), examples: answer });
      resolve(answer);
    });
  });
  return examples;
}

function untilAnswered<Answer>(get: () => Promise<Answer>, arrive: (answer: Answer) => void): void {
  get().then(arrive, (error: unknown) => {
    if (api.mayComeLater(error)) setTimeout(() => untilAnswered(get, arrive), api.RETRY_MS);
  });
}

/** The examples; none before they have come, which ``needed`` asks for. */
export function useExamples(needed = true): readonly ExampleView[] {
  useEffect(() => {
    if (needed) void loadExamples();
  }, [needed]);
  return useCatalog((known) => known.examples);
}

export function addDataset(dataset: DatasetView): void {
  const rest = catalog.get().datasets.filter((known) => known.id !== dataset.id);
  catalog.set({ ...catalog.get(), datasets: [...rest, dataset] });
}

export function removeDataset(id: string): void {
  catalog.set({ ...catalog.get(), datasets: catalog.get().datasets.filter((known) => known.id !== id) });
}

export function useCatalog<Part>(select: (catalog: Catalog) => Part): Part {
  return useExternal(catalog, select);
}
