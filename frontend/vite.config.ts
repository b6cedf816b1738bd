import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** Style sheets go behind what index.html shows meanwhile: in the head they would hold it back. */
const stylesLast: Plugin = {
  name: 'styles-last',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => {
      const styles = html.match(/ *<link rel="stylesheet"[^>]*>\n/g) ?? [];
      return styles
        .reduce((page, link) => page.replace(link, ''), html)
        .replace('  </body>', `${styles.join('')}  </body>`);
    },
  },
};

const service = 'http://127.0.0.1:8000';

export default defineConfig({
  plugins: [react(), stylesLast],
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
  // The page is also served below other addresses, from a folder: only its document says where its files are.
  experimental: {
    renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `/${file}` : { relative: true }),
  },
  worker: { format: 'es' },
  // One document and one set of modules for the files of a process: a new one for each took nine tenths of the time.
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.{ts,tsx}'],
    isolate: false,
    // Ends a test that hangs; 5 s, as usual, also ended tests that only waited for a busy processor.
    testTimeout: 120_000,
    setupFiles: ['vitest.setup.ts'],
    restoreMocks: true,
    unstubGlobals: true,
  },
});
