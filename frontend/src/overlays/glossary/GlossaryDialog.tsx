import { useState } from 'react';
import { Dialog } from '../../components/Dialog';
import { GLOSSARY } from '../../text/glossary';
import { search } from '../../text/search';
import '../reading.css';

/** Every term of the page with its definition, to search and to read. */
export default function GlossaryDialog({ onClose }: { readonly onClose: () => void }) {
  const [query, setQuery] = useState('');
  const found = search(GLOSSARY, query, ({ term, also, text }) => [term, also.join(' '), text]);
  return (
    <Dialog title="Glossary" className="reading" onClose={onClose}>
      <input
        type="search"
        aria-label="Search the glossary"
        placeholder="Search: position, tile, warp …"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <dl className="glossary-list">
        {found.map(({ term, text, source }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>
              {text} <span className="muted">{source}</span>
            </dd>
          </div>
        ))}
      </dl>
      {found.length === 0 && <p className="muted">No term matches.</p>}
    </Dialog>
  );
}
