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
  test: { environment: 'happy-dom', include: ['src/**/*.test.{ts,tsx}'], restoreMocks: true },
});
