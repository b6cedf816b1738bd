import { pageAddress } from '../../api/site';
interface Props {
  readonly role: string;
  readonly plan: unknown;
  /** What distinguishes this link from another to the same role. */
  readonly when?: string;
}

/** The very plan of a role in the explorer. */
export function OpenRole({ role, plan, when = '' }: Props) {
  return (
    <a
      className="button"
      href={pageAddress(`#j1.${encodeURIComponent(JSON.stringify(plan))}`)}
      target="_blank"
      rel="noopener"
      aria-label={`Open ${role}${when === '' ? '' : ` ${when}`} in the explorer`}
    >
      Open
    </a>
  );
}
