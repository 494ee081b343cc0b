import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { workspaces } from '../../api/client.ts';
import { sessionQuery } from '../../session/session.ts';
import { Answered } from '../faces/Answered.tsx';
import { Section } from '../section/Section.tsx';
import { Table } from '../table/Table.tsx';
import { Ago } from '../time/Time.tsx';

interface OfRoleProps {
  readonly mount: string;
  readonly role: string;
}

/** For whom logins by a role act, of what whoever asks may see; nothing without a token of that half. */
export function OfRole({ mount, role }: OfRoleProps) {
  const session = useQuery(sessionQuery);
  const enabled = Boolean(session.data?.workspaces);
  const query = { 'filter[mount]': mount, 'filter[role]': role, 'page[size]': '100' };
  const identities = useQuery({ ...workspaces.query('GET /machine-identities', { query }), enabled });
  if (!enabled) return null;
  return (
    <Section
      title="Machine identities"
      end={
        <Link className="link" to="/~access/machine-identities" search={{ mount, role }}>
          From certificate to workspace
        </Link>
      }
    >
      <Answered query={identities} what="Machine identities">
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">
              Who logs in by this role acts for nobody that you can see: its tokens open no workspace.
            </p>
          ) : (
            <Table
              label={`Whom ${role} acts for`}
              flush
              twoLines
              items={data}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: 'for',
                  head: 'Acts for',
                  isName: true,
                  cell: ({ id, attributes }) => (
                    <Link to="/~access/machine-identities" search={{ mount, role, identity: id }}>
                      <bdi>{attributes['acts-for']}</bdi>
                    </Link>
                  ),
                },
                {
                  id: 'kind',
                  head: 'As',
                  cell: ({ relationships: { team, organization } }) => (
                    <>
                      {team.data ? 'team' : 'agent pool'} of <bdi>{organization.data?.id}</bdi>
                    </>
                  ),
                },
                {
                  id: 'cn',
                  head: 'Common name',
                  cell: ({ attributes }) => <CommonName of={attributes['common-name']} />,
                },
                {
                  id: 'last',
                  head: 'Last came in',
                  isNumber: true,
                  cell: ({ attributes }) => <LastUsed at={attributes['last-used-at']} />,
                },
              ]}
            />
          )
        }
      </Answered>
    </Section>
  );
}

export function CommonName({ of }: { readonly of: string | null }) {
  return of === null ? <span className="soft">any</span> : <code>{of}</code>;
}

export function LastUsed({ at }: { readonly at: string | null }) {
  return at === null ? <span className="soft">never</span> : <Ago time={at} />;
}
