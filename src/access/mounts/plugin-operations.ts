import { AppError } from '../../lib/errors.ts';
import { answersData, answersKeys } from '../operation/answer.ts';
import { listReply } from '../operation/listing.ts';
import type { Operation } from '../operation/operation.ts';
import { component, flag, listOf, text, texts } from '../operation/schema.ts';

const KIND = { type: 'auth, database or secret. Lockkeeper has only auth methods.' };
const TYPES: ReadonlySet<string> = new Set(['auth', 'database', 'secret']);

const BUILT_IN = { name: text(), builtin: flag('Always true.'), version: text(), deprecation_status: text() };
const Plugin = component('Plugin', {
  ...BUILT_IN,
  args: texts('Empty.'),
  command: text('Empty.'),
  sha256: text('Empty.'),
});
const PluginCatalog = component('PluginCatalog', {
  auth: texts(),
  database: texts('Empty.'),
  secret: texts('Empty.'),
  detailed: listOf(component('PluginEntry', { ...BUILT_IN, type: text() })),
});

/**
 * Operations on `plugins/catalog`, which official clients use to find the available methods. All are built in; none
 * can be added.
 * @param types types of methods, such as `cert` and `jwt`
 * @param version version of the server
 */
export function pluginOperations(types: readonly string[], version: string): readonly Operation[] {
  const builtIn = { builtin: true, version: `v${version}+builtin`, deprecation_status: 'supported' };
  return [
    {
      path: 'plugins/catalog',
      id: 'plugins-catalog-list-plugins',
      verb: 'read',
      summary: 'List the auth methods that can be mounted',
      answers: answersData(PluginCatalog),
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
      path: 'plugins/catalog/:type',
      id: 'plugins-catalog-list-plugins-with-type',
      verb: 'list',
      access: 'sudo',
      summary: 'List the plugins of one type',
      answers: answersKeys(),
      parameters: KIND,
      async handle({ params }) {
        assertType(params.type);
        return listReply(params.type === 'auth' ? types : []);
      },
    },
    {
      path: 'plugins/catalog/:type/:name',
      id: 'plugins-catalog-read-plugin-configuration-with-type',
      verb: 'read',
      access: 'sudo',
      summary: 'Read the properties of a plugin',
      answers: answersData(Plugin),
      parameters: { ...KIND, name: 'Type of an auth method.' },
      async handle({ params }) {
        assertType(params.type);
        const { name = '' } = params;
        if (params.type !== 'auth' || !types.includes(name)) throw new AppError('not-found', '');
        return { data: { name, args: [], command: '', sha256: '', ...builtIn } };
      },
    },
  ];
}

function assertType(type: string | undefined): void {
  if (!TYPES.has(type ?? '')) throw new AppError('bad-request', 'the plugin type must be auth, database or secret');
}
