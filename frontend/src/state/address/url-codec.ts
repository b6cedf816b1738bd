/**
 * The state in the address: `#z1.<base64url of raw deflate of JSON>`, non-defaults only.
 *
 * The prefix names the coding and its version; a version once released stays readable for ever (url-codec.test.ts holds
 * fixtures of each). `#j1.<percent-encoded JSON>` is the same document readable and writable by hand.
 */
import { deflateSync, inflateSync, strFromU8, strToU8 } from 'fflate';
import { comparisonDocument, readComparison } from '../plans/comparison';
import type { Comparison } from '../plans/comparison';
import { canonicalJson, toPlan, versionInAddress } from '../../plan/plan';
import type { Draft } from '../../plan/plan';
import { PlanError, readPlan } from '../../plan/plan-reader';
import { readView, viewChanges } from '../view-state';
import type { ViewState } from '../view-state';

const COMPRESSED = 'z1.';
const READABLE = 'j1.';
/** A link is refused above this many characters of JSON: far above any plan, far below what hurts a browser. */
const LIMIT = 1_000_000;

export interface Address {
  readonly draft: Draft;
  readonly view: ViewState;
  /** The plan that this one is compared with; none when left out. */
  readonly comparison?: Comparison | null;
}

/** The fragment without `#`. Equal states give equal texts. */
export function encodeAddress({ draft, view, comparison = null }: Address): string {
  const changes = viewChanges(view);
  // JSON leaves out what is undefined. The address keeps the comments of the
  // schedule, which are no part of the plan: disabled commands come back with it.
  const lines = draft.schedule.split('\n').filter((line) => line.trim() !== '');
  const document = {
    ...toPlan(draft),
    schedule: lines.length > 0 ? lines.map((line) => line.trim()) : undefined,
    version: versionInAddress(draft),
    compare: comparisonDocument(comparison),
    view: Object.keys(changes).length > 0 ? changes : undefined,
  };
  return COMPRESSED + toBase64Url(deflateSync(strToU8(canonicalJson(document)), { level: 9, mem: 8 }));
}

/** The state of a fragment (with or without `#`), or null when it carries none; PlanError when it is broken. */
export function decodeAddress(fragment: string): ReturnType<typeof fromJson> | null {
  const text = fragment.replace(/^#/, '').replace(/^plan=/, '');
  if (text.startsWith(COMPRESSED)) return fromJson(inflate(text.slice(COMPRESSED.length)));
  if (text.startsWith(READABLE)) return fromJson(percentDecode(text.slice(READABLE.length)));
  if (/^[a-z]\d+\./.test(text)) throw new PlanError('This link was made by a newer version of Heddle.');
  return null;
}

function fromJson(json: string): Address & { readonly comparison: Comparison | null } {
  let document: unknown;
  try {
    document = JSON.parse(json);
  } catch {
    throw broken();
  }
  const draft = readPlan(document);
  const { view, compare } = document as { view?: unknown; compare?: unknown };
  return { draft, view: readView(view), comparison: readComparison(compare) };
}

const broken = (): PlanError => new PlanError('This link is broken: part of it is missing or was changed.');

function inflate(text: string): string {
  try {
    // A bounded output buffer, so that a crafted link cannot make the page allocate without limit.
    const bytes = inflateSync(fromBase64Url(text), { out: new Uint8Array(LIMIT) });
    return strFromU8(bytes);
  } catch {
    throw broken();
  }
}

function percentDecode(text: string): string {
  if (text.length > LIMIT) throw broken();
  try {
    return decodeURIComponent(text);
  } catch {
    throw broken();
  }
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64Url(text: string): Uint8Array {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
