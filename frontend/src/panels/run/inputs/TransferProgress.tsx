interface Props {
  readonly label: string;
  /** 0 to 1; null while it is not known how much there is. */
  readonly fraction: number | null;
  readonly text: string;
  readonly cancel: string;
  readonly onCancel: () => void;
}

/** How far an upload or a download is, and the way to stop it. */
export function TransferProgress({ label, fraction, text, cancel, onCancel }: Props) {
  return (
    <div className="upload">
      <progress aria-label={label} max={1} {...(fraction === null ? {} : { value: fraction })} />
      <span className="caption muted">{text}</span>
      <button type="button" className="button quiet" onClick={onCancel}>
        {cancel}
      </button>
    </div>
  );
}
