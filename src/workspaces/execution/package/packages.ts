import type { Transaction } from '../../../storage/index.ts';
import { isAssessment, type Run } from '../run/run.ts';
import * as store from './store.ts';

/** Versions of providers and modules that `init` selected for a plan. */
export interface Packages {
  readonly providers: readonly { readonly source: string; readonly version: string }[];
  /** Module calls by path. A module that is not from a registry has no version. */
  readonly modules: readonly { readonly key: string; readonly source: string; readonly version: string | null }[];
}

/** Stores the packages of a plan until its run is over. */
export async function notePackages(tx: Transaction, run: Run, packages: Packages): Promise<void> {
  if (isOfWorkspace(run)) await store.putRunPackages(tx, run.id, JSON.stringify(packages));
}

/**
 * The workspace gets the packages of a run that it has applied, or that found nothing to change. A destroy run leaves
 * none, and a run whose agent reported none leaves unknown ones.
 */
export async function settlePackages(tx: Transaction, run: Run, now: number): Promise<void> {
  if (!isOfWorkspace(run)) return;
  const packages = run.operation === 'destroy' ? undefined : await store.readRunPackages(tx, run.id);
  const appliedAt = run.status === 'applied' ? now : null;
  const { workspaceId } = run;
  await store.putWorkspacePackages(tx, { workspaceId, packages: packages ?? null, recordedAt: now, appliedAt });
}

/** Speculative plans and assessments do not change what a workspace uses. */
const isOfWorkspace = (run: Run): boolean => run.operation !== 'plan_only' && !isAssessment(run);
