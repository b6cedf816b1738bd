/** Whether a schedule can be written down for a target at all: its loops run on units that another target lacks. */
import { commandsOf } from './plan';
import { CODE_LANGUAGES, CODE_LANGUAGE_NAMES } from './targets';

const ON_CPU = /\bCPU(?:Thread|Vector)\b/;
const ON_GPU = /\bGPU(?:Block|Warp|Thread)\b/;

/** Why there is no such export of a plan with this schedule, as a clause; null where the service is to say it. */
export function exportObstacle(kind: string, schedule: string): string | null {
  const language = CODE_LANGUAGE_NAMES.find((name) => name === kind);
  if (language === undefined) return null;
  const [units, place] = language === 'c' ? [ON_GPU, 'a GPU'] : [ON_CPU, 'the CPU'];
  if (!commandsOf(schedule).some((command) => units.test(command))) return null;
  return `no ${CODE_LANGUAGES[language].title}, because the schedule gives loops to ${place}`;
}
