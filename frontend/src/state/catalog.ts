/** What the service offers (languages, commands, formats, examples, baselines, inputs, machine), fetched once; uploads are added as they come. */
import * as api from '../api/client';
import type {
  BaselineView,
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
  readonly suggestionMachines: readonly SuggestionMachineView[];
  readonly machine: MachineFacts | null;
  readonly version: VersionView | null;
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
  suggestionMachines: [],
  machine: null,
  version: null,
};

export const catalog = createExternal<Catalog>(EMPTY);

/** Each part arrives on its own; a part that fails is asked for again, as the compile loop does. */
export function loadCatalog(): void {
  const load = <Key extends keyof Catalog>(key: Key, get: () => Promise<Catalog[Key]>): void => {
    get().then(
      // A part of another shape would take with it whatever lists it.
      (part) => {
        if (Array.isArray(part) === Array.isArray(EMPTY[key])) catalog.set({ ...catalog.get(), [key]: part });
      },
      (error: unknown) => {
        if (api.mayComeLater(error)) setTimeout(() => load(key, get), api.RETRY_MS);
      },
    );
  };
  load('languages', api.getLanguages);
  load('commands', api.getCommands);
  load('formats', api.getFormats);
  load('quantities', api.getQuantities);
  load('examples', api.getExamples);
  load('baselines', api.getBaselines);
  load('generators', api.getGenerators);
  load('collections', api.getCollections);
  load('datasets', api.getDatasets);
  load('suggestionMachines', api.getSuggestionMachines);
  load('machine', api.getMachine);
  load('version', api.getVersion);
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
