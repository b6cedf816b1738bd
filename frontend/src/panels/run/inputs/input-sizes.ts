/** Sizes that the inputs share: an index variable has one size, whoever of its tensors says it. */
import type { DatasetView, TensorView } from '../../../api/types';
import { shapeOf } from '../../../state/sizes/operands';
import type { Draft, InputSpec } from '../../../plan/plan';

type Inputs = Draft['inputs'];

export interface Size {
  readonly size: number;
  /** The tensor whose input says so. */
  readonly by: string;
  /** A file has the size that it has; that of a generator follows. */
  readonly fixed: boolean;
}

/** What the inputs of the other tensors say of an index variable; a file before a generator. */
export function sizeElsewhere(
  variable: string,
  tensor: string,
  tensors: readonly TensorView[],
  inputs: Inputs,
  datasets: readonly DatasetView[],
): Size | null {
  const said = tensors.flatMap(({ name, dimensions }): Size[] => {
    const place = dimensions.indexOf(variable);
    const shape = name === tensor || place < 0 ? null : shapeOf(inputs[name], datasets);
    const size = shape?.[place];
    return size === undefined ? [] : [{ size, by: name, fixed: inputs[name]?.generator === undefined }];
  });
  return said.find(({ fixed }) => fixed) ?? said[0] ?? null;
}

/** The inputs with this one, each generator as large as the files want it, else as the one that was just chosen. */
export function withInput(
  name: string,
  input: InputSpec | null,
  tensors: readonly TensorView[],
  inputs: Inputs,
  datasets: readonly DatasetView[],
): Inputs {
  const others = Object.fromEntries(Object.entries(inputs).filter(([key]) => key !== name));
  const chosen: Inputs = input === null ? others : { ...others, [name]: input };
  const sizes = new Map<string, number>();
  const files = tensors.filter((tensor) => chosen[tensor.name]?.generator === undefined);
  const own = tensors.filter((tensor) => tensor.name === name);
  for (const { name: tensor, dimensions } of [...files, ...own]) {
    shapeOf(chosen[tensor], datasets)?.forEach((size, place) => {
      const variable = dimensions[place];
      if (variable !== undefined && !sizes.has(variable)) sizes.set(variable, size);
    });
  }
  return Object.fromEntries(
    Object.entries(chosen).map(([key, spec]) => {
      const dimensions = tensors.find((tensor) => tensor.name === key)?.dimensions ?? [];
      if (spec.generator === undefined || !Array.isArray(spec.shape)) return [key, spec];
      const shape = (spec.shape as readonly number[]).map((size, place) => sizes.get(dimensions[place] ?? '') ?? size);
      return [key, { ...spec, shape }];
    }),
  );
}
