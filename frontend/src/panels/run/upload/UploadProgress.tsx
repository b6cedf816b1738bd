import { TransferProgress } from '../inputs/TransferProgress';
import type { Transfer } from './use-upload';

/** How much of a file has been sent, with the button that cancels it. */
export function UploadProgress({ transfer: { name, fraction, running } }: { readonly transfer: Transfer }) {
  return (
    <TransferProgress
      label={`Upload of ${name}`}
      fraction={fraction}
      text={`${name}, ${fraction < 1 ? `${Math.floor(fraction * 100)} %` : 'checking'}`}
      cancel="Cancel upload"
      onCancel={running.abort}
    />
  );
}
