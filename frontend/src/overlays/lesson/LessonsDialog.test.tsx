import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { joinClass } from '../../api/classrooms';
import { getLessons } from '../../api/client';
import { setJoined } from '../../state/lessons/classrooms';
import { startCourse } from '../../state/lessons/course-address';
import { createStore, StoreProvider } from '../../state/store';
import LessonsDialog from './LessonsDialog';

vi.mock('../../api/classrooms', () => ({ joinClass: vi.fn(), getClassLessons: vi.fn(async () => []) }));
vi.mock('../../api/client', async (original) => ({ ...(await original<object>()), getLessons: vi.fn(async () => []) }));

const MEMBER = { code: 'ABCD-2345', title: 'Spring', number: 3, nickname: 'mina', key: 'k', seed: 7 };

beforeEach(() => {
  HTMLDialogElement.prototype.showModal = vi.fn();
  HTMLDialogElement.prototype.close = vi.fn();
});
afterEach(() => {
  cleanup();
  setJoined(null);
});

const open = (address: string) => {
  const store = createStore();
  startCourse(store, address);
  const close = vi.fn();
  render(
    <StoreProvider value={store}>
      <LessonsDialog onClose={close} />
    </StoreProvider>,
  );
  return { store, close };
};

it('asks who was invited for a nickname first, and then opens the homework', async () => {
  vi.mocked(joinClass).mockResolvedValue(MEMBER);
  const { store, close } = open('?class=ABCD-2345&lesson=ABCD-2345.empty-rows');
  const nickname = screen.getByLabelText('Your nickname');
  expect(nickname.hasAttribute('autofocus')).toBe(true);
  const tour = screen.getByText('0. The tour');
  expect(nickname.compareDocumentPosition(tour) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  fireEvent.change(nickname, { target: { value: 'mina' } });
  fireEvent.click(screen.getByText('Join'));
  await waitFor(() => expect(close).toHaveBeenCalled());
  expect(store.get().lesson).toBe('ABCD-2345.empty-rows');
});

it('keeps the list open where the address names no homework', async () => {
  vi.mocked(joinClass).mockResolvedValue(MEMBER);
  const { store, close } = open('?class=ABCD-2345');
  fireEvent.change(screen.getByLabelText('Your nickname'), { target: { value: 'mina' } });
  fireEvent.click(screen.getByText('Join'));
  expect(await screen.findByText(/What you check goes to your/)).toBeDefined();
  expect(close).not.toHaveBeenCalled();
  expect(store.get().lesson).toBeNull();
});

it('says what it waits for, and what went wrong, where the lessons will be', async () => {
  vi.mocked(getLessons).mockRejectedValueOnce(new Error('out of reach'));
  open('');
  expect(screen.getByText('Loading the lessons…')).toBeDefined();
  expect(await screen.findByText(/out of reach/)).toBeDefined();
  expect(screen.queryByText('Loading the lessons…')).toBeNull();
});
