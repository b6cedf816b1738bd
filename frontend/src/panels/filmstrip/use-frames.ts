import { useEffect, useMemo, useState } from 'react';
import { compile, isAbort, toProblem, trace } from '../../api/client';
import { canonicalJson, toPlan } from '../../plan/plan';
import { useSelect } from '../../state/store';
import { framePlans } from './frames';
import type { Frame } from './frames';

/** Every frame of the schedule in force, filled in as the service answers. Waits until the text itself has compiled. */
export function useFrames(): readonly Frame[] {
  const draft = useSelect((state) => state.draft);
  // A text that cannot be read has no frames: those of the plan that every other panel draws.
  const earlier = useSelect(({ compile: { shown } }) => (shown?.drawn.kind === 'earlier' ? shown.plan : null));
  const settled = useSelect((state) => state.compile.phase === 'done');
  const plan = useMemo(() => earlier ?? toPlan(draft), [earlier, draft]);
  const key = useMemo(() => canonicalJson(framePlans(plan).at(-1)), [plan]);
  const [answers, setAnswers] = useState<{ readonly key: string; readonly frames: readonly Frame[] }>({
    key: '',
    frames: [],
  });
  useEffect(() => {
    if (!settled) return;
    const controller = new AbortController();
    void (async () => {
      const plans = framePlans(plan);
      let frames: readonly Frame[] = plans.map((plan, count) => ({
        count,
        command: plan.schedule?.at(-1) ?? null,
        view: null,
        trace: null,
        problem: null,
      }));
      for (const [count, plan] of plans.entries()) {
        const part = await answer(plan, controller.signal);
        if (controller.signal.aborted) return;
        frames = frames.map((frame) => (frame.count === count ? { ...frame, ...part } : frame));
        setAnswers({ key, frames });
      }
    })();
    return () => controller.abort();
    // The draft changes with every keystroke anywhere; only what the frames show counts.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key, settled]);
  return answers.frames;
}

async function answer(plan: Parameters<typeof compile>[0], signal: AbortSignal): Promise<Partial<Frame>> {
  try {
    const view = await compile(plan, signal);
    if (!view.ok) return { view, problem: view.diagnostics[0]?.message ?? 'This step does not compile.' };
    return { view, trace: await trace(plan, {}, signal) };
  } catch (error) {
    return isAbort(error) ? {} : { problem: toProblem(error).detail };
  }
}
