import { Dialog } from '../Dialog';
import { NotLoaded } from './NotLoaded';

/** Stands in for a dialog whose file did not come. */
export function NotLoadedDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Not loaded yet" onClose={onClose}>
      <NotLoaded />
    </Dialog>
  );
}
