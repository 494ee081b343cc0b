import { type Login, type LoginCall, readBack, roleName } from '../method/index.ts';
import { answersAuth, answersData, answersKeysInDetail, answersNothing, answersWarnings } from '../operation/answer.ts';
import { described, ipAddress, parseFields, text } from '../operation/fields.ts';
import { DETAIL_FIELDS, detailedReply } from '../operation/listing.ts';
import { DONE, type OpenCall, type Operation } from '../operation/operation.ts';
import { authReply } from '../tokens/index.ts';
import type { JwtLoginRequest } from './authentication/jwt-authenticator.ts';
import { type Explainer, JwtExplanation } from './explain/explainer.ts';
import type { JwtSettings } from './jwt-settings.ts';
import { CONFIG_FIELDS, JwtConfigView } from './settings/jwt-config.ts';
import { JwtRole, WRITABLE_FIELDS } from './settings/jwt-role.ts';

const LOGIN_FIELDS = described(
  { role: text(), jwt: text() },
  { role: 'Name of the role, in any case. Empty: the default role of the mount.', jwt: 'The JWT of the issuer.' },
);
const EXPLAIN_FIELDS = described(
  { role: text(), jwt: text(), address: ipAddress() },
  {
    role: 'Name of the only role to explain. Empty: the first hundred roles.',
    jwt: 'The JWT of the issuer.',
    address: 'IP address of the login. Empty: the address of the connection.',
  },
);

/** Implementation of the login operations of a mount. */
export interface LoginMethod {
  readonly explainer: Explainer;
  login(asked: JwtLoginRequest, call: LoginCall): Promise<Login>;
}

/** Operations that log in with a JWT, and that explain a login. */
export function loginOperations(method: LoginMethod): Operation[] {
  return [
    {
      path: 'login',
      verb: 'update',
      access: 'anyone',
      confirmsMount: true,
      id: 'jwt-login',
      summary: 'Log in with a JWT of the issuer',
      answers: answersAuth(),
      fields: LOGIN_FIELDS,
      async handle(call) {
        const { role = '', jwt = '' } = parseFields(LOGIN_FIELDS, call.data).values;
        const { issued, identityPolicies } = await method.login({ role, jwt }, call);
        return authReply(issued, identityPolicies);
      },
    },
    {
      path: 'login/explain',
      verb: 'update',
      id: 'jwt-explain-login',
      summary: 'Explain why a login would succeed or fail; issues no token',
      answers: answersData(JwtExplanation),
      fields: EXPLAIN_FIELDS,
      async handle(call) {
        const { role = '', jwt = '', address = '' } = parseFields(EXPLAIN_FIELDS, call.data).values;
        return { data: await method.explainer.explain({ role, jwt, address }, call) };
      },
    },
  ];
}

/** Operations on the configuration of the issuer. */
export function configOperations(settings: JwtSettings): Operation[] {
  return [
    {
      path: 'config',
      verb: 'read',
      id: 'jwt-read-configuration',
      summary: 'Read the configuration of the issuer and its keys',
      answers: answersData(JwtConfigView),
      async handle() {
        return { data: { ...(await settings.readConfig()) } };
      },
    },
    {
      path: 'config',
      verb: 'update',
      id: 'jwt-configure',
      summary: 'Write the configuration of the issuer and its keys; absent fields become empty',
      answers: answersWarnings(),
      fields: CONFIG_FIELDS,
      async handle({ data }) {
        return { warnings: await settings.writeConfig(data) };
      },
    },
  ];
}

const ROLE = { name: 'Name of the role, in any case.' };
/** Names are case-insensitive. */
const NAME = { param: 'name', of: (name: string) => name.toLowerCase() };
const nameOf = ({ params }: OpenCall): string => roleName(params.name ?? '');

/** Operations on roles, for administrators. */
export function roleOperations(settings: JwtSettings): Operation[] {
  const at = { path: 'role/:name', canonical: NAME, parameters: ROLE };
  return [
    {
      path: 'role',
      verb: 'list',
      id: 'jwt-list-roles',
      summary: 'List roles; with `detail` the fields of each',
      answers: answersKeysInDetail(JwtRole),
      fields: DETAIL_FIELDS,
      handle: (call) =>
        detailedReply(call, {
          names: (after, most) => settings.store.names(after, most),
          page: async (after, most) =>
            (await settings.store.page(after, most)).map(({ name, settings }) => [name, settings] as const),
          infoOf: readBack,
        }),
    },
    {
      ...at,
      verb: 'update',
      id: 'jwt-write-role',
      summary: 'Write a role; absent fields keep their value',
      answers: answersWarnings(),
      fields: WRITABLE_FIELDS,
      async handle(call) {
        return { warnings: await settings.writeRole(nameOf(call), call.data, call.mount.tuning) };
      },
    },
    {
      ...at,
      verb: 'read',
      id: 'jwt-read-role',
      summary: 'Read a role',
      answers: answersData(JwtRole),
      async handle(call) {
        return { data: readBack(await settings.readRole(nameOf(call))) };
      },
    },
    {
      ...at,
      verb: 'delete',
      id: 'jwt-delete-role',
      summary: 'Delete a role',
      answers: answersNothing(),
      async handle(call) {
        await settings.store.remove(nameOf(call));
        return DONE;
      },
    },
  ];
}
