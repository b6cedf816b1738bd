import Plotly from 'plotly.js-basic-dist-min';
import { useEffect, useRef } from 'react';
import type { PlotlyFigure } from '../../api/client';
import { useDark } from '../../state/media';
import { useSizeOf } from '../use-size-of';
import { themed } from './plot-theme';
import { PlotDownloads } from './PlotDownloads';

interface Props {
  readonly figure: PlotlyFigure;
  readonly title: string;
}

/** Px below which a title may need more than one line. */
const NARROW = 480;

/** A Plotly figure in the colours of the page; the table above says the same in text. */
export default function Plot({ figure, title }: Props) {
  const host = useRef<HTMLDivElement>(null);
  // Plotly draws in steps: the next drawing, and taking the plot away, wait until the last has ended.
  const drawing = useRef<Promise<unknown>>(Promise.resolve());
  const dark = useDark();
  const width = useSizeOf(host)?.width ?? NARROW;
  // Drawn anew where lines may break elsewhere; wider than that, the plot only grows.
  const step = Math.floor(Math.min(width, NARROW) / 20);
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const style = getComputedStyle(element);
    // The border carries the colour of lines: a computed style is the only place where light-dark() is resolved.
    const colours = { ink: style.color, line: style.borderTopColor };
    const { data, layout } = themed(figure, colours, style.fontFamily, element.clientWidth || NARROW);
    const settings = { displaylogo: false, responsive: true, displayModeBar: false };
    drawing.current = drawing.current.then(() => Plotly.react(element, data, layout, settings));
  }, [figure, dark, step]);
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
    <div>
      <div ref={host} className="plot" role="img" aria-label={`${title}: the table above has the same numbers`} />
      <PlotDownloads figure={figure} title={title} />
    </div>
  );
}
