import { useMutation } from '@tanstack/react-query';
import { type AccessSchemas, access, workspaces } from '../../api/client.ts';
import type { ExplainedRole } from '../../components/certificate/verdicts.ts';
import type { Identity } from './bridges.ts';

const EXPLAIN = 'POST /auth/{cert_mount_path}/login/explain';
const LIST = 'GET /machine-identities';
/** Maximum numbers of accepting roles that are followed, and of identities that are read. */
const FOLLOWED = 5;
const LOOKED_AT = '100';

/** Result of a test for one role. */
export interface Followed {
  readonly role: ExplainedRole;
  /** Identities that apply to a login with the role; undefined if the user cannot read them. */
  readonly deciding: readonly Identity[] | undefined;
  /** All visible identities of the role. If none applies, none of these matches. */
  readonly identities: readonly Identity[];
}

/** Result of a test. */
export interface Tested {
  readonly mount: string;
  readonly certificate: AccessSchemas['CertDescription'] | undefined;
  /** Roles that accept the certificate, and refusing roles with identities. */
  readonly followed: readonly Followed[];
  /** Number of refusing roles without identities. */
  readonly refusing: number;
}

interface TestInput {
  readonly mount: string;
  readonly role: string;
  readonly pem: string;
}

const arrival = ({ role, deciding }: Followed) => (deciding?.length ? 0 : role.admitted ? 1 : 2);

/**
 * Tests a certificate: which roles accept it, and which teams or agent pool it acts for. The pages load the accessible
 * workspaces later.
 */
async function follow({ mount, role, pem }: TestInput, hasWorkspaces: boolean): Promise<Tested> {
  const { data } = await access.send(EXPLAIN, {
    path: { cert_mount_path: mount },
    body: { certificate: pem, ...(role && { name: role }) },
  });
  const [certificate] = data.certificates;
  const name = certificate?.common_name ?? '';
  const ofMount = { 'filter[mount]': mount, 'page[size]': LOOKED_AT };
  const identities = hasWorkspaces
    ? (await workspaces.send(LIST, { query: { ...ofMount, ...(role && { 'filter[role]': role }) } })).data
    : [];
  const by = (one: ExplainedRole) => identities.filter(({ attributes }) => attributes.role === one.role);
  const shown = [
    ...data.roles.filter(({ admitted }) => admitted).slice(0, FOLLOWED),
    ...data.roles.filter((one) => !one.admitted && (data.roles.length === 1 || by(one).length > 0)).slice(0, FOLLOWED),
  ];
  const followed = await Promise.all(
    shown.map(async (one): Promise<Followed> => {
      if (!hasWorkspaces || !one.admitted) return { role: one, deciding: undefined, identities: by(one) };
      const query = { ...ofMount, 'filter[role]': one.role, 'filter[common-name]': name };
      return { role: one, deciding: (await workspaces.send(LIST, { query })).data, identities: by(one) };
    }),
  );
  const refused = data.roles.filter(({ admitted }) => !admitted).length;
  const refusing = refused - shown.filter(({ admitted }) => !admitted).length;
  // Complete paths come first.
  const sorted = followed.toSorted((one, other) => arrival(one) - arrival(other));
  return { mount, certificate, followed: sorted, refusing };
}

export const useTest = (hasWorkspaces: boolean) =>
  useMutation({ mutationFn: (input: TestInput) => follow(input, hasWorkspaces) });
