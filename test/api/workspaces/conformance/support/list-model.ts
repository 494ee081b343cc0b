/** Fields of a workspace that filters and sorting use. Times are milliseconds. */
export interface Listed {
  readonly name: string;
  readonly project: string;
  readonly tags: readonly string[];
  /** Key-value tags of the workspace itself. */
  readonly bindings: Readonly<Record<string, string>>;
  readonly run?: { readonly status: string; readonly createdAt: number };
  readonly changedAt: number;
}

/** Key-value tags of projects, by the id of the project. */
export type ProjectBindings = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The organization has disabled overrides of this key: the value of the project applies. */
export const LOCKED = 'cost:id';

/** Names of query parameters, with their values. */
export type Query = Readonly<Record<string, string>>;

/** A simple model of the list in spec §4.3: the names of the workspaces, in order. */
export function listed(all: readonly Listed[], projects: ProjectBindings, query: Query): string[] {
  const found = all.filter((one) => isListed(one, effective(one, projects), query));
  return found.toSorted((one, other) => compare(one, other, query.sort ?? 'name')).map(({ name }) => name);
}

function effective(one: Listed, projects: ProjectBindings): Readonly<Record<string, string>> {
  const inherited = projects[one.project] ?? {};
  const locked = inherited[LOCKED];
  return { ...inherited, ...one.bindings, ...(locked === undefined ? {} : { [LOCKED]: locked }) };
}

function isListed(one: Listed, bindings: Readonly<Record<string, string>>, query: Query): boolean {
  const words = (parameter: string) => query[parameter]?.split(',') ?? [];
  const carries = (word: string) => one.tags.includes(word.toLowerCase()) || word in bindings;
  const statuses = words('filter[current-run][status]');
  return (
    one.name.toLowerCase().includes((query['search[name]'] ?? '').toLowerCase()) &&
    isLike(one.name, query['search[wildcard-name]'] ?? '*') &&
    words('search[tags]').every(carries) &&
    !words('search[exclude-tags]').some(carries) &&
    (query['filter[project][id]'] ?? one.project) === one.project &&
    (statuses.length === 0 || statuses.includes(one.run?.status ?? 'none')) &&
    isTagged(bindings, query)
  );
}

/** `*` as prefix, suffix or both. */
function isLike(name: string, pattern: string): boolean {
  const part = pattern.replaceAll('*', '').toLowerCase();
  const text = name.toLowerCase();
  if (pattern.startsWith('*') && pattern.endsWith('*')) return text.includes(part);
  if (pattern.startsWith('*')) return text.endsWith(part);
  return pattern.endsWith('*') ? text.startsWith(part) : text === part;
}

function isTagged(bindings: Readonly<Record<string, string>>, query: Query): boolean {
  const asked = [0, 1, 2].flatMap((i) => {
    const [key, value = ''] = [query[`filter[tagged][${i}][key]`], query[`filter[tagged][${i}][value]`]];
    return key === undefined ? [] : [{ key, value }];
  });
  const isAny = query['filter[tag-value-default-null]'] !== 'true';
  const holds = asked.map(({ key, value }) => (value === '' && isAny ? key in bindings : bindings[key] === value));
  return query['filter[tag-union]'] === 'true' && holds.length > 0 ? holds.includes(true) : !holds.includes(false);
}

/** Workspaces without a run come last. Equal ones are sorted by name. */
function compare(one: Listed, other: Listed, sort: string): number {
  const sign = sort.startsWith('-') ? -1 : 1;
  const byName = one.name < other.name ? -1 : 1;
  const word = sort.replace(/^-/, '');
  if (word === 'name') return sign * byName;
  if (word === 'latest-change-at') return sign * (one.changedAt - other.changedAt) || byName;
  if (one.run === undefined || other.run === undefined) {
    return Number(one.run === undefined) - Number(other.run === undefined) || byName;
  }
  return sign * (one.run.createdAt - other.run.createdAt) || byName;
}
