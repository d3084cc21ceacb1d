// Bundles the GraphQL playground into static files that need nothing from outside the server.
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Writes index.html and assets/ to the folder, which it empties first. */
export async function buildPlayground(outputDirectory) {
  const playground = join(root, 'playground');
  await build({
    root: playground,
    configFile: join(playground, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: resolve(outputDirectory), emptyOutDir: true },
  });
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await buildPlayground(process.argv[2] ?? join(root, 'dist', 'playground'));
}
