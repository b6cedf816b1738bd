import { describe, expect, it } from 'vitest';
import { compareWith, endComparison, swapPlans } from '../comparison-actions';
import { DEFAULT_DRAFT } from '../../plan/plan';
import { PlanError } from '../../plan/plan-reader';
import { createStore } from '../store';
import { decodeAddress, encodeAddress } from '../address/url-codec';
import { DEFAULT_VIEW } from '../view-state';

const BARE = { ...DEFAULT_DRAFT, schedule: '' };

describe('the plan to compare with', () => {
  it('travels in the address with both names', () => {
    const comparison = { draft: BARE, name: 'no schedule', own: 'tiles of 32' };
    const address = { draft: DEFAULT_DRAFT, view: DEFAULT_VIEW, comparison };
    expect(decodeAddress(encodeAddress(address))).toEqual(address);
  });

  it('leaves addresses without one as they were', () => {
    const address = { draft: DEFAULT_DRAFT, view: DEFAULT_VIEW };
    expect(encodeAddress({ ...address, comparison: null })).toBe(encodeAddress(address));
    expect(decodeAddress(encodeAddress(address))?.comparison).toBeNull();
  });

  it('opens an address that was written by hand, and refuses a broken plan with words', () => {
    const other = decodeAddress('#j1.{"expression":"y(i) = x(i)","compare":{"expression":"y(i) = 2 * x(i)"}}');
    expect(other?.comparison).toMatchObject({ name: 'Other plan', own: 'This plan' });
    expect(other?.comparison?.draft.expression).toBe('y(i) = 2 * x(i)');
    const broken = (): unknown => decodeAddress('#j1.{"expression":"","compare":{"schedule":[]}}');
    expect(broken).toThrow(PlanError);
    expect(broken).toThrow('expression must be text');
  });

  it('changes places with the plan on the page, and undo takes that back', () => {
    const store = createStore();
    compareWith(store, BARE, 'no schedule');
    swapPlans(store);
    expect(store.get().draft).toEqual(BARE);
    expect(store.get().comparison).toEqual({ draft: DEFAULT_DRAFT, name: 'This plan', own: 'no schedule' });
    store.undo();
    expect(store.get().draft).toEqual(DEFAULT_DRAFT);
    endComparison(store);
    expect(store.get().comparison).toBeNull();
  });

  it('gives way to a panel that is asked for by name', () => {
    const store = createStore();
    compareWith(store, BARE, 'no schedule');
    store.look({ compare: 'code' });
    expect(store.get().comparison).not.toBeNull();
    store.look({ understand: 'storage' });
    expect(store.get().comparison).toBeNull();
  });

  it('comes to the front on a phone', () => {
    const store = createStore();
    compareWith(store, BARE, 'no schedule');
    expect(store.get().view.front).not.toBe('define');
  });
});
