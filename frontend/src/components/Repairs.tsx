import type { FixView } from '../api/types';
import { Prose } from './Prose';

interface Props {
  /** The likely ones first. */
  readonly fixes: readonly FixView[];
  readonly onFix: (fix: FixView) => void;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
}

/** The repairs of a mistake in two lines: the likeliest one, and how many others there are, which a press shows. */
export function Repairs({ fixes, onFix, open, onOpen }: Props) {
  const others = fixes.length - 1;
  return (
    <div className={open ? 'fixes' : 'fixes fixes-closed'}>
      {(open ? fixes : fixes.slice(0, 1)).map((fix) => (
        <button type="button" key={fix.title} className="button fix" onClick={() => onFix(fix)}>
          <Prose text={fix.title} />
        </button>
      ))}
      {others > 0 && (
        <button
          type="button"
          className="button quiet"
          aria-expanded={open}
          aria-label={open ? 'Fewer repairs' : `${others} more ${others === 1 ? 'repair' : 'repairs'}`}
          onClick={() => onOpen(!open)}
        >
          {open ? 'Fewer' : `${others} more`}
        </button>
      )}
    </div>
  );
}
