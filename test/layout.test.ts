import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MOST_FILES = 25;
const MOST_LINES = 600;

const sources = [
  ...globSync('{src,test,bench,build,docs,.ci}/**/*.ts', { cwd: ROOT }),
  // Generated files may be longer.
  ...globSync('console/src/**/*.{ts,tsx,css}', { cwd: ROOT }).filter((file) => !file.includes('/generated/')),
];
/** Unit tests are in the folder of the code that they test. */
const isUnitTest = (file: string): boolean => /^(console\/)?src\//.test(file) && file.endsWith('.test.ts');
const linesOf = (file: string): number => readFileSync(`${ROOT}/${file}`, 'utf8').split('\n').length - 1;

describe('the layout', () => {
  it(`has no folder of more than ${MOST_FILES} files`, () => {
    const folders = Map.groupBy(
      sources.filter((file) => !isUnitTest(file)),
      (file) => dirname(file),
    );
    const crowded = [...folders].filter(([, files]) => files.length > MOST_FILES);
    expect(crowded.map(([folder, files]) => `${folder} ${files.length}`)).toEqual([]);
  });

  it(`has no source of more than ${MOST_LINES} lines`, () => {
    const long = sources.map((file) => ({ file, lines: linesOf(file) })).filter(({ lines }) => lines > MOST_LINES);
    expect(long.map(({ file, lines }) => `${file} ${lines}`)).toEqual([]);
  });

  // The second pass of the tests finds a test file by the name that it imports (vitest.config.ts). The console has its own.
  it('has no helper that chooses the database for a test file', () => {
    const helpers = sources.filter((file) => !file.endsWith('.test.ts') && !file.startsWith('test/console/'));
    const choosing = helpers.filter((file) =>
      /import \{[^}]*\bdatabaseKinds\b/.test(readFileSync(`${ROOT}/${file}`, 'utf8')),
    );
    expect(choosing).toEqual([]);
  });

  it('finds the sources', () => {
    expect(sources.length).toBeGreaterThan(900);
  });
});

describe('an outgoing HTTP request', () => {
  const REQUESTS = [
    "import { request } from 'node:http';\nrequest('http://a');",
    "import { Agent } from 'node:http';\nnew Agent();",
    "import * as http from 'node:http';\nhttp.get('http://a');",
    "import { get } from 'node:https';\nget('https://a');",
    "const { request } = await import('node:https');\nrequest('https://a');",
    "import { connect } from 'node:http2';\nconnect('https://a');",
    "await fetch('https://a');",
  ];
  const SERVER = "import { createServer } from 'node:http';\ncreateServer().listen(0);\n";

  it('is sent with HttpClient only, or the linter refuses it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lint-'));
    copyFileSync(`${ROOT}/biome.json`, join(folder, 'biome.json'));
    for (const place of ['src/server', 'src/lib/http']) {
      mkdirSync(join(folder, place), { recursive: true });
      for (const [index, text] of [...REQUESTS, SERVER].entries())
        writeFileSync(join(folder, place, `${index}.ts`), text);
    }
    const args = ['lint', '--vcs-enabled=false', '--colors=off', '--max-diagnostics=100', 'src'];
    const { stderr } = spawnSync(`${ROOT}/node_modules/.bin/biome`, args, { cwd: folder, encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    const refused = [...stderr.matchAll(/^(src\S+\.ts):\d+:\d+ lint\/style\/noRestricted/gm)].map(([, file]) => file);
    expect([...new Set(refused)].toSorted()).toEqual(REQUESTS.map((_, index) => `src/server/${index}.ts`));
  });

  it('is not hidden from the linter', () => {
    const files = sources.filter((file) => /^src\/(?!lib\/http\/)/.test(file) && !isUnitTest(file));
    const hidden = /globalThis\W+fetch\b|getBuiltinModule|biome-ignore lint\/style\/noRestricted/;
    expect(files.filter((file) => hidden.test(readFileSync(`${ROOT}/${file}`, 'utf8')))).toEqual([]);
  });
});

/** Layers of folders, lowest first; each may import lower layers. `dependency-cruiser` does not read TSX. */
const CONSOLE_LAYERS = [
  ['api', 'format', 'keyboard', 'styles'],
  ['session'],
  ['components'],
  ['shell'],
  ['pages'],
  ['routes'],
];

/** Files that the server or the command line shares with the console. They import only each other. */
const SHARED_WITH_CONSOLE = [
  'src/lib/engines/engine-words.ts',
  'src/lib/exact-json/exact-json.ts',
  'src/lib/plan/plan.ts',
  'src/lib/plan/texts.ts',
  'src/lib/provenance/run-trigger.ts',
];

describe('the console', () => {
  const files = globSync('console/src/**/*.{ts,tsx}', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'));
  const imports = files.flatMap((file) =>
    [...readFileSync(`${ROOT}/${file}`, 'utf8').matchAll(/(?:from|import) '(\.[^']+)'|import\('(\.[^']+)'\)/g)].map(
      ([, named = '', lazy = '']) => ({ file, to: posix.join(dirname(file), named || lazy) }),
    ),
  );
  const folderOf = (path: string) => path.split('/')[2] ?? '';
  const layerOf = (path: string) => CONSOLE_LAYERS.findIndex((folders) => folders.includes(folderOf(path)));
  const wrong = (isWrong: (imported: { file: string; to: string }) => boolean) =>
    imports.filter(isWrong).map(({ file, to }) => `${file} -> ${to}`);

  it('shares only the listed files with the server', () => {
    expect(imports.length).toBeGreaterThan(100);
    expect(wrong(({ to }) => !to.startsWith('console/src/') && !SHARED_WITH_CONSOLE.includes(to))).toEqual([]);
    const imported = SHARED_WITH_CONSOLE.flatMap((file) =>
      [...readFileSync(`${ROOT}/${file}`, 'utf8').matchAll(/ from '([^']+)'/g)].map(([, named = '']) =>
        posix.join(dirname(file), named),
      ),
    );
    expect(imported.filter((file) => !SHARED_WITH_CONSOLE.includes(file))).toEqual([]);
  });

  it('has folders that import lower layers only', () => {
    const isWrong = ({ file, to }: { file: string; to: string }) =>
      layerOf(file) >= 0 && folderOf(file) !== folderOf(to) && layerOf(to) >= layerOf(file);
    expect(wrong(isWrong)).toEqual([]);
  });

  it('has pages that import no other page', () => {
    const pageOf = (path: string) => path.split('/').slice(0, 4).join('/');
    expect(
      wrong(({ file, to }) => folderOf(file) === 'pages' && folderOf(to) === 'pages' && pageOf(file) !== pageOf(to)),
    ).toEqual([]);
  });
});
