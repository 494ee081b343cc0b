import { Type } from 'typebox';
import type { Clock } from '../../../../lib/clock.ts';
import type { Database } from '../../../../storage/index.ts';
import { type Api, urlOf } from '../../../http/api.ts';
import { type Page, pageDocument, pageOf, pageQuery, type Slice } from '../../../jsonapi/pagination.ts';
import { Id, text } from '../../../jsonapi/schema.ts';
import { pageAnswer } from '../../../openapi/answer.ts';
import { fragment } from '../../../query/dynamic.ts';
import { type Actor, actorOf } from '../../../tenancy/index.ts';
import { SILENCE } from '../../agent-pool/agent.ts';
import type { AgentPools } from '../../agent-pool/agent-pools.ts';
import type { RunFinder, RunView } from '../finder.ts';
import { readableRuns } from '../list/list-filter.ts';
import { listQueuedRuns } from '../list/list-store.ts';
import { parseRunInclude, type RunPresenter } from '../presenter.ts';
import { RunResource } from '../resource.ts';

/** Dependencies of `PoolQueue`. */
export interface PoolQueueOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly pools: AgentPools;
  readonly finder: RunFinder;
}

/** Runs that wait for an agent of a pool, in the order in which its agents get them. */
export class PoolQueue {
  readonly #options: PoolQueueOptions;

  constructor(options: PoolQueueOptions) {
    this.#options = options;
  }

  /**
   * Returns one page of the waiting runs that the actor may see, next run first.
   * @throws 404 when the pool does not exist, or the actor may not see it
   */
  async list(actor: Actor, poolId: string, page: Page): Promise<Slice<RunView>> {
    const { database, clock, pools, finder } = this.#options;
    const { organizationId } = await pools.find(actor, poolId);
    const grant = actor.grants.get(organizationId);
    if (grant === undefined) return { items: [], total: 0 };
    // Matches the index that claims use. A run that a connected agent has claimed does not wait.
    const waits = fragment`r.queue_pool = ${poolId} and r.queue_class in (1, 2, 3) and r.waits = 0
      and r.status in ('plan_queued', 'apply_queued') and not exists (select 1 from agent g
        where g.id = r.agent_id and g.ended is null and g.last_ping_at >= ${clock() - SILENCE})`;
    const { items, total } = await listQueuedRuns(database, organizationId, [waits, ...readableRuns(grant)], page);
    return { items: await finder.views(actor, organizationId, items), total };
  }
}

const OfPool = Type.Object({ agent_pool_id: Id });
const List = Type.Object({ ...pageQuery, include: Type.Optional(text(1000)) });

export function poolQueueRoutes(api: Api, queue: PoolQueue, presenter: RunPresenter): void {
  api.get(
    '/agent-pools/:agent_pool_id/runs',
    { answer: pageAnswer(RunResource), schema: { params: OfPool, querystring: List } },
    async (request) => {
      const actor = actorOf(request);
      const [asked, page, url] = [parseRunInclude(request.query.include), pageOf(request.query), urlOf(request)];
      const { items, total } = await queue.list(actor, request.params.agent_pool_id, page);
      const { data, included } = await presenter.present(actor, items, asked, url.origin);
      return pageDocument(url, page, total, data, included);
    },
  );
}
