import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Field, Select } from '../../components/form/Field.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import type { Column } from '../../components/table/columns.ts';
import { counted } from '../../format/number.ts';
import { ListPage } from '../../shell/list-page/ListPage.tsx';
import { pageIn, pageQuery } from '../../shell/list-page/paging.ts';
import { useOrganization } from '../../shell/organization.ts';
import { usePlace } from '../../shell/page.ts';
import { PeopleTabs } from './PeopleTabs.tsx';
import * as texts from './texts.ts';

const LIST = 'GET /organizations/{organization_name}/teams';
const route = getRouteApi('/signed-in/$organization/teams');

type Team = Resources['teams'];

/** Returns the permissions in words, such as `manage workspaces, read projects`; owners have all of them. */
function accessInWords({ name, 'organization-access': access }: Team['attributes']): string {
  if (name === 'owners') return texts.everything;
  const on = Object.entries(access).flatMap(([flag, isOn]) => (isOn ? [flag.replaceAll('-', ' ')] : []));
  return on.join(', ') || texts.noOrganizationAccess;
}

const columnsOf = (organization: string): readonly Column<Team>[] => [
  {
    id: 'name',
    head: texts.name,
    isName: true,
    cell: ({ id, attributes }) => (
      <Link to="/$organization/teams/$team" params={{ organization, team: id }}>
        <bdi>{attributes.name}</bdi>
      </Link>
    ),
  },
  {
    id: 'members',
    head: texts.members,
    isNumber: true,
    cell: ({ attributes }) => counted(attributes['users-count'], 'member'),
  },
  {
    id: 'access',
    head: texts.organizationAccess,
    className: 'soft',
    cell: ({ attributes }) => accessInWords(attributes),
  },
  {
    id: 'seen',
    head: texts.visibleTo,
    className: 'soft',
    cell: ({ attributes }) => (attributes.visibility === 'secret' ? texts.itsMembers : texts.everyMember),
  },
];

/** Lists the teams of an organization. The permissions of users and machines come from their teams. */
export function TeamsPage() {
  const { organization } = route.useParams();
  const page = pageIn(route.useSearch());
  const navigate = useNavigate({ from: '/$organization/teams' });
  const input = { path: { organization_name: organization }, query: pageQuery(page) };
  usePlace([{ label: organization, to: `/${organization}/workspaces` }, { label: texts.teams }]);
  usePathLine({
    request: workspaces.request(LIST, input),
    command: `lockkeeper api GET organizations/${organization}/teams`,
  });
  const teams = useQuery({ ...workspaces.query(LIST, input), placeholderData: keepPreviousData });
  const { may } = useOrganization(organization);
  return (
    <ListPage
      title={texts.teams}
      lede={texts.aTeamIsA}
      label={texts.teamsOf(organization)}
      query={teams}
      columns={columnsOf(organization)}
      missing={<code>membership of the organization</code>}
      creation={
        may?.['can-create-team'] === true && {
          button: texts.newTeam2,
          hint: texts.newTeam,
          dialog: (close) => <NewTeam organization={organization} onClose={close} />,
        }
      }
      pages={{ page, onPage: (next) => void navigate({ search: { page: String(next) } }) }}
    >
      <PeopleTabs organization={organization} members={may?.['can-manage-users'] ?? false} />
    </ListPage>
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
      title={texts.newTeam2}
      action={texts.createTeam}
      busy={create.isPending}
      fault={create.error}
      off={name === '' && texts.enterAName}
      onAction={() => create.mutate()}
      onClose={onClose}
    >
      <Field name="name" label={texts.name} maxLength={90} value={name} onText={setName} autoComplete="off" autoFocus />
      <Select
        name="visibility"
        label={texts.visibleTo}
        value={visibility}
        options={[
          ['organization', texts.everyMemberOfTheOrganization],
          ['secret', texts.onlyItsMembers],
        ]}
        onText={(value) => setVisibility(value === 'secret' ? 'secret' : 'organization')}
      />
    </AskDialog>
  );
}
