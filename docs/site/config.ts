import { renderMermaidSVG } from 'beautiful-mermaid';
import { type DefaultTheme, defineConfig, type MarkdownOptions, type UserConfig } from 'vitepress';
import { anchorOf } from './markdown.ts';
import type { SidebarItem } from './sidebar.ts';

/** The part of the website's configuration that depends on the pages. */
export interface SiteOptions {
  readonly version: string;
  /** URL path below which the website is published: `/`, `/0.1/`. */
  readonly base: string;
  readonly outDir: string;
  /** Sidebars by the URL path below which they are shown. */
  readonly sidebars: Readonly<Record<string, SidebarItem[]>>;
}

/** Browsers refuse every request to another origin. Scripts and styles in the pages are those of VitePress. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
].join('; ');

/** Returns the configuration of VitePress. */
export function siteConfig({ version, base, outDir, sidebars }: SiteOptions): UserConfig<DefaultTheme.Config> {
  return defineConfig({
    title: 'Lockkeeper',
    description: 'OpenTofu and Terraform workspaces for machines that log in with a certificate',
    lang: 'en',
    base,
    outDir,
    head: [
      ['meta', { 'http-equiv': 'Content-Security-Policy', content: CONTENT_SECURITY_POLICY }],
      ['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}mark-light.svg` }],
    ],
    metaChunk: true,
    // The search index is one large file, which the browser loads when a search starts.
    vite: { build: { chunkSizeWarningLimit: 10_000 } },
    markdown,
    themeConfig: {
      logo: { light: '/mark-light.svg', dark: '/mark-dark.svg', alt: '' },
      search: { provider: 'local' },
      outline: { level: [2, 3] },
      nav: [
        { text: 'Documentation', link: '/', activeMatch: '^/(?!api/|project/)' },
        { text: 'Access API', link: '/api/access/', activeMatch: '^/api/access/' },
        { text: 'Workspace API', link: '/api/workspaces/', activeMatch: '^/api/workspaces/' },
        { text: `v${version}`, items: [{ text: 'Changelog', link: '/project/changelog' }] },
      ],
      sidebar: sidebars as Record<string, SidebarItem[]>,
      footer: { message: `Lockkeeper ${version}, Apache License 2.0` },
    },
  });
}

const markdown: MarkdownOptions = {
  // The pages are Markdown as GitHub shows it: no components of Vue, and `<name>` is text.
  html: false,
  linkify: false,
  attrs: { disable: true },
  anchor: { slugify: anchorOf },
  theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  languageAlias: { hcl: 'terraform' },
  config: (md) => {
    // VitePress reads lines that begin with `<<<` as the names of files to include.
    md.block.ruler.disable('snippet');
    const { text, code_inline: code, fence } = md.renderer.rules;
    md.renderer.rules.text = (tokens, index, ...rest) => {
      const html = text ? text(tokens, index, ...rest) : md.utils.escapeHtml(tokens[index]?.content ?? '');
      return html.replaceAll('{{', '&#123;&#123;');
    };
    md.renderer.rules.code_inline = (tokens, index, ...rest) => {
      tokens[index]?.attrSet('v-pre', '');
      return code?.(tokens, index, ...rest) ?? '';
    };
    md.renderer.rules.fence = (tokens, index, ...rest) => {
      const { info = '', content = '' } = tokens[index] ?? {};
      const diagram = info.trim() === 'mermaid' ? drawing(content) : undefined;
      return diagram ?? fence?.(tokens, index, ...rest) ?? '';
    };
  },
};

/** Draws a mermaid diagram, in the colors of the page. Returns nothing for a kind that cannot be drawn; the page shows its text. */
function drawing(diagram: string): string | undefined {
  try {
    // The drawing brings light colors and the name of a web font. theme/style.css has the colors of the page instead.
    const svg = renderMermaidSVG(diagram)
      .replace(/<style>[\s\S]*?<\/style>/, '')
      .replace(/(?<=^<svg[^>]*) style="[^"]*"/, '');
    return `<div class="diagram" v-pre>${svg}</div>\n`;
  } catch {
    return undefined;
  }
}
