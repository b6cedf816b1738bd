/** The one table of keys: what the page listens to, and what its parts understand. The keyboard sheet prints it. */

/** Page-wide keys; all but F8 hold a modifier, so that typing and screen readers keep theirs. */
export const SHORTCUTS = [
  { id: 'palette', keys: ['Mod+K'], title: 'Find any command, tab or example', fields: true },
  { id: 'keys', keys: ['Alt+K'], title: 'Show this list of keys', fields: true },
  { id: 'run', keys: ['Mod+Enter'], title: 'Run and time this kernel', fields: true },
  { id: 'next-problem', keys: ['F8'], title: 'Go to the next problem', fields: true },
  { id: 'previous-problem', keys: ['Shift+F8'], title: 'Go to the previous problem', fields: true },
  // Fields have their own undo; the editors handle these keys themselves.
  { id: 'undo', keys: ['Mod+Z'], title: 'Undo', fields: false },
  { id: 'redo', keys: ['Mod+Y', 'Mod+Shift+Z'], title: 'Redo', fields: false },
  { id: 'present', keys: ['Alt+P'], title: 'Start or leave presentation mode', fields: true },
] as const satisfies readonly Shortcut[];

export interface Shortcut {
  readonly id: string;
  /** Any of these. `Mod` is Ctrl, or ⌘ on a Mac. */
  readonly keys: readonly string[];
  readonly title: string;
  /** Whether the key works while a text field has the focus. */
  readonly fields: boolean;
}

export type ShortcutId = (typeof SHORTCUTS)[number]['id'];

/** Keys of single parts of the page, which listen themselves. */
export const PART_KEYS: readonly { readonly part: string; readonly keys: readonly [string, string][] }[] = [
  {
    part: 'Anywhere',
    keys: [
      ['Escape', 'Clear highlights, close what is open'],
      ['Enter or Space on an object', 'Keep its highlight in all panels; press again to release it'],
    ],
  },
  {
    part: 'Schedule as text',
    keys: [
      ['Ctrl+Space', 'Complete a command, variable or choice'],
      ['Ctrl+/', 'Make comments of the lines, or commands again'],
      ['Ctrl+F', 'Find and replace; F3 goes to the next place'],
      ['Ctrl+D', 'Select the same word once more: each has a cursor'],
      ['Ctrl+Alt+↑ Ctrl+Alt+↓', 'One more cursor in the line above or below'],
      ['Alt+↑ Alt+↓', 'Move the line'],
      ['Alt+PageUp Alt+PageDown', 'A larger or a smaller number; a press on a number opens its slider'],
      ['Tab', 'Leave the editor; Tab never indents'],
      ['Ctrl+Shift+M', 'List the problems inside the editor'],
    ],
  },
  {
    part: 'Schedule as rows',
    keys: [
      ['↑ ↓ on a handle', 'Move the row'],
      ['Alt+↑ Alt+↓', 'Move the row from any of its fields'],
    ],
  },
  {
    part: 'Tabs, filmstrip and gallery',
    keys: [
      ['← →', 'Go to the one before or after'],
      ['Home End', 'Go to the first or last'],
    ],
  },
  {
    part: 'Code and diagrams',
    keys: [
      ['↑ ↓', 'Go from line to line, from node to node'],
      ['← →', 'In code: go from name to name'],
      ['Alt+↑ Alt+↓', 'Move a loop of the iteration graph outwards or inwards'],
    ],
  },
  {
    part: 'Presentation',
    keys: [['PageDown PageUp', 'Step the open picture; without steps, go to the next one. Arrows do the same']],
  },
  { part: 'Lines between panes', keys: [['Arrow keys', 'Move the line; Enter puts it back']] },
];

export function isMac(platform: string = navigator.userAgent): boolean {
  return /Mac|iPhone|iPad/.test(platform);
}

/** The keys as the person's keyboard names them. */
export function keyText(keys: string, mac: boolean = isMac()): string {
  return keys.replace('Mod', mac ? '⌘' : 'Ctrl');
}

interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  /** The place on the keyboard: with Alt a Mac types another letter. */
  readonly code?: string;
}

export function isPressed(keys: string, press: Press): boolean {
  const parts = keys.split('+');
  const key = (parts.at(-1) ?? '').toLowerCase();
  const pressed = parts.includes('Alt') && press.code ? press.code.replace('Key', '') : press.key;
  return (
    pressed.toLowerCase() === key &&
    (press.ctrlKey || press.metaKey) === parts.includes('Mod') &&
    press.altKey === parts.includes('Alt') &&
    press.shiftKey === parts.includes('Shift')
  );
}

/** The shortcut that a key press means, where it happened considered. */
export function shortcutOf(press: Press, inField: boolean): ShortcutId | null {
  const found = SHORTCUTS.find(({ keys, fields }) => (fields || !inField) && keys.some((one) => isPressed(one, press)));
  return found?.id ?? null;
}
