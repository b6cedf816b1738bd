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
    } catch {
      return { default: awaited(load, instead) };
    }
  });
}

/** What stands in for a file that did not come, and becomes the component once it has. */
function awaited<Props extends object>(
  load: () => Promise<Module<Props>>,
  instead: ComponentType<Props>,
): ComponentType<Props> {
  const arrived = createExternal<{ readonly Component: ComponentType<Props> } | null>(null);
  reportMissing({
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
