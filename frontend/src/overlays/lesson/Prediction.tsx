import { useId, useState } from 'react';
import type { LessonView } from '../../api/types';
import { LessonLine } from './LessonText';

type Predict = NonNullable<LessonView['blocks'][number]['predict']>;

/** A question before something is shown: the answer comes after one has chosen, whatever one chose. */
export function Prediction({ predict }: { readonly predict: Predict }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const label = useId();
  return (
    <section className="lesson-predict" aria-labelledby={label}>
      <p id={label}>
        <b>Predict: </b>
        <LessonLine text={predict.ask} />
      </p>
      <div className="lesson-choices">
        {predict.choices.map((choice) => (
          <button
            key={choice}
            type="button"
            className="button"
            aria-pressed={choice === chosen}
            data-answer={chosen !== null && choice === predict.answer ? '' : undefined}
            onClick={() => setChosen(choice)}
          >
            <LessonLine text={choice} />
          </button>
        ))}
      </div>
      <div role="status">
        {chosen !== null && (
          <p>
            <b>{chosen === predict.answer ? '✓ Yes. ' : `It is: ${predict.answer}. `}</b>
            <LessonLine text={predict.because} />
          </p>
        )}
      </div>
    </section>
  );
}
