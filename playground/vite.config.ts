import { defineConfig } from 'vite';

export default defineConfig({
  // The server serves index.html at /graphql and everything else below /graphql/.
  base: '/graphql/',
  resolve: { dedupe: ['graphql', 'react', 'react-dom'] },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // The code editor is one large chunk by nature; it loads after the key form.
    chunkSizeWarningLimit: 5000,
    // React's directives in the libraries mean nothing to a page without server rendering.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
});
