import { useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { CSSProperties, KeyboardEvent, PointerEvent, ReactNode } from 'react';
import './diagram.css';
import type { AtLeastOne } from '../../viz/spacing';
import { download } from '../download';
import { useLayout } from '../../state/media';
import { useSizeOf } from '../use-size-of';
import { svgText, svgToPng } from './export-svg';
import { Menu } from '../menu/Menu';
import { fittingDrawing, type Size } from '../../viz/fitting';
import { Icon } from './Icon';
import { Minimap } from './Minimap';
import { useSharedRoom } from './shared-room';
import { cutSides, fitView, lookAt, pan, wholeView, zoomAt, type Point, type View } from './viewport';

const STEP = 1.25;
const PAN = 40;
const UNKNOWN: Size = { width: 0, height: 0 };

/** Its natural size in px, and what is in sight at first where not everything fits. */
interface Drawn extends Size {
  readonly root?: Point | undefined;
}

interface Properties<Drawing extends Drawn> {
  readonly label: string;
  /** What may be drawn, the roomiest first. */
  readonly drawings: AtLeastOne<Drawing>;
  readonly fileName: string;
  /** More buttons, before those for the view. */
  readonly controls?: ReactNode;
  readonly children: (drawing: Drawing) => ReactNode;
}

/** How the person moved a drawing of some size in a frame of some size; another layout is seen whole again. */
interface Moved {
  readonly view: View;
  readonly content: Size;
  readonly size: Size;
}

const same = (one: Size, other: Size): boolean => one.width === other.width && one.height === other.height;

const viewOf = (moved: Moved | null, content: Size, size: Size): View | null =>
  moved !== null && same(moved.content, content) && same(moved.size, size) ? moved.view : null;

/**
 * A drawing that zooms and pans: by buttons, by keys (+ − 0 and arrows while the drawing has the focus), by dragging,
 * and by Ctrl + wheel or pinch. Until the person moves it, it shows the roomiest drawing that can be read whole.
 *
 * Focusable parts carry `data-item`; one of them is in the tab order, the arrow keys go from one to the next.
 */
export default function DiagramCanvas<Drawing extends Drawn>({
  label,
  drawings,
  fileName,
  controls,
  children,
}: Properties<Drawing>) {
  const frame = useRef<HTMLDivElement>(null);
  const svg = useRef<SVGSVGElement>(null);
  const size = useSizeOf(frame) ?? UNKNOWN;
  const id = useId();
  const scrolls = useLayout() === 'narrow';
  const content = useMemo(
    () => fittingDrawing(drawings, scrolls ? { ...size, height: window.innerHeight } : size),
    [drawings, scrolls, size],
  );
  const [lastMoved, setMoved] = useState<Moved | null>(null);
  const moved = viewOf(lastMoved, content, size);
  const [dragging, setDragging] = useState(false);
  const view = moved ?? fitView(content, size, content.root);
  const cut = size.width === 0 ? [] : cutSides(view, content, size);
  const choice = useSharedRoom(drawings);

  const change = useCallback(
    (next: (view: View) => View) =>
      setMoved((last) => {
        const view = next(viewOf(last, content, size) ?? fitView(content, size, content.root));
        return { view, content, size };
      }),
    [content, size],
  );
  /** Everything, however small; where that is shown already, what can be read. */
  const showEverything = (): void => {
    const whole = wholeView(content, size);
    setMoved(view.scale === whole.scale ? null : { view: whole, content, size });
  };
  const zoomCentre = (factor: number): void =>
    change((last) => zoomAt(last, factor, { x: size.width / 2, y: size.height / 2 }));

  // React listens passively to the wheel, where the page's own zoom cannot be prevented.
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const box = element.getBoundingClientRect();
      const point = { x: event.clientX - box.left, y: event.clientY - box.top };
      change((last) => zoomAt(last, Math.exp(-event.deltaY / 300), point));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [change]);

  const onKeyDown = (event: KeyboardEvent<SVGSVGElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const item = event.target instanceof Element ? event.target.closest('[data-item]') : null;
    const arrows: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [1, 0],
      ArrowRight: [-1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
    };
    const arrow = arrows[event.key];
    if (arrow && item && !event.shiftKey) focusNeighbour(item, arrow[0] + arrow[1] < 0 ? 1 : -1);
    else if (arrow) change((last) => pan(last, arrow[0] * PAN, arrow[1] * PAN));
    else if (event.key === '+' || event.key === '=') zoomCentre(STEP);
    else if (event.key === '-') zoomCentre(1 / STEP);
    else if (event.key === '0') showEverything();
    else return;
    event.preventDefault();
  };

  const focusNeighbour = (item: Element, step: number): void => {
    const items = [...(svg.current?.querySelectorAll<SVGElement>('[data-item]') ?? [])];
    items[items.indexOf(item as SVGElement) + step]?.focus();
  };

  /** The focused part becomes the one that Tab comes back to. */
  const onFocus = (event: React.FocusEvent<SVGSVGElement>): void => {
    const item = event.target.closest('[data-item]');
    if (!item) return;
    svg.current?.querySelectorAll('[data-item][tabindex="0"]').forEach((one) => one.setAttribute('tabindex', '-1'));
    item.setAttribute('tabindex', '0');
  };

  const onPointerDown = (event: PointerEvent<SVGSVGElement>): void => {
    const onPart = event.target instanceof Element && event.target.closest('[data-link]');
    if (event.button !== 0 || onPart) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDragging(true);
  };
  const onPointerMove = (event: PointerEvent<SVGSVGElement>): void => {
    if (dragging) change((last) => pan(last, event.movementX, event.movementY));
  };

  const save = (): void => {
    if (svg.current) download(svgText(svg.current, content.width, content.height, label), 'image/svg+xml', fileName);
  };
  const savePng = async (): Promise<void> => {
    if (!svg.current) return;
    const text = svgText(svg.current, content.width, content.height, label);
    const picture = await svgToPng(text, content.width, content.height);
    download(picture, 'image/png', fileName.replace(/svg$/, 'png'));
  };

  return (
    <div className="diagram">
      <div className="diagram-controls" role="toolbar" aria-label={`${label}: view`}>
        {choice}
        {controls}
        <span className="diagram-view">
          <Menu
            label={`View of the ${label.toLowerCase()}`}
            className=""
            items={[
              { title: 'Zoom in', keys: '+', onChoose: () => zoomCentre(STEP) },
              { title: 'Zoom out', keys: '−', onChoose: () => zoomCentre(1 / STEP) },
              { title: 'Show everything', keys: '0', onChoose: showEverything },
              { title: 'Download as SVG', onChoose: save },
              { title: 'Download as PNG', onChoose: () => void savePng() },
            ]}
          >
            <Icon name="more" />
          </Menu>
        </span>
      </div>
      <div
        className="diagram-frame"
        ref={frame}
        data-cut={cut.join(' ')}
        style={
          { '--content-height': `${content.height * fitView(content, size, content.root).scale}px` } as CSSProperties
        }
      >
        <svg
          ref={svg}
          role="group"
          aria-label={label}
          tabIndex={0}
          className={dragging ? 'diagram-svg diagram-dragging' : 'diagram-svg'}
          onKeyDown={onKeyDown}
          onFocus={onFocus}
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={() => setDragging(false)}
          onPointerCancel={() => setDragging(false)}
        >
          <g transform={`translate(${view.x} ${view.y}) scale(${view.scale})`}>
            <g id={id}>{children(content)}</g>
          </g>
        </svg>
        {cut.length > 0 && (
          <Minimap
            drawing={id}
            content={content}
            frame={size}
            view={view}
            onLook={(at) => change((last) => lookAt(last, at, size))}
          />
        )}
      </div>
    </div>
  );
}
