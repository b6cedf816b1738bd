import type { ArgumentView } from '../../../api/types';
import { catalog } from '../../../state/catalog';
import { useCompiled } from '../../../state/sizes/use-compiled';
import { useSelect, useStore } from '../../../state/store';
import { withMatrices, withoutTold } from './matrices';

/** What each parameter of a program of patterns is taken from in a run: a tensor, or a part of how it is stored. */
export function ArgumentList() {
  const store = useStore();
  const compiled = useCompiled();
  const { patterns } = compiled;
  const chosen = useSelect((state) => state.draft.arguments);
  if (patterns === null) return null;
  const offered = Object.fromEntries(
    patterns.arguments.filter(({ made }) => !made).map(({ parameter, proposed }) => [parameter, proposed]),
  );
  const inParts = patterns.arguments.filter(({ parameter, proposed, made }) => proposed !== parameter && !made);
  if (inParts.length === 0 && Object.keys(chosen).length === 0) return null;
  const set = (wanted: Readonly<Record<string, string>>): void => {
    // A parameter that is taken from an input of its own name needs no entry.
    const entries = Object.fromEntries(Object.entries(wanted).filter(([parameter, text]) => parameter !== text));
    const { draft } = store.get();
    store.update({
      kind: 'arguments',
      entries,
      formats: patterns.formats,
      inputs: withMatrices({ ...draft, arguments: entries }, compiled, catalog.get()),
      sizes: withoutTold({ ...draft, arguments: entries }, patterns),
    });
  };
  return (
    <section className="argument-list" aria-label="Arguments">
      {inParts.some(({ parameter }) => chosen[parameter] === undefined) && (
        <button type="button" className="button" onClick={() => set(offered)}>
          Take the arguments from a matrix
        </button>
      )}
      <ul>
        {patterns.arguments.map((argument) => (
          <li key={argument.parameter}>
            <label data-tip={argument.type}>
              <code>{argument.parameter}</code>
              {' = '}
              {argument.made ? (
                <code>{argument.argument}</code>
              ) : (
                <select
                  aria-label={`Argument ${argument.parameter}`}
                  value={chosen[argument.parameter] ?? argument.parameter}
                  onChange={(event) => set({ ...chosen, [argument.parameter]: event.target.value })}
                >
                  {choices(argument, chosen[argument.parameter]).map((text) => (
                    <option key={text} value={text}>
                      {text}
                    </option>
                  ))}
                </select>
              )}
            </label>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Itself, the parts of the tensor that its type looks like a part of, and what it is now. */
function choices({ parameter, proposed }: ArgumentView, now: string | undefined): string[] {
  const [tensor = ''] = proposed.split('.');
  const parts = proposed === parameter ? [] : PARTS.map((part) => `${tensor}.${part}`);
  return [...new Set([parameter, ...parts, ...(now === undefined ? [] : [now])])];
}

const PARTS = ['pos', 'crd', 'vals', 'lengths', 'entries'];
