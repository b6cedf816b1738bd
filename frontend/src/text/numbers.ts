/** Numbers as people write them: groups of thousands, decimal commas, full-width digits. */
import { formatCount } from './quantities';

/** The number, or what is wrong with the text. */
export type Reading = { readonly value: number } | { readonly complaint: string };

const GROUPED = /^([+-]?\d{1,3})((?:[ '’.,_\u00a0\u2009\u202f]\d{3})+)(?:([.,])(\d+))?$/;
const DECIMAL = /^[+-]?\d*[.,]?\d*(?:[eE][+-]?\d+)?$/;

/** `1.000` is one in some countries and a thousand in others: both readings are said and none is taken. */
export function readNumber(text: string, integer: boolean): Reading {
  const plain = text.normalize('NFKC').replaceAll('−', '-').trim();
  const grouped = GROUPED.exec(plain);
  if (grouped !== null) {
    const [, first = '', groups = '', point, decimals] = grouped;
    const signs = new Set(groups.replaceAll(/\d/g, ''));
    const sign = [...signs][0] ?? '';
    const whole = Number(first + groups.replaceAll(/\D/g, ''));
    if (signs.size === 1 && point !== sign) {
      const single = groups.length === 4 && point === undefined;
      // A point is what this page writes in front of decimals, where a number may have them.
      const decides = sign === ',' ? integer : sign === '.' ? !integer : true;
      if (single && (sign === '.' || sign === ',') && !/^[+-]?0/.test(first)) {
        if (!decides) return { complaint: twoReadings(text.trim(), first, groups) };
        if (sign === '.') return { value: Number(plain) };
      }
      if (!single || !/^[+-]?0/.test(first)) {
        return { value: point === undefined ? whole : Number(`${String(whole)}.${decimals ?? ''}`) };
      }
    }
  }
  const value = DECIMAL.test(plain) && /\d/.test(plain) ? Number(plain.replace(',', '.')) : NaN;
  return Number.isNaN(value) ? { complaint: `“${text.trim()}” is not a number.` } : { value };
}

function twoReadings(text: string, first: string, groups: string): string {
  const decimals = groups.slice(1).replace(/0+$/, '');
  const small = decimals === '' ? first : `${first}.${decimals}`;
  const large = Number(first + groups.slice(1));
  return `“${text}” can be ${small} or ${formatCount(large)}. Write ${small} or ${String(large)}.`;
}
