import { EMPTY_DRAFT, EXPRESSION_LANGUAGES } from '../../plan/plan';
import type { Draft } from '../../plan/plan';
import { readPlan } from '../../plan/plan-reader';
import type { ExampleView } from '../../api/types';
import { catalog, loadExamples, useCatalog } from '../../state/catalog';
import { inLanguage } from '../../state/plans/languages';
import { useSelect, useStore } from '../../state/store';

/** What the expression is written in. Each language keeps a plan of its own; undo goes back over the switch. */
export function LanguageChoice() {
  const store = useStore();
  const draft = useSelect((state) => state.draft);
  const languages = useCatalog((catalog) => catalog.languages);
  if (languages.length === 0) return null;
  const choose = (name: string): void => {
    const language = EXPRESSION_LANGUAGES.find((known) => known === name);
    const view = languages.find((known) => known.name === name);
    if (language === undefined || view === undefined || language === draft.language) return;
    const open = (first: Draft): void => store.update({ kind: 'open', draft: inLanguage(draft, language, first) });
    // One with data, where there is one: Run has something to run on.
    const ofLanguage = (examples: readonly ExampleView[]): ExampleView | undefined =>
      examples.find(({ plan }) => plan.language === name);
    const known = ofLanguage(catalog.get().examples);
    open(known ? readPlan(known.plan) : { ...EMPTY_DRAFT, language, expression: view.example });
    if (catalog.get().examples.length > 0) return;
    const opened = store.get().draft;
    void loadExamples().then((examples) => {
      const example = ofLanguage(examples);
      // What was written meanwhile is not replaced.
      if (example && store.get().draft === opened) open(readPlan(example.plan));
    });
  };
  return (
    <select
      aria-label="Language of the expression"
      value={draft.language}
      onFocus={() => void loadExamples()}
      onChange={(event) => choose(event.target.value)}
    >
      {languages.map(({ name, title }) => (
        <option key={name} value={name}>
          {title}
        </option>
      ))}
    </select>
  );
}
