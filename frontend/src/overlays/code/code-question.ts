/** The question for a code, as the page shows it while a refused request waits. */
import { askForCodesWith } from '../../api/access';
import { createExternal } from '../../state/external';

/** How to answer the question; null while nothing is asked. */
export const codeQuestion = createExternal<{ readonly answer: (accepted: boolean) => void } | null>(null);

/** From now on refused requests wait for the person; the returned function ends that. */
export function askThePerson(): () => void {
  askForCodesWith(
    () =>
      new Promise((resolve) => {
        const answer = (accepted: boolean): void => {
          codeQuestion.set(null);
          resolve(accepted);
        };
        codeQuestion.set({ answer });
      }),
  );
  return () => {
    askForCodesWith(null);
    codeQuestion.get()?.answer(false);
  };
}
