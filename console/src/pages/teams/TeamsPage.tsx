import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Field, Select } from '../../components/form/Field.tsx';
import { Pager } from '../../components/pager/Pager.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import type { Column } from '../../components/table/columns.ts';
import { Table } from '../../components/table/Table.tsx';
import { count, counted } from '../../format/number.ts';
import { useShortcuts } from '../../keyboard/shortcuts.ts';
import { useOrganization } from '../../shell/organization.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { PeopleTabs } from './PeopleTabs.tsx';

const LIST = 'GET /organizations/{organization_name}/teams';
const SIZE = 50;
const route = getRouteApi('/signed-in/$organization/teams');

type Team = Resources['teams'];

/** `manage workspaces, read projects`; the owners have all of it. */
function accessInWords({ name, 'organization-access': access }: Team['attributes']): string {
  if (name === 'owners') return 'everything';
  const on = Object.entries(access).flatMap(([flag, isOn]) => (isOn ? [flag.replaceAll('-', ' ')] : []));
  return on.join(', ') || 'nothing by itself';
}

const columnsOf = (organization: string): readonly Column<Team>[] => [
  {
    id: 'name',
    head: 'Name',
    isName: true,
    cell: ({ id, attributes }) => (
      <Link to="/$organization/teams/$team" params={{ organization, team: id }}>
        <bdi>{attributes.name}</bdi>
      </Link>
    ),
  },
  {
    id: 'members',
    head: 'Members',
    isNumber: true,
    cell: ({ attributes }) => counted(attributes['users-count'], 'member'),
  },
  {
    id: 'access',
    head: 'May, in the whole organization',
    className: 'soft',
    cell: ({ attributes }) => accessInWords(attributes),
  },
  {
    id: 'seen',
    head: 'Seen by',
    className: 'soft',
    cell: ({ attributes }) => (attributes.visibility === 'secret' ? 'its members' : 'everybody'),
  },
];

/** The teams of an organization: what people may do follows their teams. */
export function TeamsPage() {
  const { organization } = route.useParams();
  const page = Math.max(1, Number.parseInt(route.useSearch().page ?? '1', 10) || 1);
  const navigate = useNavigate({ from: '/$organization/teams' });
  const [isAsking, setAsking] = useState(false);
  const input = {
    path: { organization_name: organization },
    query: { 'page[number]': String(page), 'page[size]': String(SIZE) },
  };
  usePlace([{ label: organization, to: `/${organization}/workspaces` }, { label: 'Teams' }]);
  usePathLine({
    request: workspaces.request(LIST, input),
    command: `lockkeeper api GET organizations/${organization}/teams`,
  });
  const teams = useQuery({ ...workspaces.query(LIST, input), placeholderData: keepPreviousData });
  const { may } = useOrganization(organization);
  const canCreate = may?.['can-create-team'] ?? false;
  useShortcuts(canCreate ? [{ keys: 'c', label: 'new team', hint: true, run: () => setAsking(true) }] : []);
  const total = teams.data?.meta.pagination['total-count'] ?? 0;
  return (
    <>
      <PageHead
        title="Teams"
        beside={teams.data && <span className="soft">{count(total)}</span>}
        lede="What people and machines may do here, they may as members of teams."
        actions={
          canCreate && (
            <Button look="primary" onClick={() => setAsking(true)}>
              New team
            </Button>
          )
        }
      />
      <PeopleTabs organization={organization} members={may?.['can-manage-users'] ?? false} />
      <Answered query={teams} what={`Teams of ${organization}`} missing={<code>membership of the organization</code>}>
        {({ data }) => (
          <>
            <Table
              label={`Teams of ${organization}`}
              columns={columnsOf(organization)}
              items={data}
              keyOf={({ id }) => id}
              twoLines
            />
            <Pager
              page={page}
              size={SIZE}
              total={total}
              onPage={(next) => void navigate({ search: { page: String(next) } })}
            />
          </>
        )}
      </Answered>
      {isAsking && <NewTeam organization={organization} onClose={() => setAsking(false)} />}
    </>
  );
}

function NewTeam({ organization, onClose }: { readonly organization: string; readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [visibility, setVisibility] = useState<'organization' | 'secret'>('organization');
  const navigate = useNavigate();
  const create = useChange(
    () =>
      workspaces.send('POST /organizations/{organization_name}/teams', {
        path: { organization_name: organization },
        body: { data: { type: 'teams', attributes: { name, visibility } } },
      }),
    ({ data }) => void navigate({ to: '/$organization/teams/$team', params: { organization, team: data.id } }),
  );
  return (
    <AskDialog
      title="New team"
      action="Create team"
      busy={create.isPending}
      fault={create.error}
      off={name === '' && 'It needs a name'}
      onAction={() => create.mutate()}
      onClose={onClose}
    >
      <Field name="name" label="Name" maxLength={90} value={name} onText={setName} autoComplete="off" autoFocus />
      <Select
        name="visibility"
        label="Seen by"
        value={visibility}
        options={[
          ['organization', 'everybody in the organization'],
          ['secret', 'its members alone'],
        ]}
        onText={(value) => setVisibility(value === 'secret' ? 'secret' : 'organization')}
      />
    </AskDialog>
  );
}
