import type { FootprintView } from '../../api/types';
import { useStore } from '../../state/store';
import { bytesText } from './bytes';
import './footprints.css';

interface Props {
  readonly name: string;
  readonly footprints: readonly FootprintView[];
}

/** The bytes of the same data in every format that fits, smallest bar first to the eye by its length. */
export default function Footprints({ name, footprints }: Props) {
  const store = useStore();
  const most = Math.max(1, ...footprints.map(({ bytes }) => bytes ?? 0));
  const chosen = footprints.find((row) => row.chosen)?.bytes ?? null;
  return (
    <section className="storage-part" aria-label="Memory">
      <h3>Size of this data in each format</h3>
      <table className="footprints">
        <thead>
          <tr>
            <th scope="col">Format</th>
            <th scope="col">Bytes</th>
            <th scope="col">Arrays</th>
            <th scope="col">Values</th>
            <th scope="col">
              <span className="visually-hidden">Use</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {footprints.map((row) => (
            <tr key={row.format} data-chosen={row.chosen ? '' : undefined}>
              <th scope="row" tabIndex={0} data-tip={row.levels_text}>
                {row.format}
              </th>
              {row.bytes === null ? (
                <td colSpan={3} className="muted">
                  {row.reason}
                </td>
              ) : (
                <>
                  <td>
                    <span className="footprint-bar" style={{ width: `${Math.max(2, (row.bytes / most) * 64)}px` }} />
                    {bytesText(row.bytes)}
                    {chosen !== null && !row.chosen && chosen > 0 && (
                      <span className="muted"> {(row.bytes / chosen).toFixed(2)} ×</span>
                    )}
                  </td>
                  <td className="muted">
                    {row.arrays.map((one) => `${short(one.name)} ${bytesText(one.bytes)}`).join(' · ')}
                  </td>
                  <td>{row.stored?.toLocaleString('en')}</td>
                </>
              )}
              <td>
                {row.chosen ? (
                  <span className="footprint-chosen">✓ chosen</span>
                ) : (
                  <button
                    type="button"
                    className="link-button"
                    onClick={() => store.update({ kind: 'format', tensor: name, text: row.format })}
                  >
                    use
                    <span className="visually-hidden">
                      {' '}
                      {row.format} for {name}
                    </span>
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );

  /** `A2_pos` without the tensor's name, which is above: `pos2`. */
  function short(array: string): string {
    const [level, role] = array.slice(name.length).split('_');
    return `${role ?? array}${level ?? ''}`;
  }
}
