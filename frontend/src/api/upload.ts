/** Uploads a matrix as a raw body with progress; fetch cannot report progress of a request, XMLHttpRequest can. */
import { codeEntered } from './access';
import { BASE } from './client';
import { ApiError, OfflineError, problemOf } from './problem';
import type { DatasetView } from './types';

export interface Upload {
  readonly done: Promise<DatasetView>;
  readonly abort: () => void;
}

/** `onProgress` gets the fraction sent, 0 to 1. */
export function uploadDataset(file: File, onProgress: (fraction: number) => void): Upload {
  const request = new XMLHttpRequest();
  const send = (): void => {
    request.open('PUT', `${BASE}/datasets?name=${encodeURIComponent(file.name)}`);
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.send(file);
  };
  let again = false;
  const done = new Promise<DatasetView>((resolve, reject) => {
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    request.onerror = () => reject(new OfflineError());
    request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'));
    request.onload = () => {
      if (request.status < 200 || request.status > 299) {
        const error = new ApiError(problemOf(request.status, request.responseText));
        if (again) return reject(error);
        again = true;
        void codeEntered(error.problem).then((entered) => (entered ? send() : reject(error)));
        return;
      }
      try {
        resolve(JSON.parse(request.responseText) as DatasetView);
      } catch {
        reject(new ApiError(problemOf(502, '')));
      }
    };
  });
  send();
  return { done, abort: () => request.abort() };
}
