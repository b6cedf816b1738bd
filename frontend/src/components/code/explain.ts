/** One sentence on a line of code: what it is for, and which command made it. */
import type { CommandView, OriginView } from '../../api/types';
import type { CodeLine } from './lines';
import { ROLES } from './roles';

export function explainLine(line: CodeLine, commands: readonly CommandView[]): string {
  const { origin } = line;
  if (line.text.trim() === '') return `Line ${line.number}`;
  if (!origin) return `Line ${line.number}: part of every kernel, not of the schedule`;
  const command = origin.command === null ? undefined : commands[origin.command];
  const cause = command ? `; from command ${command.index + 1} ${command.text}` : '';
  const end = /^\s*\}\s*$/.test(line.text) ? 'end of ' : '';
  return `Line ${line.number}: ${end}${origin.role}: ${purpose(line.text, origin)}${cause}`;
}

function purpose(text: string, origin: OriginView): string {
  const name = origin.variable;
  const level = origin.tensor && origin.level ? `level ${origin.level} of ${origin.tensor}` : origin.tensor;
  switch (origin.role) {
    case 'bounds':
      if (name && level) return `iteration domain of ${name}: ${level}`;
      return name ? `iteration domain of ${name}` : meaning(origin);
    case 'guard': {
      const limit = limitIn(text);
      if (limit) return `keeps ${limit.name} below ${limit.bound}`;
      return name ? `keeps ${name} inside its parent` : meaning(origin);
    }
    case 'recovery':
      if (name && level) return `coordinate ${name} read from ${level}`;
      return name ? `${name} recovered from the variables derived from it` : meaning(origin);
    case 'search':
      if (name && level) return `finds ${name} in ${level}`;
      return name ? `finds ${name}` : meaning(origin);
    case 'assembly':
      return level ? `builds ${level}` : meaning(origin);
    case 'reduction':
      return origin.tensor ? `combines partial sums of ${origin.tensor}` : meaning(origin);
    case 'init':
      return origin.tensor ? `zeroes or allocates ${origin.tensor}` : meaning(origin);
    case 'compute':
      return name && level ? `locates ${name} in ${level}` : meaning(origin);
  }
}

const meaning = (origin: OriginView): string => ROLES.find((role) => role.name === origin.role)?.meaning ?? origin.role;

/** `if (i >= n) break;`, `if (i < n) {` and the loops' `if i >= n:` all keep i below n. */
function limitIn(text: string): { name: string; bound: string } | null {
  const match = /^\s*if\s*\(?\s*(\w+)\s*(?:>=|<)\s*([^&|]+?)\s*(?:\)\s*(?:\{|break;|continue;)?|:)\s*$/.exec(text);
  const [, name, bound] = match ?? [];
  return name && bound ? { name, bound } : null;
}
