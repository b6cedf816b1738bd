/** Computes layouts off the main thread, so that a large graph never delays typing. */
import { computeLayout, type LayoutAnswer, type LayoutRequest } from './layout-requests';

const scope = self as unknown as DedicatedWorkerGlobalScope;

scope.onmessage = ({ data }: MessageEvent<LayoutRequest>) => {
  let answer: LayoutAnswer;
  try {
    answer = { id: data.id, drawings: computeLayout(data.kind, data.input) };
  } catch (error) {
    answer = { id: data.id, error: error instanceof Error ? error.message : String(error) };
  }
  scope.postMessage(answer);
};
