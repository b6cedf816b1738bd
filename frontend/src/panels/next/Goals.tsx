import type { GoalView } from '../../api/types';

interface Props {
  readonly goals: readonly GoalView[];
  readonly onTake: (goal: GoalView) => void;
}

/** What a person may want, one line each: a press writes the commands that lead there. */
export function Goals({ goals, onTake }: Props) {
  if (goals.length === 0) return null;
  return (
    <ul className="goals" aria-label="Goals">
      {goals.map((goal) => (
        <li key={goal.name}>
          <button type="button" className="goal" data-tip={goal.why} onClick={() => onTake(goal)}>
            <b>{goal.title}</b>
            <code>{goal.commands.join('; ')}</code>
          </button>
        </li>
      ))}
    </ul>
  );
}
