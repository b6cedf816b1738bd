import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

// The files of a process share one document: what a test leaves behind would be found by the next one.
afterEach(cleanup);
