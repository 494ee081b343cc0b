import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { workspaces } from '../../api/client.ts';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { whyRequest } from '../../components/why/Why.tsx';
import { usePlace } from '../../shell/page.ts';
import { useWorkspace } from '../../shell/workspace.ts';
import { OfOrganization, OfProject } from './InheritedPart.tsx';
import { TeamsPart } from './TeamsPart.tsx';
import * as texts from './texts.ts';
import { WhyPart } from './WhyPart.tsx';

const route = getRouteApi('/signed-in/$organization/workspaces/$workspace/access');

/** Access page: which teams have access to the workspace, where it comes from, and why a user has it. */
export function AccessPage() {
  const { organization, workspace, query } = useWorkspace();
  const about = route.useSearch();
  const shown = query.data?.data;
  usePlace([
    { label: organization, to: `/${organization}/workspaces` },
    { label: workspace, to: `/${organization}/workspaces/${workspace}` },
    { label: texts.access },
  ]);
  const asked = whyRequest({ organization, workspace: shown?.id ?? '', about });
  const request = workspaces.request('GET /workspaces/{workspace_id}/access-explanation', {
    path: { workspace_id: asked.path.workspace_id },
    query: asked.query,
  });
  usePathLine({ request, command: `lockkeeper api GET '${request.address.replace('/api/v2/', '')}'` });
  const teams = useQuery(
    workspaces.query('GET /organizations/{organization_name}/teams', {
      path: { organization_name: organization },
      query: { 'page[size]': '100' },
    }),
  );
  if (!shown) return null;
  const project = shown.relationships.project.data?.id;
  const names = new Map((teams.data?.data ?? []).map(({ id, attributes }) => [id, attributes.name]));
  const isAsked = about.user !== undefined || about.team !== undefined;
  const why = (
    <WhyPart
      key={`${about.user} ${about.team}`}
      organization={organization}
      workspace={workspace}
      id={shown.id}
      about={about}
      mayAsk={shown.attributes.permissions['can-update']}
    />
  );
  return (
    <>
      {isAsked && why}
      <TeamsPart organization={organization} workspace={shown} teams={names} />
      {project && <OfProject organization={organization} project={project} teams={names} />}
      <OfOrganization organization={organization} teams={teams.data?.data ?? []} />
      {!isAsked && why}
    </>
  );
}
