import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

// The files of a process share one document: what a test leaves behind would be found by the next one.
afterEach(cleanup);

// What jsdom lacks: popovers, which show nothing here, and sizes, which are never told.
if (typeof HTMLElement !== 'undefined') HTMLElement.prototype.showPopover ??= () => undefined;
globalThis.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};
