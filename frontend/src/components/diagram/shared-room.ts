import { createContext, useContext, useEffect } from 'react';
import type { ReactNode } from 'react';
import type { Size } from '../../viz/fitting';
import type { AtLeastOne } from '../../viz/spacing';

/** Where pictures share a pane: who shares out the room among them. */
export interface SharedRoom {
  /** Told how large the drawings of a picture are, the roomiest first. */
  readonly tell: (drawings: AtLeastOne<Size>) => void;
  /** Stands first among the buttons of the picture. */
  readonly choice: ReactNode;
}

export const SharedRoomContext = createContext<SharedRoom | null>(null);

/** Tells the sizes of a picture's drawings; gives what stands before its buttons. */
export function useSharedRoom(drawings: AtLeastOne<Size>): ReactNode {
  const room = useContext(SharedRoomContext);
  const tell = room?.tell;
  useEffect(() => tell?.(drawings), [tell, drawings]);
  return room?.choice;
}
