import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { mapLinks } from './markdown.ts';

/** Pages outside of docs/ that the website has even if no page links to them. */
const PROJECT_PAGES = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];
const IMAGE = /\.(?:png|svg)$/;
/** The centered header of the README, which is HTML. The website has the logo in its bar. */
const HTML_HEADER = /^<p align="center">[\s\S]*?(?=^\w)/m;
const COMMENT = /<!--[\s\S]*?-->\n?/g;

/**
 * Copies all Markdown pages, and the files that they link to, into the source folder of the website.
 * A Markdown file outside of docs/ becomes a page, an image is copied beside it, and any other file is published as plain text.
 * @param root folder of the repository
 * @param folder where VitePress reads pages, and static files in `public/`
 * @throws Error for a link to a file that does not exist
 */
export function stagePages(root: string, folder: string): void {
  const pages = new Set([...globSync('docs/**/*.md', { cwd: root }), ...PROJECT_PAGES]);
  // A set visits what is added during the loop, so pages that only pages outside of docs/ link to are found too.
  for (const page of pages) {
    const markdown = readFileSync(join(root, page), 'utf8')
      .replace(HTML_HEADER, '# Lockkeeper\n\n')
      .replaceAll(COMMENT, '');
    const text = mapLinks(markdown, (target) => {
      if (/^(?:[a-z]+:|#)/i.test(target)) return target;
      const [path = '', anchor] = target.split('#');
      const file = posix.join(posix.dirname(page), path);
      if (!existsSync(join(root, file))) throw new Error(`${page} links to ${target}, which does not exist`);
      const suffix = anchor === undefined ? '' : `#${anchor}`;
      if (!file.endsWith('.md')) return publishFile(root, folder, page, file);
      pages.add(file);
      return relativeLink(pathOfPage(page), pathOfPage(file)) + suffix;
    });
    write(join(folder, pathOfPage(page)), text);
  }
}

/** Returns where the website has a Markdown file of the repository: `docs/guides/runs.md` is `guides/runs.md`. */
function pathOfPage(file: string): string {
  if (file === 'README.md') return 'overview.md';
  const path = file.replace(/(^|\/)README\.md$/, '$1index.md');
  if (path.startsWith('docs/')) return path.slice('docs/'.length);
  return path.includes('/') ? `source/${path}` : `project/${path.toLowerCase()}`;
}

/** Copies a file that is no page, and returns the link to it. */
function publishFile(root: string, folder: string, page: string, file: string): string {
  if (IMAGE.test(file)) {
    const copy = file.replace(/^docs\//, '');
    copyFile(join(root, file), join(folder, copy));
    return relativeLink(pathOfPage(page), copy);
  }
  // Web servers would send `.ts` as a video, and offer files without a known type as a download.
  copyFile(join(root, file), join(folder, 'public', 'source', `${file}.txt`));
  return `/source/${file}.txt`;
}

function relativeLink(from: string, to: string): string {
  return `./${posix.join(posix.relative(posix.dirname(from), posix.dirname(to)), basename(to))}`;
}

function copyFile(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}

export function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
