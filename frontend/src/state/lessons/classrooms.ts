/** The class that a person has joined, and those that they teach: with their keys in this browser alone. */
import { storedText, storeText } from '../kept/browser-storage';
import { createExternal, useExternal } from '../external';
import { setSeed } from './progress';

export interface Membership {
  readonly code: string;
  readonly title: string;
  readonly number: number;
  readonly nickname: string;
  readonly key: string;
  readonly seed: number;
}

export interface OwnClass {
  readonly code: string;
  readonly title: string;
  readonly key: string;
}

export interface Classrooms {
  readonly joined: Membership | null;
  readonly taught: readonly OwnClass[];
  /** The code in the address that led here, for the form. */
  readonly invited: string;
  /** The lesson in the same address, which opens once its class is joined. */
  readonly homework: string | null;
}

const KEY = 'heddle.class.1';
const NOTHING: Classrooms = { joined: null, taught: [], invited: '', homework: null };

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const has = (value: Fields, names: readonly string[]): boolean =>
  names.every((name) => typeof value[name] === 'string');

function readMembership(value: unknown): Membership | null {
  const whole = isFields(value) && has(value, ['code', 'title', 'nickname', 'key']);
  const counted = whole && Number.isInteger(value.number) && Number.isInteger(value.seed);
  return counted ? (value as unknown as Membership) : null;
}

/** What is no class is left out: the storage may hold anything. */
export function readClassrooms(text: string | null): Classrooms {
  try {
    const found: unknown = JSON.parse(text ?? '');
    if (!isFields(found)) return NOTHING;
    const taught = Array.isArray(found.taught) ? (found.taught as unknown[]) : [];
    return {
      ...NOTHING,
      joined: readMembership(found.joined),
      taught: taught.filter((one) => isFields(one) && has(one, ['code', 'title', 'key'])) as readonly OwnClass[],
    };
  } catch {
    return NOTHING;
  }
}

/** The teacher's whole key, as one text to carry to another browser. */
export const keyText = ({ code, key }: OwnClass): string => `${code}.${key}`;

/** The code and the key in such a text, or null. */
export function readKeyText(text: string): { readonly code: string; readonly key: string } | null {
  const found = /^\s*([A-Za-z0-9]{4}-?[A-Za-z0-9]{4})\.([\w-]{16,64})\s*$/.exec(text);
  return found === null ? null : { code: found[1] ?? '', key: found[2] ?? '' };
}

const classrooms = createExternal<Classrooms>(NOTHING);
let loaded = false;

/** Once, when the course or a class is first opened. */
export function loadClassrooms(): void {
  if (loaded) return;
  loaded = true;
  const kept = readClassrooms(storedText(KEY));
  const { invited, homework } = classrooms.get();
  classrooms.set({ ...kept, invited, homework });
  if (kept.joined !== null) setSeed(kept.joined.seed);
}

function keep(next: Partial<Classrooms>): void {
  classrooms.set({ ...classrooms.get(), ...next });
  const { joined, taught } = classrooms.get();
  storeText(KEY, JSON.stringify({ joined, taught }));
}

export const getClassrooms = (): Classrooms => classrooms.get();

export function invite(code: string, homework: string | null): void {
  classrooms.set({ ...classrooms.get(), invited: code, homework });
}

/** From now on the tasks have the data that the class gave this student. */
export function setJoined(joined: Membership | null): void {
  keep({ joined });
  if (joined !== null) setSeed(joined.seed);
}

export function teach(one: OwnClass): void {
  keep({ taught: [one, ...classrooms.get().taught.filter(({ code }) => code !== one.code)] });
}

export function forgetTaught(code: string): void {
  keep({ taught: classrooms.get().taught.filter((one) => one.code !== code) });
}

export const useMembership = (): Membership | null => useExternal(classrooms, ({ joined }) => joined);
export const useTaught = (): readonly OwnClass[] => useExternal(classrooms, ({ taught }) => taught);
export const useInvited = (): string => useExternal(classrooms, ({ invited }) => invited);
export const useHomework = (): string | null => useExternal(classrooms, ({ homework }) => homework);
