import './icon.css';

/** Icons of the view's buttons, drawn with the colour of the text. */
const PATHS = {
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  more: 'M2.9 8h.2M7.9 8h.2M12.9 8h.2',
  save: 'M8 2v8.5M4.5 7 8 10.5 11.5 7M2.5 13.5h11',
} as const;

export function Icon({ name }: { readonly name: keyof typeof PATHS }) {
  return (
    <svg className="diagram-icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
