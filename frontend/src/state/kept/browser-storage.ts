/** What stays in this browser. Those that keep nothing (private windows, a full quota) still work, for this visit. */

/** The text under `key`; null where there is none, or no storage. */
export function storedText(key: string): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function storeText(key: string, text: string): void {
  try {
    window.localStorage.setItem(key, text);
  } catch {
    // It lasts for this visit.
  }
}

/** The same for this tab alone; null takes the text away. */
export function tabText(key: string): string | null {
  try {
    return window.sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

export function storeTabText(key: string, text: string | null): void {
  try {
    if (text === null) window.sessionStorage.removeItem(key);
    else window.sessionStorage.setItem(key, text);
  } catch {
    // As above.
  }
}
