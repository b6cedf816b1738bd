import { useState } from 'react';
import type { ReactNode } from 'react';
import type { ExampleView } from '../api/types';
import { Dialog } from '../components/Dialog';
import { Prose } from '../components/Prose';
import { useExamples } from '../state/catalog';
import { readPlan } from '../plan/plan-reader';
import { useStore } from '../state/store';
import { search } from '../text/search';
import { counted } from '../text/quantities';
import { DECOMPOSITIONS, placeOf, textsOf } from './examples';
import type { DecompositionEntry } from './examples';

/** A card: an example of the catalogue, or a decomposition. */
type Entry = { readonly topic: string; readonly key: string; readonly texts: readonly string[] } & (
  | { readonly kind: 'plan'; readonly example: ExampleView }
  | { readonly kind: 'decomposition'; readonly decomposition: DecompositionEntry }
);

/**
 * The examples by topic, with search over titles, the papers' words, summaries, expressions, formats and commands. What
 * was searched for stands in one list, the likeliest first.
 */
export default function Gallery({ onClose }: { readonly onClose: () => void }) {
  const store = useStore();
  const examples = useExamples();
  const [query, setQuery] = useState('');
  const entries = entriesOf(examples);
  const found = search(entries, query, ({ texts }) => texts);
  const open = (example: ExampleView): void => {
    onClose();
    store.update({ kind: 'open', draft: readPlan(example.plan) });
  };
  const cards = (shown: readonly Entry[]): ReactNode => (
    <ul className="gallery-cards">
      {shown.map((entry) => (
        <li key={entry.key}>
          {entry.kind === 'plan' ? (
            <ExampleCard example={entry.example} onOpen={open} />
          ) : (
            <DecompositionCard {...entry.decomposition} />
          )}
        </li>
      ))}
    </ul>
  );
  const searching = query.trim() !== '';
  const topics = searching ? [] : [...new Set(entries.map(({ topic }) => topic))];
  return (
    <Dialog title="Examples" className="gallery" onClose={onClose}>
      <input
        type="search"
        aria-label="Search the examples"
        placeholder="Search: spmv, csr, listing 7, MTTKRP-C …"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <p role="status" className="visually-hidden">
        {counted(found.length, 'example')}
      </p>
      {searching && <section aria-label="Examples that match">{cards(found)}</section>}
      {topics.map((topic) => (
        <section key={topic} aria-label={topic}>
          <h3>{topic}</h3>
          {cards(entries.filter((entry) => entry.topic === topic))}
        </section>
      ))}
      {found.length === 0 && <p className="muted">No example matches these words.</p>}
    </Dialog>
  );
}

function ExampleCard({
  example,
  onOpen,
}: {
  readonly example: ExampleView;
  readonly onOpen: (example: ExampleView) => void;
}) {
  const place = placeOf(example.mention);
  return (
    <button type="button" className="gallery-card" onClick={() => onOpen(example)}>
      <b>{example.title}</b>
      {place !== '' && <span className="caption">{place}</span>}
      <code>{example.plan.expression}</code>
      <span className="caption muted">
        <Prose text={example.summary} />
      </span>
    </button>
  );
}

function DecompositionCard({ title, summary, address }: DecompositionEntry) {
  return (
    <a className="gallery-card" href={address}>
      <b>{title}</b>
      <span className="caption muted">{summary}</span>
    </a>
  );
}

function entriesOf(examples: readonly ExampleView[]): Entry[] {
  return [
    ...examples.map((example): Entry => {
      const { id, topic } = example;
      return { kind: 'plan', topic, key: id, texts: textsOf(example), example };
    }),
    ...DECOMPOSITIONS.map((decomposition): Entry => {
      const { address, texts } = decomposition;
      return { kind: 'decomposition', topic: 'Decompositions', key: address, texts, decomposition };
    }),
  ];
}
