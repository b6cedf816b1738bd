import { useState } from 'react';
import type { CompileView, ScheduleTreeView } from '../../api/types';
import { arcs, arcsWidth, distanceText, forbiddingText, ROW_HEIGHT, shownRows } from '../../viz/tree/schedule-tree';
import './tree.css';

const INDENT = 11;
const NAMES = { domain: 'Domain', sequence: 'Sequence', filter: 'Filter', band: 'Band', leaf: 'Statement' } as const;

/** The schedule of the current loops as a tree, with an arrow for each dependence between statements. */
export default function ScheduleTreePanel({ result }: { readonly result: CompileView }) {
  const { tree } = result;
  return (
    <section className="tree-panel" aria-label="Schedule tree">
      {tree === undefined ? (
        <p className="panel-message muted">The tree appears once the program has loops.</p>
      ) : (
        <>
          <Tree tree={tree} />
          <Dependences tree={tree} />
          <Versions tree={tree} />
        </>
      )}
    </section>
  );
}

function Tree({ tree }: { readonly tree: ScheduleTreeView }) {
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const shown = shownRows(tree, closed);
  const width = arcsWidth(tree);
  const drawn = arcs(tree, shown, width);
  const toggle = (place: number) => {
    const others = new Set(closed);
    if (!others.delete(place)) others.add(place);
    setClosed(others);
  };
  return (
    <div className="tree-drawn" role="region" aria-label="Tree" tabIndex={0}>
      <svg
        width={width}
        height={shown.length * ROW_HEIGHT}
        role="img"
        aria-label={drawn.length === 0 ? 'No dependences between rows' : drawn.map(({ text }) => text).join('; ')}
      >
        <defs>
          <marker id="tree-arrow" markerWidth="7" markerHeight="7" refX="6" refY="3.5" orient="auto">
            <path d="M 0 0 L 7 3.5 L 0 7 z" className="tree-head" />
          </marker>
        </defs>
        {drawn.map((arc) => (
          <g key={arc.text} className={arc.forbids ? 'tree-forbids' : ''}>
            <path d={arc.path} className="tree-arc" markerEnd="url(#tree-arrow)" />
            <text x={arc.x} y={arc.y} className="tree-distance">
              {arc.label}
            </text>
          </g>
        ))}
      </svg>
      <ol className="tree-rows">
        {shown.map(({ row, place, inner, closed: isClosed }) => (
          <li key={place} style={{ height: ROW_HEIGHT, paddingLeft: row.depth * INDENT }}>
            {inner ? (
              <button
                type="button"
                aria-expanded={!isClosed}
                aria-label={`${NAMES[row.kind]} ${row.text}`}
                onClick={() => {
                  toggle(place);
                }}
              >
                {isClosed ? '▸' : '▾'}
              </button>
            ) : null}
            <span className={`tree-box tree-${row.kind}`}>
              <b>{NAMES[row.kind]}</b>{' '}
              {row.kind === 'band'
                ? row.loops.map((loop) => (row.coincident.includes(loop) ? `${loop} ∥` : loop)).join(', ')
                : row.text}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Dependences({ tree }: { readonly tree: ScheduleTreeView }) {
  if (tree.dependences.length === 0) return <p className="caption muted">No statement reads what another computes.</p>;
  const rows = [
    ...tree.dependences.map((one) => ({ one, distance: distanceText(one), forbids: false })),
    ...tree.forbidding.map((one) => ({ one, distance: forbiddingText(one), forbids: true })),
  ];
  return (
    <div className="tree-scroll" role="region" aria-label="Dependences" tabIndex={0}>
      <table>
        <caption>
          Iterations between computing and reading. Iterations of a loop marked ∥ write to separate places.
        </caption>
        <thead>
          <tr>
            <th scope="col">Computed</th>
            <th scope="col">Read as</th>
            <th scope="col">Distance</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ one, distance, forbids }) => (
            <tr
              key={`${one.writer} ${one.reader} ${one.read} ${forbids}`}
              className={forbids ? 'tree-forbids' : undefined}
            >
              <td>
                <code>{one.write}</code>
              </td>
              <td>
                <code>{one.read}</code>
              </td>
              <td>{distance}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Versions({ tree }: { readonly tree: ScheduleTreeView }) {
  return (
    <div className="tree-scroll" role="region" aria-label="Versions" tabIndex={0}>
      <table>
        <caption>
          What each statement computes. A tensor that is assigned several times has a version for each; a temporary has
          memory for what its shared loops leave of it.
        </caption>
        <thead>
          <tr>
            <th scope="col">Computes</th>
            <th scope="col">Kind</th>
            <th scope="col">Reads</th>
            <th scope="col">Memory</th>
          </tr>
        </thead>
        <tbody>
          {tree.versions.map(({ name, result, reads, dimensions }, place) => (
            <tr key={place}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>{result ? 'result' : 'temporary'}</td>
              <td>{reads.length === 0 ? 'inputs alone' : <code>{reads.join(', ')}</code>}</td>
              <td>{dimensions.length === 0 ? 'a number' : dimensions.join(' × ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
