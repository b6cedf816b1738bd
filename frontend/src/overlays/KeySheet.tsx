import { Dialog } from '../components/Dialog';
import { keyText, PART_KEYS, SHORTCUTS } from './keyboard';

/** Every key of the page, printed from the table that the page listens by. */
export default function KeySheet({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <table className="key-sheet">
        <tbody>
          <Heading text="Everywhere" />
          {SHORTCUTS.map(({ id, keys, title }) => (
            <Line key={id} keys={keys.map((one) => keyText(one)).join(' or ')} title={title} />
          ))}
        </tbody>
        {PART_KEYS.map(({ part, keys }) => (
          <tbody key={part}>
            <Heading text={part} />
            {keys.map(([key, title]) => (
              <Line key={key} keys={key} title={title} />
            ))}
          </tbody>
        ))}
      </table>
    </Dialog>
  );
}

const Heading = ({ text }: { readonly text: string }) => (
  <tr>
    <th colSpan={2} scope="rowgroup">
      {text}
    </th>
  </tr>
);

const Line = ({ keys, title }: { readonly keys: string; readonly title: string }) => (
  <tr>
    <td>
      <kbd>{keys}</kbd>
    </td>
    <td>{title}</td>
  </tr>
);
