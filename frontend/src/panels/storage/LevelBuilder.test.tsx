import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { LevelChoiceView, StorageLevelView } from '../../api/types';
import { createStore, StoreProvider } from '../../state/store';
import LevelBuilder from './LevelBuilder';

const choice = (kind: string, number: LevelChoiceView['number'] = null): LevelChoiceView => ({
  kind,
  properties: kind === 'compressed' || kind === 'singleton',
  number,
});
const LISTED = ['dense', 'compressed', 'singleton'].map((kind) => choice(kind));
const level = (kind: string, dimension: number, choices = LISTED): StorageLevelView => ({
  kind,
  text: kind,
  dimension,
  size: 4,
  ordered: true,
  unique: true,
  further: [],
  positions: 0,
  choices,
  node_positions: [],
  node_parents: [],
  node_coordinates: [],
});
const KINDS = ['dense', 'compressed', 'singleton'].map((name) => ({ name, summary: name }));

const build = (...levels: StorageLevelView[]) => {
  const store = createStore();
  render(
    <StoreProvider value={store}>
      <LevelBuilder name="A" levels={levels} kinds={KINDS} dimensions={['i', 'j']} />
    </StoreProvider>,
  );
  return { store, format: () => store.get().draft.tensors['A']?.format };
};
const choose = (number: number, kind: string): void => {
  fireEvent.change(screen.getByLabelText(`Kind of level ${number}`), { target: { value: kind } });
};
const options = (number: number) =>
  [...screen.getByLabelText(`Kind of level ${number}`).querySelectorAll('option')].map(({ value }) => value);

/** sell(8,64) as the service describes it. */
const SELL = [
  level('sorted', 0, [choice('dense'), choice('sorted', { counts: 'window', value: 64, most: 1_048_576 })]),
  level('slots', 1, [choice('slots')]),
  level('dense', 0, [choice('dense', { counts: 'block', value: 8, most: 1024 })]),
  level('optional', 1, [choice('optional'), choice('runs')]),
];

afterEach(cleanup);

describe('the level builder', () => {
  it('keeps a change that follows before the service has answered the one before', () => {
    const { store, format } = build(level('dense', 0), level('compressed', 1));
    choose(1, 'compressed');
    choose(2, 'singleton');
    expect(format()).toBe('compressed(nonunique), singleton');
    act(() => {
      store.update({ kind: 'format', tensor: 'A', text: 'csr' });
    });
    choose(1, 'compressed');
    expect(format()).toBe('compressed, compressed');
  });

  it('shows all levels of a format in blocks, and what may stand at each', () => {
    build(...SELL);
    expect(screen.getAllByRole('listitem')).toHaveLength(4);
    expect([1, 2, 3, 4].map(options)).toEqual([['dense', 'sorted'], ['slots'], ['dense'], ['optional', 'runs']]);
    expect(screen.getByLabelText('Level 2 stores the slots of dimension j')).toBeTruthy();
    expect(screen.getAllByLabelText('Move dimension i inwards')).toHaveLength(1);
    expect(screen.queryByLabelText('unique')).toBeNull();
  });

  it('changes block sizes and windows, and takes no number out of range', () => {
    const { format } = build(...SELL);
    const write = (label: string, text: string): void => {
      fireEvent.change(screen.getByLabelText(label), { target: { value: text } });
    };
    write('Block size of i', '16');
    expect(format()).toBe('sorted(64), slots, dense(16), optional : 0,1,0,1');
    write('Window of i', '128');
    expect(format()).toBe('sorted(128), slots, dense(16), optional : 0,1,0,1');
    write('Block size of i', '2000');
    expect(screen.getByText('At most 1 024.')).toBeTruthy();
    expect(format()).toBe('sorted(128), slots, dense(16), optional : 0,1,0,1');
    choose(1, 'dense');
    expect(format()).toBe('dense, slots, dense(16), optional : 0,1,0,1');
  });
});
