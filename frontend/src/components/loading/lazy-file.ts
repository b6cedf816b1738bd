/** A component in a file of its own, which is loaded when it is first drawn. */
import { createElement, lazy } from 'react';
import type { ComponentType, LazyExoticComponent } from 'react';
import { createExternal, useExternal } from '../../state/external';
import { reportMissing } from '../../state/loading/missing-files';
import { NotLoaded } from './NotLoaded';

interface Module<Props> {
  readonly default: ComponentType<Props>;
}

/**
 * Where the file does not come, `instead` stands in its place until it does; nothing is thrown, so that the page around
 * it stays as it is.
 */
export function lazyFile<Props extends object>(
  load: () => Promise<Module<Props>>,
  instead: ComponentType<Props> = NotLoaded,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      return await load();
    } catch (error) {
      return { default: awaited(load, instead, addressIn(error)) };
    }
  });
}

/** The file that an error of the browser names; Safari names none. */
function addressIn(error: unknown): string | null {
  return error instanceof Error ? (/https?:\/\/\S+/.exec(error.message)?.[0] ?? null) : null;
}

/** What stands in for a file that did not come, and becomes the component once it has. */
function awaited<Props extends object>(
  load: () => Promise<Module<Props>>,
  instead: ComponentType<Props>,
  address: string | null,
): ComponentType<Props> {
  const arrived = createExternal<{ readonly Component: ComponentType<Props> } | null>(null);
  reportMissing({
    address,
    load: async () => {
      try {
        arrived.set({ Component: (await load()).default });
        return true;
      } catch {
        return false;
      }
    },
  });
  return function Awaited(props: Props) {
    const Component = useExternal(arrived, (now) => now?.Component ?? instead);
    return createElement(Component, props);
  };
}
