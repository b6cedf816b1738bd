import './icon.css';

/** Icons of the view's buttons, drawn with the colour of the text. */
const PATHS = {
  minus: 'M3 8h10',
  plus: 'M3 8h10M8 3v10',
  fit: 'M2.5 2.5v11M13.5 2.5v11M5 8h6M6.5 6 4.5 8l2 2M9.5 6l2 2-2 2',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  picture: 'M2.5 3h11v10h-11zM2.5 11l3.5-3.5 3 3 2-2 2.5 2.5M10.5 5.8h.1',
  save: 'M8 2v8.5M4.5 7 8 10.5 11.5 7M2.5 13.5h11',
} as const;

export function Icon({ name }: { readonly name: keyof typeof PATHS }) {
  return (
    <svg className="diagram-icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
