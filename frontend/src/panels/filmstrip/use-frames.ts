import { useEffect, useMemo, useState } from 'react';
import { compile, isAbort, toProblem, trace } from '../../api/client';
import type { Operands } from '../../api/types';
import { canonicalJson, toPlan } from '../../plan/plan';
import type { PlanDocument } from '../../plan/plan';
import { operandsOf } from '../../state/data/example-data';
import { useSelect } from '../../state/store';
import { usePlayback } from '../../state/use-playback';
import { beforeUnits, framePlans, unmappedPlan } from './frames';
import type { Frame } from './frames';

const NO_OPERANDS: Operands = {};

/** Every frame of the schedule in force, filled in as the service answers. Waits until the text itself has compiled. */
export function useFrames(): readonly Frame[] {
  const draft = useSelect((state) => state.draft);
  // A text that cannot be read has no frames: those of the plan that every other panel draws.
  const earlier = useSelect(({ compile: { shown } }) => (shown?.drawn.kind === 'earlier' ? shown.plan : null));
  const settled = useSelect((state) => state.compile.phase === 'done');
  const plan = useMemo(() => earlier ?? toPlan(draft), [earlier, draft]);
  const result = useSelect(({ compile: { shown, result } }) => (shown?.drawn.kind === 'earlier' ? shown.view : result));
  const data = usePlayback((state) => state.data);
  const operands = useMemo(() => (result === null ? NO_OPERANDS : operandsOf(data, result)), [data, result]);
  const key = useMemo(() => canonicalJson([framePlans(plan).at(-1), operands]), [plan, operands]);
  const [answers, setAnswers] = useState<{ readonly key: string; readonly frames: readonly Frame[] }>({
    key: '',
    frames: [],
  });
  useEffect(() => {
    if (!settled) return;
    const controller = new AbortController();
    void (async () => {
      const plans = framePlans(plan);
      const schedule = plans.at(-1)?.schedule ?? [];
      let frames: readonly Frame[] = plans.map((plan, count) => ({
        count,
        command: plan.schedule?.at(-1) ?? null,
        view: null,
        trace: null,
        problem: null,
        preview: null,
      }));
      for (const [count, plan] of plans.entries()) {
        const unmapped = unmappedPlan(plan);
        // What the whole schedule makes good may be shown unmapped; what is refused in the end is refused here.
        const repaired = result?.ok === true && count < schedule.length;
        const part =
          unmapped !== null && beforeUnits(schedule, count)
            ? { ...(await answer(unmapped, operands, controller.signal)), preview: unmapped }
            : await answer(plan, operands, controller.signal);
        const shown =
          repaired && unmapped !== null && part.view?.ok === false
            ? { ...(await answer(unmapped, operands, controller.signal)), preview: unmapped }
            : part;
        if (controller.signal.aborted) return;
        frames = frames.map((frame) => (frame.count === count ? { ...frame, ...shown } : frame));
        setAnswers({ key, frames });
      }
    })();
    return () => controller.abort();
    // The draft changes with every keystroke anywhere; only what the frames show counts.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key, settled]);
  return answers.frames;
}

async function answer(plan: PlanDocument, operands: Operands, signal: AbortSignal): Promise<Partial<Frame>> {
  try {
    const view = await compile(plan, signal);
    if (!view.ok) return { view, problem: view.diagnostics[0]?.message ?? 'This step does not compile.' };
    const run = await trace(plan, operands, signal);
    return { view, trace: run, problem: run.ok ? null : (run.diagnostics[0]?.message ?? 'This step does not run.') };
  } catch (error) {
    return isAbort(error) ? {} : { problem: toProblem(error).detail };
  }
}
