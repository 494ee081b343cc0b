import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { workspaces } from '../../api/client.ts';
import { sessionQuery } from '../../session/session.ts';
import { QueryResult } from '../page-states/QueryResult.tsx';
import { Section } from '../section/Section.tsx';
import { Table } from '../table/Table.tsx';
import { Ago } from '../time/Time.tsx';
import * as texts from './texts.ts';

interface OfRoleProps {
  readonly mount: string;
  readonly role: string;
}

/**
 * Teams and agent pools for which a role's logins act, as far as the user may see them. Hidden without a workspace
 * token.
 */
export function OfRole({ mount, role }: OfRoleProps) {
  const session = useQuery(sessionQuery);
  const enabled = Boolean(session.data?.workspaces);
  const query = { 'filter[mount]': mount, 'filter[role]': role, 'page[size]': '100' };
  const identities = useQuery({ ...workspaces.query('GET /machine-identities', { query }), enabled });
  if (!enabled) return null;
  return (
    <Section
      title={texts.machineIdentities}
      end={
        <Link className="link" to="/~access/machine-identities" search={{ mount, role }}>
          {texts.fromCertificateToWorkspace}
        </Link>
      }
    >
      <QueryResult query={identities} what={texts.machineIdentities}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">{texts.tokensOfThisRole}</p>
          ) : (
            <Table
              label={texts.teamsAndAgentPools(role)}
              flush
              twoLines
              items={data}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: 'for',
                  head: texts.actsFor,
                  isName: true,
                  cell: ({ id, attributes }) => (
                    <Link to="/~access/machine-identities" search={{ mount, role, identity: id }}>
                      <bdi>{attributes['acts-for']}</bdi>
                    </Link>
                  ),
                },
                {
                  id: 'kind',
                  head: texts.type,
                  cell: ({ relationships: { team, organization } }) => (
                    <>
                      {texts.ofText(team.data ? texts.team : texts.agentPool)} <bdi>{organization.data?.id}</bdi>
                    </>
                  ),
                },
                {
                  id: 'cn',
                  head: texts.commonName,
                  cell: ({ attributes }) => <CommonName of={attributes['common-name']} />,
                },
                {
                  id: 'last',
                  head: texts.lastLogin,
                  isNumber: true,
                  cell: ({ attributes }) => <LastUsed at={attributes['last-used-at']} />,
                },
              ]}
            />
          )
        }
      </QueryResult>
    </Section>
  );
}

export function CommonName({ of }: { readonly of: string | null }) {
  return of === null ? <span className="soft">{texts.any}</span> : <code>{of}</code>;
}

export function LastUsed({ at }: { readonly at: string | null }) {
  return at === null ? <span className="soft">{texts.never}</span> : <Ago time={at} />;
}
