/** Who is derived from whom, read from the provenance relations. */
import type { RelationView } from '../api/types';

/** The loop variables that determine `variable`: itself when it has a loop, else all loops derived from it. */
export function loopsOf(variable: string, loops: ReadonlySet<string>, relations: readonly RelationView[]): string[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    if (loops.has(name)) {
      found.add(name);
      return;
    }
    for (const relation of relations) if (relation.parents.includes(name)) relation.children.forEach(visit);
  };
  visit(variable);
  return [...found];
}
