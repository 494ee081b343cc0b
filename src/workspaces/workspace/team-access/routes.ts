import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument } from '../../jsonapi/pagination.ts';
import { Id } from '../../jsonapi/schema.ts';
import { done, made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import type { ProjectGrants } from './project-grants.ts';
import { TeamProjectResource, TeamWorkspaceResource, workspaceGrantDocument } from './resource.ts';
import {
  CreateProjectGrant,
  CreateWorkspaceGrant,
  ProjectGrantList,
  UpdateProjectGrant,
  UpdateWorkspaceGrant,
  WorkspaceGrantList,
  wholeOrPage,
} from './schema.ts';
import type { WorkspaceGrants } from './workspace-grants.ts';

const OfWorkspace = Type.Object({ team_workspace_id: Id });
const OfProject = Type.Object({ team_project_id: Id });

/** Routes of the access of teams to workspaces. */
export function teamWorkspaceRoutes(api: Api, grants: WorkspaceGrants): void {
  const answer = resourceAnswer(TeamWorkspaceResource);
  const one = { answer, schema: { params: OfWorkspace } };

  api.post(
    '/team-workspaces',
    { answer: made(TeamWorkspaceResource), schema: { body: CreateWorkspaceGrant } },
    async (request, reply) => {
      const { attributes, relationships } = request.body.data;
      const { access, 'workspace-locking': locking, ...details } = attributes;
      const { team, workspace } = relationships;
      const input = { access, details: { ...details, locking } };
      const grant = await grants.create(actorOf(request), workspace.data.id, team.data.id, input);
      reply.code(201);
      return { data: workspaceGrantDocument(grant) };
    },
  );

  api.get(
    '/team-workspaces',
    { answer: pageAnswer(TeamWorkspaceResource), schema: { querystring: WorkspaceGrantList } },
    async (request) => {
      const page = wholeOrPage(request.query);
      const { 'filter[workspace][id]': workspaceId, 'filter[team][id]': teamId } = request.query;
      const { items, total } = await grants.list(actorOf(request), { workspaceId, teamId }, page);
      return pageDocument(urlOf(request), page, total, items.map(workspaceGrantDocument));
    },
  );

  api.get('/team-workspaces/:team_workspace_id', one, async (request) => {
    return { data: workspaceGrantDocument(await grants.find(actorOf(request), request.params.team_workspace_id)) };
  });

  api.patch(
    '/team-workspaces/:team_workspace_id',
    { answer, schema: { params: OfWorkspace, body: UpdateWorkspaceGrant } },
    async (request) => {
      const { access, 'workspace-locking': locking, ...details } = request.body.data.attributes;
      const input = { access, details: { ...details, locking } };
      const grant = await grants.update(actorOf(request), request.params.team_workspace_id, input);
      return { data: workspaceGrantDocument(grant) };
    },
  );

  api.delete(
    '/team-workspaces/:team_workspace_id',
    { answer: done, schema: { params: OfWorkspace } },
    async (request, reply) => {
      await grants.delete(actorOf(request), request.params.team_workspace_id);
      reply.code(204);
    },
  );
}

/** Routes of the access of teams to projects. */
export function teamProjectRoutes(api: Api, grants: ProjectGrants): void {
  const answer = resourceAnswer(TeamProjectResource);
  const one = { answer, schema: { params: OfProject } };

  api.post(
    '/team-projects',
    { answer: made(TeamProjectResource), schema: { body: CreateProjectGrant } },
    async (request, reply) => {
      const { attributes, relationships } = request.body.data;
      const { access, 'project-access': projectAccess = {}, 'workspace-access': workspaces = {} } = attributes;
      const { team, project } = relationships;
      const input = { access, project: projectAccess, workspaces };
      const grant = await grants.create(actorOf(request), project.data.id, team.data.id, input);
      reply.code(201);
      return { data: TeamProjectResource.document(grant) };
    },
  );

  api.get(
    '/team-projects',
    { answer: pageAnswer(TeamProjectResource), schema: { querystring: ProjectGrantList } },
    async (request) => {
      const page = wholeOrPage(request.query);
      const { 'filter[project][id]': projectId, 'filter[team][id]': teamId } = request.query;
      const { items, total } = await grants.list(actorOf(request), { projectId, teamId }, page);
      return pageDocument(urlOf(request), page, total, items.map(TeamProjectResource.document));
    },
  );

  api.get('/team-projects/:team_project_id', one, async (request) => {
    return { data: TeamProjectResource.document(await grants.find(actorOf(request), request.params.team_project_id)) };
  });

  api.patch(
    '/team-projects/:team_project_id',
    { answer, schema: { params: OfProject, body: UpdateProjectGrant } },
    async (request) => {
      const {
        access,
        'project-access': project = {},
        'workspace-access': workspaces = {},
      } = request.body.data.attributes;
      const input = { access, project, workspaces };
      const grant = await grants.update(actorOf(request), request.params.team_project_id, input);
      return { data: TeamProjectResource.document(grant) };
    },
  );

  api.delete(
    '/team-projects/:team_project_id',
    { answer: done, schema: { params: OfProject } },
    async (request, reply) => {
      await grants.delete(actorOf(request), request.params.team_project_id);
      reply.code(204);
    },
  );
}
