/** The colour and dash pattern of a tensor's path: one class for each (graph.css), used again after the last. */
const COLOURS = 6;
export const pathClass = (colour: number): string => `path-${(colour % COLOURS) + 1}`;
