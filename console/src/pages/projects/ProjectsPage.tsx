import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Area, Field } from '../../components/form/Field.tsx';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import type { Column } from '../../components/table/columns.ts';
import { counted } from '../../format/number.ts';
import { ListPage } from '../../shell/list-page/ListPage.tsx';
import { pageIn, pageQuery } from '../../shell/list-page/paging.ts';
import { useOrganization } from '../../shell/organization.ts';
import { usePlace } from '../../shell/page.ts';
import * as texts from './texts.ts';

const LIST = 'GET /organizations/{organization_name}/projects';
const EVERY_MS = 10_000;
const route = getRouteApi('/signed-in/$organization/projects');

type Project = Resources['projects'];

const columnsOf = (organization: string): readonly Column<Project>[] => [
  {
    id: 'name',
    head: texts.name,
    isName: true,
    cell: ({ id, attributes }) => (
      <Link to="/$organization/projects/$project" params={{ organization, project: id }}>
        <bdi>{attributes.name}</bdi>
      </Link>
    ),
  },
  {
    id: 'workspaces',
    head: texts.workspaces,
    isNumber: true,
    cell: ({ id, attributes }) => (
      <Link className="link" to="/$organization/workspaces" params={{ organization }} search={{ project: id }}>
        {counted(attributes['workspace-count'], texts.workspace)}
      </Link>
    ),
  },
  {
    id: 'about',
    head: texts.description,
    className: 'soft',
    cell: ({ attributes }) => <bdi>{attributes.description}</bdi>,
  },
  {
    id: 'teams',
    head: texts.teams,
    isNumber: true,
    className: 'soft',
    cell: ({ attributes }) => counted(attributes['team-count'], 'team'),
  },
];

/** Projects of an organization. */
export function ProjectsPage() {
  const { organization } = route.useParams();
  const search = route.useSearch();
  const page = pageIn(search);
  const navigate = useNavigate({ from: '/$organization/projects' });
  const input = { path: { organization_name: organization }, query: { ...pageQuery(page), q: search.q ?? '' } };
  usePlace([{ label: organization, to: `/${organization}/workspaces` }, { label: texts.projects }]);
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
  return (
    <ListPage
      title={texts.projects}
      lede={texts.aProjectGroupsWorkspaces}
      label={texts.projectsOf(organization)}
      query={projects}
      columns={columnsOf(organization)}
      missing={<code>membership of the organization</code>}
      empty={
        <Empty title={texts.noProjectsYet} command={`lockkeeper api POST organizations/${organization}/projects`}>
          {texts.youSeeProjectsTo}
        </Empty>
      }
      creation={
        may?.['can-create-project'] === true && {
          button: texts.newProject2,
          hint: texts.newProject,
          dialog: (close) => <NewProject organization={organization} onClose={close} />,
        }
      }
      pages={{ page, onPage: (next) => void navigate({ search: (before) => ({ ...before, page: String(next) }) }) }}
    />
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
      title={texts.newProject2}
      action={texts.createProject}
      busy={create.isPending}
      fault={create.error}
      off={name === '' && texts.enterAName}
      onAction={() => create.mutate()}
      onClose={onClose}
    >
      <Field name="name" label={texts.name} maxLength={40} value={name} onText={setName} autoComplete="off" autoFocus />
      <Area name="description" label={texts.description} value={description} onText={setDescription} />
    </AskDialog>
  );
}
