import { useCallback, useRef } from 'react';
import type { ReactNode, RefObject } from 'react';
import { useDismiss } from '../use-dismiss';
import './popover.css';
import { usePlacedBeside } from './use-placed-beside';

interface Props {
  readonly label: string;
  /** The button that opened it: the popover stands beside it, and Escape gives it the focus back. */
  readonly opener: RefObject<HTMLButtonElement | null>;
  /** A press outside of this closes it: what stands in here may change what it shows. */
  readonly around: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** What a button shows above the page, where it moves nothing. A press outside or Escape closes it. */
export function Popover({ label, opener, around, onClose, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  usePlacedBeside(box, opener);
  const dismiss = useCallback(
    (by: 'escape' | 'outside') => {
      onClose();
      if (by === 'escape') opener.current?.focus();
    },
    [onClose, opener],
  );
  useDismiss(around, true, dismiss);
  return (
    <div ref={box} className="popover-beside" role="dialog" aria-label={label} popover="manual">
      {children}
      <button type="button" className="button quiet" onClick={() => dismiss('escape')}>
        Close
      </button>
    </div>
  );
}
