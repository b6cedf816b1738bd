/** A figure of the service as a picture file: as the service made it, its machine below, in ink on white. */
import Plotly from 'plotly.js-basic-dist-min';
import type { PlotlyFigure } from '../../api/client';

const SIZE = { width: 900, height: 520 };
const INK = '#1b1f24';
const GROUND = '#ffffff';
/** PNG is made this much finer, for slides and papers. */
const SCALE = 2;

export async function figureImage(figure: PlotlyFigure, format: 'svg' | 'png'): Promise<Blob> {
  const font = { ...(figure.layout.font ?? {}), color: INK };
  const layout = { ...figure.layout, font, paper_bgcolor: GROUND, plot_bgcolor: GROUND };
  const address = await Plotly.toImage({ data: figure.data, layout }, { format, ...SIZE, scale: SCALE });
  return blobOf(address);
}

/** The content of a `data:` address; asking for it by fetch would need a hole in the content security policy. */
export function blobOf(address: string): Blob {
  const comma = address.indexOf(',');
  const head = address.slice(0, comma);
  const type = head.replace(/^data:/, '').replace(/;base64$/, '');
  const content = address.slice(comma + 1);
  if (!head.endsWith(';base64')) return new Blob([decodeURIComponent(content)], { type });
  return new Blob([Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))], { type });
}
