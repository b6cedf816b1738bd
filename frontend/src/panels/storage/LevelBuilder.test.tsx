import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { StorageLevelView } from '../../api/types';
import { createStore, StoreProvider } from '../../state/store';
import LevelBuilder from './LevelBuilder';

const level = (kind: string, dimension: number): StorageLevelView => ({
  kind,
  text: kind,
  dimension,
  size: 4,
  ordered: true,
  unique: true,
  positions: 0,
  node_positions: [],
  node_parents: [],
  node_coordinates: [],
});
const KINDS = ['dense', 'compressed', 'singleton'].map((name) => ({ name, summary: name }));

afterEach(cleanup);

describe('the level builder', () => {
  it('keeps a change that follows before the service has answered the one before', () => {
    const store = createStore();
    render(
      <StoreProvider value={store}>
        <LevelBuilder
          name="A"
          levels={[level('dense', 0), level('compressed', 1)]}
          kinds={KINDS}
          dimensions={['i', 'j']}
        />
      </StoreProvider>,
    );
    const choose = (number: number, kind: string): void => {
      fireEvent.change(screen.getByLabelText(`Kind of level ${number}`), { target: { value: kind } });
    };
    choose(1, 'compressed');
    choose(2, 'singleton');
    expect(store.get().draft.tensors['A']?.format).toBe('compressed(nonunique), singleton');
    act(() => {
      store.update({ kind: 'format', tensor: 'A', text: 'csr' });
    });
    choose(1, 'compressed');
    expect(store.get().draft.tensors['A']?.format).toBe('compressed, compressed');
  });
});
