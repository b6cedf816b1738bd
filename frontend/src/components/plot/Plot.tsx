import Plotly from 'plotly.js-basic-dist-min';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { PlotlyFigure } from '../../api/client';
import { useDark } from '../../state/media';
import { useSizeOf } from '../use-size-of';
import { namesBeside } from './legend';
import { themed } from './plot-theme';
import { PlotDownloads } from './PlotDownloads';
import { PlotLegend } from './PlotLegend';

interface Props {
  readonly figure: PlotlyFigure;
  readonly title: string;
}

/** Px below which a title may need more than one line. */
const NARROW = 480;

/** The figure without its own legend and without the lines of these names, rings around their points included. */
function without(figure: PlotlyFigure, hidden: readonly string[]): PlotlyFigure {
  const data = figure.data.map((one) => (hidden.includes(String(one.name)) ? { ...one, visible: false } : one));
  return { data, layout: { ...figure.layout, showlegend: false } };
}

/** A Plotly figure in the colours of the page; the table above says the same in text. */
export default function Plot({ figure, title }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState<readonly string[]>([]);
  // Plotly draws in steps: the next drawing, and taking the plot away, wait until the last has ended.
  const drawing = useRef<Promise<unknown>>(Promise.resolve());
  const dark = useDark();
  const width = useSizeOf(host)?.width ?? NARROW;
  // Drawn anew where lines may break elsewhere; wider than that, the plot only grows.
  const step = Math.floor(Math.min(width, NARROW) / 20);
  const room = useSizeOf(frame)?.width ?? NARROW;
  const names = useMemo(() => namesBeside(figure, room), [figure, room]);
  const beside = names.length > 0;
  const drawn = useMemo(() => (beside ? without(figure, hidden) : figure), [figure, beside, hidden]);
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const style = getComputedStyle(element);
    // The border carries the colour of lines: a computed style is the only place where light-dark() is resolved.
    const colours = { ink: style.color, line: style.borderTopColor };
    const { data, layout } = themed(drawn, colours, style.fontFamily, element.clientWidth || NARROW);
    const settings = { displaylogo: false, responsive: true, displayModeBar: false };
    drawing.current = drawing.current.then(() => Plotly.react(element, data, layout, settings));
  }, [drawn, dark, step]);
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const fit = () => {
      const shown = element.classList.contains('js-plotly-plot') && element.offsetWidth > 0;
      return shown ? Plotly.Plots.resize(element) : undefined;
    };
    const watcher = new ResizeObserver(() => {
      drawing.current = drawing.current.then(fit);
    });
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      drawing.current = drawing.current.then(() => Plotly.purge(element));
    };
  }, []);
  return (
    <div ref={frame} className="plot-frame">
      <div className={beside ? 'plot-named' : undefined}>
        <div ref={host} className="plot" role="img" aria-label={`${title}: the table above has the same numbers`} />
        {beside && (
          <PlotLegend
            lines={names}
            hidden={hidden}
            onToggle={(name) =>
              setHidden(hidden.includes(name) ? hidden.filter((one) => one !== name) : [...hidden, name])
            }
          />
        )}
      </div>
      <PlotDownloads figure={figure} title={title} />
    </div>
  );
}
