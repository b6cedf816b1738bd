/** Below an element, else above it, and inside the window: for what stands in the top layer and no pane clips. */
export function placeBeside(box: HTMLElement, near: DOMRect, gap = 2): void {
  const { width, height } = box.getBoundingClientRect();
  const below = near.bottom + height + 8 < window.innerHeight;
  box.style.left = `${Math.max(8, Math.min(near.left, window.innerWidth - width - 8))}px`;
  box.style.top = `${below ? near.bottom + gap : Math.max(8, near.top - height - gap)}px`;
}
