/** What an element of the storage picture stands for, as one text that the DOM carries in `data-key`. */

/** A node of the tree: `depth` counts levels from 0; the node one below the last level is the value. */
export const nodeKey = (depth: number, position: number): string => `node ${depth} ${position}`;
export const elementKey = (array: string, element: number): string => `element ${array} ${element}`;
export const cellKey = (coordinates: readonly number[]): string => `cell ${coordinates.join(' ')}`;
export const binKey = (row: number, column: number): string => `bin ${row} ${column}`;
