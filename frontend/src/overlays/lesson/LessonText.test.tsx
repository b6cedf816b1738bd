import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { createStore, StoreProvider } from '../../state/store';
import { LessonText } from './LessonText';

afterEach(cleanup);

const show = (markdown: string) => {
  const store = createStore();
  const { container } = render(
    <StoreProvider value={store}>
      <LessonText markdown={markdown} />
    </StoreProvider>,
  );
  return { container, store };
};

it('shows scripts and other HTML as the text that they are', () => {
  const text = '<script>window.hurt = 1</script> <img src=x onerror="window.hurt = 1"> and `<b>`';
  const { container } = show(`${text}\n\n- <iframe src="/"></iframe>\n\n| <svg onload=alert(1)> | b |\n|---|---|\n`);
  expect(container.querySelector('script, img, iframe, svg, b')).toBeNull();
  expect(container.textContent).toContain(
    '<script>window.hurt = 1</script> <img src=x onerror="window.hurt = 1"> and <b>',
  );
  expect(container.textContent).toContain('<iframe src="/"></iframe>');
  expect(container.textContent).toContain('<svg onload=alert(1)>');
  expect('hurt' in window).toBe(false);
});

it('makes links of addresses of the web and of other lessons, and of nothing else', () => {
  const { store } = show(
    '[web](https://a.org) [next](lesson:equal-work) [run](javascript:alert(1)) [data](data:text/html,x)',
  );
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['https://a.org']);
  screen.getByRole('button', { name: 'next' }).click();
  expect(store.get().lesson).toBe('equal-work');
});
