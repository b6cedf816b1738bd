/** Uploads a matrix as a raw body with progress; fetch cannot report progress of a request, XMLHttpRequest can. */
import { codeEntered } from './access';
import { request } from './client';
import { ApiError, OfflineError, problemOf } from './problem';
import { IN_FOLDER } from './site';
import { BASE } from './transport/http';
import type { DatasetView } from './types';

export interface Upload {
  readonly done: Promise<DatasetView>;
  readonly abort: () => void;
}

/** `onProgress` gets the fraction sent, 0 to 1. */
export function uploadDataset(file: File, onProgress: (fraction: number) => void): Upload {
  if (IN_FOLDER) return { done: request('/datasets', { method: 'POST' }), abort: () => undefined };
  const sending = new XMLHttpRequest();
  const send = (): void => {
    sending.open('PUT', `${BASE}/datasets?name=${encodeURIComponent(file.name)}`);
    sending.setRequestHeader('Content-Type', 'application/octet-stream');
    sending.send(file);
  };
  let again = false;
  const done = new Promise<DatasetView>((resolve, reject) => {
    sending.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    sending.onerror = () => reject(new OfflineError());
    sending.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'));
    sending.onload = () => {
      if (sending.status < 200 || sending.status > 299) {
        const error = new ApiError(problemOf(sending.status, sending.responseText));
        if (again) return reject(error);
        again = true;
        void codeEntered(error.problem).then((entered) => (entered ? send() : reject(error)));
        return;
      }
      try {
        resolve(JSON.parse(sending.responseText) as DatasetView);
      } catch {
        reject(new ApiError(problemOf(502, '')));
      }
    };
  });
  send();
  return { done, abort: () => sending.abort() };
}
