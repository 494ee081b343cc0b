import { quoted } from '../../components/path-line/path-line.ts';
import * as texts from './texts.ts';

/** One step of the guide. */
export interface Step {
  readonly id: string;
  readonly title: string;
  readonly why: string;
  readonly command: string;
}

/** Names used in the commands: existing ones, else examples. */
export interface Names {
  /** Server URL: `https://HOST:PORT`. */
  readonly address: string;
  readonly mount: string;
  readonly role: string;
  readonly organization: string;
  readonly team: string;
  /** Team id. */
  readonly teamId: string;
  readonly workspace: string;
}

const api = (method: string, path: string, data: object) =>
  `lockkeeper api ${method} ${path} -d ${quoted(JSON.stringify({ data }))}`;

/** Returns the steps in order; each depends on the previous ones. */
export function stepsOf({ address, mount, role, organization, team, teamId, workspace }: Names): readonly Step[] {
  return [
    {
      id: 'server',
      title: texts.server,
      why: texts.theServerIsReady,
      command: `curl --cacert server-ca.pem ${address}/healthz/ready`,
    },
    {
      id: 'root',
      title: texts.rootToken,
      why: texts.theOperatorWhoSet,
      command: `export LOCKKEEPER_ADDR=${address} LOCKKEEPER_CACERT=server-ca.pem LOCKKEEPER_TOKEN=…
lockkeeper read auth/token/lookup-self`,
    },
    {
      id: 'mount',
      title: texts.certificateAuthMethod,
      why: texts.machinesLogInAt,
      command: `lockkeeper write sys/auth/${quoted(mount)} type=cert`,
    },
    {
      id: 'role',
      title: texts.role,
      why: texts.aRoleNamesThe,
      command: `lockkeeper write auth/${quoted(mount)}/certs/${quoted(role)} certificate=@client-ca.pem allowed_common_names='*.example.com' token_ttl=15m`,
    },
    {
      id: 'policy',
      title: texts.policy,
      why: texts.aPolicySaysWhat,
      command: `lockkeeper write sys/policies/acl/role-admin policy='path "auth/${mount}/certs/*" { capabilities = ["read", "list", "create", "update"] }'`,
    },
    {
      id: 'organization',
      title: texts.organization,
      why: texts.anOrganizationContainsProjects,
      command: api('POST', 'organizations', {
        type: 'organizations',
        attributes: { name: organization, email: 'platform@example.com' },
      }),
    },
    {
      id: 'team',
      title: texts.team,
      why: texts.membersAndMachineIdentities,
      command: api('POST', `organizations/${organization}/teams`, {
        type: 'teams',
        attributes: { name: team, 'organization-access': { 'manage-workspaces': true } },
      }),
    },
    {
      id: 'identity',
      title: texts.machineIdentity,
      why: texts.aMachineIdentityConnects,
      command: api('POST', `teams/${teamId}/machine-identities`, {
        type: 'machine-identities',
        attributes: { mount, role, 'common-name': 'runner-*' },
      }),
    },
    {
      id: 'lock',
      title: texts.lockedWorkspace,
      why: texts.theRunnerLogsIn,
      command: `unset LOCKKEEPER_TOKEN
lockkeeper login --cert client.pem --key client.key
${api('POST', `organizations/${organization}/workspaces`, { type: 'workspaces', attributes: { name: workspace } })}
lockkeeper workspace lock ${quoted(`${organization}/${workspace}`)} --reason 'first'`,
    },
  ];
}
