/** What lights a phase of a sweep wherever it is shown: in the picture, in the bars and in the tables. */
import { linkId, useLinked } from '../../state/links';
import type { Linked } from '../../state/links';

type Lit = Pick<
  Linked['props'],
  'data-linked' | 'data-link' | 'onPointerEnter' | 'onPointerLeave' | 'onFocus' | 'onBlur'
>;

/** For rows and boxes: pointer and focus light, what is pressed inside of them stays theirs. */
export function usePhase(phases: readonly string[]): Lit {
  const { props } = useLinked(phases.map(linkId.phase));
  return {
    'data-link': props['data-link'],
    'data-linked': props['data-linked'],
    onPointerEnter: props.onPointerEnter,
    onPointerLeave: props.onPointerLeave,
    onFocus: props.onFocus,
    onBlur: props.onBlur,
  };
}
