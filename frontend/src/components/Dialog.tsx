import { useEffect, useId, useRef } from 'react';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  /** The title is for screen readers alone where the content says it. */
  readonly quiet?: boolean;
  readonly className?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A modal dialog: keeps the focus inside, closes with Escape and a press outside, gives the focus back. */
export function Dialog({ title, quiet = false, className = '', onClose, children }: Props) {
  const id = useId();
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const dialog = box.current;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={box}
      className={`dialog ${className}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        if (event.target === box.current) onClose();
      }}
    >
      <div className="dialog-content">
        <div className={quiet ? 'visually-hidden' : 'dialog-head'}>
          <h2 id={id}>{title}</h2>
          {!quiet && (
            <button type="button" className="button quiet" onClick={onClose}>
              Close
            </button>
          )}
        </div>
        {children}
      </div>
    </dialog>
  );
}
