import { ask, type ConnectionOptions } from '../connection/connection.ts';
import type { Resource } from './resource.ts';

const PAGE_SIZE = 100;

interface Page {
  readonly data: readonly Resource[];
  readonly included?: readonly Resource[];
  readonly meta?: { readonly pagination?: { readonly 'next-page'?: number | null } };
}

/** Reads all pages of a list. @throws CommandError for an error response */
export async function allPages(
  options: ConnectionOptions,
  path: string,
  query: Readonly<Record<string, string>> = {},
  onIncluded: (included: readonly Resource[]) => void = () => {},
): Promise<readonly Resource[]> {
  const found: Resource[] = [];
  let next: number | null | undefined = 1;
  while (next) {
    const page = new URLSearchParams({ ...query, 'page[number]': String(next), 'page[size]': String(PAGE_SIZE) });
    const { data, included = [], meta } = (await ask(options, 'workspaces', 'GET', `${path}?${page}`)).body as Page;
    found.push(...data);
    onIncluded(included);
    next = meta?.pagination?.['next-page'];
  }
  return found;
}
