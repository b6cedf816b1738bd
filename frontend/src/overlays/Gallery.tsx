import { useState } from 'react';
import type { ExampleView } from '../api/types';
import { Dialog } from '../components/Dialog';
import { Prose } from '../components/Prose';
import { useCatalog } from '../state/catalog';
import { readPlan } from '../plan/plan-reader';
import { useStore } from '../state/store';
import { search } from '../text/search';
import { counted } from '../text/quantities';

/** The examples by topic, with search over titles, summaries, expressions, formats and commands. */
export default function Gallery({ onClose }: { readonly onClose: () => void }) {
  const store = useStore();
  const examples = useCatalog((catalog) => catalog.examples);
  const [query, setQuery] = useState('');
  const found = search(examples, query, textOf);
  const topics = [...new Set(examples.map(({ topic }) => topic))];
  const open = (example: ExampleView): void => {
    onClose();
    store.update({ kind: 'open', draft: readPlan(example.plan) });
  };
  return (
    <Dialog title="Examples" className="gallery" onClose={onClose}>
      <input
        type="search"
        aria-label="Search the examples"
        placeholder="Search: spmv, csr, parallelize …"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <p role="status" className="visually-hidden">
        {counted(found.length, 'example')}
      </p>
      {topics
        .filter((topic) => found.some((example) => example.topic === topic))
        .map((topic) => (
          <section key={topic} aria-label={topic}>
            <h3>{topic}</h3>
            <ul className="gallery-cards">
              {found
                .filter((example) => example.topic === topic)
                .map((example) => (
                  <li key={example.id}>
                    <button type="button" className="gallery-card" onClick={() => open(example)}>
                      <b>{example.title}</b>
                      <code>{example.plan.expression}</code>
                      <span className="caption muted">
                        <Prose text={example.summary} />
                      </span>
                    </button>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      {found.length === 0 && <p className="muted">No example matches these words.</p>}
    </Dialog>
  );
}

/** What can be searched for: the names a person may know the example by. */
function textOf({ title, topic, summary, plan }: ExampleView): string {
  const { expression, schedule, tensors } = readPlan(plan);
  const formats = Object.values(tensors).map(({ format }) => format ?? '');
  return [title, topic, expression, ...formats, schedule, summary].join(' ');
}
