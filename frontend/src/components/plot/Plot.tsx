import Plotly from 'plotly.js-basic-dist-min';
import { useEffect, useRef } from 'react';
import type { PlotlyFigure } from '../../api/client';
import { useDark } from '../../state/media';
import { themed } from './plot-theme';
import { PlotDownloads } from './PlotDownloads';

interface Props {
  readonly figure: PlotlyFigure;
  readonly title: string;
}

/** A Plotly figure in the colours of the page; the table above says the same in text. */
export default function Plot({ figure, title }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const dark = useDark();
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const style = getComputedStyle(element);
    // The border carries the colour of lines: a computed style is the only place where light-dark() is resolved.
    const colours = { ink: style.color, line: style.borderTopColor };
    const { data, layout } = themed(figure, colours, style.fontFamily);
    void Plotly.react(element, data, layout, { displaylogo: false, responsive: true, displayModeBar: false });
  }, [figure, dark]);
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const watcher = new ResizeObserver(() => {
      if (element.classList.contains('js-plotly-plot') && element.offsetWidth > 0) void Plotly.Plots.resize(element);
    });
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      Plotly.purge(element);
    };
  }, []);
  return (
    <div>
      <div ref={host} className="plot" role="img" aria-label={`${title}: the table above has the same numbers`} />
      <PlotDownloads figure={figure} title={title} />
    </div>
  );
}
