import { globSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { licences } from './licences.ts';
import { type Part, partsOf } from './parts.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Entry points, found by name: commands, library exports and worker threads. */
function entries(): Record<string, string> {
  const threads = globSync('src/**/*-worker.ts', { cwd: ROOT });
  const named = ['src/main.ts', 'src/credentials-helper.ts', ...threads].map((file) => [basename(file, '.ts'), file]);
  if (new Set(named.map(([name]) => name)).size < named.length) throw new Error('two entries have the same name');
  return { ...Object.fromEntries(named), 'x509/index': 'src/x509/index.ts' };
}

/**
 * Imports `node:http` through CommonJS: an ES import reads all its exports and thereby loads `fetch`, which takes as
 * much time and memory as the rest of Node's start.
 */
const plainHttp: Plugin = {
  name: 'plain-http',
  resolveId: (id) => (id === 'node:http' ? { id: '\0node:http', moduleSideEffects: false } : null),
  load: (id) => (id === '\0node:http' ? "module.exports = process.getBuiltinModule('node:http');" : null),
};

/**
 * Escapes non-ASCII characters, because V8 keeps source text at two bytes per character if any character is not ASCII.
 */
const plainText: Plugin = {
  name: 'plain-text',
  generateBundle(_options, files) {
    for (const file of Object.values(files)) {
      if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\x7f]/g, escaped);
    }
  },
};
const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Bundles the program and its packages into few files, because loading 2,000 modules takes most of the start. Dynamic
 * imports get their own files. The code is not minified, so that stack traces stay readable; a comment above each
 * module names its source.
 * @param into output folder beside a `package.json`, from which the program reads its version
 * @returns the bundled packages
 */
export async function bundle(into: string): Promise<readonly Part[]> {
  const whole = await rolldown({
    cwd: ROOT,
    input: entries(),
    platform: 'node',
    plugins: [plainHttp, plainText],
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  const { output } = await whole.write({
    dir: into,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    comments: false,
  });
  await whole.close();
  const parts = partsOf(output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])));
  writeFileSync(join(into, 'THIRD-PARTY-LICENSES.txt'), licences(parts));
  return parts;
}
