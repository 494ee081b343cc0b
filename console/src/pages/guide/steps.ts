import { quoted } from '../../components/path-line/path-line.ts';

/** What has to be there, from an empty server to a workspace that a runner has locked. */
export interface Step {
  readonly id: string;
  readonly title: string;
  readonly why: string;
  readonly command: string;
}

/** What the commands name, as far as it is there. */
export interface Names {
  /** `https://HOST:PORT` */
  readonly address: string;
  readonly mount: string;
  readonly role: string;
  readonly organization: string;
  readonly team: string;
  /** Its id. */
  readonly teamId: string;
  readonly workspace: string;
}

const api = (method: string, path: string, data: object) =>
  `lockkeeper api ${method} ${path} -d ${quoted(JSON.stringify({ data }))}`;

/** In the order in which each needs those before it. */
export function stepsOf({ address, mount, role, organization, team, teamId, workspace }: Names): readonly Step[] {
  return [
    {
      id: 'server',
      title: 'The server answers',
      why: 'Ready means that it can read, write and keep its record.',
      command: `curl --cacert server-ca.pem ${address}/healthz/ready`,
    },
    {
      id: 'root',
      title: 'The root token is in use',
      why: 'Whoever has set up the server holds it. It opens the access half: who may come in.',
      command: `export LOCKKEEPER_ADDR=${address} LOCKKEEPER_CACERT=server-ca.pem LOCKKEEPER_TOKEN=…
lockkeeper read auth/token/lookup-self`,
    },
    {
      id: 'mount',
      title: 'Certificates are a way in',
      why: 'A mount of the certificate method is where machines log in. A new server has one, at cert.',
      command: `lockkeeper write sys/auth/${quoted(mount)} type=cert`,
    },
    {
      id: 'role',
      title: 'A role says which certificates',
      why: 'It names the authority that issues them, and what has to stand in them.',
      command: `lockkeeper write auth/${quoted(mount)}/certs/${quoted(role)} certificate=@client-ca.pem allowed_common_names='*.example.com' token_ttl=15m`,
    },
    {
      id: 'policy',
      title: 'A policy says what tokens may do',
      why: 'In the access half. Runners need none: what they may do is said by their team.',
      command: `lockkeeper write sys/policies/acl/role-admin policy='path "auth/${mount}/certs/*" { capabilities = ["read", "list", "create", "update"] }'`,
    },
    {
      id: 'organization',
      title: 'An organization holds workspaces',
      why: 'With the token of the first user, which opens the workspaces half.',
      command: api('POST', 'organizations', {
        type: 'organizations',
        attributes: { name: organization, email: 'platform@example.com' },
      }),
    },
    {
      id: 'team',
      title: 'A team does the work',
      why: 'What the team may do, its members and machines may do.',
      command: api('POST', `organizations/${organization}/teams`, {
        type: 'teams',
        attributes: { name: team, 'organization-access': { 'manage-workspaces': true } },
      }),
    },
    {
      id: 'identity',
      title: 'A machine identity lets logins act for the team',
      why: 'Here both halves meet: a login by this role is a member of the team, without a stored secret.',
      command: api('POST', `teams/${teamId}/machine-identities`, {
        type: 'machine-identities',
        attributes: { mount, role, 'common-name': 'runner-*' },
      }),
    },
    {
      id: 'lock',
      title: 'The runner locks a workspace',
      why: 'It logs in with its certificate, and holds the workspace while it works.',
      command: `unset LOCKKEEPER_TOKEN
lockkeeper login --cert client.pem --key client.key
${api('POST', `organizations/${organization}/workspaces`, { type: 'workspaces', attributes: { name: workspace } })}
lockkeeper workspace lock ${quoted(`${organization}/${workspace}`)} --reason 'first'`,
    },
  ];
}
