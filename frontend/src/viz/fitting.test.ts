import { expect, it } from 'vitest';
import { fittingDrawing } from './fitting';

const frame = { width: 300, height: 600 };
const drawing = (width: number, height: number) => ({ width, height });

it('is as high as its frame where letters are as large then', () => {
  const drawings = [drawing(250, 900), drawing(250, 480), drawing(250, 240), drawing(200, 200)] as const;
  expect(fittingDrawing(drawings, frame)).toBe(drawings[1]);
  // In a low frame a high drawing has smaller letters.
  expect(fittingDrawing(drawings, { ...frame, height: 280 })).toBe(drawings[2]);
});

it('is the roomiest that can be read, else the one that comes closest', () => {
  const drawings = [drawing(400, 300), drawing(310, 300), drawing(200, 200)] as const;
  expect(fittingDrawing(drawings, frame)).toBe(drawings[1]);
  expect(fittingDrawing(drawings, { width: 100, height: 100 })).toBe(drawings[2]);
});
