/** Loops change places by dragging, and by Alt with the arrow keys; an order that is refused says why. */
import { useRef, useState } from 'react';
import { compile, toProblem } from '../../api/client';
import type { CandidateView, CompileView } from '../../api/types';
import type { Drag, Reorder } from '../../components/graph/reorder';
import { tracedPlan } from '../../plan/plan';
import { scheduleRows } from '../../schedule/schedule-lines';
import { useStore } from '../../state/store';
import type { LegalNow } from '../../state/use-legal';
import { chainAround, isLegalOrder, moved, placeAt, reorderCommand } from '../../viz/iteration/reorder';

const THRESHOLD = 6; // px of the screen before a press becomes a drag

export interface ReorderOutcome {
  readonly refused: CandidateView | null;
  readonly said: string;
}

const NOTHING: ReorderOutcome = { refused: null, said: '' };

export function useReorder(result: CompileView, legal: LegalNow) {
  const store = useStore();
  const [drag, setDrag] = useState<Drag | null>(null);
  const [outcome, setOutcome] = useState<ReorderOutcome>(NOTHING);
  const dragged = useRef(false);
  const nodes = result.graph?.nodes ?? [];
  const view = legal.stale ? null : legal.view;

  /** Tries the new order on the service; writes the command when it applies, else says why not. */
  const tryOrder = async (variable: string, place: number): Promise<void> => {
    const chain = chainAround(nodes, variable);
    const command = reorderCommand(chain, moved(chain, variable, place));
    if (command === null) return setOutcome(NOTHING);
    const {
      draft,
      compile: { shown },
    } = store.get();
    if (shown === null) return;
    // The graph is that of the drawn plan: behind its commands is the place of the new one.
    const { schedule = [] } = shown.plan;
    const next = scheduleRows(draft.schedule).find(({ index }) => index === schedule.length);
    try {
      const answer = await compile({ ...tracedPlan(shown.plan), schedule: [...schedule, command] });
      if (store.get().draft !== draft) return;
      const why_not = answer.diagnostics.find(({ severity }) => severity === 'error') ?? null;
      if (answer.ok && why_not === null) {
        store.update({ kind: 'row', change: { kind: 'insert', before: next?.line ?? null, command } });
        setOutcome({ refused: null, said: `${command} added.` });
      } else {
        const refused: CandidateView = { text: command, variables: chain, why_not, instead: nearest(why_not?.code) };
        setOutcome({ refused, said: '' });
      }
    } catch (error) {
      setOutcome({ refused: null, said: toProblem(error).detail });
    }
  };

  /** What the service advises in place of another order refused for the same reason. */
  const nearest = (code: string | undefined): string | null => {
    const candidates = view?.commands.find(({ name }) => name === 'reorder')?.candidates ?? [];
    return candidates.find(({ why_not }) => why_not !== null && why_not.code === code)?.instead ?? null;
  };

  const reorder: Reorder = {
    drag,
    legalAt: (variable, place) => isLegalOrder(view, moved(chainAround(nodes, variable), variable, place)),
    handlers: (variable, loops) => {
      const chain = chainAround(nodes, variable).flatMap((name) => loops.filter((loop) => loop.variable === name));
      const home = chain.findIndex((loop) => loop.variable === variable);
      return {
        onPointerDown: (event) => {
          if (event.button !== 0 || chain.length < 2) return;
          const start = { clientY: event.clientY, y: chain[home]?.y ?? 0, scale: scaleOf(event.currentTarget) };
          dragged.current = false;
          let place = home;
          // A fast pointer leaves the loop at once, so the whole page is listened to until it is let go.
          const ends = new AbortController();
          const { signal } = ends;
          const move = ({ clientY }: globalThis.PointerEvent): void => {
            const distance = clientY - start.clientY;
            if (!dragged.current && Math.abs(distance) < THRESHOLD) return;
            dragged.current = true;
            const by = distance / start.scale;
            place = placeAt(chain, variable, start.y + by);
            setDrag({ variable, by, place });
          };
          const end = (keep: boolean): void => {
            ends.abort();
            setDrag(null);
            if (keep && dragged.current && place !== home) void tryOrder(variable, place);
          };
          window.addEventListener('pointermove', move, { signal });
          window.addEventListener('pointerup', () => end(true), { signal });
          window.addEventListener('pointercancel', () => end(false), { signal });
        },
        // The click that ends a drag pins nothing.
        onClickCapture: (event) => {
          if (dragged.current) event.stopPropagation();
          dragged.current = false;
        },
        onKeyDown: (event) => {
          const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
          if (by === undefined || !event.altKey) return;
          event.preventDefault();
          event.stopPropagation();
          const place = home + by;
          if (place < 0 || place >= chain.length) {
            setOutcome({ refused: null, said: `${variable} is ${by < 0 ? 'outermost' : 'innermost'} in its nest.` });
          } else void tryOrder(variable, place);
        },
      };
    },
  };
  return { reorder, outcome, clear: () => setOutcome(NOTHING) };
}

/** px of the screen for one px of the drawing. */
function scaleOf(element: SVGGElement): number {
  return element.getScreenCTM()?.a ?? 1;
}
