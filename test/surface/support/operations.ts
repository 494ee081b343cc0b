import type { Operation } from '../../../src/access/operation/operation.ts';
import type { TestServer } from '../../support/server.ts';

/** An operation of the access API, by its mount and path. */
export interface Declared {
  /** `update auth/{cert_mount_path}/certs/:name` */
  readonly name: string;
  readonly prefix: string;
  readonly operation: Operation;
}

export const METHODS = { read: 'GET', list: 'LIST', update: 'POST', patch: 'PATCH', delete: 'DELETE' } as const;

export function declaredOperations({ application }: Pick<TestServer, 'application'>): Declared[] {
  return application.access.operationGroups.flatMap(({ prefix, operations }) =>
    operations.map((operation) => {
      const path = operation.path === '' ? prefix : `${prefix}/${operation.path}`;
      return { name: `${operation.verb} ${path}`, prefix, operation };
    }),
  );
}

/** `auth/cert/certs/web`: the path of an existing or missing object. */
export function pathOf({ prefix, operation }: Declared, exists: boolean): string {
  const name = operation.path.includes('polic') ? 'default' : 'web';
  return `${prefix}/${operation.path}`
    .replace(/\{(\w+)_mount_path\}/, '$1')
    .replace(/[:*](\w+)/g, (_, parameter) => (exists ? (parameter === 'name' ? name : 'cert') : 'nothing-of-this-name'))
    .replace(/\/$/, '');
}
