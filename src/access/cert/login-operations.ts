import type { Login } from '../method/index.ts';
import { answersAuth, answersData } from '../operation/answer.ts';
import { described, ipAddress, parseFields, pem, text } from '../operation/fields.ts';
import type { Call, OpenCall, Operation, Reply } from '../operation/operation.ts';
import { authReply } from '../tokens/index.ts';
import { CertExplanation } from './explain/cert-explanation.ts';
import type { Explainer } from './explain/explainer.ts';

const LOGIN_FIELDS = described({ name: text() }, { name: 'Name of the only role to try. Empty: all roles.' });
const EXPLAIN_FIELDS = described(
  { name: text(), certificate: pem(), address: ipAddress() },
  {
    name: 'Name of the only role to explain. Empty: the first hundred roles.',
    certificate: 'PEM, leaf first. Empty: the certificate of the connection.',
    address: 'IP address of the login. Empty: the address of the connection.',
  },
);

/** Implementation of the login operations of a mount. */
export interface LoginMethod {
  readonly explainer: Explainer;
  login(roleName: string, call: OpenCall): Promise<Login>;
}

/** Operations that log in machines, and that explain a login. */
export function loginOperations(method: LoginMethod): Operation[] {
  return [
    {
      path: 'login',
      verb: 'update',
      access: 'anyone',
      confirmsMount: true,
      id: 'cert-login',
      summary: 'Log in with the client certificate of the connection',
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
      summary: 'Explain why a login would succeed or fail; issues no token',
      answers: answersData(CertExplanation),
      fields: EXPLAIN_FIELDS,
      async handle(call: Call) {
        const { name = '', certificate = '', address = '' } = parseFields(EXPLAIN_FIELDS, call.data).values;
        return { data: await method.explainer.explain({ name, certificate, address }, call) };
      },
    },
  ];
}
