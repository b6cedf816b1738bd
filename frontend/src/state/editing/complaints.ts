/**
 * Fields of the plan whose text cannot be used. The plan keeps their last value, which is not what stands there: nothing
 * may run until they are right or gone.
 */
import { useEffect, useId } from 'react';
import { createExternal, useExternal } from '../external';

const complaints = createExternal<Readonly<Record<string, string>>>({});

export function say(id: string, text: string | null): void {
  const rest = Object.entries(complaints.get()).filter(([key]) => key !== id);
  complaints.set(Object.fromEntries(text === null ? rest : [...rest, [id, text]]));
}

/** What stands in a field and cannot be used, in words with the name of the field; null while there is nothing. */
export function useComplaint(text: string | null): void {
  const id = useId();
  useEffect(() => {
    if (text === null) return;
    say(id, text);
    return () => say(id, null);
  }, [id, text]);
}

const first = (all: Readonly<Record<string, string>>): string | null => Object.values(all)[0] ?? null;

/** The complaint to mend first. */
export const firstComplaint = (): string | null => first(complaints.get());
export const useFirstComplaint = (): string | null => useExternal(complaints, first);
