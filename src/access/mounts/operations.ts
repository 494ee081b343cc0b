import { AppError } from '../../lib/errors.ts';
import { type Call, DONE, type Operation, type Reply } from '../api/operation.ts';
import { parseFields, text } from '../fields.ts';
import { NON_AUTH_MOUNTS, TOKEN_MOUNT } from './fixed-mounts.ts';
import { INITIAL_FLAGS, INITIAL_TUNING, type Mount } from './mount.ts';
import type { MountService } from './mount-service.ts';
import { fixedEntry, mountEntry, tuningView } from './mount-view.ts';
import { MOUNT_FIELDS, TUNING_FIELDS } from './tuning.ts';

const REMOUNT_FIELDS = { from: text(), to: text() };
const TOKEN_STORE = {
  id: TOKEN_MOUNT.accessor,
  path: 'token',
  tuning: INITIAL_TUNING,
  flags: INITIAL_FLAGS,
  ...TOKEN_MOUNT,
};

const pathOf = ({ params }: Pick<Call, 'params'>): string => params.path ?? '';

/**
 * The mounts below `auth/`, as operations below `sys`.
 * @param version of this program: methods are part of it
 */
export function mountOperations(mounts: MountService, version: string): readonly Operation[] {
  return [...listOperations(mounts, version), ...mountedOperations(mounts, version), ...moveOperations(mounts)];
}

function listOperations(mounts: MountService, version: string): Operation[] {
  const secretMounts = Object.fromEntries(
    NON_AUTH_MOUNTS.map((mount) => [`${mount.prefix}/`, fixedEntry(mount, version)]),
  );
  return [
    {
      path: 'auth',
      verb: 'read',
      summary: 'List the authentication methods',
      async handle() {
        const entries = (await mounts.all()).map((mount) => [`${mount.path}/`, mountEntry(mount, version)]);
        return { data: { ...Object.fromEntries(entries), 'token/': fixedEntry(TOKEN_MOUNT, version) }, flat: true };
      },
    },
    {
      path: 'mounts',
      verb: 'read',
      summary: 'List what is mounted outside of auth/',
      async handle() {
        return { data: secretMounts, flat: true };
      },
    },
    {
      path: 'mounts/*path',
      verb: 'read',
      summary: 'Read what is mounted outside of auth/',
      async handle(call) {
        const data = Object.entries(secretMounts).find(([path]) => path === `${pathOf(call)}/`)?.[1];
        if (!data) throw new AppError('bad-request', `No secret engine mount at ${pathOf(call)}/`);
        return { data };
      },
    },
  ];
}

function mountedOperations(mounts: MountService, version: string): Operation[] {
  const read = async (call: Call): Promise<Mount | typeof TOKEN_STORE | undefined> =>
    pathOf(call) === 'token' ? TOKEN_STORE : mounts.find(pathOf(call));
  const readEntry = async (call: Call): Promise<Reply> => {
    const mount = await read(call);
    if (!mount) throw new AppError('bad-request', `No auth engine at ${pathOf(call)}/`);
    return { data: mountEntry(mount, version), flat: true };
  };
  const readTuning = async (call: Call): Promise<Reply> => {
    const mount = await read(call);
    if (!mount) throw new AppError('bad-request', `No auth engine at ${pathOf(call)}/`);
    return { data: tuningView(mount, mounts.limits), flat: true };
  };
  const tune = async (call: Call): Promise<Reply> => {
    await mounts.tune(pathOf(call), call.data);
    return DONE;
  };
  return [
    {
      path: 'auth/*path',
      verb: 'read',
      access: 'sudo',
      summary: 'Read one authentication method',
      handle: readEntry,
    },
    { path: 'mounts/auth/*path', verb: 'read', summary: 'Read one authentication method', handle: readEntry },
    {
      path: 'auth/*path',
      verb: 'update',
      access: 'sudo',
      summary: 'Enable an authentication method',
      fields: MOUNT_FIELDS,
      async handle(call) {
        await mounts.enable(pathOf(call), call.data);
        return DONE;
      },
    },
    {
      path: 'auth/*path',
      verb: 'delete',
      access: 'sudo',
      summary: 'Disable an authentication method, its tokens, and remove its data',
      async handle(call) {
        await mounts.disable(pathOf(call));
        return DONE;
      },
    },
    {
      path: 'auth/*path/tune',
      verb: 'read',
      access: 'sudo',
      summary: 'Read the tuning of a method',
      handle: readTuning,
    },
    {
      path: 'auth/*path/tune',
      verb: 'update',
      access: 'sudo',
      summary: 'Tune a method',
      fields: TUNING_FIELDS,
      handle: tune,
    },
    { path: 'mounts/auth/*path/tune', verb: 'read', summary: 'Read the tuning of a method', handle: readTuning },
    { path: 'mounts/auth/*path/tune', verb: 'update', summary: 'Tune a method', fields: TUNING_FIELDS, handle: tune },
  ];
}

function moveOperations(mounts: MountService): Operation[] {
  return [
    {
      path: 'remount',
      verb: 'update',
      access: 'sudo',
      summary: 'Move a method to another path',
      fields: REMOUNT_FIELDS,
      async handle({ data }) {
        const { from = '', to = '' } = parseFields(REMOUNT_FIELDS, data).values;
        return { data: { migration_id: await mounts.move(from, to) }, flat: true };
      },
    },
    {
      path: 'remount/status/:id',
      verb: 'read',
      summary: 'Say what came of the last move of a method',
      async handle({ params }) {
        const id = params.id ?? '';
        const move = await mounts.lastMove(id);
        if (!move) throw new AppError('not-found', '');
        const info = { source_mount: `auth/${move.from}/`, target_mount: `auth/${move.to}/`, status: 'success' };
        return { data: { migration_id: id, migration_info: info } };
      },
    },
  ];
}
