import type { PointerEvent } from 'react';
import type { Size } from '../../viz/fitting';
import type { Point, View } from './viewport';

const WIDEST = 104;
const HIGHEST = 72;

interface Properties {
  /** Id of the drawing, which is shown again. */
  readonly drawing: string;
  readonly content: Size;
  readonly frame: Size;
  readonly view: View;
  /** Brings a point of the drawing into the middle. */
  readonly onLook: (at: Point) => void;
}

/** All of a drawing that goes on beyond its frame, and which part of it is in sight. Keys pan the drawing itself. */
export function Minimap({ drawing, content, frame, view, onLook }: Properties) {
  const scale = Math.min(WIDEST / content.width, HIGHEST / content.height);
  const look = (event: PointerEvent<SVGSVGElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    onLook({ x: (event.clientX - box.left) / scale, y: (event.clientY - box.top) / scale });
  };
  return (
    <svg
      className="minimap"
      aria-hidden="true"
      width={content.width * scale}
      height={content.height * scale}
      viewBox={`0 0 ${content.width} ${content.height}`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        look(event);
      }}
      onPointerMove={(event) => {
        if (event.buttons === 1) look(event);
      }}
    >
      <use href={`#${drawing}`} />
      <rect
        className="minimap-view"
        x={-view.x / view.scale}
        y={-view.y / view.scale}
        width={frame.width / view.scale}
        height={frame.height / view.scale}
        strokeWidth={2 / scale}
      />
    </svg>
  );
}
