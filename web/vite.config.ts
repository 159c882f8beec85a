import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'
import { named } from './scripts/screens.ts'

/** The same for style sheets that belong to no component. */
const screens = {
  name: 'screens',
  enforce: 'pre' as const,
  transform: (code: string, id: string) => (id.endsWith('.css') ? named(code) : null),
}

export default defineConfig({
  plugins: [svelte(), screens],
  // Scripts and styles find each other wherever the page is; only its first address differs (scripts/seal.py).
  experimental: { renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `/${file}` : { relative: true }) },
  worker: { format: 'es' },
  build: {
    outDir: '../src/highvoltage/web_dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the page's content security policy allows no data: addresses
    modulePreload: { polyfill: false },
  },
  server: {
    port: 5173,
    proxy: {
      '/api': { target: 'http://127.0.0.1:8104', ws: true },
    },
  },
})
