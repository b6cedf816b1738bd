import { placeBeside } from '../placing/place-beside';

/** The attribute that explains an element to pointer, keyboard and touch alike, which `title` does to pointers alone. */
const OWNER = '[data-tip]';
/** How long the pointer rests before a tip shows, and how long a tip stays when the pointer leaves. */
export const REST_MILLISECONDS = 400;
const GRACE_MILLISECONDS = 200;

const ID = 'tip';
/** Inside a dialog, outside of which nothing is read aloud while it is open; else in the part that is gone to by name. */
const PLACE = 'dialog, main, header, footer, nav';

/** Watches a document until the function that it returns is called. */
export function watchTips(page: Document): () => void {
  const box = page.createElement('div');
  box.id = ID;
  box.className = 'tip';
  box.setAttribute('role', 'tooltip');
  box.popover = 'manual';
  let owner: HTMLElement | null = null;
  let next: HTMLElement | null = null;
  let timer = 0;
  // A part of the page that is drawn anew takes its tip with it.
  const drawn = new MutationObserver(() => {
    const text = owner?.isConnected === true ? owner.dataset.tip : undefined;
    if (text === undefined || text === '') hide();
    else if (text !== box.textContent) box.textContent = text;
  });

  function hide(): void {
    window.clearTimeout(timer);
    next = null;
    if (owner === null) return;
    drawn.disconnect();
    if (owner.getAttribute('aria-describedby') === ID) owner.removeAttribute('aria-describedby');
    owner = null;
    box.remove();
  }

  function show(element: HTMLElement): void {
    if (element === owner) return;
    hide();
    const text = element.dataset.tip ?? '';
    if (text === '' || !element.isConnected) return;
    owner = element;
    box.textContent = text;
    (element.closest(PLACE) ?? page.body).append(box);
    box.showPopover();
    placeBeside(box, element.getBoundingClientRect(), 4);
    if (text !== element.getAttribute('aria-label') && !element.hasAttribute('aria-describedby'))
      element.setAttribute('aria-describedby', ID);
    drawn.observe(page.body, { subtree: true, childList: true, attributeFilter: ['data-tip'] });
  }

  function later(milliseconds: number, act: () => void): void {
    window.clearTimeout(timer);
    timer = window.setTimeout(act, milliseconds);
  }

  const move = (event: PointerEvent): void => {
    if (event.pointerType === 'touch') return;
    if (owner !== null && isInside(box.getBoundingClientRect(), event)) return window.clearTimeout(timer);
    const under = ownerOf(event.target);
    if (under === next) return;
    next = under;
    if (under === null) later(GRACE_MILLISECONDS, hide);
    else if (under === owner) window.clearTimeout(timer);
    else
      later(REST_MILLISECONDS, () => {
        show(under);
        next = under;
      });
  };
  const focus = (event: FocusEvent): void => {
    const focused = event.target;
    const element = ownerOf(focused);
    if (element !== null && focused instanceof Element && focused.matches(':focus-visible')) show(element);
    else hide();
  };
  const touch = (event: Event): void => {
    // A long press, which on a mouse is the menu of the browser.
    if (!(event instanceof PointerEvent) || event.pointerType !== 'touch') return;
    const element = ownerOf(event.target);
    if (element === null) return;
    event.preventDefault();
    show(element);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || owner === null) return;
    // The tip alone closes, not the dialog around it.
    event.preventDefault();
    event.stopPropagation();
    hide();
  };

  page.addEventListener('pointerover', move);
  page.addEventListener('focusin', focus);
  page.addEventListener('focusout', hide);
  page.addEventListener('contextmenu', touch);
  page.addEventListener('pointerdown', hide);
  page.addEventListener('keydown', press, true);
  page.addEventListener('scroll', hide, true);
  return () => {
    hide();
    page.removeEventListener('pointerover', move);
    page.removeEventListener('focusin', focus);
    page.removeEventListener('focusout', hide);
    page.removeEventListener('contextmenu', touch);
    page.removeEventListener('pointerdown', hide);
    page.removeEventListener('keydown', press, true);
    page.removeEventListener('scroll', hide, true);
  };
}

function ownerOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(OWNER) : null;
}

function isInside(box: DOMRect, { clientX, clientY }: PointerEvent): boolean {
  return clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;
}
