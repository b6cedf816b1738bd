/** The traced run in React. */
import { useEffect } from 'react';
import { useExternal } from './external';
import type { Playback, PlaybackState } from './playback';
import { useStore } from './store';

/** A part of the playback; `select` must return a part itself, not a new object. */
export function usePlayback<Part>(select: (state: PlaybackState) => Part): Part {
  return useExternal(useStore().playback, select);
}

/** Play, pause, seek …, and a promise to the trace loop that somebody looks: the trace is fetched while mounted. */
export function useTraceWanted(): Playback {
  const { playback } = useStore();
  useEffect(() => playback.want(), [playback]);
  return playback;
}
