import { fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { Menu } from './Menu';

const chosen: string[] = [];

beforeEach(() => {
  chosen.length = 0;
  const items = ['one', 'two', 'three', 'four'].map((title) => ({
    title,
    obstacle: title === 'four' ? 'Not here' : null,
    onChoose: () => chosen.push(title),
  }));
  render(
    <Menu label="Numbers" className="" items={items}>
      …
    </Menu>,
  );
});

const button = (): HTMLElement => screen.getByRole('button', { name: 'Numbers' });
const focused = (): string | null | undefined => document.activeElement?.firstChild?.textContent;
const press = (key: string): boolean => fireEvent.keyDown(document.activeElement ?? document.body, { key });

it('has one stop, from which arrows, Home and End go to its items', () => {
  button().focus();
  press('ArrowDown');
  expect(focused()).toBe('one');
  press('ArrowUp');
  expect(focused()).toBe('four');
  press('Home');
  press('ArrowDown');
  expect(focused()).toBe('two');
  press('End');
  expect(focused()).toBe('four');
  press('Escape');
  expect(screen.queryByRole('menu')).toBeNull();
  expect(document.activeElement).toBe(button());
  press('ArrowUp');
  expect(focused()).toBe('four');
  press('Tab');
  expect(screen.queryByRole('menu')).toBeNull();
});

it('closes with a choice, and says why something cannot be chosen', () => {
  fireEvent.click(button());
  fireEvent.click(screen.getByRole('menuitem', { name: /^four/ }));
  expect(chosen).toEqual([]);
  expect(screen.getByText('Not here')).toBeTruthy();
  fireEvent.click(screen.getByRole('menuitem', { name: 'two' }));
  expect(chosen).toEqual(['two']);
  expect(screen.queryByRole('menu')).toBeNull();
  expect(document.activeElement).toBe(button());
});
