import { useState } from 'react';
import type { PlotlyFigure } from '../../api/client';
import { download } from '../download';
import { figureCsv } from './figure-csv';
import { figureImage } from './figure-image';

interface Props {
  readonly figure: PlotlyFigure;
  readonly title: string;
}

const KINDS = ['SVG', 'PNG', 'CSV'] as const;

/** A figure as a file: a picture on white with the machine below, or its numbers. */
export function PlotDownloads({ figure, title }: Props) {
  const [problem, setProblem] = useState('');
  const save = async (kind: (typeof KINDS)[number]): Promise<void> => {
    setProblem('');
    const name = `heddle-${title
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '')}`;
    try {
      if (kind === 'CSV') download(figureCsv(figure), 'text/csv', `${name}.csv`);
      else if (kind === 'SVG') download(await figureImage(figure, 'svg'), 'image/svg+xml', `${name}.svg`);
      else download(await figureImage(figure, 'png'), 'image/png', `${name}.png`);
    } catch {
      setProblem(`The browser could not make the ${kind} file.`);
    }
  };
  return (
    <div className="plot-downloads" role="group" aria-label={`Download the figure ${title}`}>
      {KINDS.map((kind) => (
        <button key={kind} type="button" className="button quiet" onClick={() => void save(kind)}>
          <span aria-hidden="true">⤓</span> {kind}
        </button>
      ))}
      {problem !== '' && <span role="alert">{problem}</span>}
    </div>
  );
}
