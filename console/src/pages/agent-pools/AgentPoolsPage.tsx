import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Check, Field } from '../../components/form/Field.tsx';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { State } from '../../components/state/State.tsx';
import type { Column } from '../../components/table/columns.ts';
import { counted } from '../../format/number.ts';
import { day } from '../../format/time.ts';
import { ListPage } from '../../shell/list-page/ListPage.tsx';
import { useOrganization } from '../../shell/organization.ts';
import { usePlace } from '../../shell/page.ts';
import * as texts from './texts.ts';

const LIST = 'GET /organizations/{organization_name}/agent-pools';
const EVERY_MS = 10_000;
const route = getRouteApi('/signed-in/$organization/agents');

type Pool = Resources['agent-pools'];

const columnsOf = (organization: string): readonly Column<Pool>[] => [
  {
    id: 'name',
    head: texts.name,
    isName: true,
    cell: ({ id, attributes }) => (
      <Link to="/$organization/agents/$pool" params={{ organization, pool: id }}>
        <bdi>{attributes.name}</bdi>
      </Link>
    ),
  },
  {
    id: 'agents',
    head: texts.agents,
    cell: ({ attributes: { 'agent-count': connected } }) => (
      <State icon={connected > 0 ? 'ok' : 'slash'} is={connected > 0 ? 'good' : 'idle'}>
        {connected > 0 ? texts.connected(counted(connected, texts.agent)) : texts.noneConnected}
      </State>
    ),
  },
  {
    id: 'scope',
    head: texts.availableTo,
    className: 'soft',
    cell: ({ attributes, relationships: to }) =>
      attributes['organization-scoped']
        ? texts.everyWorkspace
        : `${counted(to['allowed-workspaces'].data.length, 'workspace')}, ${counted(to['allowed-projects'].data.length, 'project')}`,
  },
  {
    id: 'used',
    head: texts.usedBy,
    className: 'soft',
    isNumber: true,
    cell: ({ relationships }) => counted(relationships.workspaces.data.length, 'workspace'),
  },
  {
    id: 'made',
    head: texts.created,
    className: 'soft',
    isNumber: true,
    cell: ({ attributes }) => day(attributes['created-at']),
  },
];

/** Agent pools of an organization. */
export function AgentPoolsPage() {
  const { organization } = route.useParams();
  const input = { path: { organization_name: organization }, query: { 'page[size]': '100' } };
  usePlace([{ label: organization, to: `/${organization}/workspaces` }, { label: texts.agents }]);
  usePathLine({
    request: workspaces.request(LIST, input),
    command: `lockkeeper api GET organizations/${organization}/agent-pools`,
  });
  const { may } = useOrganization(organization);
  const manages = may?.['can-update-agent-pools'] ?? false;
  const sees = manages || (may?.['can-create-workspace'] ?? false);
  const pools = useQuery({ ...workspaces.query(LIST, input), enabled: sees, refetchInterval: EVERY_MS });
  return (
    <ListPage
      title={texts.agents}
      lede={texts.agentsHint}
      label={texts.agentPoolsOf(organization)}
      query={sees ? pools : undefined}
      columns={columnsOf(organization)}
      unit={texts.pool}
      empty={
        <Empty title={texts.noAgentPoolsYet} command="lockkeeper agent --config agent.yaml">
          {texts.agentsRegisterInA}
        </Empty>
      }
      creation={
        manages && {
          button: texts.newAgentPool,
          hint: texts.newPool,
          dialog: (close) => <NewPool organization={organization} onClose={close} />,
        }
      }
    >
      {may && !sees && <p>{texts.youHaveNoPermission}</p>}
    </ListPage>
  );
}

function NewPool({ organization, onClose }: { readonly organization: string; readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [forAll, setForAll] = useState(true);
  const navigate = useNavigate();
  const create = useChange(
    () =>
      workspaces.send('POST /organizations/{organization_name}/agent-pools', {
        path: { organization_name: organization },
        body: { data: { type: 'agent-pools', attributes: { name, 'organization-scoped': forAll } } },
      }),
    ({ data }) => void navigate({ to: '/$organization/agents/$pool', params: { organization, pool: data.id } }),
  );
  return (
    <AskDialog
      title={texts.newAgentPool}
      action={texts.createPool}
      busy={create.isPending}
      fault={create.error}
      off={name === '' && texts.enterAName}
      onAction={() => create.mutate()}
      onClose={onClose}
    >
      <Field name="name" label={texts.name} maxLength={90} value={name} onText={setName} autoComplete="off" autoFocus />
      <Check
        name="organization-scoped"
        label={texts.availableToEveryWorkspace}
        help={texts.otherwiseOnlyToSelected}
        checked={forAll}
        onCheck={setForAll}
      />
    </AskDialog>
  );
}
