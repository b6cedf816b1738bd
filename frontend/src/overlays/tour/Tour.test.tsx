import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { EMPTY_DRAFT, EXPRESSION_LANGUAGES } from '../../plan/plan';
import { createStore, StoreProvider } from '../../state/store';
import Tour from './Tour';

afterEach(cleanup);

it('welcomes in the language that the expression is written in', () => {
  const store = createStore();
  store.patch({ tour: 0 });
  render(
    <StoreProvider value={store}>
      <Tour />
    </StoreProvider>,
  );
  const said = EXPRESSION_LANGUAGES.map((language) => {
    act(() => store.update({ kind: 'open', draft: { ...EMPTY_DRAFT, language, expression: '' } }));
    expect(screen.getByRole('heading').textContent).toContain('Welcome to Heddle');
    return screen.getByRole('status').textContent;
  });
  expect(said[0]).toContain('turns an expression such as y(i) = A(i,j) * x(j) into');
  expect(said[1]).toContain('turns a program of patterns such as map, zip and reduce into');
  expect(said[2]).toContain('turns a tensor comprehension such as C(i) +=! A(i,k) * x(k) into');
  expect(said.filter((text) => text?.includes('The tour is in index notation.'))).toHaveLength(2);
});
