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
import type { ExampleData } from '../../state/data/example-data';

/** Cuts the input again where the plan names another one; the example where it names none. */
export function useFollowedInput(result: CompileView): void {
  const source = useSource(result);
  const stale = usePlayback(({ data }) => data.id === INPUT && data.source !== undefined && data.source !== source);
  useDensestBlock(result, stale, () => EXAMPLE);
}

/**
 * Where nobody chose data, all panels go over to data that can be counted on: the input of the plan, else one with
 * rows that are unequal. The running example is to be drawn; its few entries say little of a balance.
 */
export function useCountableData(result: CompileView): void {
  const idle = usePlayback(({ data, pinned }) => data.id === EXAMPLE.id && !pinned);
  useDensestBlock(result, idle, () => (mainOperand(result) === undefined ? null : countableSample(result)));
}

/** Which input the plan names for its main operand; null where it names none. */
function useSource(result: CompileView): string | null {
  const draft = useSelect((state) => state.draft);
  const main = mainOperand(result);
  const input = main === undefined ? null : inputOf(draft, main);
  return main === undefined || input === null ? null : sourceOf(main.name, input);
}

/** While `wanted`, shows the densest block of the plan's input, or `otherwise` where there is none; null changes nothing. */
function useDensestBlock(result: CompileView, wanted: boolean, otherwise: () => ExampleData | null): void {
  const { playback } = useStore();
  const draft = useSelect((state) => state.draft);
  const datasets = useCatalog((catalog) => catalog.datasets);
  const main = mainOperand(result);
  const source = useSource(result);
  useEffect(() => {
    if (!wanted) return;
    let current = true;
    const show = (block: ExampleData | null): void => {
      const data = block ?? otherwise();
      if (current && data !== null) playback.choose(data);
    };
    const input = main === undefined ? null : inputOf(draft, main);
    if (main === undefined || input === null) show(null);
    else densestBlock(main, input, inputTitle(input, datasets)).then(show, () => show(null));
    return () => {
      current = false;
    };
    // The operand's name and `source` say all of the plan that matters here.
  }, [wanted, main?.name, source, playback]); // eslint-disable-line react-hooks/exhaustive-deps
}
