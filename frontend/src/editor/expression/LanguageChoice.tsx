import { EMPTY_DRAFT, EXPRESSION_LANGUAGES } from '../../plan/plan';
import { readPlan } from '../../plan/plan-reader';
import { loadExamples, useCatalog } from '../../state/catalog';
import { inLanguage } from '../../state/plans/languages';
import { useSelect, useStore } from '../../state/store';

/** What the expression is written in. Each language keeps a plan of its own; undo goes back over the switch. */
export function LanguageChoice() {
  const store = useStore();
  const draft = useSelect((state) => state.draft);
  const languages = useCatalog((catalog) => catalog.languages);
  if (languages.length === 0) return null;
  const choose = async (name: string): Promise<void> => {
    const language = EXPRESSION_LANGUAGES.find((known) => known === name);
    const view = languages.find((known) => known.name === name);
    if (language === undefined || view === undefined || language === draft.language) return;
    const examples = await loadExamples();
    // One with data, where there is one: Run has something to run on.
    const example = examples.find(({ plan }) => plan.language === name);
    const first = example ? readPlan(example.plan) : { ...EMPTY_DRAFT, language, expression: view.example };
    store.update({ kind: 'open', draft: inLanguage(draft, language, first) });
  };
  return (
    <select
      aria-label="Language of the expression"
      value={draft.language}
      onFocus={() => void loadExamples()}
      onChange={(event) => void choose(event.target.value)}
    >
      {languages.map(({ name, title }) => (
        <option key={name} value={name}>
          {title}
        </option>
      ))}
    </select>
  );
}
