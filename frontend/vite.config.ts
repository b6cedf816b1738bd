import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const service = 'http://127.0.0.1:8000';

export default defineConfig({
  plugins: [react()],
  // The guide that the page shows is that of the repository.
  server: { fs: { allow: ['..'] }, proxy: { '/api': service, '/healthz': service, '/readyz': service } },
  // No inline data: URLs for scripts and fonts: the page is served under a Content-Security-Policy without them.
  build: {
    target: 'es2022',
    sourcemap: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1300,
  },
  worker: { format: 'es' },
  // One document and one set of modules for the files of a process: a new one for each took nine tenths of the time.
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.{ts,tsx}'],
    isolate: false,
    setupFiles: ['vitest.setup.ts'],
    restoreMocks: true,
    unstubGlobals: true,
  },
});
