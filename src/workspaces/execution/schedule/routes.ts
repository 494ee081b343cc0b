import { type Static, Type } from 'typebox';
import { type Clock, isoTime } from '../../../lib/clock.ts';
import { type AnyRequest, type Api, urlOf } from '../../http/api.ts';
import type { Document } from '../../jsonapi/document.ts';
import { unprocessable } from '../../jsonapi/errors.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id } from '../../jsonapi/schema.ts';
import { done, made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import { cronProblem, nextTimes, normalized, timeZoneProblem } from './cron.ts';
import { ScheduleOutcomeResource, SchedulePreviewResource, ScheduleResource } from './resource.ts';
import type { ScheduleOwner, ShownSchedule } from './schedule.ts';
import type { Schedules } from './schedules.ts';
import { CreateSchedule, ExcludedWorkspaces, Preview, UpdateSchedule } from './schema.ts';

const OfWorkspace = Type.Object({ workspace_id: Id });
const OfProject = Type.Object({ project_id: Id });
const One = Type.Object({ schedule_id: Id });
const List = Type.Object(pageQuery);
const Outcomes = Type.Object({ ...pageQuery, 'filter[workspace][id]': Type.Optional(Id) });

const workspaceOwner = (workspaceId: string): ScheduleOwner => ({ workspaceId, projectId: null });
const projectOwner = (projectId: string): ScheduleOwner => ({ workspaceId: null, projectId });

/** Services behind the routes of schedules. */
export interface ScheduleRoutesOptions {
  readonly schedules: Schedules;
  readonly clock: Clock;
}

/** Routes of schedules. */
export function scheduleRoutes(api: Api, { schedules, clock }: ScheduleRoutesOptions): void {
  const one = '/schedules/:schedule_id';
  const documentOf = (schedule: ShownSchedule): Document => ({ data: ScheduleResource.document(schedule, clock()) });

  const list = async (request: AnyRequest & { readonly query: Static<typeof List> }, owner: ScheduleOwner) => {
    const page = pageOf(request.query);
    const { items, total } = await schedules.list(actorOf(request), owner, page);
    const now = clock();
    const data = items.map((schedule) => ScheduleResource.document(schedule, now));
    return pageDocument(urlOf(request), page, total, data);
  };
  const create = async (request: AnyRequest & { readonly body: Static<typeof CreateSchedule> }, owner: ScheduleOwner) =>
    documentOf(await schedules.create(actorOf(request), owner, request.body.data.attributes));

  const ofWorkspace = '/workspaces/:workspace_id/schedules';
  api.get(
    ofWorkspace,
    { answer: pageAnswer(ScheduleResource), schema: { params: OfWorkspace, querystring: List } },
    (request) => list(request, workspaceOwner(request.params.workspace_id)),
  );
  api.post(
    ofWorkspace,
    { answer: made(ScheduleResource), schema: { params: OfWorkspace, body: CreateSchedule } },
    async (request, reply) => {
      const created = await create(request, workspaceOwner(request.params.workspace_id));
      reply.code(201);
      return created;
    },
  );

  const ofProject = '/projects/:project_id/schedules';
  api.get(
    ofProject,
    { answer: pageAnswer(ScheduleResource), schema: { params: OfProject, querystring: List } },
    (request) => list(request, projectOwner(request.params.project_id)),
  );
  api.post(
    ofProject,
    { answer: made(ScheduleResource), schema: { params: OfProject, body: CreateSchedule } },
    async (request, reply) => {
      const created = await create(request, projectOwner(request.params.project_id));
      reply.code(201);
      return created;
    },
  );

  api.get(one, { answer: resourceAnswer(ScheduleResource), schema: { params: One } }, async (request) =>
    documentOf(await schedules.show(actorOf(request), request.params.schedule_id)),
  );
  api.patch(
    one,
    { answer: resourceAnswer(ScheduleResource), schema: { params: One, body: UpdateSchedule } },
    async (request) => {
      const { params, body } = request;
      return documentOf(await schedules.update(actorOf(request), params.schedule_id, body.data.attributes ?? {}));
    },
  );
  api.delete(one, { schema: { params: One } }, async (request, reply) => {
    await schedules.delete(actorOf(request), request.params.schedule_id);
    reply.code(204);
  });

  relatedRoutes(api, { schedules, clock });
}

function relatedRoutes(api: Api, { schedules, clock }: ScheduleRoutesOptions): void {
  const outcomes = '/schedules/:schedule_id/outcomes';
  api.get(
    outcomes,
    { answer: pageAnswer(ScheduleOutcomeResource), schema: { params: One, querystring: Outcomes } },
    async (request) => {
      const page = pageOf(request.query);
      const workspaceId = request.query['filter[workspace][id]'];
      const { items, total } = await schedules.outcomes(
        ...([actorOf(request), request.params.schedule_id, workspaceId, page] as const),
      );
      return pageDocument(urlOf(request), page, total, items.map(ScheduleOutcomeResource.document));
    },
  );

  const excluded = '/schedules/:schedule_id/relationships/excluded-workspaces';
  const exclusion = { schema: { params: One, body: ExcludedWorkspaces } };
  api.post(excluded, { answer: done, ...exclusion }, async (request, reply) => {
    const ids = request.body.data.map(({ id }) => id);
    await schedules.setExcluded(actorOf(request), request.params.schedule_id, ids, true);
    reply.code(204);
  });
  api.delete(excluded, exclusion, async (request, reply) => {
    const ids = request.body.data.map(({ id }) => id);
    await schedules.setExcluded(actorOf(request), request.params.schedule_id, ids, false);
    reply.code(204);
  });

  // The form of the console shows the next times, or the fault, while a user types.
  api.get(
    '/schedules/preview',
    { answer: resourceAnswer(SchedulePreviewResource), schema: { querystring: Preview } },
    async (request) => {
      const times = { cron: normalized(request.query.cron), timeZone: request.query['time-zone'] ?? 'UTC' };
      const now = clock();
      const zone = timeZoneProblem(times.timeZone);
      if (zone !== undefined) throw unprocessable([{ detail: zone, parameter: 'time-zone' }]);
      const problem = cronProblem(times, now);
      if (problem !== undefined) throw unprocessable([{ detail: problem, parameter: 'cron' }]);
      return {
        data: {
          type: SchedulePreviewResource.type,
          attributes: { ...{ cron: times.cron, 'time-zone': times.timeZone }, 'next-times': isoTimes(times, now) },
        },
      };
    },
  );
}

const isoTimes = (times: Parameters<typeof nextTimes>[0], now: number) =>
  nextTimes(times, now).map((at) => isoTime(at));
