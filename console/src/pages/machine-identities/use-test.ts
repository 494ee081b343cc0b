import { useMutation } from '@tanstack/react-query';
import { type AccessSchemas, access, workspaces } from '../../api/client.ts';
import type { ExplainedRole } from '../../components/certificate/verdicts.ts';
import type { Identity } from './bridges.ts';

const EXPLAIN = 'POST /auth/{cert_mount_path}/login/explain';
const LIST = 'GET /machine-identities';
/** Roles that let it in which are followed further, and identities that are looked at. */
const FOLLOWED = 5;
const LOOKED_AT = '100';

/** How far a certificate comes by one role. */
export interface Followed {
  readonly role: ExplainedRole;
  /** What decides for a login by the role; undefined where nobody may ask. */
  readonly deciding: readonly Identity[] | undefined;
  /** All that is known of the role: none of these fits where none decides. */
  readonly identities: readonly Identity[];
}

/** How far a certificate comes. */
export interface Tested {
  readonly mount: string;
  readonly certificate: AccessSchemas['CertDescription'] | undefined;
  /** Roles that let it in, and those that do not though somebody acts by them. */
  readonly followed: readonly Followed[];
  /** Roles that refuse it, and by which nobody acts. */
  readonly refusing: number;
}

interface TestInput {
  readonly mount: string;
  readonly role: string;
  readonly pem: string;
}

const arrival = ({ role, deciding }: Followed) => (deciding?.length ? 0 : role.admitted ? 1 : 2);

/** Follows a certificate: who lets it in, whom it acts for then. What those reach is asked where it is shown. */
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
  // Those that arrive come first.
  const sorted = followed.toSorted((one, other) => arrival(one) - arrival(other));
  return { mount, certificate, followed: sorted, refusing };
}

export const useTest = (hasWorkspaces: boolean) =>
  useMutation({ mutationFn: (input: TestInput) => follow(input, hasWorkspaces) });
