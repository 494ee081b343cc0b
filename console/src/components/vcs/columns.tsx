import { Link } from '@tanstack/react-router';
import type { Column } from '../table/columns.ts';
import { Approve } from './Approve.tsx';
import * as texts from './texts.ts';
import { Outcome, Reason, type VerdictOf } from './Verdict.tsx';
import styles from './vcs.module.css';

/** Class of a table with verdicts, and that of its name column. */
export const VERDICTS = styles.verdicts ?? '';
export const NAME = styles.name;

/** A row of a table of verdicts. */
export interface VerdictRow {
  readonly verdict: VerdictOf;
  readonly organization: string;
  readonly workspaceId: string;
  readonly workspace: string;
  readonly run: string | undefined;
  /** Whether the user may approve commits of forks for the workspace. */
  readonly mayApprove: boolean;
  readonly pullRequest: number | null;
  readonly commit: string | null;
}

/** Columns that all tables of verdicts have: the result, with what to do, and the reason. */
export function verdictColumns<T>(rowOf: (item: T) => VerdictRow): readonly Column<T>[] {
  return [
    { id: 'result', head: texts.result, cell: (item) => <Result of={rowOf(item)} /> },
    { id: 'reason', head: texts.reason, className: styles.why, cell: (item) => <Reason of={rowOf(item).verdict} /> },
  ];
}

function Result({ of }: { readonly of: VerdictRow }) {
  const { verdict, organization, workspace, workspaceId, run, pullRequest, commit } = of;
  const waits = verdict.code === 'fork-waits' && of.mayApprove;
  return (
    <span className={styles.does}>
      <Outcome of={verdict} />
      {run !== undefined && (
        <Link
          className="link"
          to="/$organization/workspaces/$workspace/runs/$run"
          params={{ organization, workspace, run }}
        >
          {texts.openRun}
          <span className="sr"> {texts.ofWorkspace(workspace)}</span>
        </Link>
      )}
      {waits && pullRequest !== null && commit !== null && (
        <Approve workspaceId={workspaceId} workspace={workspace} pullRequest={pullRequest} commit={commit} />
      )}
    </span>
  );
}
