/**
 * Builds the website: the pages of docs/ and the reference of both APIs, as static files in `website/html`.
 * `npm run docs -- --base /0.1/` builds it for another URL path than `/`.
 */
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'vitepress';
import { version } from '../../src/version.ts';
import { type OpenApi, openApiDocuments } from './api/document.ts';
import { referencePages } from './api/reference.ts';
import { faultsOf } from './check.ts';
import type { SiteOptions } from './config.ts';
import { stagePages, write } from './pages.ts';
import { type SidebarItem, sidebarOf } from './sidebar.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCE = join(ROOT, 'website/source');
const HTML = join(ROOT, 'website/html');

const { base } = parseArgs({ options: { base: { type: 'string', default: '/' } } }).values;
rmSync(join(ROOT, 'website'), { recursive: true, force: true });
stagePages(ROOT, SOURCE);
const { access, workspaces } = await openApiDocuments();
const sidebars = {
  '/api/access/': stageReference(access, 'access', '/v1'),
  '/api/workspaces/': stageReference(workspaces, 'workspaces', '/api/v2'),
  '/': sidebarOf(readFileSync(join(SOURCE, 'index.md'), 'utf8')),
};
stageMark();
stageSettings({ version, base, outDir: HTML, sidebars });
await build(SOURCE);
const faults = faultsOf(HTML, base);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;

/** Writes the pages of the reference of an API, and returns their sidebar. */
function stageReference(document: OpenApi, name: string, prefix: string): SidebarItem[] {
  const pages = referencePages(document, prefix);
  for (const page of pages) write(join(SOURCE, 'api', name, `${page.name}.md`), page.markdown);
  const items = pages.map((page) => ({
    text: page.title,
    link: `/api/${name}/${page.name === 'index' ? '' : page.name}`,
  }));
  return [{ text: document.info.title, items }];
}

/** Writes the console's mark in the colors of each theme: VitePress has a switch for it, and a file can only ask the system. */
function stageMark(): void {
  const mark = readFileSync(join(ROOT, 'console/src/shell/mark.svg'), 'utf8');
  const [, dark = ''] = /@media \(prefers-color-scheme: dark\) \{\n([\s\S]*?)\n {4}\}\n/.exec(mark) ?? [];
  const light = mark.replace(/ *@media[\s\S]*?\n {4}\}\n/, '');
  write(join(SOURCE, 'public/mark-light.svg'), light);
  write(join(SOURCE, 'public/mark-dark.svg'), light.replace(/(?<=<style>\n)[\s\S]*?(?= *<\/style>)/, `${dark}\n`));
}

/**
 * Writes the files that VitePress reads from the folder of its pages.
 * Node.js imports our configuration by itself: VitePress would translate it first, and warn about settings of the compiler.
 */
function stageSettings(options: SiteOptions): void {
  const folder = join(SOURCE, '.vitepress');
  const config = JSON.stringify(join(ROOT, 'docs/site/config.ts'));
  write(
    join(folder, 'config.mjs'),
    `const file = ${config};\nconst { siteConfig } = await import(file);\nexport default siteConfig(${JSON.stringify(options)});\n`,
  );
  write(join(SOURCE, 'tsconfig.json'), '{}\n');
  const theme = join(folder, 'theme/index.js');
  write(theme, `export { default } from '${relative(dirname(theme), join(ROOT, 'docs/site/theme/index.js'))}';\n`);
}
