/** A group of pages, or a page, of the sidebar of VitePress. */
export interface SidebarItem {
  readonly text: string;
  readonly link?: string;
  readonly collapsed?: boolean;
  readonly items?: SidebarItem[];
}

/**
 * Returns the sidebar that the index of all pages describes: a group for each heading, a page for each row of its tables.
 * @param index Markdown of the website's first page, with its links
 */
export function sidebarOf(index: string): SidebarItem[] {
  return sections(index, '## ')
    .map(([text, body]) => ({
      text,
      items: [
        ...pagesOf(body.split(/^### /m)[0] ?? ''),
        ...sections(body, '### ').map(([text, body]) => ({ text, collapsed: true, items: pagesOf(body) })),
      ],
    }))
    .filter(({ items }) => items.length > 0);
}

function sections(markdown: string, mark: string): [heading: string, body: string][] {
  const parts = markdown.split(new RegExp(`^${mark}`, 'm')).slice(1);
  return parts.map((part) => {
    const end = part.indexOf('\n');
    return [part.slice(0, end).trim(), part.slice(end)];
  });
}

function pagesOf(markdown: string): SidebarItem[] {
  return [...markdown.matchAll(/^\| \[([^\]]+)\]\(\.\/([^)]+)\.md\)/gm)].map(([, text = '', path = '']) => ({
    text,
    link: `/${path.replace(/(^|\/)index$/, '$1')}`,
  }));
}
