/** The part of an input that pictures show follows the plan: another input of it is another part. */
import { useEffect } from 'react';
import type { CompileView } from '../../api/types';
import { useCatalog } from '../../state/catalog';
import { useSelect, useStore } from '../../state/store';
import { usePlayback } from '../../state/use-playback';
import {
  countableSample,
  densestBlock,
  EXAMPLE,
  INPUT,
  inputOf,
  inputTitle,
  mainOperand,
  sourceOf,
} from '../../state/data/example-data';

/** Cuts the input again where the plan names another one; the example where it names none. */
export function useFollowedInput(result: CompileView): void {
  const { playback } = useStore();
  const draft = useSelect((state) => state.draft);
  const datasets = useCatalog((catalog) => catalog.datasets);
  const data = usePlayback((state) => state.data);
  const main = mainOperand(result);
  const input = main === undefined ? null : inputOf(draft, main);
  const source = main === undefined || input === null ? null : sourceOf(main.name, input);
  const stale = data.id === INPUT && data.source !== undefined && data.source !== source;
  useEffect(() => {
    if (!stale) return;
    if (main === undefined || input === null) return playback.choose(EXAMPLE);
    let current = true;
    densestBlock(main, input, inputTitle(input, datasets)).then(
      (block) => current && playback.choose(block ?? EXAMPLE),
      () => current && playback.choose(EXAMPLE),
    );
    return () => {
      current = false;
    };
    // `source` says all of `main` and `input` that matters here.
  }, [stale, source, playback]); // eslint-disable-line react-hooks/exhaustive-deps
}

/**
 * Where nobody chose data, all panels go over to data that can be counted on: the input of the plan, else one with
 * rows that are unequal. The running example is to be drawn; its few entries say little of a balance.
 */
export function useCountableData(result: CompileView): void {
  const { playback } = useStore();
  const draft = useSelect((state) => state.draft);
  const datasets = useCatalog((catalog) => catalog.datasets);
  const idle = usePlayback((state) => state.data.id === EXAMPLE.id && !state.pinned);
  const main = mainOperand(result);
  const input = main === undefined ? null : inputOf(draft, main);
  const source = main === undefined ? '' : input === null ? main.name : sourceOf(main.name, input);
  useEffect(() => {
    if (!idle || main === undefined) return;
    const sample = (): void => {
      const data = countableSample(result);
      if (data !== null) playback.choose(data);
    };
    if (input === null) return sample();
    let current = true;
    densestBlock(main, input, inputTitle(input, datasets)).then(
      (block) => current && (block === null ? sample() : playback.choose(block)),
      () => current && sample(),
    );
    return () => {
      current = false;
    };
  }, [idle, source, playback]); // eslint-disable-line react-hooks/exhaustive-deps
}
