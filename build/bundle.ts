import { globSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { licences } from './licences.ts';
import { type Part, partsOf } from './parts.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Each is found by its name: by who starts it, by who imports it, or (the threads) by the program itself. */
function entries(): Record<string, string> {
  const threads = globSync('src/**/*-worker.ts', { cwd: ROOT });
  const named = ['src/main.ts', 'src/credentials-helper.ts', ...threads].map((file) => [basename(file, '.ts'), file]);
  if (new Set(named.map(([name]) => name)).size < named.length) throw new Error('two entries have the same name');
  return { ...Object.fromEntries(named), 'x509/index': 'src/x509/index.ts' };
}

/**
 * An ES module that imports `node:http` has Node read all that it exports, and with it load all of `fetch`: as much time and
 * memory as the rest of Node takes to start. So it is asked for in the way of CommonJS.
 */
const plainHttp: Plugin = {
  name: 'plain-http',
  resolveId: (id) => (id === 'node:http' ? { id: '\0node:http', moduleSideEffects: false } : null),
  load: (id) => (id === '\0node:http' ? "module.exports = process.getBuiltinModule('node:http');" : null),
};

/**
 * V8 keeps the text of what it has loaded, a byte for each character, or two where there is one that is not ASCII: it is written in
 * another way, which means the same in strings and in patterns.
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
 * Puts the program and all packages that it uses together in few files: to find and load 2,000 modules takes most of its start.
 * What is imported when it is needed has files of its own. Nothing is made shorter, so that a stack in a log can be read: above
 * each module of a file stands where it comes from.
 * @param into a folder beside a `package.json`, where the program reads its version
 * @returns the packages
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
