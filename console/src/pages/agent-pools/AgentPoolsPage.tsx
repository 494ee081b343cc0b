import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Check, Field } from '../../components/form/Field.tsx';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { State } from '../../components/state/State.tsx';
import type { Column } from '../../components/table/columns.ts';
import { Table } from '../../components/table/Table.tsx';
import { counted } from '../../format/number.ts';
import { day } from '../../format/time.ts';
import { useShortcuts } from '../../keyboard/shortcuts.ts';
import { useOrganization } from '../../shell/organization.ts';
import { PageHead } from '../../shell/PageHead.tsx';
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
  const [isAsking, setAsking] = useState(false);
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
  useShortcuts(manages ? [{ keys: 'c', label: texts.newPool, hint: true, run: () => setAsking(true) }] : []);
  const create = manages && (
    <Button look="primary" onClick={() => setAsking(true)}>
      {texts.newAgentPool}
    </Button>
  );
  return (
    <>
      <PageHead
        title={texts.agents}
        beside={pools.data && <span className="soft">{counted(pools.data.data.length, texts.pool)}</span>}
        lede={texts.agentsHint}
        actions={create}
      />
      {may && !sees && <p>{texts.youHaveNoPermission}</p>}
      {sees && (
        <QueryResult query={pools} what={texts.agentPoolsOf(organization)}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty title={texts.noAgentPoolsYet} command="lockkeeper agent --config agent.yaml">
                {texts.agentsRegisterInA}
              </Empty>
            ) : (
              <Table
                label={texts.agentPools}
                columns={columnsOf(organization)}
                items={data}
                keyOf={({ id }) => id}
                twoLines
              />
            )
          }
        </QueryResult>
      )}
      {isAsking && <NewPool organization={organization} onClose={() => setAsking(false)} />}
    </>
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
