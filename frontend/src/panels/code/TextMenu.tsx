import { useState } from 'react';
import { Icon } from '../../components/diagram/Icon';
import { download } from '../../components/download';
import { Menu } from '../../components/menu/Menu';

interface Props {
  readonly text: string;
  /** As in *the C code*. */
  readonly what: string;
  readonly fileName: string;
}

/** Takes a text away: into a file, or onto the clipboard, where it says whether that worked. */
export function TextMenu({ text, what, fileName }: Props) {
  const [outcome, setOutcome] = useState<{ readonly text: string; readonly message: string } | null>(null);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setOutcome({ text, message: 'Copied' }),
      () => setOutcome({ text, message: 'Not copied: the browser refused' }),
    );
  };
  return (
    <span className="code-copy">
      <span role="status">{outcome?.text === text ? outcome.message : ''}</span>
      <Menu
        label={`Take ${what}`}
        className=""
        items={[
          { title: `Copy ${what}`, onChoose: copy },
          { title: `Download ${what}`, onChoose: () => download(text, 'text/plain', fileName) },
        ]}
      >
        <Icon name="more" />
      </Menu>
    </span>
  );
}
