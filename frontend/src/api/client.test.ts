import { afterEach, describe, expect, it, vi } from 'vitest';
import { askForCodesWith } from './access';
import {
  ApiError,
  compile,
  createLink,
  createRun,
  getExamples,
  getRun,
  isAbort,
  OfflineError,
  toProblem,
} from './client';

const PLAN = { version: 1, expression: 'y(i) = x(i)' };

function answer(status: number, body: string): ReturnType<typeof vi.fn<typeof fetch>> {
  const fake = vi.fn<typeof fetch>(() => Promise.resolve(new Response(body, { status })));
  vi.stubGlobal('fetch', fake);
  return fake;
}

afterEach(() => void vi.unstubAllGlobals());

describe('the API wrapper', () => {
  it('sends and reads JSON', async () => {
    const fake = answer(200, '[{"name":"csr"}]');
    await expect(getExamples()).resolves.toEqual([{ name: 'csr' }]);
    expect(fake.mock.calls[0]?.[0]).toBe('/api/v1/examples');
    answer(200, '{}');
    await compile(PLAN);
    expect(vi.mocked(fetch).mock.calls[0]?.[1]).toMatchObject({ method: 'POST', body: JSON.stringify(PLAN) });
  });

  it('sends a request again once a code was entered, and asks once for all that wait', async () => {
    const refusal = {
      type: 'urn:heddle:problem:needs-code',
      title: 'A code is needed',
      status: 401,
      detail: 'Enter it.',
    };
    let allowed = false;
    const fake = vi.fn<typeof fetch>(() =>
      Promise.resolve(new Response(allowed ? '{"id":"1"}' : JSON.stringify(refusal), { status: allowed ? 202 : 401 })),
    );
    vi.stubGlobal('fetch', fake);
    const refused: unknown = await createRun(PLAN).catch((reason: unknown) => reason);
    expect(toProblem(refused)).toMatchObject({ status: 401, detail: 'Enter it.' });
    const ask = vi.fn(() => Promise.resolve((allowed = true)));
    askForCodesWith(ask);
    await expect(Promise.all([createRun(PLAN), createLink(PLAN, null)])).resolves.toEqual([{ id: '1' }, { id: '1' }]);
    expect(ask).toHaveBeenCalledTimes(1);
    allowed = false;
    askForCodesWith(() => Promise.resolve(true));
    const still: unknown = await createRun(PLAN).catch((reason: unknown) => reason);
    expect(toProblem(still).status).toBe(401);
    askForCodesWith(null);
  });

  it('does not let an id escape its path', async () => {
    const fake = answer(200, '{}');
    await getRun('../links/x?y');
    expect(fake.mock.calls[0]?.[0]).toBe('/api/v1/runs/..%2Flinks%2Fx%3Fy');
  });

  it('turns problem+json into a typed error', async () => {
    answer(
      422,
      '{"type":"about:blank","title":"Too long","status":422,"detail":"At most 64 commands.","instance":null}',
    );
    const error: unknown = await compile(PLAN).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(toProblem(error)).toMatchObject({ title: 'Too long', status: 422, detail: 'At most 64 commands.' });
  });

  it.each([
    [502, '<html>Bad gateway</html>', 'The service failed'],
    [404, '', 'The request was refused'],
    [200, 'not json', 'The service failed'],
  ])('has words for an answer %i %s', async (status, body, title) => {
    answer(status, body);
    expect(toProblem(await compile(PLAN).catch((reason: unknown) => reason)).title).toBe(title);
  });

  it('tells offline, abort and time-out apart', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await expect(compile(PLAN)).rejects.toBeInstanceOf(OfflineError);
    const controller = new AbortController();
    vi.stubGlobal('fetch', () => {
      controller.abort();
      return Promise.reject(new TypeError('Failed to fetch'));
    });
    const error: unknown = await compile(PLAN, controller.signal).catch((reason: unknown) => reason);
    expect(isAbort(error)).toBe(true);
  });
});
