/**
 * One row of a layered drawing: places near what is wished, never nearer to each other than allowed.
 *
 * Minimises Σ weight·(x − wish)² under x[k+1] − x[k] ≥ separation[k], exactly, by pooling adjacent violators.
 */
export interface Wish {
  readonly wish: number;
  readonly weight: number;
}

export function placeInOrder(wishes: readonly Wish[], separations: readonly number[]): number[] {
  const offsets: number[] = [];
  let offset = 0;
  wishes.forEach((_, index) => {
    offsets.push(offset);
    offset += separations[index] ?? 0;
  });

  interface Block {
    sum: number;
    weight: number;
    count: number;
  }
  const blocks: Block[] = [];
  wishes.forEach(({ wish, weight }, index) => {
    let block: Block = { sum: (wish - (offsets[index] ?? 0)) * weight, weight, count: 1 };
    let before = blocks.at(-1);
    while (before && before.sum / before.weight > block.sum / block.weight) {
      block = { sum: before.sum + block.sum, weight: before.weight + block.weight, count: before.count + block.count };
      blocks.pop();
      before = blocks.at(-1);
    }
    blocks.push(block);
  });

  const places: number[] = [];
  for (const block of blocks) {
    for (let index = 0; index < block.count; index += 1) {
      places.push(block.sum / block.weight + (offsets[places.length] ?? 0));
    }
  }
  return places;
}
