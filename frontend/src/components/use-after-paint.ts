import { startTransition, useEffect, useState } from 'react';

/**
 * The value, once a frame with what else draws it has been painted: React's own deferral ends before that frame where
 * there is time, and the frame is as late as all that is drawn in it. A newer value takes the place of one that waits.
 */
export function useAfterPaint<Value>(value: Value): Value {
  const [painted, setPainted] = useState(value);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // What runs in a frame comes before its paint, a task from there behind it.
    const later = (): void => {
      timer = setTimeout(() => startTransition(() => setPainted(() => value)));
    };
    // A page that is out of sight has no frames.
    const frame = document.hidden ? null : requestAnimationFrame(later);
    if (frame === null) later();
    return () => {
      if (frame !== null) cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [value]);
  return painted;
}
