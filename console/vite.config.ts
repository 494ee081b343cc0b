import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

/**
 * The theme that somebody has chosen is there before anything is painted: a script of its own, which the page waits for. It cannot
 * stand in the page, where nothing may.
 */
const themeFirst: Plugin = {
  name: 'theme-first',
  apply: 'build',
  buildStart() {
    this.emitFile({
      type: 'asset',
      name: 'theme-first.js',
      source: readFileSync(new URL('./theme-first.js', import.meta.url)),
    });
  },
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle }) {
      const file = Object.keys(bundle ?? {}).find((name) => name.includes('theme-first'));
      return [{ tag: 'script', attrs: { src: `/app/${file}` }, injectTo: 'head-prepend' }];
    },
  },
};

/** Fonts are no modules, so `build.license` does not see them; their licence goes along with them. */
const fontLicences: Plugin = {
  name: 'font-licences',
  apply: 'build',
  buildStart() {
    const texts = FONTS.map((name) => `${name}\n\n${readFileSync(fontFile(name, 'LICENSE'), 'utf8').trim()}\n`);
    this.emitFile({
      type: 'asset',
      fileName: '~assets/font-licences.txt',
      source: texts.join(`\n${'='.repeat(72)}\n\n`),
    });
  },
};
const FONTS = ['@fontsource-variable/inter', '@fontsource-variable/geist-mono'];
const fontFile = (name: string, file: string) => new URL(import.meta.resolve(`${name}/${file}`));

/**
 * Returns a function that names the classes of CSS modules after their file. A hash for each class would be the part of a
 * style sheet that compresses least.
 * @throws Error for two modules with one name
 */
function scopedNames() {
  const files = new Map<string, string>();
  return (local: string, id: string): string => {
    const [file = id] = id.split('?');
    const module = basename(file, '.module.css');
    if ((files.get(module) ?? file) !== file) throw new Error(`${file} needs a name of its own: ${files.get(module)}`);
    files.set(module, file);
    return `${module}_${local}`;
  };
}

/**
 * Modules of pages, but for those that routes import: these are part of the first load. All others of a folder must be
 * in the group: two chunks that import each other start in the wrong order.
 */
const pagesIn = (...folders: readonly string[]) =>
  new RegExp(`/src/pages/(${folders.join('|')})/(?!search\\.ts)(?<!/(?:audit|runs)/(?=texts\\.ts))`);
const GROUPS = [
  {
    name: 'organization',
    test: pagesIn('teams', 'team', 'agent-pools', 'agent-pool', 'projects', 'variable-sets', 'variable-set'),
  },
  { name: 'server', test: pagesIn('users', 'account', 'organizations', 'health', 'audit', 'guide') },
  { name: 'workspace', test: pagesIn('variables', 'outputs', 'configurations', 'workspace', 'runs') },
  { name: 'workspace', test: /\/src\/(shell\/start-run|lib\/engines)\// },
];

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  plugins: [themeFirst, fontLicences],
  oxc: { jsx: { runtime: 'automatic' } },
  css: { modules: { generateScopedName: scopedNames() } },
  build: {
    outDir: 'dist',
    assetsDir: '~assets',
    emptyOutDir: true,
    manifest: true,
    target: 'es2024',
    // Nothing stands in a page or in a style: the policy allows no data there, but images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What may weigh how much says build/console-budgets.ts.
    chunkSizeWarningLimit: 1_000,
    license: { fileName: '~assets/licences.txt' },
    rolldownOptions: {
      // Texts of pages are constants that mostly occur once.
      optimization: { inlineConst: { mode: 'all', pass: 2 } },
      output: {
        // Pages that people open one after another, in one chunk: small chunks compress badly.
        codeSplitting: { groups: GROUPS, includeDependenciesRecursively: false },
      },
      checks: { pluginTimings: false },
      onLog(level, log, handle) {
        // Packages say so for servers that render pages; there is none.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
  // With hot reload; asks a server that runs beside it.
  server: { proxy: Object.fromEntries(['/api', '/v1', '/app/~session'].map((path) => [path, proxied()])) },
});

function proxied() {
  return { target: process.env.CONSOLE_SERVER ?? 'https://127.0.0.1:8200', secure: false, changeOrigin: false };
}
