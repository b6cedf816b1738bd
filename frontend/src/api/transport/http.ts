/** Requests answered by a service. */
import { OfflineError, TimeoutError } from '../problem';
import { replaced, type Transport } from './transport';

export const BASE = '/api/v1';
const TIMEOUT_S = 30;

export const http: Transport = {
  request: async (method, path, body, signal, key) => {
    const limit = AbortSignal.timeout(TIMEOUT_S * 1000);
    try {
      const response = await fetch(BASE + path, {
        method,
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
        headers: {
          Accept: 'application/json',
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(key === undefined ? {} : { 'Heddle-Key': key }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      if (signal?.aborted) throw replaced();
      if (limit.aborted) throw new TimeoutError(TIMEOUT_S);
      if (error instanceof TypeError) throw new OfflineError();
      throw error;
    }
  },
};
