import { answersAuth, answersData, answersKeys, answersNothing, answersWarnings } from '../operation/answer.ts';
import { described, parseFields, text } from '../operation/fields.ts';
import { listReply, PAGE_FIELDS, pageOf } from '../operation/listing.ts';
import { type Call, DONE, type OpenCall, type Operation, type Reply } from '../operation/operation.ts';
import { authReply, type IssuedToken } from '../tokens/index.ts';
import { CertExplanation } from './explain/cert-explanation.ts';
import type { Explainer } from './explain/explainer.ts';
import type { RoleService } from './role/role-service.ts';
import { roleName } from './role/role-write.ts';
import { CertConfigView, CONFIG_FIELDS } from './settings/cert-config.ts';
import { CertRole, WRITABLE_FIELDS } from './settings/role-settings.ts';

const LOGIN_FIELDS = described({ name: text() }, { name: 'The only role to be tried. Empty: all.' });
const EXPLAIN_FIELDS = described(
  { name: text(), certificate: text(), address: text() },
  {
    name: 'The only role to be asked. Empty: the first hundred.',
    certificate: 'PEM, the leaf first. Empty: what the connection presents.',
    address: 'Where the login would come from. Empty: the address of the connection.',
  },
);
const ROLE = { name: 'The role, in any case.' };

/** Names are case-insensitive. */
const NAME = { param: 'name', of: (name: string) => name.toLowerCase() };
const nameOf = ({ params }: OpenCall): string => roleName(params.name ?? '');

/** A token, and what whoever it stands for adds to its policies. */
export interface Login {
  readonly issued: IssuedToken;
  readonly identityPolicies: readonly string[];
}

/** What stands behind the operations of a mount. */
export interface CertParts {
  readonly roles: RoleService;
  readonly explainer: Explainer;
  login(roleName: string, call: OpenCall): Promise<Login>;
}

/** The certificate method under its mount: roles and configuration for administrators, `login` for machines (spec §4). */
export function certOperations(method: CertParts): readonly Operation[] {
  return [...roleOperations(method), ...configOperations(method), ...loginOperations(method)];
}

function roleOperations({ roles }: CertParts): Operation[] {
  return [
    {
      path: 'certs',
      verb: 'list',
      id: 'cert-list-certificates',
      summary: 'List roles',
      answers: answersKeys(),
      fields: PAGE_FIELDS,
      async handle({ data }) {
        const { after, most } = pageOf(data);
        return listReply(await roles.names(after, most));
      },
    },
    {
      path: 'certs/:name',
      canonical: NAME,
      verb: 'update',
      id: 'cert-write-certificate',
      summary: 'Write a role; what is not named keeps its value',
      answers: answersWarnings(),
      parameters: ROLE,
      fields: WRITABLE_FIELDS,
      async handle(call) {
        return { warnings: await roles.write(nameOf(call), call.data, call.mount.tuning) };
      },
    },
    {
      path: 'certs/:name',
      canonical: NAME,
      verb: 'read',
      id: 'cert-read-certificate',
      summary: 'Read a role',
      answers: answersData(CertRole),
      parameters: ROLE,
      async handle(call) {
        return { data: await roles.read(nameOf(call)) };
      },
    },
    {
      path: 'certs/:name',
      canonical: NAME,
      verb: 'delete',
      id: 'cert-delete-certificate',
      summary: 'Delete a role',
      answers: answersNothing(),
      parameters: ROLE,
      async handle(call) {
        await roles.remove(nameOf(call));
        return DONE;
      },
    },
  ];
}

function configOperations({ roles }: CertParts): Operation[] {
  return [
    {
      path: 'config',
      verb: 'read',
      id: 'cert-read-configuration',
      summary: 'Read what holds for every role',
      answers: answersData(CertConfigView),
      async handle() {
        return { data: { ...(await roles.readConfig()) } };
      },
    },
    {
      path: 'config',
      verb: 'update',
      id: 'cert-configure',
      summary: 'Set what holds for every role',
      answers: answersNothing(),
      fields: CONFIG_FIELDS,
      async handle({ data }) {
        await roles.writeConfig(data);
        return DONE;
      },
    },
  ];
}

function loginOperations(method: CertParts): Operation[] {
  return [
    {
      path: 'login',
      verb: 'update',
      access: 'anyone',
      id: 'cert-login',
      summary: 'Log in with the certificate of the connection',
      answers: answersAuth(),
      fields: LOGIN_FIELDS,
      async handle(call): Promise<Reply> {
        const { name = '' } = parseFields(LOGIN_FIELDS, call.data).values;
        const { issued, identityPolicies } = await method.login(name, call);
        return authReply(issued, identityPolicies);
      },
    },
    {
      path: 'login/explain',
      verb: 'update',
      id: 'cert-explain-login',
      summary: 'Say why a login would succeed or fail; issues nothing',
      answers: answersData(CertExplanation),
      fields: EXPLAIN_FIELDS,
      async handle(call: Call) {
        const { name = '', certificate = '', address = '' } = parseFields(EXPLAIN_FIELDS, call.data).values;
        return { data: await method.explainer.explain({ name, certificate, address }, call) };
      },
    },
  ];
}
