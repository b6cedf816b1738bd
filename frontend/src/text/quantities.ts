/** Numbers with units, in few digits: a time is never shown more precisely than it was measured. */

export function formatNanoseconds(ns: number): string {
  const [value, unit] =
    ns < 1e3 ? [ns, 'ns'] : ns < 1e6 ? [ns / 1e3, 'µs'] : ns < 1e9 ? [ns / 1e6, 'ms'] : [ns / 1e9, 's'];
  return `${threeDigits(value)} ${unit}`;
}

export const formatSeconds = (seconds: number): string => formatNanoseconds(seconds * 1e9);

/** An interval in one unit, that of its upper end. */
export function formatInterval(low: number, high: number): string {
  const [scale, unit] = high < 1e3 ? [1, 'ns'] : high < 1e6 ? [1e3, 'µs'] : high < 1e9 ? [1e6, 'ms'] : [1e9, 's'];
  return `${threeDigits(low / scale)} – ${threeDigits(high / scale)} ${unit}`;
}

export function threeDigits(value: number): string {
  if (value === 0) return '0';
  const magnitude = Math.abs(value);
  if (magnitude >= 100) return value.toFixed(0);
  if (magnitude < 0.1) return value.toPrecision(2);
  return magnitude >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export const formatShare = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;

export const formatCount = (count: number): string => count.toLocaleString('en-US').replaceAll(',', '\u202f');

/** A number with its noun: `1 lane`, `7 lanes`. */
export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${formatCount(count)} ${count === 1 ? noun : nouns}`;

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  const [value, unit] = bytes < 1e6 ? [bytes / 1e3, 'kB'] : bytes < 1e9 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB'];
  return `${threeDigits(value)} ${unit}`;
}

/** To the minute, in UTC. */
export function formatDate(text: string): string {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text;
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** An estimated time, as coarse as estimates are. */
export function aboutSeconds(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.ceil(seconds))} s`;
  return `${Math.round(seconds / 60)} min`;
}
