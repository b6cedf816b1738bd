import { createContext } from 'react';

/** Px that the cells of a picture of the iteration space may take; undefined before the panel's width is known. */
export const GridRoomContext = createContext<number | undefined>(undefined);
