import { AppError } from '../../lib/errors.ts';
import type { Operation } from '../api/operation.ts';
import { listReply } from '../listing.ts';

const TYPES: ReadonlySet<string> = new Set(['auth', 'database', 'secret']);

/**
 * `plugins/catalog`: the methods that can be mounted, as clients look for them. All are part of this program; none can be
 * added.
 * @param types of methods: `cert`
 * @param version of this program
 */
export function pluginOperations(types: readonly string[], version: string): readonly Operation[] {
  const builtIn = { builtin: true, version: `v${version}+builtin`, deprecation_status: 'supported' };
  return [
    {
      path: 'plugins/catalog',
      verb: 'read',
      summary: 'List the methods that can be mounted',
      async handle() {
        return {
          data: {
            auth: types,
            database: [],
            secret: [],
            detailed: types.map((name) => ({ name, type: 'auth', ...builtIn })),
          },
        };
      },
    },
    {
      path: 'plugins/catalog/:type_name',
      verb: 'list',
      access: 'sudo',
      summary: 'List what can be mounted, of one kind',
      async handle({ params }) {
        assertType(params.type_name);
        return listReply(params.type_name === 'auth' ? types : []);
      },
    },
    {
      path: 'plugins/catalog/:type_name/:name',
      verb: 'read',
      access: 'sudo',
      summary: 'Read what is known of a method',
      async handle({ params }) {
        assertType(params.type_name);
        const { name = '' } = params;
        if (params.type_name !== 'auth' || !types.includes(name)) throw new AppError('not-found', '');
        return { data: { name, args: [], command: '', sha256: '', ...builtIn } };
      },
    },
  ];
}

function assertType(type: string | undefined): void {
  if (!TYPES.has(type ?? '')) throw new AppError('bad-request', 'the kinds of plugins are auth, database and secret');
}
