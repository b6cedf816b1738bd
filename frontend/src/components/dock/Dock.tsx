import { createContext, useContext, useState } from 'react';
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import './dock.css';

const DockContext = createContext<HTMLElement | null>(null);

/**
 * A pane whose messages stand at its lower end, in room that nothing else has: they come and go while one types, and
 * neither the text nor what is below it moves.
 */
export function Dock({ children }: { readonly children: ReactNode }) {
  const [dock, setDock] = useState<HTMLElement | null>(null);
  return (
    <DockContext value={dock}>
      {children}
      <div className="dock" ref={setDock} />
    </DockContext>
  );
}

/** Messages: in the dock of the pane, or right here where it has none. */
export function Docked({ children }: { readonly children: ReactNode }) {
  const dock = useContext(DockContext);
  return dock === null ? children : createPortal(children, dock);
}
