import { describe, expect, it } from 'vitest';
import { convolution } from '../../viz/ranges/fixture';
import { inlaysOf } from './range-inlays';

const text = String(convolution.plan['expression']);

describe('inlays of ranges', () => {
  it('stand behind each variable where it is first', () => {
    const shown = inlaysOf(convolution, text).reduceRight(
      (written, { at, text: said }) => written.slice(0, at) + said + written.slice(at),
      text,
    );
    expect(shown).toBe('def c1(float(N) I, float(K) W) -> (O) { O(i ∈ 0:N - K + 1) +=! W(x Σ 0:K) * I(i+x) }');
  });

  it('are gone where the text is another one', () => {
    expect(inlaysOf(convolution, `${text} `)).toEqual([]);
    expect(inlaysOf({ ...convolution, ranges: null }, text)).toEqual([]);
    expect(inlaysOf(null, text)).toEqual([]);
  });
});
