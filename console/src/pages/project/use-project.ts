import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { workspaces } from '../../api/client.ts';
import * as texts from './texts.ts';

const SHOW = 'GET /projects/{project_id}';
const route = getRouteApi('/signed-in/$organization/projects/$project');

/** Loads the current project. */
export function useProject() {
  const { organization, project } = route.useParams();
  const input = { path: { project_id: project } };
  const query = useQuery(workspaces.query(SHOW, input));
  const name = query.data?.data.attributes.name ?? project;
  return {
    organization,
    id: project,
    name,
    request: workspaces.request(SHOW, input),
    query,
    /** Breadcrumbs up to the project. */
    crumbs: [
      { label: organization, to: `/${organization}/workspaces` },
      { label: texts.projects, to: `/${organization}/projects` },
      { label: name, to: `/${organization}/projects/${project}` },
    ],
  };
}
