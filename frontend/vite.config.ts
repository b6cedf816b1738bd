import react from '@vitejs/plugin-react';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/**
 * Style sheets go behind what index.html shows meanwhile: in the head they would hold it back. The font of code is asked
 * for with them: a text that is drawn in another one first moves when it comes.
 */
const stylesLast: Plugin = {
  name: 'styles-last',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle }) => {
      const font = Object.keys(bundle ?? {}).find((name) => /mono-ascii-400-[^/]*\.woff2$/.test(name));
      const ahead = font ? `  <link rel="preload" as="font" type="font/woff2" crossorigin href="/${font}" />\n` : '';
      const styles = html.match(/ *<link rel="stylesheet"[^>]*>\n/g) ?? [];
      return styles
        .reduce((page, link) => page.replace(link, ''), html)
        .replace('  </body>', `${styles.join('')}  </body>`)
        .replace('  </head>', `  ${ahead}  </head>`);
    },
  },
};

/** What the first view shows is one file: each further one is a way to the service and back, and is packed less well. */
const pageOf = (id: string, graph: { getModuleInfo(id: string): ModuleLike | null }): string | null => {
  const seen = new Set<string>();
  const pending = [id];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const known = graph.getModuleInfo(next);
    if (known?.isEntry === true) return 'page';
    pending.push(...(known?.importers ?? []));
  }
  return null;
};
interface ModuleLike {
  readonly isEntry: boolean;
  readonly importers: readonly string[];
}

/** Beside each file its text packed once and well: the service sends that where the browser takes it. */
const packed: Plugin = {
  name: 'packed',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (!/\.(?:js|css)$/.test(file.fileName)) continue;
        const text = file.type === 'chunk' ? file.code : file.source;
        const source = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
        this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source });
      }
    },
  },
};

const service = 'http://127.0.0.1:8000';

export default defineConfig({
  plugins: [react(), stylesLast, packed],
  // The guide that the page shows is that of the repository.
  server: { fs: { allow: ['..'] }, proxy: { '/api': service, '/healthz': service, '/readyz': service } },
  // No inline data: URLs for scripts and fonts: the page is served under a Content-Security-Policy without them.
  build: {
    target: 'es2022',
    sourcemap: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1300,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: pageOf, debugName: 'page' }] } } },
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
