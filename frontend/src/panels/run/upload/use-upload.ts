/** One file on its way to the service, with what went wrong on the last one. */
import { useState } from 'react';
import { isAbort, toProblem } from '../../../api/client';
import type { DatasetView, Problem } from '../../../api/types';
import { uploadDataset } from '../../../api/upload';
import type { Upload } from '../../../api/upload';

export interface Transfer {
  readonly name: string;
  /** Sent so far, 0 to 1. */
  readonly fraction: number;
  readonly running: Upload;
}

/** `take` of a `send` gets what the service made of the file. */
export function useUpload() {
  const [transfer, setTransfer] = useState<Transfer | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const send = async (chosen: File, take: (dataset: DatasetView) => void): Promise<void> => {
    setProblem(null);
    const running = uploadDataset(chosen, (fraction) => setTransfer({ name: chosen.name, fraction, running }));
    setTransfer({ name: chosen.name, fraction: 0, running });
    try {
      take(await running.done);
    } catch (error) {
      if (!isAbort(error)) setProblem(toProblem(error));
    } finally {
      setTransfer(null);
    }
  };
  return { transfer, problem, setProblem, send };
}
