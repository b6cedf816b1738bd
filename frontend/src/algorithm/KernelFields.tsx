import { useEffect, useState } from 'react';
import { getMethods } from '../api/client';
import type { MethodView, TreeOffer } from '../api/types';
import { SelectField } from '../components/SelectField';
import { formatBytes, formatCount } from '../text/quantities';
import { BEST_TREE, hasTrees, NO_TREE, OPPONENTS } from './definition';
import type { Definition } from './definition';
import { useOrder } from './TensorFields';

interface Props {
  readonly definition: Definition;
  /** As predicted for the tensor of the definition. */
  readonly offers: readonly TreeOffer[];
  readonly set: (change: Partial<Definition>) => void;
}

/** How each mode is computed, and what modes share: chosen by rules unless a person says otherwise. */
export function KernelFields({ definition, offers, set }: Props) {
  const [methods, setMethods] = useState<readonly MethodView[]>([]);
  useEffect(() => {
    getMethods().then(setMethods, () => setMethods([]));
  }, []);
  const order = useOrder(definition);
  const { reuse, reproducible } = definition;
  const trees = [...new Set([...offers.map((offer) => offer.reuse), reuse])].filter(
    (text) => text !== NO_TREE && text !== BEST_TREE,
  );
  const shared = reuse !== NO_TREE && hasTrees(definition.algorithm);
  const choose = (mode: number, method: string): void => {
    const others = Object.entries(definition.methods).filter(([key]) => key !== String(mode));
    set({ methods: Object.fromEntries(method === '' ? others : [...others, [String(mode), method]]) });
  };
  return (
    <details
      className="algorithm-more"
      open={shared || definition.opponents.length > 0 || Object.keys(definition.methods).length > 0 || undefined}
    >
      <summary>Kernels: method of each mode, shared products, other programs</summary>
      <div className="algorithm-form">
        {order !== null &&
          !shared &&
          Array.from({ length: order }, (_, mode) => (
            <SelectField
              key={mode}
              label={`Method of mode ${String(mode)}`}
              value={definition.methods[String(mode)] ?? ''}
              onChange={(method) => choose(mode, method)}
            >
              <option value="">Chosen by rules</option>
              {methods.map(({ name, known_as: known, title, reproducible: fixed }) => (
                <option key={name} value={name} disabled={reproducible && !fixed}>
                  {known}: {title}
                </option>
              ))}
            </SelectField>
          ))}
        {hasTrees(definition.algorithm) && (
          <SelectField
            label="Products that modes share"
            value={reuse}
            onChange={(chosen) => set({ reuse: chosen, methods: {} })}
          >
            <option value={NO_TREE}>None</option>
            <option value={BEST_TREE}>The tree that is predicted to be the fastest</option>
            {trees.map((text) => (
              <option key={text} value={text}>
                {text}
              </option>
            ))}
          </SelectField>
        )}
        <label className="check">
          <input
            type="checkbox"
            checked={reproducible}
            onChange={(event) => set({ reproducible: event.target.checked })}
          />{' '}
          Equal bits for any number of threads
        </label>
        {definition.algorithm === 'cp-als' &&
          Object.entries(OPPONENTS).map(([name, title]) => (
            <label key={name} className="check">
              <input
                type="checkbox"
                checked={definition.opponents.includes(name)}
                onChange={({ target }) => {
                  const others = definition.opponents.filter((one) => one !== name);
                  set({ opponents: target.checked ? [...others, name] : others });
                }}
              />{' '}
              Compare with {title}
            </label>
          ))}
      </div>
      <p className="caption muted">
        {reproducible
          ? 'Methods with atomic updates add in the order in which threads arrive, so they need this box unchecked.'
          : 'Results may differ in their last bits from run to run.'}
      </p>
      {offers.length > 0 && hasTrees(definition.algorithm) && <Offers offers={offers} reuse={reuse} set={set} />}
    </details>
  );
}

function Offers({ offers, reuse, set }: Pick<Props, 'offers' | 'set'> & { readonly reuse: string }) {
  return (
    <div className="scrolled" tabIndex={0} role="region" aria-label="Trees to choose from">
      <table className="offers">
        <caption>Predicted for one sweep of this tensor, the fastest first</caption>
        <thead>
          <tr>
            <th scope="col">Tree</th>
            <th scope="col">Work</th>
            <th scope="col">Memory</th>
            <th scope="col">On one thread</th>
            <th scope="col">Next run</th>
          </tr>
        </thead>
        <tbody>
          {offers.map((offer) => (
            <tr key={offer.reuse}>
              <th scope="row">
                <code>{offer.reuse}</code>
              </th>
              <td>{formatCount(offer.work)}</td>
              <td>{formatBytes(offer.bytes)}</td>
              <td>{(1000 * offer.seconds).toFixed(2)} ms</td>
              <td>
                <button
                  type="button"
                  className="button"
                  aria-pressed={offer.reuse === reuse}
                  aria-label={`Use ${offer.reuse}`}
                  onClick={() => set({ reuse: offer.reuse, methods: {} })}
                >
                  Use
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
