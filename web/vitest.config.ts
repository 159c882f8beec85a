import { defineConfig, mergeConfig } from 'vitest/config'
import page from './vite.config.ts'

process.env.TZ = 'UTC'

/** Tests of modules run in Node; those of whole pages in a document that is not painted. */
export default mergeConfig(
  page,
  defineConfig({
    server: { fs: { strict: false } }, // packages may be linked from elsewhere
    test: {
      testTimeout: 60_000,
      projects: [
        {
          extends: true,
          test: { name: 'modules', include: ['tests/*.test.ts'], setupFiles: ['tests/page.ts'], isolate: false },
        },
        {
          extends: true,
          resolve: { conditions: ['browser'] },
          test: {
            name: 'pages',
            include: ['tests/whole/*.test.ts'],
            setupFiles: ['tests/whole/document.ts'],
            environment: 'happy-dom',
          },
        },
      ],
    },
  }),
)
