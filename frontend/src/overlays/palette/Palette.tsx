import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { Dialog } from '../../components/Dialog';
import { useKnowledge } from '../../editor/use-knowledge';
import { useActions } from '../../state/actions';
import { useCatalog, useExamples } from '../../state/catalog';
import { useStore } from '../../state/store';
import { paletteEntries, textsOf } from './commands';
import type { PaletteEntry } from './commands';
import { search } from '../../text/search';

const everything = <T,>(catalog: T): T => catalog;

/** Every command of the page by name: type, choose with the arrows, Enter. */
export default function Palette({ onClose }: { readonly onClose: () => void }) {
  const store = useStore();
  const actions = useActions();
  const catalog = useCatalog(everything);
  useExamples();
  const knowledge = useKnowledge();
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const [query, setQuery] = useState('');
  const [wanted, setWanted] = useState(0);
  const entries = useMemo(
    () => paletteEntries(store, actions, catalog, knowledge),
    [store, actions, catalog, knowledge],
  );
  const found = useMemo(() => search(entries, query, textsOf), [entries, query]);
  const current = Math.min(wanted, found.length - 1);
  useEffect(() => {
    list.current?.children[current]?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  const choose = (entry: PaletteEntry | undefined): void => {
    if (entry === undefined) return;
    // First closed, so that an entry may open another dialog.
    onClose();
    entry.run();
  };
  const keys = (event: KeyboardEvent): void => {
    const next = { ArrowDown: current + 1, ArrowUp: current - 1 }[event.key];
    if (next !== undefined) setWanted((next + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter') choose(found[current]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Commands" quiet className="palette" onClose={onClose}>
      <input
        role="combobox"
        aria-label="Find a command"
        aria-expanded={found.length > 0}
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${current}` : undefined}
        aria-autocomplete="list"
        placeholder="Find a command, tab or example"
        value={query}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setQuery(event.target.value);
          setWanted(0);
        }}
        onKeyDown={keys}
      />
      <ul id={id} ref={list} role="listbox" aria-label="Commands" className="palette-list">
        {found.map((entry, index) => (
          <li
            key={entry.title}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === current}
            onPointerMove={() => setWanted(index)}
            onClick={() => choose(entry)}
          >
            <span className="palette-title">{entry.title}</span>
            {entry.keys ? (
              <kbd>{entry.keys}</kbd>
            ) : (
              <span className="caption palette-group">{entry.place ?? entry.group}</span>
            )}
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="muted">Nothing matches.</p>}
    </Dialog>
  );
}
