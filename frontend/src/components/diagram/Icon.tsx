import './icon.css';

/** Icons of the view's buttons, drawn with the colour of the text. */
const PATHS = {
  more: 'M2.9 8h.2M7.9 8h.2M12.9 8h.2',
} as const;

export function Icon({ name }: { readonly name: keyof typeof PATHS }) {
  return (
    <svg className="diagram-icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
