import { AppError } from '../../lib/errors.ts';
import { NON_AUTH_MOUNTS, TOKEN_MOUNT } from '../model/fixed-mounts.ts';
import { INITIAL_FLAGS, INITIAL_TUNING, type Mount } from '../model/mount.ts';
import { answersData, answersFlat, answersNothing, answersWarnings } from '../operation/answer.ts';
import { described, parseFields, text } from '../operation/fields.ts';
import { type Call, DONE, type Operation, type Reply } from '../operation/operation.ts';
import { MountEntry, Mounts, MountTuningView, Remount, RemountStatus } from './mount-answers.ts';
import type { MountService } from './mount-service.ts';
import { fixedEntry, mountEntry, tuningView } from './mount-view.ts';
import { MOUNT_FIELDS, TUNING_FIELDS } from './tuning.ts';

const REMOUNT_FIELDS = described(
  { from: text(), to: text() },
  { from: 'Current path, such as `auth/cert`.', to: 'New path, such as `auth/machines`.' },
);
const PARAMETERS = { path: 'Path of the mount, such as `cert`.' };
const TOKEN_STORE = {
  id: TOKEN_MOUNT.accessor,
  path: 'token',
  tuning: INITIAL_TUNING,
  flags: INITIAL_FLAGS,
  ...TOKEN_MOUNT,
};

const pathOf = ({ params }: Pick<Call, 'params'>): string => params.path ?? '';

/**
 * Operations below `sys` on the mounts below `auth/`.
 * @param version version of the server, which all methods share
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
      id: 'auth-list-enabled-methods',
      summary: 'List the auth methods',
      answers: answersFlat(Mounts),
      async handle() {
        const entries = (await mounts.all()).map((mount) => [`${mount.path}/`, mountEntry(mount, version)]);
        return { data: { ...Object.fromEntries(entries), 'token/': fixedEntry(TOKEN_MOUNT, version) }, flat: true };
      },
    },
    {
      path: 'mounts',
      verb: 'read',
      id: 'mounts-list-secrets-engines',
      summary: 'List the mounts outside of auth/',
      answers: answersFlat(Mounts),
      async handle() {
        return { data: secretMounts, flat: true };
      },
    },
    {
      path: 'mounts/*path',
      verb: 'read',
      id: 'mounts-read-configuration',
      summary: 'Read a mount outside of auth/',
      answers: answersData(MountEntry),
      parameters: PARAMETERS,
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
      id: 'auth-read-configuration',
      summary: 'Read one auth method',
      answers: answersFlat(MountEntry),
      parameters: PARAMETERS,
      handle: readEntry,
    },
    {
      path: 'mounts/auth/*path',
      verb: 'read',
      id: 'mounts-read-auth-configuration',
      summary: 'Read one auth method',
      answers: answersFlat(MountEntry),
      parameters: PARAMETERS,
      handle: readEntry,
    },
    {
      path: 'auth/*path',
      verb: 'update',
      access: 'sudo',
      id: 'auth-enable-method',
      summary: 'Enable an auth method',
      answers: answersWarnings(),
      parameters: PARAMETERS,
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
      id: 'auth-disable-method',
      summary: 'Disable an auth method, revoke its tokens, and remove its data',
      answers: answersNothing(),
      parameters: PARAMETERS,
      async handle(call) {
        await mounts.disable(pathOf(call));
        return DONE;
      },
    },
    {
      path: 'auth/*path/tune',
      verb: 'read',
      access: 'sudo',
      id: 'auth-read-tuning-information',
      summary: 'Read the tuning of an auth method',
      answers: answersFlat(MountTuningView),
      parameters: PARAMETERS,
      handle: readTuning,
    },
    {
      path: 'auth/*path/tune',
      verb: 'update',
      access: 'sudo',
      id: 'auth-tune-configuration-parameters',
      summary: 'Tune an auth method',
      answers: answersWarnings(),
      parameters: PARAMETERS,
      fields: TUNING_FIELDS,
      handle: tune,
    },
    {
      path: 'mounts/auth/*path/tune',
      verb: 'read',
      id: 'mounts-read-tuning-information',
      summary: 'Read the tuning of an auth method',
      answers: answersFlat(MountTuningView),
      parameters: PARAMETERS,
      handle: readTuning,
    },
    {
      path: 'mounts/auth/*path/tune',
      verb: 'update',
      id: 'mounts-tune-configuration-parameters',
      summary: 'Tune an auth method',
      answers: answersWarnings(),
      parameters: PARAMETERS,
      fields: TUNING_FIELDS,
      handle: tune,
    },
  ];
}

function moveOperations(mounts: MountService): Operation[] {
  return [
    {
      path: 'remount',
      verb: 'update',
      access: 'sudo',
      id: 'remount',
      summary: 'Move an auth method to another path',
      answers: answersFlat(Remount),
      fields: REMOUNT_FIELDS,
      async handle({ data }) {
        const { from = '', to = '' } = parseFields(REMOUNT_FIELDS, data).values;
        return { data: { migration_id: await mounts.move(from, to) }, flat: true };
      },
    },
    {
      path: 'remount/status/:id',
      verb: 'read',
      id: 'remount-status',
      summary: 'Read the result of the last move of an auth method',
      answers: answersData(RemountStatus),
      parameters: { id: 'The `migration_id` of the move.' },
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
