/** Names of resources that this process has read, by ID. */
const NAMES = new Map<string, string>();

/** Nouns of collections that their path does not give. */
const NOUNS: Readonly<Record<string, string>> = {
  vars: 'variable',
  varsets: 'variable set',
  'oauth-clients': 'connection',
  'authentication-tokens': 'token',
  'organization-memberships': 'membership',
};

/** Segments after which a path names no further resource. */
const ENDS: readonly string[] = ['actions', 'relationships'];

/** Remembers the name of a resource in a response, so that later errors show it beside the ID. */
export function rememberName(body: unknown): void {
  const { data } = (body ?? {}) as { readonly data?: { readonly id?: unknown; readonly attributes?: object } | null };
  const { name } = (data?.attributes ?? {}) as { readonly name?: unknown };
  if (typeof data?.id === 'string' && typeof name === 'string') NAMES.set(data.id, name);
}

/**
 * Returns what a request is about: `workspace app in organization acme`, `variables of workspace app (ws-…)`, or the
 * path of the access API. Undefined if its path names nothing.
 */
export function subjectOf(path: string, body?: unknown): string | undefined {
  const { pathname, searchParams } = new URL(path, 'https://server');
  const [api, ...parts] = pathname.split('/').filter(Boolean).map(decoded);
  if (api === 'v1') return parts.join('/') || undefined;
  return ofResource(parts.slice(1)) ?? ofFilter(searchParams) ?? ofBody(body);
}

function ofResource(parts: readonly string[]): string | undefined {
  const end = parts.findIndex((part) => ENDS.includes(part));
  const named = end < 0 ? parts : parts.slice(0, end);
  const nouns: string[] = [];
  for (let at = 0; at + 1 < named.length; at += 2) nouns.unshift(thing(named[at] ?? '', named[at + 1] ?? ''));
  const whole = nouns.join(' in ');
  if (whole === '' || named[0] === 'account') return undefined;
  const list = named.length % 2 === 1 ? named.at(-1) : undefined;
  return list === undefined ? whole : `${listNoun(list)} of ${whole}`;
}

function ofFilter(query: URLSearchParams): string | undefined {
  const organization = query.get('filter[organization][name]');
  const workspace = query.get('filter[workspace][name]');
  const nouns = [workspace && thing('workspaces', workspace), organization && thing('organizations', organization)];
  return nouns.filter(Boolean).join(' in ') || undefined;
}

/** A run is created outside of its workspace, which only the body names. */
function ofBody(body: unknown): string | undefined {
  const { data } = (body ?? {}) as {
    readonly data?: { readonly relationships?: { readonly workspace?: { readonly data?: { readonly id?: unknown } } } };
  };
  const id = data?.relationships?.workspace?.data?.id;
  return typeof id === 'string' ? thing('workspaces', id) : undefined;
}

function thing(collection: string, id: string): string {
  const name = NAMES.get(id);
  return `${nounOf(collection)} ${name === undefined ? id : `${name} (${id})`}`;
}

function nounOf(collection: string): string {
  return NOUNS[collection] ?? collection.replaceAll('-', ' ').replace(/ies$/, 'y').replace(/s$/, '');
}

const listNoun = (collection: string): string =>
  NOUNS[collection] === undefined ? collection.replaceAll('-', ' ') : `${NOUNS[collection]}s`;

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
