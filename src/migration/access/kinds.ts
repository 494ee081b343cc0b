import type { Item, Json } from '../model/item.ts';

type Data = Readonly<Record<string, Json>>;

/** IDs of entities, groups and mounts of the target. */
export interface AccessIds {
  idOf(kind: string, name: string): string | undefined;
}

/** One kind of configuration of the access API. */
export interface AccessKind {
  readonly name: string;
  /** Singular, for people. */
  readonly words: string;
  readonly owner?: string;
  /** Types of the mounts that have it. */
  readonly mountType?: 'cert' | 'jwt';
  /** Path of the list, below `/v1/`; undefined if there is one for each owner, or if another read contains it. */
  list?(owner: string): string;
  /** Path of one. Its name may be part of the body only. */
  path(item: Pick<Item, 'owner' | 'name'>): string;
  /** Returns the fields that are taken. Default: all. */
  taken?(data: Data): Data;
  /** Fields of a response that no request contains. */
  readonly readOnly?: readonly string[];
  readonly links?: Readonly<Record<string, { readonly kind: string; readonly isRequired?: true }>>;
  /** Path and body of a request that writes the item. */
  request?(item: Item, ids: AccessIds, isNew: boolean): { readonly path: string; readonly body: unknown };
}

/** Keeps slashes: names of entities and mounts may contain them. */
const encoded = (name: string): string => name.split('/').map(encodeURIComponent).join('/');
/** Mounts are named with a slash at the end. */
const mountPath = (mount: string): string => encoded(mount.replace(/\/+$/, ''));

const MOUNT_SETTINGS = ['default_lease_ttl', 'max_lease_ttl', 'token_type', 'listing_visibility'];

const policies: AccessKind = {
  name: 'policies',
  words: 'policy',
  list: () => 'sys/policies/acl',
  path: ({ name }) => `sys/policies/acl/${encoded(name)}`,
  taken: ({ policy }) => ({ policy }),
};

const mounts: AccessKind = {
  name: 'auth-mounts',
  words: 'auth method',
  path: ({ name }) => `sys/auth/${mountPath(name)}`,
  request: ({ name, attributes: { type, description, ...config } }, _ids, isNew) => ({
    path: isNew ? `sys/auth/${mountPath(name)}` : `sys/auth/${mountPath(name)}/tune`,
    body: isNew ? { type, description, config } : { description, ...config },
  }),
};

/** Returns what is taken of a mount. */
export function mountAttributes({ type, description, config }: Data): Data {
  const settings = (config ?? {}) as Data;
  const own = MOUNT_SETTINGS.filter((name) => settings[name] !== undefined).map((name) => [name, settings[name]]);
  return { type, description, ...Object.fromEntries(own) };
}

const ofMount = (
  mountType: 'cert' | 'jwt',
  name: string,
  words: string,
  list: string,
  more: Partial<AccessKind> = {},
): AccessKind => ({
  ...{ name, words, mountType, owner: 'auth-mounts' },
  list: (mount) => `auth/${mountPath(mount)}/${list}`,
  path: ({ owner, name: one }) => `auth/${mountPath(owner)}/${list}/${encoded(one)}`,
  ...more,
});

/** Configuration of a mount: one item with a fixed name. */
const configOf = (mountType: 'cert' | 'jwt', more: Partial<AccessKind>): AccessKind => ({
  ...{ name: `${mountType}-config`, words: 'configuration of auth method', mountType, owner: 'auth-mounts' },
  path: ({ owner }) => `auth/${mountPath(owner)}/config`,
  ...more,
});

/** Vault shows a size of 0 until somebody writes the configuration, but it refuses to have 0 written as OCSP cache size. */
const writtenSizes = (data: Data): Data =>
  Object.fromEntries(Object.entries(data).filter(([name, value]) => !(name.endsWith('_cache_size') && value === 0)));

const crls = ofMount('cert', 'crls', 'CRL', 'crls', {
  taken: ({ cdp }) => {
    const { url } = (cdp ?? {}) as { url?: unknown };
    return typeof url === 'string' && url !== '' ? { url } : {};
  },
});

const tokenRoles: AccessKind = {
  name: 'token-roles',
  words: 'token role',
  list: () => 'auth/token/roles',
  path: ({ name }) => `auth/token/roles/${encoded(name)}`,
  readOnly: ['name', 'explicit_max_ttl', 'period'],
};

const entities: AccessKind = {
  name: 'entities',
  words: 'entity',
  list: () => 'identity/entity/name',
  path: ({ name }) => `identity/entity/name/${encoded(name)}`,
  taken: ({ policies: own, metadata, disabled }) => ({ policies: own, metadata, disabled }),
  request: ({ name, attributes }, _ids, isNew) =>
    isNew
      ? { path: 'identity/entity', body: { name, ...attributes } }
      : { path: `identity/entity/name/${encoded(name)}`, body: attributes },
};

const mountLink = { mount: { kind: 'auth-mounts', isRequired: true } } as const;

const aliases: AccessKind = {
  name: 'entity-aliases',
  words: 'alias of entity',
  owner: 'entities',
  path: () => 'identity/entity-alias',
  links: mountLink,
  request: ({ owner, attributes, links }, ids) => ({
    path: 'identity/entity-alias',
    body: {
      ...attributes,
      canonical_id: ids.idOf('entities', owner),
      mount_accessor: ids.idOf('auth-mounts', links.mount?.[0] ?? ''),
    },
  }),
};

const groups: AccessKind = {
  name: 'groups',
  words: 'group',
  list: () => 'identity/group/name',
  path: ({ name }) => `identity/group/name/${encoded(name)}`,
  taken: ({ type, policies: own, metadata }) => ({ type, policies: own, metadata }),
  request: ({ name, attributes }, _ids, isNew) =>
    isNew
      ? { path: 'identity/group', body: { name, ...attributes } }
      : { path: `identity/group/name/${encoded(name)}`, body: attributes },
};

/** Members follow all groups, because a group may be a member of another one. */
const groupMembers: AccessKind = {
  name: 'group-members',
  words: 'members of group',
  owner: 'groups',
  path: ({ owner }) => `identity/group/name/${encoded(owner)}`,
  links: { entities: { kind: 'entities' }, groups: { kind: 'groups' } },
  request: ({ owner, links }, ids) => {
    const idsOf = (kind: string) => (links[kind] ?? []).map((name) => ids.idOf(kind, name)).filter(Boolean);
    return {
      path: `identity/group/name/${encoded(owner)}`,
      body: {
        ...(links.entities && { member_entity_ids: idsOf('entities') }),
        ...(links.groups && { member_group_ids: idsOf('groups') }),
      },
    };
  },
};

const groupAliases: AccessKind = {
  name: 'group-aliases',
  words: 'alias of group',
  owner: 'groups',
  path: () => 'identity/group-alias',
  links: mountLink,
  request: ({ owner, attributes, links }, ids) => ({
    path: 'identity/group-alias',
    body: {
      ...attributes,
      canonical_id: ids.idOf('groups', owner),
      mount_accessor: ids.idOf('auth-mounts', links.mount?.[0] ?? ''),
    },
  }),
};

const SECRETS_OF_JWT = ['oidc_client_secret', 'provider_config'];

/** Everything of the access API that a migration takes. Each kind follows the kinds that it uses. */
export const ACCESS_KINDS: readonly AccessKind[] = [
  policies,
  mounts,
  configOf('cert', { taken: writtenSizes }),
  crls,
  ofMount('cert', 'cert-roles', 'certificate role', 'certs'),
  configOf('jwt', { readOnly: SECRETS_OF_JWT }),
  ofMount('jwt', 'jwt-roles', 'JWT role', 'role'),
  tokenRoles,
  entities,
  aliases,
  groups,
  groupMembers,
  groupAliases,
];

const BY_NAME: ReadonlyMap<string, AccessKind> = new Map(ACCESS_KINDS.map((kind) => [kind.name, kind]));

/** Returns undefined for an unknown name. */
export const accessKind = (name: string): AccessKind | undefined => BY_NAME.get(name);
