import { useCallback, useEffect, useRef } from 'react';
import type { ReactNode, RefObject } from 'react';
import { useDismiss } from '../use-dismiss';
import { placeBeside } from './place-beside';
import './popover.css';

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
  useEffect(() => {
    const shown = box.current;
    if (shown === null) return;
    shown.showPopover();
    const place = (): void => {
      const near = opener.current?.getBoundingClientRect();
      if (near !== undefined) placeBeside(shown, near, 4);
    };
    place();
    // What it shows comes later than it does.
    const grown = new ResizeObserver(place);
    grown.observe(shown);
    window.addEventListener('resize', place);
    document.addEventListener('scroll', place, true);
    return () => {
      grown.disconnect();
      window.removeEventListener('resize', place);
      document.removeEventListener('scroll', place, true);
    };
  }, [opener]);
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
