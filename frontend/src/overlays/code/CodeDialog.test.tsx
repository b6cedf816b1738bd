import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRun } from '../../api/client';
import { askThePerson, codeQuestion } from './code-question';
import { useExternal } from '../../state/external';
import { CodeDialog } from './CodeDialog';

const PLAN = { version: 1, expression: 'y(i) = x(i)' };

function Page() {
  const question = useExternal(codeQuestion, (asked) => asked);
  return question === null ? null : <CodeDialog onAnswer={question.answer} />;
}

/** A server that takes "warp and weft" and lets runs in afterwards. */
function server() {
  let allowed = false;
  const problem = (status: number, slug: string, detail: string): Response =>
    new Response(JSON.stringify({ type: `urn:heddle:problem:${slug}`, title: slug, status, detail }), { status });
  const fake = vi.fn<typeof fetch>((address, options) => {
    if (String(address).endsWith('/access')) {
      allowed = String(options?.body).includes('warp and weft');
      return Promise.resolve(
        allowed ? new Response('{}') : problem(403, 'wrong-code', 'This is not a code of this server.'),
      );
    }
    return Promise.resolve(allowed ? new Response('{"id":"1"}') : problem(401, 'needs-code', 'Enter a code.'));
  });
  vi.stubGlobal('fetch', fake);
}

let leave: () => void;
beforeEach(() => {
  HTMLDialogElement.prototype.showModal = vi.fn();
  HTMLDialogElement.prototype.close = vi.fn();
  leave = askThePerson();
  server();
  render(<Page />);
});
afterEach(() => {
  cleanup();
  leave();
  vi.unstubAllGlobals();
});

const enter = (code: string): void => {
  fireEvent.change(screen.getByLabelText('Code of your class'), { target: { value: code } });
  fireEvent.click(screen.getByRole('button', { name: 'Enter', hidden: true }));
};

it('asks for the code, says when it is wrong, and goes on with the run once it is right', async () => {
  const run = createRun(PLAN);
  await screen.findByLabelText('Code of your class');
  enter('weft');
  expect((await screen.findByRole('alert', { hidden: true })).textContent).toBe('This is not a code of this server.');
  enter('warp and weft');
  await expect(run).resolves.toEqual({ id: '1' });
  await waitFor(() => expect(screen.queryByLabelText('Code of your class')).toBeNull());
});

it('refuses the run when the person closes the question', async () => {
  const run = createRun(PLAN).catch((error: unknown) => error);
  await screen.findByLabelText('Code of your class');
  fireEvent.click(screen.getByRole('button', { name: 'Close', hidden: true }));
  expect(await run).toMatchObject({ problem: { status: 401 } });
  expect(codeQuestion.get()).toBeNull();
});
