import { isTooLarge } from './failures.ts';

/** Returns whether a response has a next page (`Link` header, RFC 8288). */
export function hasNextPage(headers: Readonly<Record<string, string>>): boolean {
  return /;\s*rel="?next"?/.test((headers.link ?? '').slice(0, 8192));
}

/** A URL with parameters; undefined ones are left out. */
export function urlOf(
  base: string,
  path: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const given = Object.entries(query).filter((entry) => entry[1] !== undefined);
  const parameters = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
  const search = parameters.size === 0 ? '' : `?${parameters}`;
  return `${base.replace(/\/+$/, '')}${path}${search}`;
}

/**
 * Loads a page of a list. If the page is too large, because strangers wrote long texts, it loads its items one by one
 * and leaves out those that are too large.
 * @param load loads page `page` with `size` items each
 */
export async function pageOrItems<T>(
  page: number,
  size: number,
  load: (page: number, size: number) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  try {
    return await load(page, size);
  } catch (error) {
    if (!isTooLarge(error)) throw error;
  }
  const items: T[] = [];
  for (let at = (page - 1) * size + 1; at <= page * size; at++) {
    const loaded = await load(at, 1).catch((error: unknown) => {
      if (isTooLarge(error)) return undefined;
      throw error;
    });
    if (loaded?.length === 0) break;
    items.push(...(loaded ?? []));
  }
  return items;
}
