import type { CodeView } from '../../api/types';
import { showMoreText } from '../../state/loops/more-text';
import { useStore } from '../../state/store';

interface Props {
  /** What is listed of the text. */
  readonly code: CodeView;
  /** The id of its stage; of the target's text the name of its language. */
  readonly stage: string;
  readonly leftOut: number | undefined;
}

/** How many lines of a long text are not here, with a button that asks for them. */
export default function LeftOutLines({ code, stage, leftOut = 0 }: Props) {
  if (leftOut === 0) return null;
  const lines = leftOut === 1 ? '1 more line is' : `${leftOut.toLocaleString('en')} more lines are`;
  return (
    <p className="caption">
      {lines} left out. <MoreButton code={code} stage={stage} />
    </p>
  );
}

function MoreButton({ code, stage }: Pick<Props, 'code' | 'stage'>) {
  const store = useStore();
  return (
    <button type="button" className="link-button" onClick={() => void showMoreText(store, code, stage)}>
      Show more
    </button>
  );
}
