const PATHS = {
  disable: 'M2 8s2.2-4 6-4 6 4 6 4-2.2 4-6 4-6-4-6-4zM8 6.4a1.6 1.6 0 1 0 0 3.2 1.6 1.6 0 1 0 0-3.2',
  enable: 'M2 8s2.2-4 6-4 6 4 6 4-2.2 4-6 4-6-4-6-4zM3 13L13 3',
  duplicate: 'M5 5h8v8H5zM3 11V3h8',
  remove: 'M4 4l8 8M12 4l-8 8',
} as const;

interface Props {
  readonly label: string;
  readonly icon: keyof typeof PATHS;
  readonly pressed?: boolean;
  readonly onPress: () => void;
}

export function RowButton({ label, icon, pressed, onPress }: Props) {
  return (
    <button
      type="button"
      className="icon-button row-button"
      aria-label={label}
      aria-pressed={pressed}
      data-tip={label}
      onClick={onPress}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={PATHS[icon]} />
      </svg>
    </button>
  );
}
