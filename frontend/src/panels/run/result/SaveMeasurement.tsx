import { download } from '../../../components/download';
import type { MeasuredRun } from './measurement-files';
import { measurementBibtex, measurementCsv, measurementJson } from './measurement-files';

const FILES = [
  ['Samples (CSV)', 'samples.csv', 'text/csv', measurementCsv, 'Every round of every contender, in nanoseconds'],
  [
    'Measurement (JSON)',
    'run.json',
    'application/json',
    measurementJson,
    'Samples, verdicts, plan, machine and hashes',
  ],
  ['Cite (BibTeX)', 'run.bib', 'application/x-bibtex', measurementBibtex, 'With date, address and machine'],
] as const;

/** What a reader takes home of a run. */
export function SaveMeasurement({ run }: { readonly run: MeasuredRun }) {
  return (
    <div className="plot-downloads" role="group" aria-label="Download the measurement">
      {FILES.map(([title, name, type, write, use]) => (
        <button
          key={name}
          type="button"
          className="button quiet"
          data-tip={use}
          onClick={() => download(write(run, window.location.href), type, `heddle-${run.id}-${name}`)}
        >
          <span aria-hidden="true">⤓</span> {title}
        </button>
      ))}
    </div>
  );
}
