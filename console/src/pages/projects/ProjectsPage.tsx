import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Empty } from '../../components/faces/Faces.tsx';
import { Area, Field } from '../../components/form/Field.tsx';
import { Pager } from '../../components/pager/Pager.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import type { Column } from '../../components/table/columns.ts';
import { Table } from '../../components/table/Table.tsx';
import { count, counted } from '../../format/number.ts';
import { useShortcuts } from '../../keyboard/shortcuts.ts';
import { useOrganization } from '../../shell/organization.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';

const LIST = 'GET /organizations/{organization_name}/projects';
const SIZE = 50;
const EVERY_MS = 10_000;
const route = getRouteApi('/signed-in/$organization/projects');

type Project = Resources['projects'];

const columnsOf = (organization: string): readonly Column<Project>[] => [
  {
    id: 'name',
    head: 'Name',
    isName: true,
    cell: ({ id, attributes }) => (
      <Link to="/$organization/projects/$project" params={{ organization, project: id }}>
        <bdi>{attributes.name}</bdi>
      </Link>
    ),
  },
  {
    id: 'workspaces',
    head: 'Workspaces',
    isNumber: true,
    cell: ({ id, attributes }) => (
      <Link className="link" to="/$organization/workspaces" params={{ organization }} search={{ project: id }}>
        {counted(attributes['workspace-count'], 'workspace')}
      </Link>
    ),
  },
  {
    id: 'about',
    head: 'Description',
    className: 'soft',
    cell: ({ attributes }) => <bdi>{attributes.description}</bdi>,
  },
  {
    id: 'teams',
    head: 'Teams',
    isNumber: true,
    className: 'soft',
    cell: ({ attributes }) => counted(attributes['team-count'], 'team'),
  },
];

/** The projects of an organization: who may use a workspace follows its project. */
export function ProjectsPage() {
  const { organization } = route.useParams();
  const { q = '', page: asked = '1' } = route.useSearch();
  const page = Math.max(1, Number.parseInt(asked, 10) || 1);
  const navigate = useNavigate({ from: '/$organization/projects' });
  const [isAsking, setAsking] = useState(false);
  const input = {
    path: { organization_name: organization },
    query: { 'page[number]': String(page), 'page[size]': String(SIZE), q },
  };
  usePlace([{ label: organization, to: `/${organization}/workspaces` }, { label: 'Projects' }]);
  usePathLine({
    request: workspaces.request(LIST, input),
    command: `lockkeeper api GET organizations/${organization}/projects`,
  });
  const projects = useQuery({
    ...workspaces.query(LIST, input),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
  const { may } = useOrganization(organization);
  const canCreate = may?.['can-create-project'] ?? false;
  useShortcuts(canCreate ? [{ keys: 'c', label: 'new project', hint: true, run: () => setAsking(true) }] : []);
  const total = projects.data?.meta.pagination['total-count'] ?? 0;
  return (
    <>
      <PageHead
        title="Projects"
        beside={projects.data && <span className="soft">{count(total)}</span>}
        lede="A project keeps workspaces together: who may use them, where they run, which tags and variables they have."
        actions={
          canCreate && (
            <Button look="primary" onClick={() => setAsking(true)}>
              New project
            </Button>
          )
        }
      />
      <Answered
        query={projects}
        what={`Projects of ${organization}`}
        missing={<code>membership of the organization</code>}
      >
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No project for you" command={`lockkeeper api POST organizations/${organization}/projects`}>
              You see those that one of your teams has access to.
            </Empty>
          ) : (
            <>
              <Table
                label={`Projects of ${organization}`}
                columns={columnsOf(organization)}
                items={data}
                keyOf={({ id }) => id}
                twoLines
              />
              <Pager
                page={page}
                size={SIZE}
                total={total}
                onPage={(next) => void navigate({ search: (before) => ({ ...before, page: String(next) }) })}
              />
            </>
          )
        }
      </Answered>
      {isAsking && <NewProject organization={organization} onClose={() => setAsking(false)} />}
    </>
  );
}

function NewProject({ organization, onClose }: { readonly organization: string; readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const navigate = useNavigate();
  const create = useChange(
    () =>
      workspaces.send('POST /organizations/{organization_name}/projects', {
        path: { organization_name: organization },
        body: { data: { type: 'projects', attributes: { name, ...(description && { description }) } } },
      }),
    ({ data }) => void navigate({ to: '/$organization/projects/$project', params: { organization, project: data.id } }),
  );
  return (
    <AskDialog
      title="New project"
      action="Create project"
      busy={create.isPending}
      fault={create.error}
      off={name === '' && 'It needs a name'}
      onAction={() => create.mutate()}
      onClose={onClose}
    >
      <Field name="name" label="Name" maxLength={40} value={name} onText={setName} autoComplete="off" autoFocus />
      <Area name="description" label="Description" value={description} onText={setDescription} />
    </AskDialog>
  );
}
