/**
 * The one choice of small data for every picture: what a run is traced on, stored and drawn with. The service makes the
 * example; the rest is made here, or cut out of an input of the plan.
 */
import { cutIntoTiles } from '../../api/client';
import type { CompileView, DatasetView, Operands, TensorView, TilesRequest, TilesView } from '../../api/types';
import { canonicalJson } from '../../plan/plan';
import type { Draft, InputSpec } from '../../plan/plan';
import { exampleVectors } from '../../viz/data/vectors';
import { powerLawMatrix, scatteredMatrix, sparseCube } from '../../viz/data/samples';
import { tileSized } from '../../viz/data/tile-sized';

export interface ExampleData {
  readonly id: string;
  readonly title: string;
  /** Which part of it runs are traced on; empty where that is all of it. */
  readonly part: string;
  /** The input that it was cut out of, by {@link sourceOf}; absent where it is no part of one. */
  readonly source?: string;
  /** The operands that are given; those that are not are made by the service. Null where this is no data for them. */
  readonly operands: (result: CompileView) => Operands | null;
}

/** The matrix of 4 × 6 with 7 nonzeros, and its kin of other orders. */
export const EXAMPLE: ExampleData = { id: 'example', title: 'Running example', part: '', operands: () => ({}) };

/** The tensor that data is chosen for: the first operand that is not dense, since there is most to see. */
export function mainOperand(result: CompileView): TensorView | undefined {
  const operands = result.tensors.filter((tensor) => !tensor.result && tensor.order > 0);
  return operands.find(({ levels }) => levels.some(({ kind }) => kind !== 'dense')) ?? operands[0];
}

const sample = (id: string, title: string, order: number, make: () => readonly unknown[]): ExampleData => ({
  id,
  title,
  part: '',
  operands: (result) => {
    const main = mainOperand(result);
    return main?.order === order ? { [main.name]: make() } : null;
  },
});

const VECTORS: ExampleData = { id: 'vectors', title: 'Vectors with every case', part: '', operands: exampleVectors };

const SAMPLES: readonly ExampleData[] = [
  sample('power-law', 'Power law, 30 × 30', 2, () => powerLawMatrix(30, 30)),
  sample('scattered', 'Scattered, 64 × 64', 2, () => scatteredMatrix(64, 6)),
  sample('cube', 'Scattered, 8 × 8 × 8', 3, () => sparseCube(8, 40)),
];

export const TILES = 'tiles';

/** What the pictures of this program may show, without what inputs offer. */
export function offeredData(result: CompileView): readonly ExampleData[] {
  const sized = tileSized(result);
  const tiles: readonly ExampleData[] =
    sized === null
      ? []
      : [
          {
            id: TILES,
            title: `Sized for the tiles, ${sized.shape.join(' × ')}`,
            part: '',
            operands: (now) => tileSized(now)?.operands ?? null,
          },
        ];
  return [EXAMPLE, ...tiles, ...[VECTORS, ...SAMPLES].filter((data) => data.operands(result) !== null)];
}

/**
 * What runs get of `data`, made for `result`; what the expression does not have, or has otherwise, is left out. Two
 * runs that are compared must have one `result`, since data may follow the schedule.
 */
export function operandsOf(data: ExampleData, result: CompileView, tensors = result.tensors): Operands {
  const order = (value: unknown): number => (Array.isArray(value) ? 1 + order(value[0]) : 0);
  return Object.fromEntries(
    Object.entries(data.operands(result) ?? {}).filter(([name, value]) =>
      tensors.some((tensor) => tensor.name === name && !tensor.result && tensor.order === order(value)),
    ),
  );
}

/** Data on which counts tell something: of rows that are unequal, and more than a handful. */
export const countableSample = (result: CompileView): ExampleData | null =>
  SAMPLES.find((data) => data.operands(result) !== null) ?? null;

/** What is counted on, as a person calls it. */
export const dataName = ({ title, part }: Pick<ExampleData, 'title' | 'part'>): string =>
  part === '' ? title : `${title}, ${part}`;

export const INPUT = 'input';

export const sourceOf = (tensor: string, input: InputSpec): string => canonicalJson([tensor, input]);

/** What a task of a lesson asks about; opening its plan chooses it. */
export const TASK = 'task';

/** The input of `tensor` as the service can make it on its own: a generator needs its shape. */
export function inputOf(draft: Draft, tensor: TensorView): InputSpec | null {
  const input = draft.inputs[tensor.name];
  if (tensor.result || input === undefined) return null;
  if (typeof input.generator !== 'string' || input.shape !== undefined) return input;
  const shape = draft.tensors[tensor.name]?.shape;
  return shape === undefined ? null : { ...input, shape };
}

export function inputTitle(input: InputSpec, datasets: readonly DatasetView[]): string {
  if (typeof input.generator === 'string') return `${input.generator} (generator)`;
  const id = input.dataset ?? input.upload;
  return datasets.find((dataset) => dataset.id === id)?.name ?? String(id);
}

/** A part of an input, as the service cut it out; null where the input has none. */
export function inputBlock({ tensor, source, window }: TilesView, title = source): ExampleData | null {
  if (window === null) return null;
  const operands = { [tensor]: window.values } as Operands;
  return {
    id: INPUT,
    title,
    part: `its block of ${window.shape.join(' × ')} at (${window.start.join(', ')})`,
    operands: ({ tensors }) => (tensors.some(({ name, result }) => name === tensor && !result) ? operands : null),
  };
}

/** The densest block of an input of the plan. Raises what the request raises; null where the input has none. */
export async function densestBlock(tensor: TensorView, input: InputSpec, title: string): Promise<ExampleData | null> {
  const request = {
    tensor: tensor.name,
    order: tensor.order,
    format: tensor.format,
    dtype: tensor.dtype,
    input,
    cut: 'coordinate',
    dimension: 0,
    size: 64,
  } as TilesRequest;
  const block = inputBlock(await cutIntoTiles(request), title);
  return block === null ? null : { ...block, source: sourceOf(tensor.name, input) };
}
