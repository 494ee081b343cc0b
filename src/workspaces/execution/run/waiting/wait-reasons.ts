import type { Clock } from '../../../../lib/clock.ts';
import type { Queries } from '../../../../storage/index.ts';
import { SILENCE } from '../../agent-pool/agent.ts';
import { engineFor } from '../../lifecycle/engine.ts';
import { isFinal, isStage, startsPhase } from '../../lifecycle/status.ts';
import type { Run } from '../run.ts';
import { engineSets, queuePlaces } from './agent-presence-store.ts';
import { agentReason, decisionReason, engineReason, turnReason } from './reasons.ts';
import { openTasksOf, readWaitFacts } from './wait-facts-store.ts';

/** Says why runs wait at this moment: for their workspace, an agent, a run task or a confirmation. */
export class WaitReasons {
  readonly #clock: Clock;
  readonly #hasOwn: boolean;

  /** @param hasOwn whether the server has agents of its own, which execute the runs of workspaces in `remote` mode */
  constructor(clock: Clock, hasOwn: boolean) {
    this.#clock = clock;
    this.#hasOwn = hasOwn;
  }

  /**
   * Returns the reasons of the runs that wait, by run id. Makes one query for each kind of reason, however many runs
   * there are.
   */
  async ofRuns(db: Queries, runs: readonly Run[]): Promise<ReadonlyMap<string, string>> {
    const open = runs.filter(({ status }) => !isFinal(status));
    const idsOf = (wanted: (run: Run) => boolean) => open.filter(wanted).map(({ id }) => id);
    const isForAgent = ({ status, awaitsWorkspace }: Run) => !awaitsWorkspace && startsPhase(status);
    const turns = await readWaitFacts(
      db,
      idsOf(({ awaitsWorkspace }) => awaitsWorkspace),
    );
    const silentSince = this.#clock() - SILENCE;
    const places = await queuePlaces(db, idsOf(isForAgent), silentSince, this.#hasOwn);
    const mixed = [...places.values()].filter(({ idle, connected }) => idle > 0 && idle < connected);
    const sets = await engineSets(
      db,
      mixed.map(({ poolId }) => poolId),
      silentSince,
    );
    const setsByPool = Map.groupBy(sets, ({ poolId }) => poolId);
    const tasks = await openTasksOf(
      db,
      idsOf(({ status }) => isStage(status)),
    );
    const reasons = open.map((run) => {
      const [turn, place] = [turns.get(run.id), places.get(run.id)];
      if (turn) return [run.id, turnReason(turn)] as const;
      if (place) {
        const wanted = engineFor(run, run.status === 'apply_queued' ? 'apply' : 'plan');
        const reason =
          agentReason(place, this.#hasOwn) ?? engineReason(place, wanted, setsByPool.get(place.poolId) ?? []);
        return [run.id, reason] as const;
      }
      return [run.id, decisionReason(run, tasks.get(run.id) ?? [])] as const;
    });
    return new Map(reasons.flatMap(([id, reason]) => (reason === null ? [] : [[id, reason]])));
  }
}
