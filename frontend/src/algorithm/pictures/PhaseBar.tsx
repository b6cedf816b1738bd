import type { Share } from '../../viz/decomposition/shares';
import { usePhase } from './use-phase';

/** Phases side by side, each as wide as its share of `whole`; they light with their rows. A table says the same. */
export function PhaseBar({ spent, whole = 1 }: { readonly spent: readonly Share[]; readonly whole?: number }) {
  return (
    <div className="stacked" aria-hidden="true">
      {spent.map(({ phase, share }) => (
        <Phase key={phase} phase={phase} share={whole * share} />
      ))}
    </div>
  );
}

function Phase({ phase, share }: Pick<Share, 'phase' | 'share'>) {
  const lit = usePhase([phase]);
  return <span data-step={phase.split('.')[0]} style={{ inlineSize: `${String(100 * share)}%` }} {...lit} />;
}
